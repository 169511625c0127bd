/** Clients of a soak: steady ones, whose every answer is counted, and rough ones, who mean no prompt. */
import { createHash } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

/** A set of IDs in 16 bytes and a count: two sets are the same if these are. */
export class IdSet {
  count = 0;
  #sum = Buffer.alloc(16);

  add(id) {
    this.count += 1;
    const hash = createHash('md5').update(id).digest();
    for (let at = 0; at < 16; at++) this.#sum[at] ^= hash[at];
  }

  get text() {
    return `${this.count} ${this.#sum.toString('hex')}`;
  }
}

function headersOf(token, body) {
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
}

export const pathOf = (motif) => `/api/v1/apps/${motif}/prompts`;

export function ask({ port, motif, token, body, agent, isTls }) {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: pathOf(motif),
      method: 'POST',
      headers: headersOf(token, body),
      agent,
      rejectUnauthorized: false,
    };
    const sent = (isTls ? https : http).request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode, json: JSON.parse(text) }));
    });
    sent.on('error', reject).end(body);
  });
}

/** Asks at an even pace until told to stop, or as fast as it goes; `token` is asked for each time. */
export async function steady({ port, motif, token, body, connections, perSecond, isOver, ids, faults, isTls }) {
  const agent = new (isTls ? https : http).Agent({ keepAlive: true, maxSockets: connections });
  const everyMs = (1000 * connections) / perSecond;
  const one = async (index) => {
    let next = performance.now() + (everyMs * index) / connections;
    while (!isOver()) {
      const leftMs = next - performance.now();
      if (leftMs > 0) await wait(leftMs);
      // Who is late is not made up for: a machine that was busy is not asked for more later.
      next = Math.max(next + everyMs, performance.now() - everyMs);
      try {
        const { status, json } = await ask({ port, motif, token: token(), body, agent, isTls });
        ids.add(json.prompt_id);
        if (status !== 200) faults.push(`${status} ${json.code}`);
      } catch (error) {
        faults.push(error.code ?? error.message);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => one(index)));
  agent.destroy();
}

/** Slow and dead clients, one of each kind in turn. */
export async function rough({ port, motif, token, body, isOver, isTls }) {
  const openPlain = () => connect(port, '127.0.0.1');
  const open = isTls ? () => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }) : openPlain;
  const headers = Object.entries({ host: 'gw', ...headersOf(token, body) });
  const head = `POST ${pathOf(motif)} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`;
  const half = Math.floor(body.length / 2);
  const kinds = [
    // Slow, and then gone with the answer.
    [head, 500, body.slice(0, half), 500, body.slice(half), 2000],
    // Gone in the middle of the head, of the body, and before the answer.
    [head.slice(0, 40), 200],
    [head + body.slice(0, half), 200],
    [head + body, 5],
    // Many at once, which nobody reads.
    [(head + body).repeat(20), 35_000],
    ['nothing that HTTP knows\r\n\r\n', 100],
    [`${head}${body}garbage\r\n\r\n`, 500],
    // Gone before anything is sent: with TLS before its handshake, in the middle of it and with it.
    [0],
    [20],
    [200],
  ];
  while (!isOver()) {
    for (const kind of kinds) {
      void play(open(), kind);
      await wait(250);
    }
    // With TLS, no handshake.
    void play(openPlain(), ['GET / HTTP/1.1\r\nHost: gw\r\n\r\n', 500]);
    void play(openPlain(), [35_000]);
  }
}

async function play(socket, parts) {
  socket.on('error', () => undefined);
  if (parts[1] !== 35_000) socket.resume();
  for (const part of parts) {
    if (typeof part === 'number') await wait(part);
    else if (!socket.destroyed) socket.write(part);
  }
  socket.destroy();
}
