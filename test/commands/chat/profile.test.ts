import { describe, expect, test } from 'vitest';
import { assistant, chatLines, chatTyping, replying, user } from '../../support/rooms/chat.ts';
import { loggedIn, tokenOf } from '../../support/rooms/login.ts';
import { testToken } from '../../support/motif.ts';
import { refused, service } from '../../support/service.ts';
import { saying } from '../../support/rooms/prompt.ts';
import { monotonicStartMs } from '../../support/fake-clock.ts';

const one = 'https://one.example/api/v1/apps/first';
const two = 'https://two.example/api/v1/apps/second';
const otherToken = 'mtf_test_other_5Ks8Qv2Wm7';

const twoProfiles = () => loggedIn([two, '-p', 'two', '--tenant', 'acme', `token=${otherToken}`], [one, '-p', 'one']);

describe('/profile', () => {
  test('the other Motif gets the conversation, and neither the token nor the tenant of the first', async () => {
    const after = await twoProfiles();
    const lines = ['hello', '/profile two', 'and you?', '/profile one', 'back'];
    const run = await chatLines(lines, [], { env: {}, after, scripted: replying() });
    expect(run.exitCode).toBe(0);
    expect(run.requests.map(({ url }) => url)).toEqual([`${one}/prompts`, `${two}/prompts`, `${one}/prompts`]);
    expect(run.requests.map(tokenOf)).toEqual([testToken, otherToken, testToken]);
    expect(run.requests.map(({ headers }) => headers['x-service-tenant-id'])).toEqual([undefined, 'acme', undefined]);
    expect(run.sent[1]).toEqual([user('hello'), assistant('re: hello'), user('and you?')]);
    expect(run.stderr).toEqual(saying('talking to second (two) now', 'talking to first (one) now'));
  });

  test('what the flags said of the first one does not hold for another', async () => {
    const after = await twoProfiles();
    const argv = ['--url', 'https://three.example/api/v1/apps/third', '--tenant', 'zzz', '--timeout', '9s'];
    const setup = { env: { MOTIF_TOKEN: 'mtf_test_env_7Hd93Kq' }, after, scripted: replying() };
    const run = await chatLines(['/profile two', 'hi'], argv, setup);
    expect(run.requests).toHaveLength(1);
    expect(run.requests[0]).toMatchObject({ url: `${two}/prompts`, headers: { 'x-service-tenant-id': 'acme' } });
    expect(run.requests.map(tokenOf)).toEqual([otherToken]);
    expect(run.requests[0]?.options.deadlineAt).toBe(monotonicStartMs + 9000);
  });

  test('without a name shows which there are', async () => {
    const run = await chatLines(['/profile'], [], { env: {}, after: await twoProfiles() });
    expect(run.stderr).toBe('talking to first (one)\n  one, in use\n  two\n');
  });

  test('of the demo is told apart from a profile of that name', async () => {
    const after = await loggedIn([one, '-p', 'support-bot']);
    const run = await chatLines(['/profile'], ['--demo'], { env: {}, after });
    expect(run.stderr).toBe('talking to support-bot (--demo), no profile\n  support-bot\n');
  });

  test('one that is not there changes nothing', async () => {
    const run = await chatLines(['/profile tow', 'hi'], [], { env: {}, after: await twoProfiles() });
    expect(run).toMatchObject({ exitCode: 3, sent: [] });
    expect(run.stderr).toContain('did you mean two?');
  });

  test('leaves the embedded gateway', async () => {
    const run = await chatLines(['/profile two', 'hi'], ['--demo'], {
      env: {},
      after: await twoProfiles(),
      scripted: replying(),
    });
    expect(run).toMatchObject({ exitCode: 0, stdout: 're: hi\n' });
  });
});

describe('/timeout', () => {
  const timedOut = refused({ isDeadline: true });

  test('is the advice of a prompt that was not answered in time, and goes along to another profile', async () => {
    const lines = ['hello\r', '/timeout\r', '/timeout soon\r', '/timeout 10m\r', '/retry\r', '/profile two\r', 'bye\r'];
    const scripted = service(timedOut, {}, {});
    const run = await chatTyping(lines, ['-p', 'one', '--timeout', '3s'], { after: await twoProfiles(), scripted });
    expect(run.stderr).toContain('the timeout is 3 s (--timeout); allow more time: /timeout 10m\n');
    expect(run.stderr).toMatch(/^3 s \(--timeout\)$/m);
    expect(run.stderr).toContain('/timeout must be a duration such as 500ms, 20s or 5m');
    expect(run.stderr).toContain('a prompt may take 10 m (/timeout) now; /retry sends the text again\n');
    expect(run.requests.map(({ options }) => options.timeoutMs)).toEqual([3000, 600_000, 600_000]);
    expect(run.sent[1]).toEqual(run.sent[0]);
  });

  test('works in lines, too, where a failure ends the chat and tells the flag', async () => {
    const scripted = service({}, timedOut);
    const run = await chatLines(['/timeout 20s', 'hello', 'and you?'], [], { scripted });
    expect(run.requests.map(({ options }) => options.timeoutMs)).toEqual([20_000, 20_000]);
    expect(run.stderr).toContain('the timeout is 20 s (/timeout); allow more time: --timeout 10m\n');
  });
});
