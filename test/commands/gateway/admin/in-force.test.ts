import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../../src/errors.ts';
import type { Send } from '../../../../src/wire/http.ts';
import { admin, documentIn, file } from '../../../support/rooms/admin.ts';
import { toReply } from '../../../support/service.ts';
import { fakeWorld } from '../../../support/world.ts';

describe('a change and the gateway that serves the file', () => {
  const served = `${file}admin: { port: 9464 }\n`;
  const page = (hash: string) => `# HELP\nmotif_gateway_config_info{hash="${hash}"} 2\nmotif_gateway_in_flight 0\n`;
  const answering =
    (text: (asked: number) => string, urls: string[] = [], status = 200): Send =>
    ({ method, url }) => {
      urls.push(`${method} ${url}`);
      const body = text(urls.length);
      const type = body.startsWith('<') || body === '' ? 'text/html' : 'text/plain; version=0.0.4; charset=utf-8';
      return Promise.resolve(toReply({ status, body, headers: { 'content-type': type } }));
    };
  const failing =
    (kind: 'network' | 'timeout' | 'service', sent: boolean): Send =>
    () =>
      Promise.reject(new TransportError(kind, 'it failed', { layer: sent ? 'http' : 'connect', sent }));
  const gone = failing('network', false);
  const revoked = served.replace(/ +- \{ id: t1.*\n/, '');
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
  const hash = hashOf(revoked);

  test.each([
    {
      name: 'has read it',
      text: served,
      send: answering(() => page(hash)),
      isInForce: true,
      says: 'in force: the gateway at 127.0.0.1:9464',
    },
    {
      name: 'reads it in a moment',
      text: served,
      send: answering((asked) => page(asked < 3 ? '0123456789abcdef' : hash)),
      isInForce: true,
      says: 'in force: ',
    },
    {
      name: 'does not read it',
      text: served,
      send: answering(() => page(hashOf(served))),
      isInForce: false,
      says: 'NOT in force: the gateway at 127.0.0.1:9464 still serves the file as it was before',
    },
    {
      name: 'has a worker that hangs since an earlier change',
      text: served,
      send: answering(() => page(hash) + page('0123456789abcdef')),
      isInForce: false,
      says: 'NOT in force: the gateway at 127.0.0.1:9464 still serves the file as it was before; its log says why, or a worker',
    },
    {
      name: 'serves another file',
      text: served,
      send: answering(() => page('0123456789abcdef')),
      isInForce: null,
      says: 'cannot tell whether the change is in force: the gateway at 127.0.0.1:9464 serves another file, or an older',
    },
    {
      name: 'refused an earlier change, as where its user may not read the file',
      text: served,
      send: answering(() => `${page('0123456789abcdef')}motif_gateway_faulty_part_info{part="gateway file"} 1\n`),
      isInForce: false,
      says: 'NOT in force: the gateway at 127.0.0.1:9464 has refused the gateway file that it read last',
    },
    {
      name: 'serves another file with a faulty part',
      text: served,
      send: answering(() => `${page('0123456789abcdef')}motif_gateway_faulty_part_info{part="listen.tls"} 1\n`),
      isInForce: null,
      says: 'cannot tell whether the change is in force: the gateway at 127.0.0.1:9464 serves another file, or an older',
    },
    {
      name: 'is not there',
      text: served,
      send: gone,
      isInForce: null,
      says: 'no gateway answers at 127.0.0.1:9464: the change is in force once one is started (one that runs without this admin port reads it within a second)',
    },
    {
      name: 'does not answer',
      text: served,
      send: failing('timeout', true),
      isInForce: null,
      says: 'cannot tell whether the change is in force: 127.0.0.1:9464 takes connections and does not answer',
    },
    ...[
      { name: 'is another program', send: answering(() => '<!DOCTYPE html><title>Files</title>') },
      { name: 'is one whose pages are empty', send: answering(() => '') },
      { name: 'is one that knows no such page', send: answering(() => page(hash), [], 404) },
      { name: 'is one whose page names no file', send: answering(() => page('')) },
      { name: 'is one that speaks no HTTP', send: failing('service', true) },
    ].map((other) => ({
      ...other,
      text: served,
      isInForce: null,
      says: 'cannot tell whether the change is in force: something else than a gateway with a file answers at 127.0.0.1:9464',
    })),
    {
      name: 'has no worker that listens yet',
      text: served,
      send: answering((asked) => (asked < 3 ? '\n' : page(hash))),
      isInForce: true,
      says: 'in force: ',
    },
    {
      name: 'has no worker any more',
      text: served,
      send: answering(() => 'motif_gateway_connections_dropped_total{reason="reset"} 1\n'),
      isInForce: null,
      says: 'cannot tell whether the change is in force: the gateway at 127.0.0.1:9464 serves no file yet, or is about',
    },
    {
      name: 'cannot be asked',
      text: file,
      send: gone,
      isInForce: null,
      says: 'a gateway that serves this file reads the change within a second; to see here that it did, put admin: { port: 9464 } into the file and start the gateway again',
    },
  ])('that $name: $says', async ({ text, send, isInForce, says }) => {
    const run = await admin(['revoke', 't1', '--json'], text, { send });
    const isOk = isInForce !== false;
    expect(run.exitCode).toBe(isOk ? 0 : 1);
    expect(documentIn(run)).toMatchObject({ ok: isOk, revoked: ['t1'], in_force: isInForce, error: null });
    expect(run.stderr).toContain(says);
  });

  test.each([
    { name: 'does not read it', words: ['rotate'], send: answering(() => page(hashOf(served))), isInForce: false },
    { name: 'is not there', words: ['rotate', '--keep'], send: gone, isInForce: null },
    { name: 'is not there', words: ['create', 'new', '--provider', 'mock'], send: gone, isInForce: null },
  ])('that $name stands in the document of $words', async ({ words, send, isInForce }) => {
    const run = await admin([...words, '--json'], served, { send });
    const isOk = isInForce !== false;
    expect(run.exitCode).toBe(isOk ? 0 : 1);
    expect(documentIn(run)).toMatchObject({ ok: isOk, in_force: isInForce, error: null });
  });

  test.each([
    { name: 'keeps the change', later: revoked.replace('id: t0', 'id: t9'), isInForce: true, says: 'in force: the' },
    { name: 'took it back', later: `${served}# t1 is needed\n`, isInForce: null, says: 'cannot tell whether' },
  ])('that serves a file which somebody changed since, and that $name: $says', async ({ later, isInForce, says }) => {
    const world = fakeWorld();
    const send = answering(() => {
      writeFileSync(join(world.folder, 'gateway.yaml'), later);
      return page(hashOf(later));
    });
    const run = await admin(['revoke', 't1', '--json'], served, { after: world, send });
    expect(documentIn(run)).toMatchObject({ ok: true, revoked: ['t1'], in_force: isInForce });
    expect(run.stderr).toContain(says);
  });

  test('whose workers serve the change and a later one that keeps it has it in force', async () => {
    const later = `${revoked}# the same tokens\n`;
    const world = fakeWorld();
    const send = answering(() => {
      writeFileSync(join(world.folder, 'gateway.yaml'), later);
      return page(hash) + page(hashOf(later));
    });
    const run = await admin(['revoke', 't1', '--json'], served, { after: world, send });
    expect(documentIn(run)).toMatchObject({ ok: true, revoked: ['t1'], in_force: true });
  });

  test('that does not read it is told with -q, too', async () => {
    const run = await admin(['revoke', 't1', '-q'], served, { send: answering(() => page(hashOf(served))) });
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('NOT in force: the gateway at 127.0.0.1:9464');
  });

  test('it is asked at its admin port, on this machine where it listens anywhere', async () => {
    const urls: string[] = [];
    const text = served.replace('{ port: 9464 }', '{ host: 0.0.0.0, port: 9464 }');
    await admin(['rotate'], text, { send: answering(() => page('0'), urls) });
    expect(urls[0]).toBe('GET http://127.0.0.1:9464/metrics');
  });
});
