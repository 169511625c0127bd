/** A client of TLS 1.3 whose records are made here: Node's own sends them in one way alone. */
import { createCipheriv, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

const [handshake, data] = [22, 23];

function expand(secret, label, length) {
  const full = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([0, length, full.length]), full, Buffer.from([0, 1])]);
  return createHmac('sha256', secret).update(info).digest().subarray(0, length);
}

class Records {
  #secret;
  #key;
  #iv;
  #sent = 0;

  constructor(secret) {
    this.#take(secret);
  }

  data(bytes, filling = 0) {
    return this.#record(Buffer.concat([Buffer.from(bytes), Buffer.from([data]), Buffer.alloc(filling)]));
  }

  /** New keys for what follows. The server may be asked for its own as well. */
  keys(asks) {
    const record = this.#record(Buffer.from([24, 0, 0, 1, Number(asks), handshake]));
    this.#take(expand(this.#secret, 'traffic upd', 32));
    return record;
  }

  #take(secret) {
    this.#secret = secret;
    [this.#key, this.#iv, this.#sent] = [expand(secret, 'key', 16), expand(secret, 'iv', 12), 0];
  }

  #record(content) {
    const header = Buffer.from([data, 3, 3, 0, 0]);
    header.writeUInt16BE(content.length + 16, 3);
    const nonce = Buffer.from(this.#iv);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ this.#sent) >>> 0, 8);
    this.#sent += 1;
    const cipher = createCipheriv('aes-128-gcm', this.#key, nonce).setAAD(header);
    return Buffer.concat([header, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  }
}

/** The connection below, what its client hears, and its records; undefined where it was closed before. */
export async function recordsClient(to) {
  const below = connect({ ...to, allowHalfOpen: true }).on('error', () => undefined);
  const only = { ciphers: 'TLS_AES_128_GCM_SHA256', minVersion: 'TLSv1.3', rejectUnauthorized: false };
  const client = connectTls({ socket: below, ...only }).on('error', () => undefined);
  let secret;
  client.on('keylog', (line) => {
    const [label, , hex] = line.toString().trim().split(' ');
    if (label === 'CLIENT_TRAFFIC_SECRET_0') secret = Buffer.from(hex, 'hex');
  });
  const isOpen = await Promise.race([
    once(client, 'secureConnect').then(() => true),
    once(below, 'close').then(() => false),
  ]).catch(() => false);
  if (!isOpen) return undefined;
  // The last message of the handshake goes out behind this event.
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { below, client, records: new Records(secret) };
}
