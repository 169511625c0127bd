import { describe, expect, test } from 'vitest';
import { loggedIn } from '../../support/rooms/login.ts';
import { motif, testToken } from '../../support/motif.ts';
import { prompt, saying, tokenOf } from '../../support/rooms/prompt.ts';
import { blocked, service } from '../../support/service.ts';
import { monotonicStartMs } from '../../support/fake-clock.ts';

const address = 'https://gw.example/api/v1/apps/support-bot';
const login = [address, '-p', 'work', '--tenant', 'acme'];

describe('with a profile and nothing else', () => {
  test('the answer comes, sent with what the profile holds, and the document names it', async () => {
    const after = await loggedIn(login);
    const run = await prompt(['hi', '--json'], { env: {}, after });
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, profile: 'work', motif_id: 'support-bot' });
    const [request] = run.requests;
    expect(request).toMatchObject({ url: `${address}/prompts`, headers: { 'x-service-tenant-id': 'acme' } });
    expect(tokenOf(request)).toBe(testToken);
  });

  test('a token that is not accepted names the profile, and stays where it is', async () => {
    const after = await loggedIn(login);
    const run = await prompt(['hi'], { env: {}, after }, service({ status: 401, body: { error: 'no' } }));
    expect(run).toMatchObject({ exitCode: 8, stdout: '', stderr: saying('work', `motif login`) });
    expect(run.stderr).not.toContain(testToken);
    expect(await prompt(['hi'], { env: {}, after })).toMatchObject({ exitCode: 0 });
  });

  test.each([
    {
      name: '--motif',
      argv: ['--motif', 'sales'],
      env: {},
      says: 'profile shop has the token of Motif sales: -p shop',
    },
    {
      name: 'MOTIF_ID',
      argv: [],
      env: { MOTIF_ID: 'sales' },
      says: 'profile shop has the token of Motif sales: -p shop',
    },
    { name: 'its own', argv: ['--motif', 'support-bot'], env: {}, says: 'a new one: motif login -p work' },
    { name: 'no profile', argv: ['--motif', 'none'], env: {}, says: 'a new one: motif login -p work' },
  ])('a 401 for another Motif names the profile of that Motif: $name', async ({ argv, env, says }) => {
    const after = await loggedIn(['https://gw.example/api/v1/apps/sales', '-p', 'shop'], login);
    const run = await prompt(['hi', ...argv], { env, after }, service({ status: 401, body: { error: 'no' } }));
    expect(run).toMatchObject({ exitCode: 8, stderr: saying('the token came from profile work', says) });
  });

  test("its blocked_notice is the organization's own words", async () => {
    const after = await loggedIn(login);
    await motif(['profile', 'set', 'blocked_notice', 'Ask Ana.'], { env: {}, after });
    const run = await prompt(['hi'], { env: {}, after }, service({ body: blocked }));
    expect(run).toMatchObject({ exitCode: 10, stdout: '', stderr: saying('blocked by policy', '\nAsk Ana.\n') });
    const louder = await prompt(['hi', '--blocked-notice', 'Ask Bo.'], { env: {}, after }, service({ body: blocked }));
    expect(louder.stderr).toContain('Ask Bo.');
    expect(louder.stderr).not.toContain('Ask Ana.');
  });

  test('its timeout and retries are in force', async () => {
    const after = await loggedIn(login);
    await motif(['profile', 'set', 'timeout', '90s'], { env: {}, after });
    await motif(['profile', 'set', 'retries', '0'], { env: {}, after });
    const reply = service({ status: 429, headers: { 'retry-after': '1' }, body: '' });
    const run = await prompt(['hi'], { env: {}, after }, reply);
    expect(run).toMatchObject({ exitCode: 9, stdout: '' });
    expect(run.requests.map(({ options }) => options.deadlineAt)).toEqual([monotonicStartMs + 90_000]);
  });
});

describe('without enough to ask', () => {
  test.each([
    { name: 'nothing at all', env: {}, argv: [], says: ['motif login', 'MOTIF_URL', 'MOTIF_TOKEN'] },
    { name: 'no token', env: { MOTIF_URL: address }, argv: [], says: ['no token', 'motif login', 'MOTIF_TOKEN'] },
    {
      name: 'an address without a Motif',
      env: { MOTIF_URL: 'https://gw.example', MOTIF_TOKEN: testToken },
      argv: [],
      says: ['MOTIF_URL', '--motif'],
    },
    { name: 'a profile that is not there', env: {}, argv: ['-p', 'wrok'], says: ['wrok', 'motif profile list'] },
  ])('$name: 3, and what to type', async ({ env, argv, says }) => {
    const run = await prompt(['hi', ...argv], { env });
    expect(run).toMatchObject({ exitCode: 3, stdout: '', requests: [], stderr: saying('motif: ', ...says) });
  });

  test('a profile that is nearly right is suggested', async () => {
    const after = await loggedIn(login);
    expect(await prompt(['hi', '-p', 'wrok'], { env: {}, after })).toMatchObject({
      exitCode: 3,
      stderr: saying('work'),
    });
  });

  test('a prompt is not read from stdin before it is known that it can be sent', async () => {
    const run = await prompt(['hi'], { env: {}, stdin: { silent: true } });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.world.slept).toEqual([]);
  });
});

test.each([
  { name: 'a mistyped command is no prompt', argv: ['prmpt', 'hi'], says: ['prmpt', 'prompt'] },
  { name: 'words without a command are no prompt', argv: ['How long can I return a kettle?'], says: ['motif --help'] },
])('$name', async ({ argv, says }) => {
  const scripted = service();
  const run = await motif(argv, { send: scripted.send });
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: saying('motif: ', ...says) });
  expect(scripted.requests).toEqual([]);
});

describe('a mistyped flag never shows the secret it carries', () => {
  test.each(['--token=', '--tokne=', '--toekn=', '--api-key=', '--bearer='])('%s', async (flag) => {
    for (const json of [[], ['--json']]) {
      const run = await prompt(['hi', `${flag}s3cr3t-s3cr3t-s3cr3t`, ...json]);
      expect(run).toMatchObject({ exitCode: 2, requests: [] });
      expect(run.stdout + run.stderr).not.toContain('s3cr3t');
    }
  });
});
