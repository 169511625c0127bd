import { describe, expect, test } from 'vitest';
import { documentOf, filesBelow, logIn } from '../../support/rooms/login.ts';
import { motif, testEnv, testToken } from '../../support/motif.ts';
import { service } from '../../support/service.ts';

const offline = ['--token-stdin', '--no-verify', '--json'] as const;

describe('an address as it is pasted', () => {
  const same = 'https://gw.example/api/v1/apps/support-bot';
  test.each([
    ['as the console shows it', same, same],
    ['with /prompts', `${same}/prompts`, same],
    ['with a trailing slash', `${same}/`, same],
    ['with /prompts and a slash', `${same}/prompts/`, same],
    ['with a query', `${same}?tab=definition&x=1`, same],
    ['with /prompts and a query', `${same}/prompts?x=1`, same],
    ['with spaces around it', `  ${same}\n`, same],
    ['with a base path', 'https://gw.example/ai/eu/api/v1/apps/bot', 'https://gw.example/ai/eu/api/v1/apps/bot'],
    ['with a port', 'https://gw.example:8443/api/v1/apps/bot', 'https://gw.example:8443/api/v1/apps/bot'],
    ['with the default port', 'https://gw.example:443/api/v1/apps/bot', 'https://gw.example/api/v1/apps/bot'],
    ['with capitals in scheme and host', 'HTTPS://GW.Example/api/v1/apps/Bot', 'https://gw.example/api/v1/apps/Bot'],
    ['an IPv6 host', 'https://[2001:db8::1]/api/v1/apps/bot', 'https://[2001:db8::1]/api/v1/apps/bot'],
    ['plain http to loopback', 'http://127.0.0.1:8080/api/v1/apps/bot', 'http://127.0.0.1:8080/api/v1/apps/bot'],
    ['plain http to localhost', 'http://localhost:8080/api/v1/apps/bot', 'http://localhost:8080/api/v1/apps/bot'],
    ['plain http to ::1', 'http://[::1]:8080/api/v1/apps/bot', 'http://[::1]:8080/api/v1/apps/bot'],
  ])('%s', async (_name, typed, url) => {
    const run = await logIn([typed, '-p', 'x', ...offline]);
    expect(run.exitCode).toBe(0);
    expect(documentOf(run)).toMatchObject({ ok: true, profile: 'x', url });
  });

  test('a bare base URL takes the Motif ID beside it', async () => {
    const run = await logIn(['https://gw.example/ai', '--motif', 'support-bot', ...offline]);
    expect(documentOf(run)).toMatchObject({ url: 'https://gw.example/ai/api/v1/apps/support-bot' });
  });

  test('--motif replaces the ID at the end of the address', async () => {
    const run = await logIn(['https://gw.example/api/v1/apps/one', '--motif', 'two', ...offline]);
    expect(documentOf(run)).toMatchObject({ profile: 'two', url: 'https://gw.example/api/v1/apps/two' });
  });

  test.each([
    ['a space', 'my bot', 'my%20bot'],
    ['an umlaut', 'bär', 'b%C3%A4r'],
    ['a slash', 'a/b', 'a%2Fb'],
    ['a question mark', 'a?b', 'a%3Fb'],
    ['a hash', 'a#b', 'a%23b'],
    ['a percent sign', 'a%b', 'a%25b'],
  ])(
    'a Motif ID with %s reaches the service percent-encoded, or is refused before anything is sent',
    async (...row) => {
      const [, id, encoded] = row;
      const asked = service();
      const run = await logIn(['https://gw.example', '--motif', id, '-p', 'x', '--token-stdin'], asked);
      const sent = asked.requests.map(({ url }) => url);
      expect([[2], [0, `https://gw.example/api/v1/apps/${encoded}/prompts`]]).toContainEqual([run.exitCode, ...sent]);
    },
  );
});

describe('an address that may mislead is refused, nothing is sent and nothing is saved', () => {
  const refusals: readonly [string, string][] = [
    ['another API version', 'https://gw.example/api/v2/apps/bot'],
    ['another API version with /prompts', 'https://gw.example/api/v10/apps/bot/prompts'],
    ['another API version below a base path', 'https://gw.example/ai/api/v3/apps/bot'],
    ['a user name', 'https://good.example@evil.example/api/v1/apps/bot'],
    ['a user name and password', 'https://user:pass@gw.example/api/v1/apps/bot'],
    ['an empty user name', 'https://:@gw.example/api/v1/apps/bot#x'],
    ['a fragment', 'https://evil.example#good.example/api/v1/apps/bot'],
    ['a fragment at the end', 'https://gw.example/api/v1/apps/bot#top'],
    ['a backslash after the host', 'https://evil.example\\@good.example/api/v1/apps/bot'],
    ['backslashes for slashes', 'https:\\\\gw.example\\api\\v1\\apps\\bot'],
    ['a space in the host', 'https://gw .example/api/v1/apps/bot'],
    ['a tab in the host', 'https://gw\t.example/api/v1/apps/bot'],
    ['a newline in the path', 'https://gw.example/api/v1\n/apps/bot'],
    ['a zero-width space in the host', 'https://gw\u200b.example/api/v1/apps/bot'],
    ['a bidi override', 'https://gw.example/\u202eapi/v1/apps/bot'],
    ['a soft hyphen', 'https://gw\u00ad.example/api/v1/apps/bot'],
    ['another scheme', 'ftp://gw.example/api/v1/apps/bot'],
    ['javascript:', 'javascript:alert(1)'],
    ['file:', 'file:///etc/passwd'],
    ['no scheme', 'gw.example/api/v1/apps/bot'],
    ['no host', 'https:///api/v1/apps/bot?x'],
    ['nothing', ''],
    ['words', 'support bot'],
    ['an impossible port', 'https://gw.example:99999/api/v1/apps/bot'],
    ['a Motif ID of two dots', 'https://gw.example/api/v1/apps/%2e%2e'],
    ['a Motif ID that climbs', 'https://gw.example/api/v1/apps/%2e%2e%2fadmin'],
    ['no Motif ID', 'https://gw.example'],
    ['no Motif ID after /apps/', 'https://gw.example/api/v1/apps/'],
    ['a broken percent escape', 'https://gw.example/api/v1/apps/%zz'],
  ];
  test.each(refusals)('%s', async (_name, typed) => {
    const run = await logIn([typed, '-p', 'x', '--token-stdin']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/^motif: /);
    expect(run.stderr.trim().split('\n').length).toBeGreaterThan(1);
    expect(run.stderr).not.toContain(testToken);
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test.each([
    ['full-width letters', 'https://ｇｗ.example/api/v1/apps/bot', 'gw.example'],
    ['circled letters', 'https://ⓖⓦ.example/api/v1/apps/bot', 'gw.example'],
    ['a Cyrillic look-alike', 'https://gооd.example/api/v1/apps/bot', 'gооd.example'],
    ['an ideographic full stop', 'https://gw。example/api/v1/apps/bot', 'gw.example'],
  ])('%s: refused, or shown and stored as the ASCII host that is asked', async (_name, typed, host) => {
    const run = await logIn([typed, '-p', 'x', ...offline]);
    if (run.exitCode === 2) return expect(filesBelow(run.world.home ?? '')).toEqual([]);
    const { url } = documentOf(run);
    expect(String(url)).toMatch(/^[\x21-\x7e]+$/);
    expect(new URL(String(url)).hostname).toBe(new URL(`https://${host}`).hostname);
  });

  test('a host that only looks like the profile’s is another origin', async () => {
    const run = await logIn(['https://good.example/api/v1/apps/bot', ...offline]);
    for (const url of ['https://good.example.evil.example', 'https://good.example.', 'https://g\u043eod.example']) {
      const prompt = await motif(['prompt', 'hi', '--url', `${url}/api/v1/apps/bot`], { env: {}, after: run.world });
      expect(prompt).toMatchObject({ exitCode: 3, stdout: '' });
    }
  });
});

describe('http:// to another machine', () => {
  const plain = 'http://gw.example/api/v1/apps/bot';

  test('login refuses it, sends nothing and names --allow-http', async () => {
    const run = await logIn([plain, '--token-stdin']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('--allow-http');
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test.each([
    ['--url', ['--url', plain], {}],
    ['MOTIF_URL', [], { MOTIF_URL: plain }],
  ])('prompt refuses it from %s', async (_name, flags, env) => {
    const run = await motif(['prompt', 'hi', ...flags], { env: { ...testEnv, ...env } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('--allow-http');
  });

  test.each([
    'http://127.evil.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.nip.example',
    'http://10.0.0.1',
  ])('%s is not loopback', async (host) => {
    expect(await logIn([`${host}/api/v1/apps/bot`, '--token-stdin'])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('--allow-http is remembered for this origin and for no other', async () => {
    const asked = service();
    const run = await logIn([plain, '--allow-http', '--token-stdin'], asked);
    expect(run.exitCode).toBe(0);
    expect(asked.requests).toHaveLength(1);
    const same = await motif(['prompt', 'hi'], { env: {}, after: run.world, ...service() });
    expect(same.exitCode).toBe(0);
    const other = ['prompt', 'hi', '--url', 'http://other.example/api/v1/apps/bot'];
    const elsewhere = await motif(other, { env: { MOTIF_TOKEN: testToken }, after: run.world });
    expect(elsewhere).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

test.each([[[]], [['--motif', 'bot']]])('no address and no terminal: %j asks for one in words', async (flags) => {
  const run = await logIn([...flags, '--token-stdin']);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('motif login ADDRESS');
  expect(run.stderr).toContain('API definition');
});
