import { describe, expect, test } from 'vitest';
import { MotifError } from '../../src/errors.ts';
import { Secret } from '../../src/text/secret.ts';
import { createSend } from '../../src/transport/send.ts';
import { Trust } from '../../src/transport/trust.ts';
import type { Connection } from '../../src/wire/http.ts';
import { answerEach, faultServer } from '../support/servers/fault-server.ts';
import { certificates, tlsMissing } from '../support/servers/tls.ts';

const emptyPem = (label: string) => `-----BEGIN ${label}-----\nY2FuYXJ5\n-----END ${label}-----\n`;

const contextOf = (connection: Partial<Connection>) =>
  new Trust().context({ connectTimeoutMs: 1, ...connection }, 'origin').catch((error: unknown) => error);

test.each([
  { name: 'a CA that is no PEM', connection: { ca: ['canary'] }, says: 'the CA file could not be used' },
  { name: 'a CA of nothing', connection: { ca: [emptyPem('CERTIFICATE')] }, says: 'the CA file could not be used' },
  {
    name: 'a certificate that is no PEM',
    connection: shown('canary', 'canary'),
    says: 'the client certificate, its key',
  },
  {
    name: 'a key of nothing',
    connection: shown(emptyPem('CERTIFICATE'), emptyPem('PRIVATE KEY')),
    says: 'the client certificate, its key or the CA file could not be used (ERR_OSSL_',
  },
])('$name is a usage error that quotes nothing of it', async ({ connection, says }) => {
  const error = (await contextOf(connection)) as MotifError;
  expect(error).toBeInstanceOf(MotifError);
  expect(error).toMatchObject({ kind: 'usage' });
  expect(error.message).toContain(says);
  expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/canary|Y2FuYXJ5/);
});

/** Reason to skip: Node itself makes no certificates, so these need openssl; in CI they run, or fail. */
describe.skipIf(tlsMissing !== undefined)('with certificates', () => {
  test('a client certificate and key that do not belong together are a usage error', async () => {
    const { good, client } = certificates();
    const error = await contextOf(shown(client.cert, good.key));
    expect(error).toMatchObject({
      kind: 'usage',
      message: 'the client certificate and its key do not belong together',
    });
  });

  test('a proxy is shown no client certificate, and contexts are made once', async () => {
    const { client } = certificates();
    const connection = { connectTimeoutMs: 1, ...shown(client.cert, client.key) };
    const trust = new Trust();
    expect(await trust.context(connection, 'origin')).toBe(await trust.context(connection, 'origin'));
    expect(await trust.context(connection, 'proxy')).not.toBe(await trust.context(connection, 'origin'));
  });

  test('of many requests at once, each gets the further roots, which are read once', async () => {
    const { ca, good } = certificates();
    const server = await faultServer([answerEach('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')], { tls: good });
    let reads = 0;
    const moreRoots = async () => {
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return [ca];
    };
    const connection = { connectTimeoutMs: 3000, moreRoots };
    const send = createSend({ now: () => Date.now() });
    const ask = () =>
      send(
        { method: 'POST', url: `https://127.0.0.1:${server.port}/`, headers: {}, body: '{}' },
        { connection, deadlineAt: Date.now() + 3000, bodyBytesMax: 100 },
      );
    const replies = await Promise.all(Array.from({ length: 8 }, ask));
    await ask();
    await server.close();
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(reads).toBe(1);
  });
});

function shown(cert: string, key: string): Pick<Connection, 'clientCertificate'> {
  return { clientCertificate: { cert, key: new Secret(key) } };
}
