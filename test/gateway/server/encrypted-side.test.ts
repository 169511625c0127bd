import { createCipheriv, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { secureInTurns } from '../../../src/gateway/server/http/encrypted-side.ts';
import { certificates, tlsMissing } from '../../support/servers/tls.ts';

function expand(secret: Buffer, label: string, length: number): Buffer {
  const full = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([0, length, full.length]), full, Buffer.from([0, 1])]);
  return createHmac('sha256', secret).update(info).digest().subarray(0, length);
}

/**
 * The first two records of a client, each with new keys, which asks for those of the server. Node can send none. The
 * server sends its own when it reads the second.
 */
function newKeys(secret: Buffer): Buffer {
  const update = Buffer.from([24, 0, 0, 1, 1, 22]);
  const header = Buffer.from([23, 3, 3, 0, update.length + 16]);
  const records = [secret, expand(secret, 'traffic upd', 32)].map((present) => {
    const [key, iv] = [expand(present, 'key', 16), expand(present, 'iv', 12)];
    const cipher = createCipheriv('aes-128-gcm', key, iv).setAAD(header);
    return Buffer.concat([header, cipher.update(update), cipher.final(), cipher.getAuthTag()]);
  });
  return Buffer.concat(records);
}

interface Connection {
  /** The server's ends, as it has them and as TLS has them. */
  readonly below: Socket;
  readonly above: TLSSocket;
  readonly client: TLSSocket;
  readonly keys: Buffer;
}

async function connected(): Promise<Connection> {
  const server = createServer(certificates().good);
  const below = new Promise<Socket>((resolve) => secureInTurns(server, resolve));
  const above = once(server, 'secureConnection') as Promise<[TLSSocket]>;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  const { port } = server.address() as { port: number };
  const only = { rejectUnauthorized: false, minVersion: 'TLSv1.3', ciphers: 'TLS_AES_128_GCM_SHA256' } as const;
  const client = connect({ port, host: '127.0.0.1', ...only });
  onTestFinished(() => void client.destroy());
  const secret = new Promise<Buffer>((resolve) => {
    client.on('keylog', (line) => {
      const [label, , hex] = line.toString().trim().split(' ');
      if (label === 'CLIENT_TRAFFIC_SECRET_0') resolve(Buffer.from(hex!, 'hex'));
    });
  });
  await Promise.all([secret, once(client, 'secureConnect')]);
  // All that the handshake has to send goes out.
  await wait(50);
  return { below: await below, above: (await above)[0], client, keys: newKeys(await secret) };
}

// Node's assertions about these ended the process.
describe.skipIf(tlsMissing)('new keys for which a client asks', () => {
  test('are of no interest while the connection ends', async () => {
    const { below, above, client, keys } = await connected();
    const end = below.end.bind(below) as (ended: () => void) => Socket;
    below.end = ((ended: () => void) => {
      const ending = end(ended);
      below.emit('data', keys);
      return ending;
    }) as typeof below.end;
    client.resume();
    above.end('the end');
    await once(below, 'finish');
    expect(below.errored).toBeNull();
  });

  test('wait for the end of a write of nothing', async () => {
    const { below, above, client, keys } = await connected();
    above.write('');
    below.emit('data', keys);
    above.write('still here');
    const [text] = (await once(client, 'data')) as [Buffer];
    expect(text.toString()).toBe('still here');
  });
});
