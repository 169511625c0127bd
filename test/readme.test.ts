import { describe, expect, test } from 'vitest';
import { exitTable, signalTable } from '../src/errors.ts';
import { commandTable } from '../src/program.ts';
import { motif, testToken } from './support/motif.ts';
import { answered, blocked, service } from './support/service.ts';
import { readWrittenText, readWrittenTexts } from './support/texts/written-examples.ts';

/** Facts that the README alone shows; `manual/manual.test.ts` holds its examples against the program. */
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

/** Parts that differ from run to run, and from machine to machine. */
const settled = (line: string) =>
  line
    .replace(/\b01[0-9A-Z]{24}\b/g, 'ID')
    .replace(/[\d.]+ m?s\b/, 'N s')
    .replace(/[^ ]*(?=\/\.config\/)/, '~');

test('the transcript is what a person sees at a terminal, line for line', async () => {
  const transcript = blocks.find(({ text }) => text.includes('$ motif login'))?.text ?? '';
  const [login, answer, block, code, ...others] = transcript.split(/^\$ /m).slice(1);
  expect([login, answer, block, code].map((each) => each?.split(/[ \n]/, 2)[1])).toEqual([
    'login',
    'prompt',
    'prompt',
    '$?',
  ]);
  expect(others).toEqual([]);
  const columns = { columns: 200 };
  const terminal = { env: { NO_COLOR: '1' }, keyring: 'present', stdout: columns, stderr: columns } as const;
  const linesOf = (step = '') => step.split('\n').slice(1, -1).map(settled);
  const wordsOf = (step = '') =>
    [...(step.split('\n')[0] ?? '').matchAll(/"([^"]*)"|(\S+)/g)]
      .slice(1)
      .map(([, quoted, bare]) => quoted ?? bare ?? '');
  const seen = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
    `${stdout}${stderr}`
      .replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '')
      .split(/[\r\n]+/)
      .map((line) => settled(line.trimEnd()))
      .filter((line) => line !== '');
  const logged = await motif(wordsOf(login), {
    ...terminal,
    ...service({ status: 400, body: { error: 'messages: is empty' } }),
    stdin: { typed: [`${testToken}\r`] },
  });
  expect(seen(logged)).toEqual(linesOf(login));
  const [response = ''] = linesOf(answer);
  const usage = { prompt_tokens: 61, completion_tokens: 17, total_tokens: 78 };
  const after = logged.world;
  const answerRun = await motif(wordsOf(answer), {
    ...terminal,
    after,
    ...service({ body: { ...answered, response, usage } }),
  });
  expect(seen(answerRun)).toEqual(linesOf(answer));
  const blockRun = await motif(wordsOf(block), { ...terminal, after, ...service({ body: blocked }) });
  expect(seen(blockRun)).toEqual(linesOf(block));
  expect(linesOf(code)).toEqual([String(blockRun.exitCode)]);
});
