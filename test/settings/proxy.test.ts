import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isListed } from '../../src/settings/no-proxy.ts';
import { chooseProxy } from '../../src/settings/proxy.ts';
import { parseProxy } from '../../src/settings/table.ts';

const secure = 'https://gw.example';
const plain = 'http://gw.example';
const one = 'http://one.test:3128';
const two = 'http://two.test:8080';

function choose(baseUrl: string, env: Readonly<Record<string, string>>, flag?: string) {
  const setting =
    flag === undefined ? undefined : ({ value: parseProxy(flag), from: '--proxy', level: 'flag' } as const);
  return chooseProxy({ baseUrl, motifId: 'm' }, setting, env);
}

describe('which proxy', () => {
  test.each([
    { to: secure, env: {}, route: undefined },
    { to: secure, env: { HTTPS_PROXY: one }, route: { url: one, from: 'HTTPS_PROXY' } },
    { to: secure, env: { https_proxy: one }, route: { url: one, from: 'https_proxy' } },
    { to: secure, env: { https_proxy: one, HTTPS_PROXY: two }, route: { url: one, from: 'https_proxy' } },
    { to: secure, env: { https_proxy: '', HTTPS_PROXY: two }, route: { url: two, from: 'HTTPS_PROXY' } },
    { to: secure, env: { https_proxy: ' ', HTTPS_PROXY: ` ${two} ` }, route: { url: two, from: 'HTTPS_PROXY' } },
    { to: secure, env: { HTTP_PROXY: one }, route: undefined },
    { to: plain, env: { HTTP_PROXY: one }, route: { url: one, from: 'HTTP_PROXY' } },
    { to: plain, env: { http_proxy: one }, route: { url: one, from: 'http_proxy' } },
    { to: plain, env: { HTTPS_PROXY: one }, route: undefined },
    { to: secure, env: { ALL_PROXY: one }, route: { url: one, from: 'ALL_PROXY' } },
    { to: plain, env: { all_proxy: one }, route: { url: one, from: 'all_proxy' } },
    { to: plain, env: { all_proxy: '', ALL_PROXY: two }, route: { url: two, from: 'ALL_PROXY' } },
    { to: secure, env: { all_proxy: one, HTTPS_PROXY: two }, route: { url: two, from: 'HTTPS_PROXY' } },
    { to: secure, env: { HTTPS_PROXY: '', ALL_PROXY: two }, route: { url: two, from: 'ALL_PROXY' } },
    { to: secure, env: { HTTPS_PROXY: one }, flag: two, route: { url: two, from: '--proxy' } },
    { to: secure, env: { HTTPS_PROXY: 'one.test:3128' }, route: { url: one, from: 'HTTPS_PROXY' } },
    { to: secure, env: { HTTPS_PROXY: 'https://one.test' }, route: { url: 'https://one.test', from: 'HTTPS_PROXY' } },
    { to: secure, env: { HTTPS_PROXY: `${one}/path?query#hash` }, route: { url: one, from: 'HTTPS_PROXY' } },
    {
      to: secure,
      env: { HTTPS_PROXY: 'http://[fd00::1]:1' },
      route: { url: 'http://[fd00::1]:1', from: 'HTTPS_PROXY' },
    },
    { to: secure, env: { ALL_PROXY: one, NO_PROXY: 'gw.example' }, route: undefined },
    { to: secure, env: { ALL_PROXY: one, no_proxy: '', NO_PROXY: '*' }, route: undefined },
    { to: secure, env: { ALL_PROXY: one, no_proxy: 'other', NO_PROXY: '*' }, route: { url: one, from: 'ALL_PROXY' } },
    { to: secure, env: { NO_PROXY: '*' }, flag: two, route: undefined },
    { to: 'http://127.0.0.1:8080', env: { ALL_PROXY: one }, flag: two, route: undefined },
    { to: 'http://127.8.9.10', env: { ALL_PROXY: one }, route: undefined },
    { to: 'http://[::1]:8080', env: { ALL_PROXY: one }, route: undefined },
    { to: 'https://localhost', env: { ALL_PROXY: one }, route: undefined },
    { to: 'https://localhost.', env: { ALL_PROXY: one }, route: undefined },
    { to: 'http://0x7f.1', env: { ALL_PROXY: one }, route: undefined },
    { to: 'https://localhost.example', env: { ALL_PROXY: one }, route: { url: one, from: 'ALL_PROXY' } },
    { to: 'http://128.0.0.1', env: { ALL_PROXY: one }, route: { url: one, from: 'ALL_PROXY' } },
    { to: 'https://127.0.0.1.example', env: { ALL_PROXY: one }, route: { url: one, from: 'ALL_PROXY' } },
  ])('$env $flag to $to', async ({ to, env, flag, route }) => {
    expect(await choose(to, env, flag)).toEqual(route);
  });

  test.each([
    { env: {}, route: { url: two, from: 'profile p' } },
    { env: { HTTPS_PROXY: one }, route: { url: one, from: 'HTTPS_PROXY' } },
    { env: { ALL_PROXY: one }, route: { url: one, from: 'ALL_PROXY' } },
    { env: { HTTP_PROXY: one }, route: { url: two, from: 'profile p' } },
    { env: { NO_PROXY: 'gw.example' }, route: undefined },
  ])('the environment goes before a profile, for each scheme by itself: $env', async ({ env, route }) => {
    const setting = { value: parseProxy(two), from: 'profile p', level: 'profile' } as const;
    expect(await chooseProxy({ baseUrl: secure, motifId: 'm' }, setting, env)).toEqual(route);
  });

  test.each([
    { text: 'http://ana:pw@one.test', credentials: 'ana:pw' },
    { text: 'http://ana@one.test', credentials: 'ana:' },
    { text: 'http://a%40b:p%3Aw%25@one.test', credentials: 'a@b:p:w%' },
    { text: 'http://ana:p%C3%A4ss@one.test', credentials: 'ana:päss' },
    { text: 'ana:pw@one.test:80', credentials: 'ana:pw' },
  ])('the credentials of $text stay out of what can be shown', async ({ text, credentials }) => {
    const route = await choose(secure, { HTTPS_PROXY: text });
    expect(route?.credentials?.reveal()).toBe(credentials);
    expect(route?.url).toBe('http://one.test');
    expect(JSON.stringify(route)).not.toMatch(/ana|pw|%/);
  });

  test.each([
    { text: 'socks5://canary:canary@one.test:1080', says: 'SOCKS proxy' },
    { text: 'SOCKS4A://one.test', says: 'SOCKS proxy' },
    { text: 'ftp://one.test', says: 'http:// or https://' },
    { text: 'file:///etc/passwd', says: 'proxy address such as' },
    { text: 'http://', says: 'proxy address such as' },
    { text: 'http://one.test:99999', says: 'proxy address such as' },
    { text: 'one test', says: 'proxy address such as' },
    { text: 'http://canary%:canary@one.test', says: 'broken %-escape' },
    { text: 'http://canary:canary%ff@one.test', says: 'broken %-escape' },
  ])('$text is refused, and not repeated', async ({ text, says }) => {
    const refused: unknown = await choose(secure, { https_proxy: text }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: expect.stringContaining('https_proxy ') });
    expect(refused).toMatchObject({ message: expect.stringContaining(says) });
    expect(String(refused)).not.toContain('canary');
  });

  test('a proxy that is not needed may be broken', async () => {
    expect(await choose(plain, { HTTPS_PROXY: 'socks5://one.test' })).toBeUndefined();
    expect(await choose('http://127.0.0.1', { ALL_PROXY: 'socks5://one.test' })).toBeUndefined();
  });
});

describe('NO_PROXY', () => {
  test.each([
    ['', secure, false],
    [',, ,', secure, false],
    ['*', secure, true],
    ['other.test,*', secure, true],
    ['*', 'http://[fd00::1]', true],
    ['**', secure, false],
    ['gw.example', secure, true],
    ['GW.Example', secure, true],
    ['gw.example.', secure, true],
    ['gw.example', 'https://gw.example.', true],
    ['example', secure, true],
    ['.example', secure, true],
    ['*.example', secure, true],
    ['.gw.example', secure, true],
    ['w.example', secure, false],
    ['notgw.example', secure, false],
    ['gw.example', 'https://evil-gw.example', false],
    ['gw.example', 'https://gw.example.evil.test', false],
    ['a.gw.example', secure, false],
    ['.', secure, false],
    ['*.', secure, false],
    ['other.test gw.example', secure, true],
    ['other.test\tgw.example\n', secure, true],
    ['https://gw.example', secure, false],
    ['gw.example:443', secure, true],
    ['gw.example:80', plain, true],
    ['gw.example:80', secure, false],
    ['gw.example:8443', 'https://gw.example:8443', true],
    ['.example:8443', 'https://gw.example:8443', true],
    ['*:443', secure, false],
    ['gw.example:', secure, false],
    ['gw.example:x', secure, false],
    ['10.0.0.1', 'http://10.0.0.1', true],
    ['10.0.0.1', 'http://010.0.0.1', false],
    ['10.0.0.1:80', 'http://10.0.0.1', true],
    ['0.0.1', 'http://10.0.0.1', false],
    ['10.0.0.0/8', 'http://10.200.0.1', true],
    ['10.0.0.0/8', 'http://11.0.0.1', false],
    ['10.0.0.0/8:80', 'http://10.1.1.1', true],
    ['10.0.0.0/8:80', 'https://10.1.1.1', false],
    ['0.0.0.0/0', 'http://203.0.113.7', true],
    ['0.0.0.0/0', secure, false],
    ['203.0.113.7/32', 'http://203.0.113.7', true],
    ['10.0.0.0/33', 'http://10.0.0.1', false],
    ['10.0.0.0/-1', 'http://10.0.0.1', false],
    ['10.0.0.0/', 'http://10.0.0.1', false],
    ['10.0.0.0/8/9', 'http://10.0.0.1', false],
    ['10.0.0.0/255.0.0.0', 'http://10.0.0.1', false],
    ['gw.example/8', secure, false],
    ['fd00::1', 'http://[fd00::1]', true],
    ['FD00:0::1', 'http://[fd00::1]', true],
    ['[fd00::1]', 'http://[fd00::1]', true],
    ['[fd00::1]:80', 'http://[fd00::1]', true],
    ['[fd00::1]:81', 'http://[fd00::1]', false],
    ['fd00::/8', 'http://[fd12::9]', true],
    ['fd00::/8', 'http://[fe80::9]', false],
    ['fd00::/129', 'http://[fd00::9]', false],
    ['::/0', 'http://[fe80::9]', true],
    ['::/0', 'http://10.0.0.1', false],
    ['10.0.0.0/8', 'http://[::ffff:10.0.0.1]', true],
    ['[', 'http://[fd00::1]', false],
    ['[]', secure, false],
  ] as const)('%j and %s: %j', (list, target, exempt) => {
    expect(isListed(new URL(target), list)).toBe(exempt);
  });

  test('whatever is written there, it is read without a fault', () => {
    const entry = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.[\]*/]{1,20}$/));
    const target = fc.constantFrom(secure, 'http://10.0.0.1', 'http://[fd00::1]:8080');
    fc.assert(
      fc.property(fc.array(entry), target, (entries, url) => {
        expect(typeof isListed(new URL(url), entries.join(','))).toBe('boolean');
        expect(isListed(new URL(url), [...entries, '*'].join(','))).toBe(true);
      }),
    );
  });
});
