/** What a flood is made of: each attack goes on until its process is killed. */
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { tlsAttacksOf } from './tls-attacks.mjs';

const large = {
  base64: (bytes) => 'aWdub3JlIHRoZSA= '.repeat(bytes / 17),
  backslashes: (bytes) => '\\'.repeat(bytes / 2),
  digits: (bytes) => '4111-1111 '.repeat(bytes / 10),
  tokens: (bytes) => 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.'.repeat(bytes / 34),
  plain: (bytes) => 'the kettle boils '.repeat(bytes / 17),
};
/** By their names; `random` chooses what each of the `clients` does next. */
export function attacksOf({ clients, ports, tokens, random, isTls }) {
  const textOf = (bytes) => large[random.oneOf(Object.keys(large))](bytes);
  const bodyOf = (bytes) => JSON.stringify({ messages: [{ role: 'user', content: textOf(bytes) }] });
  const small = JSON.stringify({ messages: [{ role: 'user', content: 'How long can I return a kettle?' }] });
  const headOf = (length, token = random.oneOf(tokens), motif = token.motif, more = '') =>
    `POST /api/v1/apps/${motif}/prompts HTTP/1.1\r\nHost: gw\r\nAuthorization: Bearer ${token.text}\r\n${more}` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const request = (body, motif) => headOf(Buffer.byteLength(body), random.oneOf(tokens), motif) + body;
  const own = Array.from({ length: 5 }, () => `127.0.${random.below(3)}.${1 + random.below(250)}`);

  function open(localAddress = random.oneOf(own), to = ports.gateway) {
    const socket =
      isTls && to === ports.gateway
        ? connectTls({ host: '127.0.0.1', port: to, localAddress, rejectUnauthorized: false })
        : connect({ host: '127.0.0.1', port: to, localAddress });
    return socket.on('error', () => undefined);
  }

  const closed = (socket) => new Promise((resolve) => (socket.destroyed ? resolve() : socket.once('close', resolve)));

  /** Every client does it again as soon as its connection is closed. */
  async function again(once) {
    const one = async () => {
      for (;;) {
        await once();
        await wait(1 + random.below(20));
      }
    };
    await Promise.all(Array.from({ length: clients }, one));
  }

  /** Asks over one connection, again when an answer came, until the gateway closes it. */
  async function converse(body) {
    const socket = open();
    let text = '';
    const send = () => socket.write(request(body()));
    socket.setEncoding('latin1').on('data', (part) => {
      text = (text + part).slice(-200_000);
      const head = text.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < head + 4 + Math.min(length, 150_000)) return;
      text = '';
      send();
    });
    send();
    await closed(socket);
  }

  /** The whole request, and what happens to its connection then. */
  const once = (words, then) => async () => {
    const socket = open();
    socket.resume().write(words());
    await then(socket);
    await closed(socket);
  };

  const stranger = { text: 'mtf_wrong', motif: 'bot' };
  const words = {
    small: () => request(small),
    stranger: () => headOf(small.length, stranger) + small,
    large: (bytes) => request(bodyOf(bytes)),
    strangerLarge: (bytes) => headOf(bytes, stranger) + textOf(bytes),
    chunkedHead: () => headOf(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked'),
  };
  const destination = () => ({ host: '127.0.0.1', port: ports.gateway, localAddress: random.oneOf(own) });

  return {
    ...(isTls && tlsAttacksOf({ again, destination, random, words })),
    'half-closed connections': () =>
      again(
        once(
          () => request(small),
          async (socket) => void socket.end(),
        ),
      ),
    'half-closed large prompts': () =>
      again(
        once(
          () => request(bodyOf(60_000)),
          async (socket) => void socket.end(),
        ),
      ),
    'idle connections': () =>
      again(
        once(
          () => '',
          () => wait(60_000),
        ),
      ),
    'readers that stand still': () =>
      again(async () => {
        const socket = open();
        socket.pause().write(request(bodyOf(8000)).repeat(20));
        await wait(2000 + random.below(3000));
        socket.destroy();
      }),
    'connections that are reset': () =>
      again(
        once(
          () => request(small),
          async (socket) => (await wait(random.below(60)), socket.resetAndDestroy()),
        ),
      ),
    'costly prompts that are reset': () =>
      again(
        once(
          () => request(bodyOf(12_000)),
          async (socket) => (await wait(random.below(60)), socket.resetAndDestroy()),
        ),
      ),
    'heads in pieces': () =>
      again(async () => {
        const socket = open();
        socket.resume();
        for (const letter of request(small)) {
          if (socket.destroyed) return;
          socket.write(letter);
          await wait(5);
        }
        socket.destroy();
      }),
    'bodies that stall': () =>
      again(
        once(
          () => `${headOf(900_000)}{"messages":`,
          () => wait(20_000),
        ),
      ),
    'bodies in pieces': () =>
      again(async () => {
        const socket = open();
        const body = bodyOf(200_000);
        socket.resume().write(headOf(Buffer.byteLength(body)));
        for (let at = 0; at < body.length && !socket.destroyed; at += 700) {
          socket.write(body.slice(at, at + 700));
          await wait(2);
        }
        await wait(500);
        socket.destroy();
      }),
    'prompts of a megabyte': () => again(() => converse(() => bodyOf(1_000_000))),
    'large prompts': () => again(() => converse(() => bodyOf(20_000 + random.below(100_000)))),
    'costly short prompts': () => again(() => converse(() => bodyOf(2000 + random.below(13_000)))),
    'prompts without an end': () => again(() => converse(() => small)),
    'a provider that hangs': () =>
      again(
        once(
          () => request(small, 'slow'),
          () => wait(5000),
        ),
      ),
    'answers of two megabytes': () =>
      again(
        once(
          () => request(small, 'big'),
          () => wait(3000),
        ),
      ),
    'wrong tokens': () =>
      again(
        once(
          () => `${headOf(2, { text: 'mtf_wrong', motif: 'bot' })}{}`.repeat(1 + random.below(5)),
          async () => wait(50),
        ),
      ),
    'large heads': () =>
      again(
        once(
          () => headOf(small.length, undefined, undefined, `X-More: ${'x'.repeat(30_000)}\r\n`) + small,
          (socket) => (wait(30), socket.end()),
        ),
      ),
    'connections one after the other': () =>
      again(async () => {
        const socket = open();
        socket.write(request(small));
        socket.once('data', () => socket.destroy());
        await closed(socket);
      }),
    'six hundred requests in a row': () =>
      again(
        once(
          () => request(small).repeat(600),
          () => wait(3000),
        ),
      ),
    'requests for nothing': () =>
      again(
        once(
          () => 'GET /nothing HTTP/1.1\r\nHost: gw\r\n\r\n'.repeat(200),
          () => wait(200),
        ),
      ),
    'many keys': () =>
      again(() =>
        converse(() =>
          JSON.stringify({
            messages: [{ role: 'user', content: 'x' }],
            more: Array.from({ length: 50_000 }, (_, at) => at),
          }),
        ),
      ),
    'many messages': () =>
      again(() =>
        converse(() =>
          JSON.stringify({
            messages: Array.from({ length: 256 }, (_, at) => ({
              role: at % 2 === 1 ? 'assistant' : 'user',
              content: textOf(60),
            })),
          }),
        ),
      ),
    'the admin port': () =>
      again(async () => {
        const socket = open(undefined, ports.admin);
        socket.resume();
        if (random.below(2) === 0) socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n');
        await wait(random.below(1000));
        socket.destroy();
      }),
    'bytes that are no request': () =>
      again(
        once(
          () => String.fromCharCode(...Array.from({ length: 2000 }, () => random.below(256))),
          () => wait(20),
        ),
      ),
  };
}
