import { expect, test } from 'vitest';
import { createProbe } from '../../src/transport/probe.ts';
import type { Connection, Reach } from '../../src/wire/http.ts';
import { failing, named, plain, type Scene, secure } from '../faults/network/scenes.ts';
import { hang } from '../support/servers/fault-server.ts';
import { tlsMissing } from '../support/servers/tls.ts';

async function probe(start: () => Promise<Scene>, signal?: AbortSignal): Promise<Reach> {
  const { url, lookup, connection, servers } = await start();
  const tools = { now: () => Date.now(), ...(lookup && { lookup }) };
  const whole: Connection = { connectTimeoutMs: 5000, ...connection };
  try {
    return await createProbe(tools)(url, {
      connection: whole,
      deadlineAt: Date.now() + 5000,
      ...(signal && { signal }),
    });
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

test('every address of a name is told, and the one that took the connection', async () => {
  const addresses = [
    { address: '127.0.0.9', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ];
  const reach = await probe(named(addresses));
  expect(reach).toMatchObject({
    addresses: ['127.0.0.9', '127.0.0.1'],
    address: '127.0.0.1',
    tls: null,
    failure: null,
  });
  expect(reach.dnsMs).toBeGreaterThanOrEqual(0);
  expect(reach.connectMs).toBeGreaterThanOrEqual(0);
});

test('a way that ends is told as far as it went', async () => {
  expect(await probe(named(failing('ENOTFOUND')))).toMatchObject({
    addresses: [],
    address: null,
    dnsMs: null,
    connectMs: null,
    failure: { layer: 'dns' },
  });
});

test('an address needs no name', async () => {
  expect(await probe(plain(hang))).toMatchObject({ addresses: [], address: '127.0.0.1', dnsMs: null, failure: null });
});

test('an end that was asked for is no finding', async () => {
  const reason = new Error('interrupted');
  await expect(probe(plain(hang), AbortSignal.abort(reason))).rejects.toBe(reason);
});

test.skipIf(tlsMissing !== undefined).each([
  { name: 'a chain up to a root that is trusted', start: secure(), subjects: ['good', 'motif test CA'], fails: null },
  {
    name: 'a chain that more roots complete',
    start: secure({ connection: (made) => ({ moreRoots: () => Promise.resolve([made.ca]) }) }),
    subjects: ['good', 'motif test CA'],
    fails: null,
  },
  {
    name: 'a certificate that is not trusted',
    start: secure({ identity: (made) => made.selfSigned, connection: () => ({}) }),
    subjects: ['self'],
    fails: { layer: 'tls' },
  },
])('$name is told with its dates', async ({ start, subjects, fails }) => {
  const { tls, tlsMs, failure } = await probe(start);
  expect(tls?.protocol).toBe('TLSv1.3');
  expect(tls?.chain.map(({ subject }) => subject)).toEqual(subjects);
  for (const { validFrom, validTo } of tls?.chain ?? []) expect(validFrom).toBeLessThan(validTo);
  expect(tlsMs).toBeGreaterThanOrEqual(0);
  if (fails === null) expect(failure).toBeNull();
  else expect(failure).toMatchObject(fails);
});
