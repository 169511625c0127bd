import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addresses, serviceName } from '../../support/servers/network.ts';
import { credentials, type Peers, peersMissing, ports, proxies, startPeers } from '../../support/servers/peers.ts';
import { certificates } from '../../support/servers/tls.ts';
import { ask, expectAnswer, token } from './ask.ts';

let peers: Peers;
beforeAll(async () => {
  if (peersMissing === undefined) peers = await startPeers({ proxies: true });
});
afterAll(async () => await peers?.close());
beforeEach(({ skip }) => skip(peersMissing !== undefined, peersMissing));

const { service, squid, tinyproxy, ipv6 } = addresses;
const http = `http://${service}`;
const https = `https://${serviceName}`;
const withClientCertificate = `https://${serviceName}:${ports.clientCertificate}`;

/** A private CA and a client certificate, which is given for every target and shown only to one that asks for it. */
function identity(): Record<string, string> {
  const { ca, client } = certificates();
  return {
    MOTIF_CACERT: peers.file('ca.pem', ca),
    MOTIF_CERT: peers.file('client.crt', client.cert),
    MOTIF_KEY: peers.file('client.key', client.key),
  };
}

describe('the same prompt', () => {
  test.each(
    [
      { by: 'no proxy', proxy: undefined, from: service },
      { by: 'squid', proxy: proxies.squid, from: squid },
      { by: 'squid with a password', proxy: proxies.squidWithPassword, from: squid },
      { by: 'squid over TLS', proxy: proxies.squidOverTls, from: squid },
      { by: 'tinyproxy', proxy: proxies.tinyproxy, from: tinyproxy },
      { by: 'tinyproxy with a password', proxy: proxies.tinyproxyWithPassword, from: tinyproxy },
    ].flatMap((way) => [
      { ...way, to: 'http', origin: http, shown: undefined },
      { ...way, to: 'https', origin: https, shown: undefined },
      { ...way, to: 'https with a client certificate', origin: withClientCertificate, shown: 'CN=client' },
    ]),
  )('by $by to $to', async ({ proxy, from, origin, shown }) => {
    const asked = await ask(peers, origin, {
      args: proxy === undefined ? [] : ['--proxy', proxy],
      env: identity(),
    });
    expectAnswer(asked);
    expect(asked.received).toHaveLength(1);
    const { headers } = asked.received[0]!;
    expect(headers).toMatchObject({ authorization: `Bearer ${token}`, 'x-came-from': from });
    expect(headers['x-client']).toBe(shown);
    expect(Object.keys(headers).filter((name) => name.startsWith('proxy'))).toEqual([]);
    expect(asked.stderr).not.toContain(credentials.password);
  });
});

const dead = 'http://10.99.0.1:9';

describe('which variable counts', () => {
  test.each([
    { env: { HTTPS_PROXY: proxies.squid }, origin: https, from: squid },
    { env: { https_proxy: proxies.squid }, origin: https, from: squid },
    { env: { https_proxy: '', HTTPS_PROXY: proxies.squid }, origin: https, from: squid },
    { env: { https_proxy: proxies.tinyproxy, HTTPS_PROXY: proxies.squid }, origin: https, from: tinyproxy },
    { env: { HTTP_PROXY: proxies.squid }, origin: http, from: squid },
    { env: { http_proxy: proxies.squid }, origin: http, from: squid },
    { env: { HTTP_PROXY: dead }, origin: https, from: service },
    { env: { HTTPS_PROXY: dead }, origin: http, from: service },
    { env: { ALL_PROXY: proxies.squid }, origin: https, from: squid },
    { env: { all_proxy: proxies.squid }, origin: http, from: squid },
    { env: { ALL_PROXY: dead, HTTPS_PROXY: proxies.tinyproxy }, origin: https, from: tinyproxy },
    { env: { HTTPS_PROXY: `${squid}:3128` }, origin: https, from: squid },
    { env: { HTTPS_PROXY: dead }, args: ['--proxy', proxies.squid], origin: https, from: squid },
    { env: { ALL_PROXY: dead }, origin: 'http://127.0.0.1', from: '127.0.0.1' },
    { env: { ALL_PROXY: dead }, origin: 'http://localhost', from: '127.0.0.1' },
    { env: {}, args: ['--proxy', dead], origin: 'http://127.0.0.1', from: '127.0.0.1' },
  ])('$env $args to $origin', async ({ env, args = [], origin, from }) => {
    const asked = await ask(peers, origin, { args, env: { ...identity(), ...env } });
    expectAnswer(asked);
    expect(asked.received.map(({ headers }) => headers['x-came-from'])).toEqual([from]);
  });
});

describe('NO_PROXY', () => {
  test.each([
    { list: '*', origin: https, from: service },
    { list: serviceName, origin: https, from: service },
    { list: 'motif.test', origin: https, from: service },
    { list: '.motif.test', origin: https, from: service },
    { list: 'other.test, MOTIF.TEST', origin: https, from: service },
    { list: `${serviceName}:443`, origin: https, from: service },
    { list: `${serviceName}:80`, origin: https, from: squid },
    { list: 'otif.test', origin: https, from: squid },
    { list: service, origin: http, from: service },
    { list: '10.99.0.0/16', origin: http, from: service },
    { list: '10.98.0.0/16', origin: http, from: squid },
    { list: 'fd99::/16', origin: `http://[${ipv6}]`, from: ipv6 },
    { list: `[${ipv6}]:80`, origin: `http://[${ipv6}]`, from: ipv6 },
    { list: '', origin: https, from: squid },
  ])('$list leads to $origin by $from', async ({ list, origin, from }) => {
    const asked = await ask(peers, origin, { env: { ...identity(), ALL_PROXY: proxies.squid, no_proxy: list } });
    expectAnswer(asked);
    expect(asked.received.map(({ headers }) => headers['x-came-from'])).toEqual([from]);
  });
});

describe('a proxy that is in the way', () => {
  const wrong = (url: string) => url.replace(credentials.password, 'canary-wrong-pw');
  const bare = (url: string) => url.replace(/\/\/.*@/, '//');

  test.each([
    {
      name: 'squid asks for a password',
      proxy: bare(proxies.squidWithPassword),
      says: ['the proxy http://10.99.0.2:3129 asks for a name and a password: 407', 'NAME:PASSWORD@'],
    },
    {
      name: 'squid does not accept the password',
      proxy: wrong(proxies.squidWithPassword),
      says: ['the proxy http://10.99.0.2:3129 did not accept its name and password: 407', 'HTTPS_PROXY'],
    },
    {
      name: 'tinyproxy asks for a password',
      proxy: bare(proxies.tinyproxyWithPassword),
      says: ['the proxy http://10.99.0.3:8889 asks for a name and a password: 407', 'NAME:PASSWORD@'],
    },
    {
      name: 'tinyproxy does not accept the password',
      proxy: wrong(proxies.tinyproxyWithPassword),
      says: ['the proxy http://10.99.0.3:8889 did not accept its name and password: 401', 'HTTPS_PROXY'],
    },
    {
      name: 'squid does not open ways to this port',
      proxy: proxies.squidStrict,
      origin: withClientCertificate,
      says: [
        'the proxy http://10.99.0.2:3131 refused to connect to gw.motif.test:8443: 403',
        'many proxies allow port 443 alone',
      ],
    },
    {
      name: 'squid finds nobody there',
      proxy: proxies.squid,
      origin: `https://${service}:9`,
      says: [`could not connect to ${service}:9: 503`, 'NO_PROXY'],
    },
    {
      name: 'squid does not know the name',
      proxy: proxies.squid,
      origin: 'https://nobody.motif.test',
      says: ['could not connect to nobody.motif.test:443: 5', 'NO_PROXY'],
    },
    {
      name: 'tinyproxy finds nobody there',
      proxy: proxies.tinyproxy,
      origin: `https://${service}:9`,
      says: [`could not connect to ${service}:9: 500`, 'NO_PROXY'],
    },
    {
      name: 'nobody listens where the proxy should',
      proxy: dead,
      says: ['connection refused by the proxy http://10.99.0.1:9', 'HTTPS_PROXY names this proxy'],
    },
    { name: 'a web server is no proxy', proxy: http, says: [`the proxy ${http}`, '40'] },
    {
      name: 'an http proxy is no https proxy',
      proxy: proxies.squid.replace('http:', 'https:'),
      says: ['the proxy https://10.99.0.2:3128', 'TLS'],
    },
    {
      name: 'the certificate of an https proxy is not trusted',
      proxy: proxies.squidOverTls,
      env: { MOTIF_CACERT: '' },
      says: [
        'the certificate of the proxy https://gw.motif.test:3130 is signed by a CA that is not trusted',
        '--cacert',
      ],
    },
  ])('$name', async ({ proxy, origin = https, says, env = {} }) => {
    const asked = await ask(peers, origin, {
      args: ['--retries', '0'],
      env: { ...identity(), HTTPS_PROXY: proxy, ...env },
    });
    expect({ code: asked.code, stdout: asked.stdout, received: asked.received }).toEqual({
      code: 6,
      stdout: '',
      received: [],
    });
    for (const text of says) expect(asked.stderr).toContain(text);
    expect(asked.stderr).not.toMatch(/canary|\bat .*\.js/);
  });

  test.each([
    { proxy: 'socks5://canary-name:canary-pw@10.99.0.2:1080', says: 'SOCKS' },
    { proxy: 'ftp://canary-name:canary-pw@10.99.0.2', says: 'http://' },
    { proxy: 'http://', says: 'must be a proxy address' },
    { proxy: 'http://canary%zzname:canary-pw@10.99.0.2:3128', says: '%-escape' },
  ])('$proxy in HTTPS_PROXY is refused before anything is sent', async ({ proxy, says }) => {
    const asked = await ask(peers, https, { env: { HTTPS_PROXY: proxy } });
    expect({ code: asked.code, stdout: asked.stdout, received: asked.received }).toEqual({
      code: 2,
      stdout: '',
      received: [],
    });
    expect(asked.stderr).toContain('HTTPS_PROXY');
    expect(asked.stderr).toContain(says);
    expect(asked.stderr).not.toContain('canary');
  });
});

test('no peer wrote down a secret that was not for it', () => {
  const logs = Object.fromEntries(
    readdirSync(peers.network.folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => [name, readFileSync(peers.file(name), 'latin1')]),
  );
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  expect(logs['squid-cache.log']).toContain('CONNECT gw.motif.test:443');
  expect(logs['tinyproxy-password.log']).toContain('CONNECT gw.motif.test:443');
  expect(logs['nginx-access.log']).toContain('POST /api/v1/apps/support-bot/prompts');
  for (const [name, text] of Object.entries(logs)) {
    expect(text, name).not.toContain(token);
    expect(text, name).not.toContain(base64(token).slice(0, 20));
    expect(text, name).not.toContain(credentials.password);
  }
  expect(logs['nginx-access.log']).not.toMatch(/Basic/);
});

test('what the peers share in memory is theirs alone, whoever else runs a squid on this machine', async () => {
  const [enter = '', ...words] = peers.network.inside;
  const name = 'squid-cf__motif-test.shm';
  const made = spawnSync(enter, [...words, 'sh', '-c', `ls /dev/shm && touch /dev/shm/${name}`], { encoding: 'utf8' });
  expect(made.stdout).toContain('squid-cf__metadata.shm');
  expect(existsSync(`/dev/shm/${name}`)).toBe(false);
});
