import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { asNobody, isRoot, start } from '../support/processes/child.ts';
import { program, startMotif, testedNode } from '../support/processes/program.ts';
import { sharedFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** A home with a profile in it that the program is not let into. */
const home = sharedFolder('/tmp');
const profiles = join(home, '.config/motif/profiles');
beforeAll(() => {
  mkdirSync(profiles, { recursive: true });
  chmodSync(home, 0o700);
});

const env = { HOME: home, PATH: process.env.PATH };
const rows = [
  { argv: ['whoami'], code: 3 },
  { argv: ['doctor'], code: 3 },
  { argv: ['history', 'show', 'abc'], code: 12 },
];

/** The flag of Node's permission model, which had another name in Node 20. */
const permission = ['--permission', '--experimental-permission'].find(
  (flag) => spawnSync(testedNode, [flag, '--allow-fs-read=*', '-e', '0']).status === 0,
);

test.skipIf(permission === undefined).each(rows)(
  'under the permission model of Node, $argv ends with $code and says what forbids it',
  async ({ argv, code }) => {
    const words = [permission ?? '', `--allow-fs-read=${resolve('.')}/*`, ...program.slice(1), ...argv];
    const run = await start(testedNode, words, { env, input: '' }).ended;
    expect(run.code).toBe(code);
    expect(run.stdout + run.stderr).toMatch(/motif-test-.*: the permissions that Node was started with forbid it/);
  },
);

test.skipIf(!isRoot).each(rows)('in the home of another user, $argv ends with $code', async ({ argv, code }) => {
  const run = await startMotif(argv, { env: { HOME: home }, within: asNobody }).ended;
  expect(run.code).toBe(code);
  expect(run.stdout + run.stderr).toMatch(/motif-test-.*: permission denied/);
});

test.skipIf(!isRoot).each([
  ['history', 'list'],
  ['history', 'show', 'abc'],
  ['history', 'search', 'x'],
  ['prompt', '--demo', '-c', 'hi'],
  ['prompt', '--demo', '--save', 'x', 'hi'],
])('in the home of another user, motif %s %s says how conversations are kept after all', async (...argv) => {
  const run = await startMotif(argv, { env: { HOME: home }, within: asNobody }).ended;
  expect(run.code).toBe(12);
  const state = `'${home}/.local/state/motif'`;
  expect(run.stderr).toContain(`  was motif run with sudo? sudo chown -R "$(id -un)" ${state}\n`);
  expect(run.stderr).toContain('  another folder to keep conversations in: XDG_STATE_HOME\n');
});

test.each(['a file', 'a circle of links', 'a FIFO'])('%s in the place of the state folder', async (what) => {
  const place = temporaryFolder('/tmp');
  const state = join(place, 'motif');
  if (what === 'a file') writeFileSync(state, '');
  else if (what === 'a FIFO') spawnSync('mkfifo', [state]);
  else symlinkSync('motif', state);
  const argv = ['prompt', '--demo', '--save', 'x', 'hi'];
  const run = await startMotif(argv, { env: { XDG_STATE_HOME: place } }).ended;
  expect(run.code).toBe(12);
  expect(run.stderr).toMatch(/: (is not a folder|a part of the path is not a folder|its links lead in a circle)\n/);
  expect(run.stderr).toContain('  another folder to keep conversations in: XDG_STATE_HOME\n');
});
