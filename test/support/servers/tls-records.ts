import { createCipheriv, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';

/** The kinds of what a record holds. */
const kinds = { handshake: 22, data: 23 } as const;

function expand(secret: Buffer, label: string, length: number): Buffer {
  const full = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([0, length, full.length]), full, Buffer.from([0, 1])]);
  return createHmac('sha256', secret).update(info).digest().subarray(0, length);
}

/** Records of TLS 1.3 as a client may send them, which Node's own sends in one way alone. */
export class ClientRecords {
  #secret: Buffer;
  #sent = 0;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  data(bytes: Buffer, filling = 0): Buffer {
    return this.#record(Buffer.concat([bytes, Buffer.from([kinds.data]), Buffer.alloc(filling)]));
  }

  /** New keys for what follows. The server may be asked for its own as well. */
  keys(asks: boolean): Buffer {
    const record = this.#record(Buffer.from([24, 0, 0, 1, Number(asks), kinds.handshake]));
    this.#secret = expand(this.#secret, 'traffic upd', 32);
    this.#sent = 0;
    return record;
  }

  #record(content: Buffer): Buffer {
    const header = Buffer.from([kinds.data, 3, 3, 0, 0]);
    header.writeUInt16BE(content.length + 16, 3);
    const [key, iv] = [expand(this.#secret, 'key', 16), expand(this.#secret, 'iv', 12)];
    iv.writeUInt32BE((iv.readUInt32BE(8) ^ this.#sent) >>> 0, 8);
    this.#sent += 1;
    const cipher = createCipheriv('aes-128-gcm', key, iv).setAAD(header);
    return Buffer.concat([header, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  }
}

/** A client that has done its handshake: Node's reads what the server sends, and what it is sent is ours. */
export async function recordsClient(
  port: number,
): Promise<{ readonly client: TLSSocket; readonly below: Socket; readonly records: ClientRecords }> {
  const below = connectPlain({ port, host: '127.0.0.1', allowHalfOpen: true })
    .setNoDelay()
    .on('error', () => undefined);
  onTestFinished(() => void below.destroy());
  const only = { rejectUnauthorized: false, minVersion: 'TLSv1.3', ciphers: 'TLS_AES_128_GCM_SHA256' } as const;
  const client = connect({ socket: below, ...only }).on('error', () => undefined);
  const secret = new Promise<Buffer>((resolve) => {
    client.on('keylog', (line) => {
      const [label, , hex] = line.toString().trim().split(' ');
      if (label === 'CLIENT_TRAFFIC_SECRET_0') resolve(Buffer.from(hex!, 'hex'));
    });
  });
  await once(client, 'secureConnect');
  // The last message of the handshake goes out behind this event.
  await wait(50);
  return { client, below, records: new ClientRecords(await secret) };
}
