import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { declaredCommands } from '../support/rooms/commands.ts';
import { configFolder } from '../support/rooms/login.ts';
import { sizeAlone } from '../support/rooms/prompt.ts';
import { motif, type MotifSetup, testEnv } from '../support/motif.ts';

/** Things that may stand in the place of the folder of profiles. */
const inItsPlace: Readonly<Record<string, (path: string) => unknown>> = {
  'a file': (path) => writeFileSync(path, 'not a folder'),
  'a FIFO': (path) => spawnSync('mkfifo', [path]),
  'a link to itself': (path) => symlinkSync(path, path),
  'a device': (path) => symlinkSync('/dev/null', path),
};

const commands = [
  ['whoami'],
  ['prompt', 'hi'],
  ['profile', 'list'],
  ['profile', 'show'],
  ['profile', 'use', 'bot'],
  ['profile', 'set', 'timeout', '1m'],
  ['profile', 'rename', 'bot', 'other'],
  ['logout'],
  ['logout', '--all'],
  ['whoami', '-p', 'bot'],
  ['doctor'],
];

describe.each(Object.entries(inItsPlace))('%s in the place of the profiles', (_name, make) => {
  const prepare: MotifSetup['prepare'] = (world) => {
    const path = join(configFolder(world), 'profiles');
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    make(path);
  };

  test.each(commands.map((argv) => [argv.join(' '), argv]))(
    '%s: exit 3, with the path and what to do',
    async (_, argv) => {
      const run = await motif(argv, { env: {}, prepare });
      expect(run.exitCode).toBe(3);
      expect(run.stdout + run.stderr).toMatch(/\/motif\/profiles cannot be looked into: /);
      expect(run.stdout + run.stderr).toContain('MOTIF_CONFIG_DIR');
    },
  );

  test('login: exit 12', async () => {
    const argv = ['login', 'https://gw.example/api/v1/apps/bot', '--token-stdin', '--no-verify'];
    const run = await motif(argv, { env: {}, prepare, stdin: 'first_token_0123456789' });
    expect(run).toMatchObject({ exitCode: 12, stdout: '' });
    expect(run.stderr).toMatch(/^motif: cannot save in .*\/motif\/profiles.*: .*folder.*\n.*MOTIF_CONFIG_DIR/);
    expect(run.stderr).not.toMatch(/the token goes|make room|exists already/);
  });

  test('with address and token in the environment a prompt goes on', async () => {
    const run = await motif(['prompt', '--dry-run', 'hi'], { env: testEnv, prepare });
    expect(run).toMatchObject({ exitCode: 0, stderr: sizeAlone });
  });
});

/** Words that a command needs to get as far as the files of motif. */
const operands: Readonly<Record<string, readonly string[]>> = {
  prompt: ['--demo', '--save', 'x', 'hi'],
  chat: ['--demo'],
  batch: ['--demo', 'rows.jsonl'],
  login: ['https://gw.example/api/v1/apps/bot', '--token-stdin', '--no-verify'],
  doctor: ['--demo'],
  'check add': ['--demo', 'hi'],
  'profile use': ['bot'],
  'profile set': ['timeout', '1m'],
  'profile rename': ['bot', 'other'],
  'history search': ['x'],
  'history show': ['x'],
  'history export': ['x'],
  'history rename': ['x', 'y'],
  'history delete': ['x', '--yes'],
  'history prune': ['--older-than', '1d', '--yes'],
  'completion words': ['--', 'history', 'show', ''],
};
const places = ['.config/motif', '.config/motif/profiles', '.config/motif/config.json', '.local/state/motif'];
/** Commands left out: they keep a port or a person busy, and read no file of motif. */
const others = new Set(['serve', 'demo']);

const declared = (await declaredCommands()).map(({ path }) => path.join(' ')).filter((name) => !others.has(name));

test.each(declared)('%s has words for whatever stands in the place of a folder or file of motif', async (name) => {
  const made = Object.entries(inItsPlace);
  const setup = { env: {}, files: { 'rows.jsonl': '{"prompt":"hi"}\n' }, stdin: 'token_0123456789' };
  for (const [index, place] of places.entries()) {
    const [what, make] = made[(declared.indexOf(name) + index) % made.length] ?? [];
    const prepare: MotifSetup['prepare'] = (world) => {
      const path = join(world.home ?? '', place);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      make?.(path);
    };
    const run = await motif([...name.split(' '), ...(operands[name] ?? [])], { ...setup, prepare });
    expect([0, 2, 3, 12], `${what} in the place of ${place}: ${run.stderr}`).toContain(run.exitCode);
  }
});

test('MOTIF_CONFIG_DIR=/dev/null is no folder, and the error names it', async () => {
  const run = await motif(['prompt', 'hi'], { env: { MOTIF_CONFIG_DIR: '/dev/null' } });
  expect(run).toMatchObject({ exitCode: 3, stdout: '' });
  expect(run.stderr).toContain('/dev/null/profiles cannot be looked into');
});
