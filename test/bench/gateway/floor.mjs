/** The least that a gateway in Node can do: take a request, pass it on over a pool, pass the reply back. */
import { createServer } from 'node:http';
import { Pool } from 'undici';

const [port, upstreamPort] = process.argv.slice(2).map(Number);
const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, { connections: 64 });

createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => void passOn(Buffer.concat(parts), response));
}).listen(port, '127.0.0.1');

async function passOn(asked, response) {
  const headers = { 'content-type': 'application/json' };
  const reply = await pool.request({ method: 'POST', path: '/v1/chat/completions', headers, body: asked });
  const body = await reply.body.text();
  response.writeHead(reply.statusCode, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
