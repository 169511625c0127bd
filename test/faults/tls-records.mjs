import { createCipheriv, createHmac } from 'node:crypto';

/** Records of TLS 1.3 that Node sends none of by itself, of one that has the secret of its end. */

function expand(secret, label, length) {
  const full = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([0, length, full.length]), full, Buffer.from([0, 1])]);
  return createHmac('sha256', secret).update(info).digest().subarray(0, length);
}

/** A record of a few bytes, the last of which names what they are. */
function record(bytes, { key, iv, number = 0 }) {
  const header = Buffer.from([23, 3, 3, 0, bytes.length + 16]);
  const nonce = Buffer.from(iv);
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ number) >>> 0, 8);
  const cipher = createCipheriv('aes-128-gcm', key, nonce).setAAD(header);
  return [header, cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
}

/** Each of these bytes in a record of its own, behind so many others. */
export function recordForEachByte(text, secret, sent = 0) {
  const [key, iv] = [expand(secret, 'key', 16), expand(secret, 'iv', 12)];
  return Buffer.concat(
    [...Buffer.from(text)].flatMap((byte, at) => record(Buffer.from([byte, 23]), { key, iv, number: sent + at })),
  );
}

/** The same message of TLS in so many records. */
export function manyTickets(count, secret, sent = 0) {
  const [key, iv] = [expand(secret, 'key', 16), expand(secret, 'iv', 12)];
  const ticket = Buffer.from([4, 0, 0, 16, 0, 0, 28, 32, 1, 2, 3, 4, 1, 9, 0, 2, 7, 7, 0, 0, 22]);
  return Buffer.concat(Array.from({ length: count }, (_, at) => record(ticket, { key, iv, number: sent + at })).flat());
}

/** So many new keys, one after the other. */
export function manyNewKeys(count, secret, sent = 0) {
  const update = Buffer.from([24, 0, 0, 1, 0, 22]);
  let present = secret;
  return Buffer.concat(
    Array.from({ length: count }, (_, at) => {
      const keys = { key: expand(present, 'key', 16), iv: expand(present, 'iv', 12) };
      present = expand(present, 'traffic upd', 32);
      return record(update, { ...keys, number: at === 0 ? sent : 0 });
    }).flat(),
  );
}
