import { describe, expect, test } from 'vitest';
import { createHome } from '../../support/processes/home.ts';
import { program } from '../../support/processes/program.ts';
import { motifOnPty, noPty, openPty } from '../../support/terminals/pty.ts';

const markersOn = '\u001b[?2004h';
const markersOff = '\u001b[?2004l';

describe.skipIf(noPty)(`the terminal is put back ${noPty ?? ''}`, () => {
  test.each(['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)('%s in the middle of a draft', async (signal) => {
    const chat = motifOnPty(['chat', '--demo', '--no-save'], { env: createHome().env });
    await chat.says(markersOn);
    await chat.enters('half a text');
    chat.kill(signal);
    const { isTerminalAsBefore, shown, ...end } = await chat.ended;
    expect({ ...end, isTerminalAsBefore }).toEqual({ code: null, signal, isTerminalAsBefore: true });
    expect(shown.lastIndexOf(markersOff)).toBeGreaterThan(shown.lastIndexOf(markersOn));
  });

  test('stopped and continued by somebody else, it draws the text again and takes keys', async () => {
    const chat = motifOnPty(['chat', '--demo', '--no-save'], { env: createHome().env });
    await chat.says(markersOn);
    await chat.enters('half a text');
    const before = chat.shown().length;
    chat.kill('SIGSTOP');
    chat.kill('SIGCONT');
    // On a busy machine the text typed before is drawn once more first.
    await chat.says(/\?2004h[^]*half a text/, before);
    chat.type('\u0015\u0004');
    expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
  });

  test('Ctrl-Z where no shell could bring it back changes nothing', async () => {
    const chat = openPty([...program, 'chat', '--demo', '--no-save'], { env: createHome().env });
    await chat.says(markersOn);
    await chat.enters('half a text');
    const before = chat.shown().length;
    chat.type('\u001a');
    // Drawn by an editor that has the keys again; what is typed before is lost with the mode of the terminal.
    await chat.says(/\?2004h[^]*half a text/, before);
    chat.type('\u0015\u0004');
    expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
  });
});
