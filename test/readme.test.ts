import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitTable, signalTable } from '../src/errors.ts';
import { commandTable } from '../src/program.ts';
import { motif } from './support/motif.ts';
import { service } from './support/service.ts';

/** The README is read by people and copied into scripts, so what it shows is run here or compared with the program. */
const readme = readFileSync(join(resolve(import.meta.dirname, '..'), 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));
const scripts = blocks.filter(({ language }) => language === 'sh' || language === 'yaml');
const lines = scripts.flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'));
const calls = lines.flatMap((line) =>
  [...line.matchAll(/(?:^|[|(;!] *|&& |\$\(|- |run: )(motif (?!serve)[^|;)#]*)/g)].map((match) =>
    (match[1] ?? '').trim(),
  ),
);

describe('help blocks', () => {
  const helps = blocks.flatMap(({ text }) => {
    const [, command, shown] = /^\$ motif ((?:help )?[\w -]*?(?:--help)?)\n([\s\S]*)$/.exec(text) ?? [];
    return command !== undefined && /--help$|^help /.test(command) ? [{ command, shown: shown ?? '' }] : [];
  });

  test.each(helps)('motif $command prints what the README shows', async ({ command, shown }) => {
    expect((await motif(command.split(' '))).stdout).toBe(shown);
  });

  test('the program and prompt are among them', () => {
    expect(helps.map(({ command }) => command)).toEqual(expect.arrayContaining(['--help', 'prompt --help']));
  });

  test.each(commandTable.map(({ name }) => name))('motif %s has its place in the README', (name) => {
    expect(readme).toMatch(new RegExp(`^###? .*\`(motif )?${name}`, 'm'));
  });
});

describe('examples', () => {
  test('there are some', () => {
    expect(calls.length).toBeGreaterThan(25);
  });

  test.each([...new Set(calls)])('%s: the command and its flags exist', async (call) => {
    const words = call.split(/\s+/).slice(1);
    const typed = words.slice(0, words.indexOf('--') === -1 ? words.length : words.indexOf('--'));
    const [name = ''] = typed;
    if (name.startsWith('-')) return expect((await motif([name])).exitCode).toBe(0);
    expect(commandTable.map((command) => command.name)).toContain(name);
    const verb =
      /^[a-z]+$/.test(typed[1] ?? '') && ['profile', 'admin', 'history'].includes(name) ? [typed[1] ?? ''] : [];
    const { stdout } = await motif([name, ...verb, '--help']);
    const known = new Set(stdout.match(/(?<![\w-])--?[a-z][a-z-]*/g));
    expect(flagsIn(call).filter((flag) => !known.has(flag))).toEqual([]);
  });

  test('a variable that becomes a prompt stands after -- or comes through stdin', () => {
    const careless = calls.filter((call) => {
      if (!call.startsWith('motif prompt')) return false;
      const before = call.split(/\s--\s/)[0] ?? '';
      const words = before.replace(/(?<!\S)(-{1,2}[\w-]+)[ =]("[^"]*"|'[^']*'|\S+)/g, '');
      return /\$/.test(words);
    });
    expect(careless).toEqual([]);
  });

  test('fault 45: no example puts a token into argv, and none runs a package that is not ours', () => {
    expect(lines.filter((line) => /--token[ =]|npx motif/.test(line))).toEqual([]);
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

function flagsIn(call: string): string[] {
  const unquoted = call.replace(/"[^"]*"|'[^']*'/g, 'x').split(/\s--(?:\s|$)/)[0] ?? '';
  return unquoted.split(/\s+/).flatMap((word) => /^(--?[a-z][a-z-]*)/.exec(word)?.[1] ?? []);
}
