import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../src/errors.ts';
import { prompt, saying } from '../../support/rooms/prompt.ts';
import { refused, type Scripted, service } from '../../support/service.ts';
import { monotonicStartMs } from '../../support/fake-clock.ts';

const limited = (after?: string): Scripted => ({
  status: 429,
  body: { error: 'slow down' },
  ...(after === undefined ? {} : { headers: { 'retry-after': after } }),
});
const busy = (after?: string): Scripted => ({ ...limited(after), status: 503 });
const fault = (parts: { sent: boolean; transient: boolean; kind?: 'network' | 'timeout' }) =>
  new TransportError(parts.kind ?? 'network', 'the connection was reset', { layer: 'connect', ...parts });

describe('what surely did not run is asked again, two times by default', () => {
  test.each([
    { name: 'refused', reply: refused() },
    { name: 'reset before it was sent', reply: fault({ sent: false, transient: true }) },
    { name: '429', reply: limited() },
    { name: '429 with Retry-After', reply: limited('1') },
    { name: '503 with Retry-After', reply: busy('1') },
  ])('$name', async ({ reply }) => {
    const run = await prompt(['hi'], {}, service(reply, reply, {}));
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Hello from the service\n' });
    expect(run.requests).toHaveLength(3);
    expect(new Set(run.requests.map(({ body }) => body)).size).toBe(1);
    expect(run.stderr).toEqual(saying('retry 1 of 2', 'retry 2 of 2', 'waiting'));
  });
});

describe('what may have run is never asked again', () => {
  test.each([
    { name: 'reset after it was sent', reply: fault({ sent: true, transient: true }), exitCode: 6 },
    { name: 'a timeout', reply: fault({ sent: true, transient: true, kind: 'timeout' }), exitCode: 7 },
    { name: 'a name that does not exist', reply: fault({ sent: false, transient: false }), exitCode: 6 },
    { name: '401', reply: { ...limited('1'), status: 401 }, exitCode: 8 },
    { name: '408', reply: { ...limited('1'), status: 408 }, exitCode: 7 },
    { name: '400', reply: { ...limited('1'), status: 400 }, exitCode: 4 },
    { name: '500', reply: { ...limited('1'), status: 500 }, exitCode: 5 },
    { name: '502', reply: { ...limited('1'), status: 502 }, exitCode: 5 },
    { name: '503 without Retry-After', reply: busy(), exitCode: 5 },
    { name: '504', reply: { ...limited('1'), status: 504 }, exitCode: 5 },
    { name: 'a reply outside the contract', reply: { body: '{' }, exitCode: 5 },
  ])('$name', async ({ reply, exitCode }) => {
    const run = await prompt(['hi'], {}, service(reply, {}));
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.requests).toHaveLength(1);
    expect(run.world.slept).toEqual([]);
  });
});

describe('how often', () => {
  test.each([
    { name: '--retries 0', argv: ['--retries', '0'], env: {}, attempts: 1 },
    { name: '--retries 5', argv: ['--retries', '5'], env: {}, attempts: 6 },
    { name: 'MOTIF_RETRIES', argv: [], env: { MOTIF_RETRIES: '1' }, attempts: 2 },
    { name: 'the flag before the environment', argv: ['--retries', '3'], env: { MOTIF_RETRIES: '1' }, attempts: 4 },
  ])('$name', async ({ argv, env, attempts }) => {
    const all = { MOTIF_URL: 'https://gw.example/api/v1/apps/support-bot', MOTIF_TOKEN: 'token-token-token', ...env };
    const run = await prompt(['hi', ...argv], { env: all }, service(refused()));
    expect(run).toMatchObject({ exitCode: 6, stdout: '' });
    expect(run.requests).toHaveLength(attempts);
  });

  test('each wait is announced, unless -q; what went wrong at last is said in any case', async () => {
    const run = await prompt(['hi', '-q'], {}, service(limited('1')));
    expect(run).toMatchObject({ exitCode: 9, stdout: '' });
    expect(run.stderr).not.toContain('waiting');
    expect(run.stderr).toEqual(saying('motif: ', '429', 'slow down'));
  });
});

describe('Retry-After is obeyed', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  test.each([
    { name: 'seconds', after: '7', waitMs: 7000 },
    { name: 'blanks around', after: ' 7 ', waitMs: 7000 },
    { name: 'nothing to wait', after: '0', waitMs: 0 },
    { name: 'a date', after: new Date(now + 9000).toUTCString(), waitMs: 9000 },
    { name: 'a date that has passed', after: new Date(now - 86_400_000).toUTCString(), waitMs: 0 },
  ])('$name', async ({ after, waitMs }) => {
    const run = await prompt(['hi'], { now }, service(limited(after), {}));
    expect(run.exitCode).toBe(0);
    expect(run.world.slept.reduce((sum, ms) => sum + ms, 0)).toBe(waitMs);
  });

  test.each(['abc', '-5', '1.5', '', 'Infinity', '1e3', '0x10', '7, 9', 'Fri'])(
    '%j makes no sense: a 429 waits its own time, a 503 is not asked again',
    async (after) => {
      const run = await prompt(['hi'], { now }, service(limited(after), {}));
      expect(run.exitCode).toBe(0);
      for (const ms of run.world.slept) expect(ms).toBeLessThanOrEqual(60_000);
      expect((await prompt(['hi'], { now }, service(busy(after), {}))).requests).toHaveLength(1);
    },
  );

  test.each([
    { name: '429', reply: limited('1000'), exitCode: 9 },
    { name: '503', reply: busy('1000'), exitCode: 5 },
    { name: '429 with seconds beyond all numbers', reply: limited('9'.repeat(400)), exitCode: 9, says: ' d ' },
    { name: '503 with seconds beyond all numbers', reply: busy('9'.repeat(23)), exitCode: 5, says: ' d ' },
    { name: '429 with a date far ahead', reply: limited(new Date(now + 1_000_000).toUTCString()), exitCode: 9 },
  ])(
    '$name beyond the deadline ends at once with its own code and the time',
    async ({ reply, exitCode, says = '16 m' }) => {
      const run = await prompt(['hi', '--timeout', '20s'], { now }, service(reply, {}));
      expect(run).toMatchObject({ exitCode, stdout: '', stderr: saying(says) });
      expect(run.requests).toHaveLength(1);
      expect(run.world.slept).toEqual([]);
    },
  );
});

describe('--timeout is for one prompt with its retries and waits', () => {
  test.each([
    { name: 'the default', argv: [], env: {}, timeoutMs: 300_000 },
    { name: 'the flag', argv: ['--timeout', '90s'], env: {}, timeoutMs: 90_000 },
    { name: 'a bare number is seconds', argv: ['--timeout', '90'], env: {}, timeoutMs: 90_000 },
    { name: 'the environment', argv: [], env: { MOTIF_TIMEOUT: '2m' }, timeoutMs: 120_000 },
  ])('$name', async ({ argv, env, timeoutMs }) => {
    const all = { MOTIF_URL: 'https://gw.example/api/v1/apps/support-bot', MOTIF_TOKEN: 'token-token-token', ...env };
    const run = await prompt(['hi', ...argv], { env: all }, service(limited('10'), {}));
    const deadlines = run.requests.map(({ options }) => options.deadlineAt);
    expect(deadlines.map((deadlineAt) => deadlineAt - monotonicStartMs)).toEqual([timeoutMs, timeoutMs]);
  });

  test('a refused connection is not waited for beyond the deadline', async () => {
    const run = await prompt(['hi', '--timeout', '1s', '--retries', '50'], {}, service(refused()));
    expect([6, 7]).toContain(run.exitCode);
    expect(run.world.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(1000);
  });

  test.each([
    { argv: [], connectTimeoutMs: 10_000 },
    { argv: ['--connect-timeout', '500ms'], connectTimeoutMs: 500 },
  ])('connecting has its own: $connectTimeoutMs ms', async ({ argv, connectTimeoutMs }) => {
    const run = await prompt(['hi', ...argv]);
    expect(run.requests[0]?.options.connection.connectTimeoutMs).toBe(connectTimeoutMs);
  });

  test('answers are capped at 16 MiB', async () => {
    expect((await prompt(['hi'])).requests[0]?.options.bodyBytesMax).toBe(16 * 1024 * 1024);
  });
});
