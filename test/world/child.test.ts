import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Interrupted } from '../../src/errors.ts';
import { childOutputBytesMax, createChildRunner } from '../../src/world/child.ts';
import { shell } from '../support/processes/child.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const env = {
  PATH: process.env.PATH,
  HOME: '/home/ana',
  LC_ALL: 'C.UTF-8',
  MOTIF_TOKEN: 'canary-token',
  NODE_OPTIONS: '--title=canary',
  AWS_PROFILE: 'canary-cloud',
};
const never = new AbortController().signal;
const run = createChildRunner({ env, interrupted: never });
const sh = (line: string) => ({ command: '/bin/sh', args: ['-c', line] });

test('what a program said and how it ended', async () => {
  expect(await run(sh('echo out; echo err >&2; exit 3'))).toEqual({ code: 3, stdout: 'out\n', stderr: 'err\n' });
});

test.each([
  ['a text is its stdin', 'wc -c', { stdin: 'x'.repeat(200_000) }, '200000'],
  ['a text may stay unread', 'true', { stdin: 'x'.repeat(200_000) }, ''],
  ['without one it has none', 'wc -c', {}, '0'],
])('%s', async (_, line, more, stdout) => {
  const result = await run({ ...sh(line), ...more });
  expect({ ...result, stdout: result.stdout.trim() }).toEqual({ code: 0, stdout, stderr: '' });
});

test.each(['before', 'while'])('whoever waits for a program can end it, %s it runs', async (when) => {
  const stopping = new AbortController();
  if (when === 'before') stopping.abort();
  const running = run({ ...sh('sleep 60'), stop: stopping.signal });
  stopping.abort();
  expect(await running).toMatchObject({ code: null, failure: 'killed' });
});

test('arguments are no shell', async () => {
  expect((await run({ command: 'printf', args: ['%s', '$(id) "\'; x'] })).stdout).toBe('$(id) "\'; x');
});

test.each([
  ['a short list', {}, ['HOME=/home/ana', 'LC_ALL=C.UTF-8'], ['canary']],
  ['what is set beside it', { env: { EXTRA: '1' } }, ['EXTRA=1', 'HOME=/home/ana'], ['canary']],
  [
    'all but the token and NODE_OPTIONS',
    { inheritsEnv: true },
    ['AWS_PROFILE=canary-cloud'],
    ['canary-token', 'NODE_OPTIONS'],
  ],
])('the environment is %s', async (_, more, held, absent) => {
  const { stdout } = await run({ command: 'env', args: [], ...more });
  for (const text of held) expect(stdout).toContain(text);
  for (const text of absent) expect(stdout).not.toContain(text);
});

const folder = sharedFolder();
writeFileSync(join(folder, 'text'), 'not a program', { mode: 0o644 });

test.each([
  ['no such program', 'motif-no-such-program', 'not-found'],
  ['not executable', join(folder, 'text'), 'not-started'],
  ['a folder', folder, 'not-started'],
  ['an argument with NUL', 'a\0b', 'not-started'],
])('%s', async (_, command, failure) => {
  expect(await run({ command, args: [] })).toMatchObject({ code: null, stdout: '', failure });
});

test('an argument beyond what the system takes', async () => {
  expect(await run({ command: 'true', args: ['x'.repeat(1_000_000)] })).toMatchObject({
    code: null,
    failure: 'not-started',
  });
});

test('a program that a signal ended', async () => {
  expect(await run(sh('kill -TERM $$'))).toMatchObject({ code: null, failure: 'killed' });
});

test('out of time, with its children', async () => {
  const pid = join(folder, 'pid');
  const result = await run({ ...sh(`sleep 100 & echo $! > '${pid}'; echo so far; wait`), timeoutMs: 300 });
  expect(result).toMatchObject({ code: null, stdout: 'so far\n', failure: 'timeout' });
  // A dead process that nobody collects keeps its number but not its command line.
  expect((await shell('cat "/proc/$(cat "$1")/cmdline"', pid)).stdout).toBe('');
});

test('out of time, and deaf to the polite signal', async () => {
  const result = await run({ ...sh("trap '' TERM; while :; do sleep 1; done"), timeoutMs: 100 });
  expect(result).toMatchObject({ code: null, failure: 'timeout' });
});

test('a daemon that keeps the pipes is not waited for', async () => {
  expect(await run({ ...sh('setsid sleep 5 & echo done'), timeoutMs: 4_000 })).toMatchObject({
    code: 0,
    stdout: 'done\n',
  });
});

test('endless output is stopped at the cap', async () => {
  const result = await run({ command: 'yes', args: [] });
  expect(result).toMatchObject({ code: null, failure: 'too-much-output' });
  expect(result.stdout.length).toBeLessThanOrEqual(childOutputBytesMax);
});

test('an interruption ends it and is passed on', async () => {
  const controller = new AbortController();
  const reason = new Interrupted('SIGTERM');
  const running = createChildRunner({ env, interrupted: controller.signal })({ command: 'sleep', args: ['100'] });
  setTimeout(() => controller.abort(reason), 50);
  await expect(running).rejects.toBe(reason);
  await expect(createChildRunner({ env, interrupted: controller.signal })(sh('true'))).rejects.toBe(reason);
});
