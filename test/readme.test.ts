import { describe, expect, test } from 'vitest';
import { exitTable, signalTable } from '../src/errors.ts';
import { commandTable } from '../src/program.ts';
import { motif } from './support/motif.ts';
import { service } from './support/service.ts';
import { readWrittenText, readWrittenTexts } from './support/texts/written-examples.ts';

/** Facts that the README alone shows; `manual.test.ts` holds its examples against the program. */
const { text: readme, blocks } = readWrittenText('README.md');

describe('help blocks', () => {
  const helps = blocks.flatMap(({ text }) => {
    const [, command, shown] = /^\$ motif ((?:help )?[\w -]*?(?:--help)?)\n([\s\S]*)$/.exec(text) ?? [];
    return command !== undefined && /--help$|^help /.test(command) ? [{ command, shown: shown ?? '' }] : [];
  });

  test.each(helps)('motif $command prints what the README shows', async ({ command, shown }) => {
    expect((await motif(command.split(' '))).stdout).toBe(shown);
  });

  test('that of the program is among them', () => {
    expect(helps.map(({ command }) => command)).toEqual(expect.arrayContaining(['--help']));
  });

  test.each(commandTable.map(({ name }) => name))('motif %s has an example in the README or the manual', (name) => {
    expect(readWrittenTexts().some(({ text }) => text.includes(`motif ${name}`))).toBe(true);
  });

  test('it is short enough to be read', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(16 * 1024);
  });
});

test('the exit codes are those of the program', () => {
  const rows = [...readme.matchAll(/^\| (\d+) \| (\w+) \| (.*) \|$/gm)].map(([, code, name, cause]) => [
    Number(code),
    name,
    cause,
  ]);
  expect(rows).toEqual([
    ...exitTable.map(({ code, kind, cause }) => [code, kind, cause]),
    ...signalTable.map(({ code, signal, cause }) => [code, signal, cause]),
  ]);
});

test('the transcript is what the program says', async () => {
  const transcript =
    blocks.find(({ language, text }) => language === 'console' && text.includes('$ motif prompt'))?.text ?? '';
  const [, command = '', shown = ''] =
    /^\$ motif (prompt "[^"]*")\n([\s\S]*?)(?=^\$ |$(?![\s\S]))/m.exec(transcript) ?? [];
  const words = /"([^"]*)"/.exec(command)?.[1] ?? '';
  const response = shown.split('\n')[0] ?? '';
  const run = await motif(['prompt', words], service({ body: { blocked: false, response } }));
  expect(run).toMatchObject({ exitCode: 0, stdout: `${response}\n` });
});
