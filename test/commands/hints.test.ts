import { resolve } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { describe, expect, test } from 'vitest';
import { topicNames } from '../../src/manual/topics.ts';
import { commandTable } from '../../src/program.ts';
import { declaredCommands } from '../support/rooms/commands.ts';
import { messagesOf, readMessages } from '../support/texts/messages.ts';
import { readWrittenTexts } from '../support/texts/written-examples.ts';

/** Whatever the program tells people to type is compared with what it understands. */
const source = resolve(import.meta.dirname, '../../src');
const commands = await declaredCommands();
const flagsByCommand = new Map(commands.map(({ path, command }) => [path.join(' '), flagsOf(command.options)]));
const globalFlags = ['--help', '-h', '--version', '-V', '--quiet', '-q', '--color', '--accessible', '--debug'];
const everyFlag = new Set([...globalFlags, ...[...flagsByCommand.values()].flat()]);

/** Commands that take nothing but a verb. */
const groups = new Set(
  commands
    .filter(({ command }) => command.commands.length > 0 && command.registeredArguments.length === 0)
    .map(({ path }) => path.join(' ')),
);

/** Flags of other programs, and some that are named because there are none. */
const foreign = new Set(
  `--array --clipboard --data-binary --data-raw --input --max-time --noproxy --open --proxytunnel --liftoff-only
   --shard --flag --label --insecure --cached --others --exclude-standard --proxy-user --heapsnapshot-signal
   --size --motifs --gigabyte --audit --heap-growing-percent`.split(/\s+/),
);

/** Code within the sentences of the pages; their blocks of code are read by test/manual/blocks.test.ts. */
const spans = readWrittenTexts().flatMap(({ name, text }) =>
  [...text.replace(/^```[^]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => ({
    file: name,
    text: span,
  })),
);
const texts = [...readMessages(source, parseSync), ...spans];

describe('texts of the program', () => {
  test('are many', () => {
    expect(texts.length).toBeGreaterThan(3000);
    expect(spans.length).toBeGreaterThan(500);
  });

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

  test.each(['batch', 'blocked', 'limits', 'scripts', 'suites', 'tls', 'tokens'])(
    'name the page on %s where an error needs it',
    (topic) => {
      expect(texts.filter(({ text }) => text.includes(`motif help ${topic}`)).map(({ file }) => file)).not.toEqual([]);
    },
  );

  test('are found wherever they stand, with the part that they play', () => {
    const code = `notice(many ? \`\${count} of \${all ? \`all \${n}\` : 'it'}\` : "none");
      throw new MotifError('usage', 'no', { hint: ['try', it && 'more'] });
      type A = 'no text'; import x from 'no-text';`;
    expect(messagesOf('a.ts', code, parseSync).map(({ line, role, text }) => `${line} ${role} ${text}`)).toEqual([
      "1 notice ${count} of ${all ? `all ${n}` : 'it'}",
      '1 notice all ${n}',
      '1 notice it',
      '1 notice none',
      '2 error usage',
      '2 error no',
      '2 hint try',
      '2 hint more',
    ]);
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

/** Words of a call that the program would not understand. */
function faultsOf(words: readonly string[]): readonly string[] {
  let path = words.slice(0, 1);
  while (flagsByCommand.has([...path, words[path.length]].join(' '))) path = words.slice(0, path.length + 1);
  const name = path.join(' ');
  const next = words[path.length] ?? '';
  const isWord = /^[a-z][a-z-]*$/.test(next);
  if (name === 'help' && isWord) {
    const known = ['topics', ...topicNames, ...commandTable.map((entry) => entry.name)];
    return known.includes(next) ? [] : [`motif help ${next}`];
  }
  // A verb that stands as `${…}` in the source is known only when the program runs.
  if (groups.has(name) && next.startsWith('${')) return [];
  if (groups.has(name) && isWord) return [`motif ${name} ${next}`];
  const known = [...globalFlags, ...(flagsByCommand.get(name) ?? [])];
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  return own
    .filter((word) => /^--?[a-z][a-z-]*$/.test(word) && !known.includes(word))
    .map((flag) => `motif ${name}: ${flag}`);
}

function flagsOf(
  options: readonly { readonly short?: string | undefined; readonly long?: string | undefined }[],
): readonly string[] {
  return options.flatMap(({ short, long }) => [short, long].filter((name) => name !== undefined));
}
