import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asNobody, isRoot, start } from '../support/processes/child.ts';
import { program, startMotif, testedNode } from '../support/processes/program.ts';

/** A home with a profile in it that the program is not let into. */
const home = mkdtempSync('/tmp/motif-foreign-home-');
const profiles = join(home, '.config/motif/profiles');
beforeAll(() => {
  mkdirSync(profiles, { recursive: true });
  chmodSync(home, 0o700);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

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
    expect(run.stdout + run.stderr).toMatch(
      /motif-foreign-home-.*: the permissions that Node was started with forbid it/,
    );
  },
);

test.skipIf(!isRoot).each(rows)('in the home of another user, $argv ends with $code', async ({ argv, code }) => {
  const run = await startMotif(argv, { env: { HOME: home }, within: asNobody }).ended;
  expect(run.code).toBe(code);
  expect(run.stdout + run.stderr).toMatch(/motif-foreign-home-.*: permission denied/);
});
