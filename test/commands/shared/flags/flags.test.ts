import { describe, expect, test } from 'vitest';
import type { FlagOption } from '../../../../src/commands/shared/flags/options.ts';
import { type DeclaredCommand, declaredCommands } from '../../../support/rooms/commands.ts';
import { motif } from '../../../support/motif.ts';
import { sizeAlone } from '../../../support/rooms/prompt.ts';

/** Tries each declared flag on the command line itself, so a flag that is added is tested by that. */
const commands = await declaredCommands();
const flags = commands.flatMap((command) => command.options.map((option) => ({ command, option })));
const rows = flags.map(({ command, option }) => ({
  name: `${command.path.join(' ')} ${option.long}`,
  command,
  option,
}));

/** Words for the operands that a command cannot do without. */
function operandsOf({ command }: DeclaredCommand): readonly string[] {
  return command.registeredArguments.filter(({ required }) => required).map(() => 'x');
}

/** A flag as it is typed, with a value that it takes, and that is against the other flag where one is given. */
function typed({ long, required, field, flag }: FlagOption, other?: FlagOption): readonly string[] {
  if (!required) return [long ?? ''];
  const conflict = other?.flag.rules.not?.[field];
  const isAgainst = (text: string): boolean =>
    typeof conflict !== 'object' || conflict.when?.({ [field]: text }) !== false;
  const samples = [...(typeof flag.rules.complete === 'object' ? flag.rules.complete : []), '7', '20s', 'x'];
  const sample =
    long === '--field' ? 'usage' : (samples.find((text) => flag.read(text) !== undefined && isAgainst(text)) ?? '');
  return [long ?? '', sample];
}

function named(command: DeclaredCommand, field: string): FlagOption | undefined {
  return command.options.find((option) => option.field === field);
}

describe('declarations', () => {
  test('there are many', () => expect(rows.length).toBeGreaterThan(100));

  test.each(rows)('$name: its field is its name, and what its rules name is there', ({ command, option }) => {
    const { long = '', field, flag } = option;
    const name = long.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(flag.isRepeatable ? [name, `${name}s`] : [name]).toContain(field);
    const others = [...Object.keys(flag.rules.not ?? {}), ...(flag.rules.needs ?? [])];
    expect(others.filter((other) => named(command, other) === undefined)).toEqual([]);
    expect(option.helpGroupHeading).toMatch(/^[A-Z][^:]+:$/);
  });
});

const valued = rows.filter(({ option }) => option.required);
const picky = valued.filter(({ option }) => option.long !== '--field' && option.flag.read('~no~') === undefined);
const choices = rows.filter(({ option }) => typeof option.flag.rules.complete === 'object');

describe('usage errors', () => {
  test.each(valued)('$name without its value says what it takes', async ({ command, option }) => {
    const run = await motif([...command.path, ...operandsOf(command), option.long ?? '']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`${option.short ?? option.long} `);
    expect(run.stderr).toContain(`lacks its value: ${option.flag.takes}`);
  });

  test.each(picky)('$name refuses what it does not take, and does not repeat it', async ({ command, option }) => {
    const run = await motif([...command.path, ...operandsOf(command), option.long ?? '', '~no~']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(`motif: ${option.short ?? option.long} takes ${option.flag.takes}\n`);
    expect(run.stderr).not.toContain('~no~');
  });

  const conflicts = flags.flatMap(({ command, option }) =>
    Object.keys(option.flag.rules.not ?? {}).flatMap((field) => {
      const other = named(command, field);
      return other === undefined
        ? []
        : [{ name: `${command.path.join(' ')} ${option.long} ${other.long}`, command, option, other }];
    }),
  );
  test.each(conflicts)('$name exclude each other, and both are named', async ({ command, option, other }) => {
    const run = await motif([...command.path, ...operandsOf(command), ...typed(option), ...typed(other, option)]);
    expect(run.exitCode).toBe(2);
    for (const { short, long } of [option, other]) expect(run.stderr.split('\n')[0]).toContain(short ?? long);
  });

  const needy = rows.filter(({ option }) => (option.flag.rules.needs ?? []).length > 0);
  test.each(needy)('$name alone says what it goes with', async ({ command, option }) => {
    const run = await motif([...command.path, ...operandsOf(command), ...typed(option)]);
    expect(run.exitCode).toBe(2);
    const others = (option.flag.rules.needs ?? []).map((field) => named(command, field));
    for (const other of others) expect(run.stderr).toContain(other?.short ?? other?.long);
    expect(run.stderr).toContain(' needs ');
  });

  test.each(commands.filter((command) => named(command, 'json') !== undefined))(
    '$path --json puts a usage error on stdout too',
    async (command) => {
      const run = await motif([...command.path, '--json', '--nosuch']);
      expect(run.exitCode).toBe(2);
      expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, error: { kind: 'usage', exit_code: 2 } });
    },
  );
});

test.each([{ argv: ['--color', 'x'] }, { argv: ['history', '--color', 'x'] }])(
  '$argv is wrong without a command, too',
  async ({ argv }) => {
    const run = await motif(argv);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('--color takes always, never or auto');
  },
);

describe('completion', () => {
  test.each(choices)('$name offers its choices, and takes each', async ({ command, option }) => {
    const run = await motif(['completion', 'words', '--', ...command.path, option.long ?? '', '']);
    const { complete = [] } = option.flag.rules;
    expect(run.stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0]]))).toEqual(complete);
    for (const choice of complete) expect(() => option.flag.read(choice)).not.toThrow();
  });

  const files = rows.filter(({ option }) => option.flag.rules.complete === 'files');
  test.each(files)('$name leaves file names to the shell', async ({ command, option }) => {
    const run = await motif(['completion', 'words', '--', ...command.path, option.long ?? '', '']);
    expect(run.stdout).toBe(':files\n');
  });
});

describe('the word behind a flag that takes a value is its value', () => {
  test.each(['--version', '-V', '--help', '-h', '--debug', '-q', '--json', '--', '--nosuch'])('%s', async (word) => {
    const run = await motif(['prompt', '--dry-run', '-s', word, 'hi']);
    expect(run).toMatchObject({ exitCode: 0, stderr: sizeAlone });
    expect(run.stdout).toContain(
      JSON.stringify([
        { role: 'system', content: word },
        { role: 'user', content: 'hi' },
      ]),
    );
  });

  const words = ['--version', '-V', '--help', '--json', '--'];
  test.each(valued.map((row, index) => ({ ...row, word: words[index % words.length] ?? '' })))(
    '$name $word',
    async ({ command, option, word }) => {
      const run = await motif([...command.path, option.short ?? option.long ?? '', word, '--nosuch']);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain("unknown option '--nosuch'");
    },
  );

  test.each(
    ['--version', '-V', '--help', '-h'].flatMap((word) => [
      { argv: ['-p', word, 'prompt', 'hi'], says: '-p goes behind the command: motif prompt -p NAME' },
      { argv: ['-q', '--profile', word, 'prompt', 'hi'], says: "unknown option '--profile'" },
      { argv: ['-c', word, 'admin', 'show'], says: '-c goes behind the command: motif admin show -c FILE' },
      { argv: ['admin', '-c', word, 'show'], says: '-c goes behind the command: motif admin show -c FILE' },
    ]),
  )('$argv: also before its command, where it does not belong', async ({ argv, says }) => {
    const run = await motif(argv);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(says);
  });

  test('and not where the word behind its value is the name of another command', async () => {
    const run = await motif(['prompt', '--dry-run', '-s', '--version', 'login']);
    expect(run).toMatchObject({ exitCode: 0, stderr: sizeAlone });
    expect(run.stdout).toContain('"content":"--version"');
    const other = await motif(['prompt', '--dry-run', '-p', '--version', 'login']);
    expect(other.stderr).not.toContain('unknown option');
  });

  test('behind -- a word is no flag', async () => {
    expect((await motif(['logout', '--json', '--', '--help'])).stdout).not.toMatch(/^(motif \d|Usage)/);
  });

  test.each([
    { argv: ['-q', 'prompt', '--dry-run', 'hi'] },
    { argv: ['prompt', '-q', '--dry-run', 'hi'] },
    { argv: ['prompt', '--dry-run', 'hi', '-q'] },
  ])('$argv: a flag that every command understands stands before and behind its name', async ({ argv }) => {
    const run = await motif(argv, { env: {} });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('of two the last counts, also where one stands before the command', async () => {
    const run = await motif(['--color', 'never', 'whoami', '--color', 'nosuch']);
    expect(run).toMatchObject({ exitCode: 2 });
    expect((await motif(['--color', 'nosuch', 'whoami', '--color', 'never'])).exitCode).toBe(0);
  });
});

describe('the flags that every command understands', async () => {
  const paths = (await declaredCommands()).map(({ path }) => path.join(' '));
  test.each(paths)('motif %s has them', async (path) => {
    const { stdout } = await motif([...path.split(' '), '--help']);
    for (const flag of ['-q, --quiet', '--color', '--accessible', '--debug', '-V, --version']) {
      expect(stdout).toContain(`  ${flag}`);
    }
  });

  test.each([
    ['-q', 'admin', 'audit', 'stats'],
    ['admin', '-q', 'audit', 'stats'],
    ['admin', 'audit', '-q', 'stats'],
    ['admin', 'audit', 'stats', '-q'],
  ])('%s %s %s %s', async (...argv) => {
    const { exitCode, stderr } = await motif([...argv, 'a.jsonl'], { files: { 'a.jsonl': '' } });
    expect([exitCode, stderr]).toEqual([0, '']);
  });
});
