import type { LookupFunction } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../src/text/secret.ts';
import { createSend } from '../../src/transport/send.ts';
import { send, type Step, wait } from '../support/servers/fault-server.ts';
import { serviceName } from '../support/servers/network.ts';
import { tlsMissing } from '../support/servers/tls.ts';
import { answer, opensTheWay, plain, proxied, type Scene, secure } from './network/scenes.ts';

/** Delay of each phase, and how much earlier than asked for a timer may come by the clock. */
const delays = { dns: 120, proxy: 150, firstByte: 180, body: 90 };
const early = 5;

const slowly: Step = async (peer) => {
  for (let count = 1; ; count += 1) {
    await peer.until((text) => text.split('POST ').length > count && text.endsWith('}'));
    for (const step of [wait(delays.firstByte), send(answer.slice(0, -4)), wait(delays.body), send(answer.slice(-4))]) {
      await step(peer);
    }
  }
};

const lookup: LookupFunction = (_host, _options, callback) =>
  void setTimeout(() => callback(null, [{ address: '127.0.0.1', family: 4 }]), delays.dns);

const slow = plain(slowly);
const slowTls = secure({}, slowly);
const proxySteps = [wait(delays.proxy), ...opensTheWay];

const byName = (start: () => Promise<Scene>) => async (): Promise<Scene> => {
  const scene = await start();
  return { ...scene, url: scene.url.replace('127.0.0.1', serviceName), lookup };
};

test.for([
  { way: 'http by address', start: slow, dns: false, connectMs: 0, tls: false },
  { way: 'http by name', start: byName(slow), dns: true, connectMs: delays.dns, tls: false },
  { way: 'https by name', start: byName(slowTls), dns: true, connectMs: delays.dns, tls: true },
  {
    way: 'http by a proxy',
    start: proxied({ origin: slow }, ...proxySteps),
    dns: false,
    connectMs: delays.proxy,
    tls: false,
  },
  {
    way: 'https by a proxy',
    start: proxied({ origin: slowTls }, ...proxySteps),
    dns: false,
    connectMs: delays.proxy,
    tls: true,
  },
  {
    way: 'https by a proxy on TLS',
    start: proxied({ origin: slowTls, tls: true }, ...proxySteps),
    dns: false,
    connectMs: delays.proxy,
    tls: true,
  },
])('each phase ends after the one before it, and a kept connection has none: $way', async (row, { skip }) => {
  skip(tlsMissing !== undefined, tlsMissing);
  const ask = asking(await row.start());
  const fresh = await ask();
  expect(fresh.dnsMs === null).toBe(!row.dns);
  expect(fresh.tlsMs === null).toBe(!row.tls);
  expect(fresh.dnsMs ?? delays.dns).toBeGreaterThanOrEqual(delays.dns - early);
  expect(fresh.connectMs).toBeGreaterThanOrEqual(Math.max(fresh.dnsMs ?? 0, row.connectMs - early));
  expect(fresh.tlsMs ?? Infinity).toBeGreaterThanOrEqual(fresh.connectMs ?? Infinity);
  expect(fresh.firstByteMs).toBeGreaterThanOrEqual((fresh.tlsMs ?? fresh.connectMs ?? 0) + delays.firstByte - early);
  expect(fresh.totalMs).toBeGreaterThanOrEqual(fresh.firstByteMs! + delays.body - early);

  const kept = await ask();
  expect(kept).toMatchObject({ dnsMs: null, connectMs: null, tlsMs: null });
  expect(kept.firstByteMs).toBeGreaterThanOrEqual(delays.firstByte - early);
  expect(kept.totalMs).toBeGreaterThanOrEqual(kept.firstByteMs! + delays.body - early);
});

function asking({ url, connection, lookup: slowLookup, servers }: Scene) {
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))));
  const transport = createSend({
    now: () => Date.now(),
    ...(slowLookup === undefined ? {} : { lookup: slowLookup }),
  });
  const authorization = { scheme: 'Bearer', token: new Secret('canary-token-0123456789') } as const;
  const options = { connection: { connectTimeoutMs: 5000, ...connection }, bodyBytesMax: 2 ** 20 };
  return async () => {
    const request = { method: 'POST', url: `${url}/prompts`, headers: { authorization }, body: '{}' } as const;
    return (await transport(request, { ...options, deadlineAt: Date.now() + 10_000 })).timings;
  };
}
