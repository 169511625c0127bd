/**
 * A provider whose answers begin with what TLS alone hears of, until it is killed: `node tls-provider.mjs KIND COUNT`,
 * the files of its certificate in its folder. Once so many prompts have come it makes all answers, says that it begins,
 * and sends them. In a process of its own, because to make them takes time as well.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { manyNewKeys, manyTickets, recordForEachByte } from './tls-records.mjs';

const [kind, count] = [process.argv[2], Number(process.argv[3])];
/** The tickets of Node's own come first, in a record each. */
const sent = 2;
const make = {
  records: (secret) =>
    recordForEachByte(`HTTP/1.1 200 OK\r\ncontent-length: 40000\r\n\r\n${' '.repeat(40_000)}`, secret, sent),
  tickets: (secret) => manyTickets(40_000, secret, sent),
  newKeys: (secret) => manyNewKeys(40_000, secret, sent),
}[kind];

const secrets = new Map();
const asked = [];
const tls = createTlsServer({
  cert: readFileSync('tls.crt'),
  key: readFileSync('tls.key'),
  ciphers: 'TLS_AES_128_GCM_SHA256',
  minVersion: 'TLSv1.3',
});
tls.on('keylog', (line, socket) => {
  const [label, , hex] = line.toString().trim().split(' ');
  if (label === 'SERVER_TRAFFIC_SECRET_0') secrets.set(socket, Buffer.from(hex, 'hex'));
});
tls.on('secureConnection', (socket) => {
  socket
    .on('error', () => undefined)
    .once('data', () => {
      asked.push(raws.get(socket.remotePort), secrets.get(socket));
      if (asked.length === 2 * count) sendAll();
    });
});
const raws = new Map();
const server = createServer((raw) => {
  raws.set(
    raw.remotePort,
    raw.on('error', () => undefined),
  );
  tls.emit('connection', raw);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`${server.address().port}\n`);

function sendAll() {
  const answers = asked.flatMap((raw, at) => (at % 2 === 0 ? [{ raw, bytes: make(asked[at + 1]) }] : []));
  process.stdout.write('begins\n');
  for (const { raw, bytes } of answers) raw.write(bytes);
}
