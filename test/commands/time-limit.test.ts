import { describe, expect, test } from 'vitest';
import { TransportError } from '../../src/errors.ts';
import { motif, testUrl } from '../support/motif.ts';
import { loggedIn } from '../support/rooms/login.ts';
import { saying } from '../support/rooms/prompt.ts';
import { service } from '../support/service.ts';

describe('a time that was too short is named with its origin', () => {
  const late = () =>
    new TransportError('timeout', 'the time was over before gw.example:443 accepted a connection', {
      layer: 'connect',
      sent: false,
      isDeadline: true,
    });
  const limited = { status: 429, headers: { 'retry-after': '100000' }, body: {} };
  test.each([
    { name: 'a flag', args: ['--timeout', '1ms'], env: {}, says: '1 ms (--timeout); allow more time: --timeout 10m' },
    { name: 'a variable', args: [], env: { MOTIF_TIMEOUT: '20m' }, says: '20 m (MOTIF_TIMEOUT); allow more time: ' },
    { name: 'the profile', args: [], env: {}, says: '40 s (profile one); allow more time: --timeout 10m' },
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

  test('a suite says it of a case', async () => {
    const text = 'cases: [{ id: a, prompt: hi, timeout: 20s }]';
    const run = await motif(['check', 's.motif.yaml', '--report', 'json'], {
      files: { 's.motif.yaml': text },
      ...service(limited),
    });
    expect(run.stdout).toContain('longer than the timeout of 20 s (the suite); allow more time: timeout: 10m there');
  });
});
