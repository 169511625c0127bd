import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandTable } from '../../../src/program.ts';
import { homeWith } from '../../support/rooms/history.ts';
import { motif, type MotifSetup, type Run } from '../../support/motif.ts';
import type { FakeWorld } from '../../support/world.ts';

/** Nothing here sends, asks the keyring or starts a program: the world of `motif()` fails the test if it is tried. */
async function complete(words: readonly string[], setup: MotifSetup = {}): Promise<string[]> {
  const run = await motif(['completion', 'words', '--', ...words], setup);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.world.ran).toEqual([]);
  return linesOf(run).map((line) => line.split('\t')[0] ?? '');
}

function linesOf({ stdout }: Run): string[] {
  return stdout.split('\n').slice(0, -1);
}

/** Profile files by name. Their content is broken unless said otherwise: completion reads their names alone. */
function profiles(names: readonly string[], content = '{"url": '): MotifSetup {
  return {
    prepare({ home = '' }: FakeWorld) {
      const folder = join(home, '.config/motif/profiles');
      mkdirSync(folder, { recursive: true });
      for (const name of names) writeFileSync(join(folder, `${name}.json`), content);
    },
  };
}

describe('commands and verbs', () => {
  const commands = commandTable.map(({ name }) => name);
  test.each([
    { words: [''], offers: commands },
    { words: [], offers: commands },
    { words: ['logi'], offers: ['login'] },
    { words: ['pro'], offers: ['profile', 'prompt'] },
    { words: ['xyz'], offers: [] },
    { words: ['--color', 'never', '-q', 'who'], offers: ['whoami'] },
    { words: ['profile', 're'], offers: ['rename'] },
    { words: ['profile', '--json', 're'], offers: ['rename'] },
    { words: ['completion', ''], offers: ['bash', 'zsh', 'fish'] },
    { words: ['completion', 'bash', ''], offers: [] },
    { words: ['help', 'ex'], offers: ['exit-codes'] },
    { words: ['help', 'pro'], offers: ['profile', 'prompt', 'profiles'] },
    { words: ['help', 'profile', 'se'], offers: ['set'] },
    { words: ['help', 'help', ''], offers: [] },
    { words: ['help', 'exit-codes', ''], offers: [] },
    { words: ['unknown', ''], offers: [] },
  ])('$words offers $offers', async ({ words, offers }) => {
    expect(await complete(words)).toEqual(offers);
  });

  test('each stands beside its summary', async () => {
    const run = await motif(['completion', 'words', '--', 'log']);
    expect(linesOf(run)).toEqual(commandTable.slice(0, 2).map(({ name, summary }) => `${name}\t${summary}`));
  });
});

describe('flags', () => {
  test.each(commandTable)('motif $name offers every flag that its help shows', async ({ name }) => {
    const { stdout } = await motif([name, '--help']);
    const shown = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(shown).toContain('--help');
    expect(new Set(await complete([name, '--']))).toEqual(new Set(shown));
  });

  test.each([
    { words: ['prompt', '--ex'], offers: ['--extract', '--expect'] },
    { words: ['prompt', 'hello', '--curl', '--ex'], offers: ['--extract', '--expect'] },
    { words: ['prompt', '-p'], offers: ['-p'] },
    { words: ['profile', 'set', 'tenant', 'acme', '--pro'], offers: ['--profile'] },
    { words: ['profile', '--pro'], offers: [] },
    { words: ['--vers'], offers: ['--version'] },
    { words: ['prompt', '--expect', 'any', '--ex'], offers: ['--extract'] },
    { words: ['prompt', '--expect=any', '--ex'], offers: ['--extract'] },
    { words: ['prompt', '-x', '--ex'], offers: ['--expect'] },
    { words: ['prompt', '-ux', '--ex'], offers: ['--expect'] },
    { words: ['prompt', '-uxp', 'staging', '--ex'], offers: ['--expect'] },
    { words: ['prompt', '-pstaging', '--prof'], offers: [] },
    { words: ['prompt', '-q', '--qui'], offers: [] },
    { words: ['prompt', '--no-stdin', '--no-std'], offers: [] },
    { words: ['prompt', '-f', 'a.txt', '--fil'], offers: ['--file'] },
    { words: ['prompt', '--var=a=b', '--va'], offers: ['--var'] },
    { words: ['prompt', '-s', '--expect', '--expe'], offers: ['--expect'] },
    { words: ['prompt', '--', '--ex'], offers: [] },
    { words: ['prompt', '-s', '--', '--expe'], offers: ['--expect'] },
    { words: ['prompt', '-', '--expe'], offers: ['--expect'] },
  ])('$words offers $offers', async ({ words, offers }) => {
    expect(await complete(words)).toEqual(offers);
  });
});

describe('values', () => {
  test.each([
    { words: ['prompt', '--expect', ''], offers: ['answered', 'blocked', 'any'] },
    { words: ['prompt', '--expect=b'], offers: ['--expect=blocked'] },
    { words: ['prompt', '--expect', '=', 'b'], offers: ['blocked'] },
    { words: ['--color', 'a'], offers: ['always', 'auto'] },
    { words: ['whoami', '--color=n'], offers: ['--color=never'] },
    { words: ['login', '--token-store', ''], offers: ['keyring', 'file'] },
    { words: ['profile', 'set', 'ti'], offers: ['timeout'] },
    { words: ['profile', 'set', 'timeout', ''], offers: [] },
    { words: ['prompt', '--json='], offers: [] },
    { words: ['prompt', '--unknown='], offers: [] },
    { words: ['prompt', '--tenant', ''], offers: [] },
    { words: ['prompt', ''], offers: [] },
    { words: ['prompt', '--cacert', '/etc/s'], offers: [':files'] },
    { words: ['prompt', '--file=no'], offers: [':files'] },
    { words: ['prompt', '-f', ''], offers: [':files'] },
    { words: ['login', '--token-file', ''], offers: [':files'] },
    { words: ['batch', ''], offers: ['merge', ':files'] },
    { words: ['batch', 'pro'], offers: [':files'] },
    { words: ['batch', 'merge', ''], offers: [':files'] },
    { words: ['batch', 'prompts.txt', '-o', ''], offers: [':files'] },
    { words: ['check', 'smo'], offers: [':files'] },
    { words: ['check', 'sc'], offers: ['schema', ':files'] },
    { words: ['check', 'one.csv', ''], offers: [':files'] },
    { words: ['admin', 'show', '-c', ''], offers: [':files'] },
    { words: ['admin', 'audit', '8w2q4x', ''], offers: [':files'] },
    { words: ['admin', 'vali'], offers: ['validate'] },
  ])('$words offers $offers', async ({ words, offers }) => {
    expect(await complete(words)).toEqual(offers);
  });

  test('motif prompt takes every value of --expect that is offered', async () => {
    for (const value of await complete(['prompt', '--expect', ''])) {
      expect(await motif(['prompt', '--dry-run', '--expect', value, 'hi'])).toMatchObject({ exitCode: 0 });
    }
  });

  test('motif profile set knows every key that is offered, and would say so', async () => {
    const unknown = async (key: string) =>
      (await motif(['profile', 'set', key, '5', '-p', 'staging'], profiles(['staging'], '{}'))).stderr.includes(
        'has no',
      );
    expect(await unknown('colour')).toBe(true);
    for (const key of await complete(['profile', 'set', ''])) expect(await unknown(key), key).toBe(false);
  });
});

describe('profiles', () => {
  test.each([
    { words: ['prompt', '-p', ''], offers: ['production', 'staging'] },
    { words: ['prompt', '--profile=st'], offers: ['--profile=staging'] },
    { words: ['login', '-p', 's'], offers: ['staging'] },
    { words: ['logout', ''], offers: ['production', 'staging'] },
    { words: ['logout', 'staging', ''], offers: [] },
    { words: ['profile', 'use', 's'], offers: ['staging'] },
    { words: ['profile', 'show', 's'], offers: ['staging'] },
    { words: ['profile', 'rename', 's'], offers: ['staging'] },
    { words: ['profile', 'rename', 'staging', ''], offers: [] },
    { words: ['profile', 'set', '-p', 's'], offers: ['staging'] },
  ])('$words offers $offers, although the files are broken', async ({ words, offers }) => {
    expect(await complete(words, profiles(['staging', 'production']))).toEqual(offers);
  });

  test('a file whose name no profile can have is not offered', async () => {
    const hostile = ['$(touch pwned)', 'a b', 'a;b', '`id`', "it's", 'two\nlines', 'a\tb', '.hidden'];
    const setup = profiles(['staging', ...hostile]);
    expect(await complete(['logout', ''], setup)).toEqual(['staging']);
  });

  test.each([
    { name: 'a file', prepare: ({ home = '' }: FakeWorld) => writeFileSync(join(home, '.config'), '') },
    {
      name: 'on a broken disk',
      prepare: ({ files }: FakeWorld) =>
        void Object.assign(files, { list: async () => Promise.reject(new Error('EIO')) }),
    },
    { name: 'nowhere', home: null },
  ])('where the folder of profiles is $name, there are none and nothing is said', async ({ name: _name, ...setup }) => {
    expect(await complete(['prompt', '-p', ''], setup)).toEqual([]);
  });
});

test('whatever is typed, it ends with 0, says nothing on stderr and offers what goes on from there', async () => {
  const known = [
    'prompt',
    'profile',
    'set',
    'help',
    'completion',
    'words',
    '-p',
    '-xf',
    '--expect',
    '--color=',
    '--',
    '-',
    '=',
  ];
  const word = fc.oneof(fc.constantFrom(...known), fc.string({ unit: 'binary' }));
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 6 }), async (words) => {
      const offers = await complete(words);
      const current = words.at(-1) ?? '';
      expect(offers.filter((offer) => offer !== ':files' && !offer.startsWith(current))).toEqual([]);
    }),
    { numRuns: 50 },
  );
}, 30_000);

describe('the scripts', () => {
  test.each(['bash', 'zsh', 'fish'])('%s: short, and the same whatever is installed', async (shell) => {
    const { stdout, exitCode, stderr } = await motif(['completion', shell]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('command motif completion words --');
    expect(stdout.split('\n').length).toBeLessThan(24);
    expect(stdout).not.toMatch(/\beval\b|compgen -W|complete -W/);
  });

  test.each([
    { argv: ['completion'], says: 'motif: name the shell: bash, zsh, fish\n  motif help completion\n' },
    {
      argv: ['completion', 'tc\x1bsh'],
      says: 'motif: no completions for tc\\u{1b}sh, only for bash, zsh, fish\n  motif help completion\n',
    },
  ])('$argv is a usage error that names the three', async ({ argv, says }) => {
    expect(await motif(argv)).toMatchObject({ exitCode: 2, stdout: '', stderr: says });
  });

  test('the help shows how to install them, and not what they call', async () => {
    const { stdout } = await motif(['help', 'completion']);
    for (const shell of ['bashrc', 'zshrc', 'config.fish']) expect(stdout).toContain(shell);
    expect(stdout).not.toContain('words');
  });
});

describe('conversations', () => {
  const shelf = () =>
    homeWith(
      { title: 'Kettles', daysAgo: 1 },
      { title: 'Free shipping', daysAgo: 2 },
      { title: '-rf', daysAgo: 3 },
      { title: ':files', daysAgo: 4 },
      { title: 'back\\slash', daysAgo: 5 },
    );

  test.each([
    [['prompt', '--conversation', '']],
    [['prompt', '--conversation=']],
    [['history', 'show', '']],
    [['history', 'export', '']],
    [['history', 'rename', '']],
    [['history', 'delete', '']],
  ])('%j offers ids, the newest first, and titles that no shell takes for something else', async (words) => {
    const { after, ids } = await shelf();
    const head = words.at(-1) ?? '';
    expect(await complete(words, { after })).toEqual([...ids, 'Kettles', 'Free shipping'].map((value) => head + value));
  });

  test('each stands beside the other', async () => {
    const { after, ids } = await shelf();
    const run = await motif(['completion', 'words', '--', 'history', 'show', 'Ket'], { after });
    expect(linesOf(run)).toEqual([`Kettles\t${ids[0]}`]);
    const second = await motif(['completion', 'words', '--', 'history', 'delete', 'Kettles', 'Fr'], { after });
    expect(linesOf(second)).toEqual([`Free shipping\t${ids[1]}`]);
  });

  test('those that begin as typed are found among any number', async () => {
    const { after } = await homeWith(
      ...Array.from({ length: 120 }, (_, index) => ({ title: `Talk ${index}`, daysAgo: index })),
    );
    expect(await complete(['history', 'show', ''], { after })).toHaveLength(200);
    expect(await complete(['history', 'show', 'Talk 119'], { after })).toEqual(['Talk 119']);
  });
});
