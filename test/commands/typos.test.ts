import { describe, expect, test } from 'vitest';
import { declaredCommands } from '../support/rooms/commands.ts';
import { filesBelow } from '../support/rooms/login.ts';
import { motif, testEnv, testToken, testUrl } from '../support/motif.ts';

/** A secret of no known shape, which no redactor finds: it stays out only where it is not echoed. */
const secret = 'q7Zt0pX2wK9r_hush';

const typos: readonly (readonly string[])[] = [
  ['login', testUrl, `--tokne=${secret}`],
  ['login', testUrl, `--token=${secret}`],
  ['login', testUrl, '--token', secret],
  ['login', testUrl, '--tokne', secret],
  ['login', testUrl, `--Token=${secret}`],
  ['login', testUrl, `--TOKEN=${secret}`],
  ['login', testUrl, `--token-sdtin=${secret}`],
  ['login', testUrl, `--token-stdin=${secret}`],
  ['login', testUrl, '--token-stdin', secret],
  ['login', testUrl, `--token:${secret}`],
  ['login', testUrl, `--token_${secret}`],
  ['login', testUrl, `--token${secret}`],
  ['login', testUrl, `-token=${secret}`],
  ['login', testUrl, '-token', secret],
  ['login', testUrl, `-t${secret}`],
  ['login', testUrl, '-t', secret],
  ['login', testUrl, `--api-key=${secret}`],
  ['login', testUrl, '--api-key', secret],
  ['login', testUrl, `--password=${secret}`],
  ['login', testUrl, `--bearer=${secret}`],
  ['login', testUrl, `--no-token=${secret}`],
  ['login', testUrl, secret],
  ['login', testUrl, `token=${secret}`],
  ['login', testUrl, `Bearer ${secret}`],
  ['login', secret],
  ['login', '--token-store', secret, testUrl],
  ['login', `--verify=${secret}`, testUrl],
  ['login', `--force=${secret}`, testUrl],
  ['login', `--json=${secret}`, testUrl],
  ['login', '-p', 'x', testUrl, `--tenat=${secret}`],
  ['logout', `--token=${secret}`],
  ['whoami', `--token=${secret}`],
  ['whoami', '--token', secret],
  ['prompt', 'hi', `--token=${secret}`],
  ['prompt', 'hi', '--token', secret],
  ['prompt', 'hi', `-T=${secret}`],
  ['prompt', `--tokne=${secret}`, 'hi'],
  ['profile', 'set', 'token', secret],
  ['profile', 'set', `token=${secret}`],
  ['profile', 'set', `--token=${secret}`],
  ['profile', 'use', 'x', secret],
  [`--token=${secret}`, 'prompt', 'hi'],
  ['--token', secret, 'prompt', 'hi'],
  [`token=${secret}`],
  [secret],
  ['login', testUrl, `--toke'n=${secret}`],
  ['login', testUrl, `--${secret}=x`],
  ['login', testUrl, `--tok\nen=${secret}`],
];

function titleOf(argv: readonly string[]): string {
  return argv.join(' ').replace(secret, 'SECRET').replace('\n', '\\n');
}

/** The last eight characters, so that a cut or a change of case in the front hides nothing. */
const traces = [secret, secret.slice(0, 12), secret.slice(-8), encodeURIComponent(secret), btoa(secret).slice(0, 16)];

/** A token pasted in the place of a name. Commands whose texts may hold one are left out. */
describe('a whole token of a gateway is not echoed', async () => {
  const token = `mtf_${'7O06VBtKm1fTUTv6wa'.repeat(3)}`;
  const texts = /^(?:prompt|chat|batch|check add|serve|demo|history search|admin try|completion words)\b/;
  const declared = (await declaredCommands()).filter(({ path }) => !texts.test(path.join(' ')));
  test.each(declared.map(({ path, options }) => ({ name: path.join(' '), path, options })))(
    'by $name',
    async ({ path, options }) => {
      const flags = options.filter(({ required, long }) => required && long !== '--token-out');
      const lines = [[token], [token, 'x'], ['x', token], ...flags.map(({ long }) => ['x', `${long}=${token}`])];
      for (const words of lines) {
        const { stdout, stderr } = await motif([...path, ...words], { stdin: '', files: { x: 'x' } });
        expect(stdout + stderr, words.join(' ')).not.toContain(token.slice(0, 30));
      }
    },
  );

  test.each([
    ['a profile named chat', ['profile', 'rename', token, 'chat']],
    ['a tenant named prompt', ['whoami', '-p', token, '--tenant', 'prompt']],
    ['behind a flag', ['--color', 'never', 'profile', 'rename', token, 'search']],
  ])('beside a word that is a command too: %s', async (_, argv) => {
    const { exitCode, stdout, stderr } = await motif(argv);
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).not.toContain(token.slice(0, 30));
  });

  test.each([
    { argv: ['batch', token], env: testEnv },
    { argv: ['check', token], env: testEnv },
    { argv: ['prompt', 'hi', '-f', token], env: testEnv },
    { argv: ['prompt', 'hi', '-p', token], env: testEnv },
    { argv: ['check', 'add', 'hi', '-p', token], env: testEnv },
    { argv: ['admin', 'try', 'hi', '-c', token], env: testEnv },
    { argv: ['profile', 'use', token], env: testEnv },
    { argv: ['batch', testToken], env: testEnv },
  ])('and it is said what to do: $argv', async ({ argv, env }) => {
    const run = await motif(argv, { env, stdin: '' });
    expect(run.exitCode).toBeGreaterThan(1);
    expect(run.stderr).toContain('a token must not be typed in a command');
    expect(run.stderr).not.toContain(argv.at(-1)!.slice(4, 20));
  });

  test.each([
    ['a prompt', ['prompt', '--dry-run', '--demo', token]],
    ['a prompt behind a flag', ['--color', 'never', 'prompt', '--dry-run', '--demo', token]],
  ])('but stays as it is in %s', async (_, argv) => {
    const { stdout } = await motif(argv);
    expect(stdout).toContain(token);
  });
});

describe('a mistyped flag does not echo the secret that it carries', () => {
  test.each(typos.map((argv) => [titleOf(argv), argv] as const))('%s', async (_name, argv) => {
    const run = await motif(argv, { env: testEnv });
    expect([2, 3]).toContain(run.exitCode);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(/^motif: /);
    for (const trace of traces) expect(run.stderr).not.toContain(trace);
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test.each(typos.map((argv) => [titleOf(argv), argv] as const))('%s with --json and --debug', async (_name, argv) => {
    const run = await motif([...argv, '--json', '--debug'], { env: testEnv });
    expect([2, 3]).toContain(run.exitCode);
    for (const trace of traces) expect(run.stdout + run.stderr).not.toContain(trace);
  });
});

test.each([
  ['--tenat', ['login', testUrl, '--tenat', 'x'], '--tenant'],
  ['--profle', ['whoami', '--profle', 'x'], '--profile'],
  ['--jsno', ['whoami', '--jsno'], '--json'],
])('%s is named, with the flag that was meant', async (typed, argv, meant) => {
  const run = await motif(argv, { env: testEnv });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(typed);
  expect(run.stderr).toContain(meant);
});

test('--token says where a token goes instead', async () => {
  const run = await motif(['login', testUrl, '--token', secret], { env: testEnv });
  expect(run.stderr).toContain('--token-stdin');
});

test('-token=SECRET is no template, and its value is not shown as the name of a missing one', async () => {
  const run = await motif(['prompt', 'hi', `-token=${secret}`], { env: testEnv });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('MOTIF_TOKEN');
  expect(run.stderr).not.toContain(secret);
});

test.each(['doctor', 'whoami'])('%s has one value of its document by --json', async (command) => {
  const { exitCode, stderr } = await motif([command, '--field', 'error']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`motif ${command} --json | jq -r .KEY`);
});

test.each([
  { typed: 'rotate', says: 'motif help admin rotate' },
  { typed: 'list', says: 'motif help profile list, motif help history list, motif help admin audit list' },
])('help finds a verb without its group: $typed', async ({ typed, says }) => {
  const { exitCode, stderr } = await motif(['help', typed]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`a verb of that name: ${says}\n`);
});
