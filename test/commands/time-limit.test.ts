import { describe, expect, test } from 'vitest';
import { TransportError } from '../../src/errors.ts';
import { motif, testUrl } from '../support/motif.ts';
import { loggedIn } from '../support/rooms/login.ts';
import { saying } from '../support/rooms/prompt.ts';
import { answered, service } from '../support/service.ts';
import { parseDuration } from '../../src/text/durations.ts';

describe('a time that was too short is named with its origin', () => {
  const late = () =>
    new TransportError('timeout', 'the time was over before gw.example:443 accepted a connection', {
      layer: 'connect',
      sent: false,
      isDeadline: true,
    });
  const limited = { status: 429, headers: { 'retry-after': '1300' }, body: {} };
  test.each([
    { name: 'a flag', args: ['--timeout', '1ms'], env: {}, says: '1 ms (--timeout); allow more time: --timeout ' },
    { name: 'a variable', args: [], env: { MOTIF_TIMEOUT: '20m' }, says: '20 m (MOTIF_TIMEOUT); allow more time: ' },
    { name: 'the profile', args: [], env: {}, says: '40 s (profile one); allow more time: --timeout ' },
    { name: 'none', args: [], env: {}, says: '5 m (default); allow more time: ' },
  ])('$name', async ({ name, args, env, says }) => {
    const logged = await loggedIn([testUrl, '-p', 'one']);
    const set = name === 'none' ? undefined : await motif(['profile', 'set', 'timeout', '40s'], { env, after: logged });
    const after = set?.world ?? logged;
    const ask = (replies: ReturnType<typeof service>) => motif(['prompt', 'hi', ...args], { env, after, ...replies });
    const lateRun = await ask(service(late()));
    expect(lateRun).toMatchObject({ exitCode: 7, stderr: saying(`the timeout is ${says}`) });
    expect(await ask(service(limited))).toMatchObject({
      exitCode: 9,
      stderr: saying(`longer than the timeout of ${says}`),
    });
  });

  test.each([429, 503])(
    'the time that a %d offers is enough for the wait that the service asks for',
    async (status) => {
      for (const wait of [21, 299, 301, 600, 1000, 3000, 3600]) {
        const replies = () =>
          service({ status, headers: { 'retry-after': String(wait) }, body: {} }, { body: answered });
        const refused = await motif(['prompt', 'hi', '--timeout', '20s'], replies());
        const [, offered = ''] = /allow more time: --timeout (\S+)/.exec(refused.stderr) ?? [];
        expect({ wait, ms: parseDuration(offered) }).toMatchObject({ ms: expect.any(Number) });
        expect(await motif(['prompt', 'hi', '--timeout', offered], replies())).toMatchObject({
          exitCode: 0,
          stdout: `${answered.response}\n`,
        });
      }
    },
  );

  test('a short wait offers no more than the default', async () => {
    const limit = service({ status: 429, headers: { 'retry-after': '50' }, body: {} });
    const run = await motif(['prompt', 'hi', '--timeout', '5s'], limit);
    expect(run).toMatchObject({ exitCode: 9, stderr: saying('of 5 s (--timeout); allow more time: --timeout 5m\n') });
  });

  test.each([
    { name: 'a wait', timeout: '5m', wait: 7200 },
    { name: 'a wait that no timeout covers', timeout: '24h', wait: 86_400 },
  ])('$name of more than an hour says when to come back', async ({ timeout, wait }) => {
    const run = await motif(
      ['prompt', 'hi', '--timeout', timeout],
      service({ status: 429, headers: { 'retry-after': String(wait) }, body: {} }),
    );
    const at = new Date(run.world.now() + wait * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
    expect(run).toMatchObject({ exitCode: 9, stderr: saying(`; try again at ${at}`) });
    expect(run.stderr).not.toContain('allow more time');
  });

  test('the longest time that can be set offers none', async () => {
    const run = await motif(['prompt', 'hi', '--timeout', '24h'], service(late()));
    expect(run.stderr).toContain('the timeout is 1 d (--timeout)');
    expect(run.stderr).not.toContain('allow more time');
  });

  test('a suite says it of a case', async () => {
    const text = 'cases: [{ id: a, prompt: hi, timeout: 20s }]';
    const run = await motif(['check', 's.motif.yaml', '--report', 'json'], {
      files: { 's.motif.yaml': text },
      ...service(limited),
    });
    expect(run.stdout).toContain('longer than the timeout of 20 s (the suite); allow more time: timeout: 25m there');
  });
});
