import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { topicNames } from '../../src/manual/topics.ts';
import { commandTable } from '../../src/program.ts';
import { declaredCommands } from '../support/commands.ts';

/** Whatever the program tells people to type is compared with what it understands. */
const source = resolve(import.meta.dirname, '../../src');
const commands = await declaredCommands();
const flagsByCommand = new Map(commands.map(({ path, command }) => [path.join(' '), flagsOf(command.options)]));
const globalFlags = ['--help', '-h', '--version', '-V', '--quiet', '-q', '--color', '--accessible', '--debug'];
const everyFlag = new Set([...globalFlags, ...[...flagsByCommand.values()].flat()]);

/** Flags of other programs, and some that are named because there are none. */
const foreign = new Set(
  `--array --clipboard --data-binary --data-raw --input --max-time --noproxy --open --proxytunnel --liftoff-only
   --shard --flag --label --insecure`.split(/\s+/),
);

const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') || file.endsWith('.md'))
  .flatMap((file) => literalsOf(readFileSync(join(source, file), 'utf8'), file).map((text) => ({ file, text })));

describe('texts of the program', () => {
  test('are many', () => expect(texts.length).toBeGreaterThan(1000));

  test('name flags that exist', () => {
    const unknown = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/(?<![\w/-])--[a-z][a-z-]*\b/g)]
        .map(([flag]) => flag)
        .filter((flag) => !everyFlag.has(flag) && !foreign.has(flag))
        .map((flag) => `${file}: ${flag}`),
    );
    expect(unknown).toEqual([]);
  });

  test('name commands that exist, with flags that these have', () => {
    const unknown = texts.flatMap(({ file, text }) =>
      callsIn(text).flatMap((call) => faultsOf(call).map((fault) => `${file}: ${fault}`)),
    );
    expect(unknown).toEqual([]);
  });

  test.each([
    { call: 'motif prompt --demoo hi', fault: '--demoo' },
    { call: 'motif profile lst', fault: 'profile lst' },
    { call: 'motif help exitcodes', fault: 'help exitcodes' },
    { call: 'motif logout --tenant', fault: '--tenant' },
  ])('$call would be found', ({ call, fault }) => {
    expect(callsIn(`it is done by ${call}`).flatMap(faultsOf)).toEqual([expect.stringContaining(fault)]);
  });
});

/** Commands in a text: `motif profile use NAME, or -p NAME` has one. */
function callsIn(text: string): readonly (readonly string[])[] {
  const names = commandTable.map(({ name }) => name).join('|');
  const pattern = new RegExp(`\\bmotif ((?:${names})\\b[^;:|()\\n]*)`, 'g');
  return [...text.matchAll(pattern)].map(([, words = '']) => (words.split(/,? or |, /, 1)[0] ?? '').split(/\s+/));
}

function faultsOf([name = '', next = '', ...rest]: readonly string[]): readonly string[] {
  const isWord = /^[a-z][a-z-]*$/.test(next);
  const isGroup = commands.some(({ path }) => path.length === 2 && path[0] === name);
  const isKnown = flagsByCommand.has(`${name} ${next}`);
  if (name === 'help' && isWord) {
    const known = [...topicNames, ...commandTable.map((entry) => entry.name)];
    return known.includes(next) ? [] : [`motif help ${next}`];
  }
  if (isGroup && isWord && name !== 'completion' && !isKnown) return [`motif ${name} ${next}`];
  const known = [...globalFlags, ...(flagsByCommand.get(isKnown ? `${name} ${next}` : name) ?? [])];
  const typed = [next, ...rest];
  const own = typed.includes('--') ? typed.slice(0, typed.indexOf('--')) : typed;
  return own
    .filter((word) => /^--?[a-z][a-z-]*$/.test(word) && !known.includes(word))
    .map((flag) => `motif ${name}: ${flag}`);
}

function flagsOf(
  options: readonly { readonly short?: string | undefined; readonly long?: string | undefined }[],
): readonly string[] {
  return options.flatMap(({ short, long }) => [short, long].filter((name) => name !== undefined));
}

/** String and template literals of a source file; the whole of a page. */
function literalsOf(text: string, file: string): readonly string[] {
  if (file.endsWith('.md')) return text.split('\n');
  const bare = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '');
  return [...bare.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, single, double, template]) => single ?? double ?? template ?? '',
  );
}
