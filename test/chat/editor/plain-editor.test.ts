import { describe, expect, test } from 'vitest';
import { createPlainEditor } from '../../../src/chat/editor/plain-editor.ts';
import { Interrupted } from '../../../src/errors.ts';
import { openLineInput } from '../../../src/terminal/line-input.ts';
import { createTyping } from '../../support/terminals/typing.ts';
import { fakeWorld } from '../../support/world.ts';

function atTerminal() {
  const typing = createTyping();
  const world = fakeWorld({ stdin: { typed: typing.typed }, stderr: { columns: 80 }, sleeps: 'held' });
  const editor = createPlainEditor(openLineInput(world), world.stderr);
  return {
    ...typing,
    world,
    editor,
    read: (initial?: string) => editor.read({ prompt: '> ', ...(initial === undefined ? {} : { initial }) }),
  };
}

describe('where nothing may be redrawn, the terminal edits the line', () => {
  test.each([
    ['a line is a text', ['hello\n'], 'hello'],
    ['lines that come together are one text', ['one\ntwo\n', 'three\n'], 'one\ntwo\nthree'],
    ['a backslash continues', ['one\\\n'], 'one\n'],
    ['two backslashes do not', ['one\\\\\n'], 'one\\\\'],
  ])('%s', async (_, chunks, text) => {
    const { read, press, world, hangUp } = atTerminal();
    const typed = read();
    await press(...chunks);
    await world.advance(25);
    await hangUp();
    expect(await typed).toEqual({ kind: 'entered', text });
  });

  test('a continued line asks for the rest, and nothing moves the cursor or changes the mode', async () => {
    const { read, press, world } = atTerminal();
    const typed = read();
    await press('one\\\n');
    await world.advance(25);
    await press('two\n');
    await world.advance(25);
    expect(await typed).toEqual({ kind: 'entered', text: 'one\ntwo' });
    expect({ shown: world.stderr.text, modes: world.modes }).toEqual({ shown: '> … ', modes: [] });
  });

  test('Ctrl-D leaves', async () => {
    const { read, hangUp } = atTerminal();
    const typed = read();
    await hangUp();
    expect(await typed).toEqual({ kind: 'left' });
  });

  test('Ctrl-C says how to leave, and leaves the second time; a text between starts anew', async () => {
    const { read, press, world } = atTerminal();
    const first = read();
    world.interrupt();
    await press('text\n');
    await world.advance(25);
    expect(await first).toEqual({ kind: 'entered', text: 'text' });
    const second = read();
    world.interrupt();
    await press();
    await new Promise(setImmediate);
    world.interrupt();
    expect(await second).toEqual({ kind: 'left' });
    expect(world.stderr.text.match(/Ctrl-C again leaves/g)).toHaveLength(2);
  });

  test('Ctrl-C stops what is being done alone; what is typed meanwhile waits', async () => {
    const { read, press, world, editor } = atTerminal();
    const work = editor.whileWorking(
      async (signal) => await new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
    );
    await press('next\n');
    world.interrupt();
    expect(await work).toBe('stopped');
    const typed = read();
    await press();
    await new Promise(setImmediate);
    await world.advance(25);
    expect(await typed).toEqual({ kind: 'entered', text: 'next' });
  });

  test('a signal ends the wait with its reason', async () => {
    const { read, world } = atTerminal();
    const typed = read();
    world.interrupt('SIGTERM');
    await expect(typed).rejects.toThrow(Interrupted);
  });

  test('a text that is to be edited is shown, defused, for it cannot be edited here', async () => {
    const { read, world, hangUp } = atTerminal();
    const typed = read('old \u001b[2J');
    await hangUp();
    await typed;
    expect(world.stderr.text).toContain('old \\u{1b}[2J\n> ');
  });
});
