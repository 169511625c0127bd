import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect as connectPlain, createServer as createPlainServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { secureInTurns } from '../../../../src/gateway/server/http/encrypted-side.ts';
import { OpenConnections } from '../../../../src/gateway/server/http/open-connections.ts';
import { SocketTasks } from '../../../../src/gateway/server/http/socket-tasks.ts';
import type { Gateway } from '../../../../src/gateway/contract.ts';
import { listen } from '../../../support/servers/fault-server.ts';
import { heldTls } from '../../../support/servers/held-tls.ts';
import { echo, follow, listening, post, reply, statusesOf } from '../../../support/servers/http-server.ts';
import { certificates, tlsMissing } from '../../../support/servers/tls.ts';
import { recordsClient } from '../../../support/servers/tls-records.ts';

interface Connection {
  /** The server's ends, as it has them and as TLS has them. */
  readonly below: Socket;
  readonly above: TLSSocket;
  readonly client: TLSSocket;
  readonly keys: Buffer;
}

function parts(connectionsMax: number) {
  const drop = (socket: Socket): void => void socket.destroy();
  const connections = new OpenConnections({ connectionsMax, isBusy: () => false, drop });
  return { tasks: new SocketTasks(), timeoutMs: 10_000, connections, drop };
}

async function connected(): Promise<Connection> {
  const server = createServer(certificates().good);
  const below = new Promise<Socket>((handOn) => secureInTurns(server, { ...parts(2), handOn }));
  const above = once(server, 'secureConnection') as Promise<[TLSSocket]>;
  const port = await listen(server);
  onTestFinished(() => server.close().closeAllConnections());
  const { client, records } = await recordsClient(port);
  // The server sends its own keys when it reads the second.
  const keys = Buffer.concat([records.keys(true), records.keys(true)]);
  return { below: await below, above: (await above)[0], client, keys };
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

test.skipIf(tlsMissing)('what is asked for during a write of nothing comes after it', async () => {
  const { below, above, client } = await connected();
  const bytes = 4_000_000;
  let got = 0;
  // In place of Node's parser.
  above.removeAllListeners('data').on('data', (part: Buffer) => (got += part.length));
  above.pause();
  client.write(Buffer.alloc(bytes));
  // More than TLS keeps: it asks for no more.
  await expect.poll(() => below.isPaused()).toBe(true);
  above.write('');
  above.resume();
  await expect.poll(() => got).toBe(bytes);
});

/** The first bytes of Node's own client, in records, with so much filling that their message has this length. */
async function firstBytes(length: number): Promise<Buffer> {
  const listener = createPlainServer();
  const port = await listen(listener);
  onTestFinished(() => void listener.close());
  // Newer versions of Node send a second key beside this one, of more than a kilobyte.
  const client = connect({ port, host: '127.0.0.1', ecdhCurve: 'X25519' }).on('error', () => undefined);
  const [socket] = (await once(listener, 'connection')) as [Socket];
  const [record] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  const message = record.subarray(5);
  const filling = Buffer.alloc(length - message.length);
  filling.writeUInt16BE(21);
  filling.writeUInt16BE(filling.length - 4, 2);
  const whole = Buffer.concat([message, filling]);
  whole.writeUIntBE(whole.length - 4, 1, 3);
  // Version, random, the session, the ciphers, one way of compression.
  const sessionEnd = 4 + 2 + 32 + 1 + whole[38]!;
  const extensionsAt = sessionEnd + 2 + whole.readUInt16BE(sessionEnd) + 2;
  whole.writeUInt16BE(whole.length - extensionsAt - 2, extensionsAt);
  const records: Buffer[] = [];
  for (let at = 0; at < whole.length; at += 8192) {
    const part = whole.subarray(at, at + 8192);
    const header = Buffer.from([22, 3, 1, 0, 0]);
    header.writeUInt16BE(part.length, 3);
    records.push(header, part);
  }
  return Buffer.concat(records);
}

describe.skipIf(tlsMissing)('a handshake', () => {
  test.each([
    { length: 12_000, isTaken: true },
    { length: 20_000, isTaken: false },
    { length: 60_000, isTaken: false },
  ])('whose first message has $length bytes is taken: $isTaken', async ({ length, isTaken }) => {
    const bytes = await firstBytes(length);
    const { port, metrics } = await listening({ tls: certificates().good });
    const client = connectPlain(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void client.destroy());
    const kinds: number[] = [];
    client.on('data', (answer: Buffer) => kinds.push(answer[0]!));
    client.write(bytes);
    if (isTaken) {
      await expect.poll(() => kinds[0]).toBe(22);
      return;
    }
    await once(client, 'close');
    expect(kinds).toEqual([]);
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(0);
  });
});

interface Opened {
  readonly socket: Socket;
  readonly kinds: readonly number[];
  readonly isClosed: () => boolean;
}

function opened(port: number, first: Buffer): Opened {
  const kinds: number[] = [];
  let isClosed = false;
  const socket = connectPlain(port, '127.0.0.1').on('error', () => undefined);
  socket.on('data', (answer: Buffer) => kinds.push(answer[0]!)).on('close', () => (isClosed = true));
  onTestFinished(() => void socket.destroy());
  socket.write(first);
  return { socket, kinds, isClosed: () => isClosed };
}

describe.skipIf(tlsMissing)('connections that do no handshake', () => {
  test('cost no work until their first message is whole, in whatever pieces it comes', async () => {
    const bytes = await firstBytes(9000);
    let begun = 0;
    const server = createServer(certificates().good);
    const [secure] = server.listeners('connection') as ((side: unknown) => void)[];
    server.removeListener('connection', secure!).on('connection', (side: unknown) => {
      begun += 1;
      secure!.call(server, side);
    });
    secureInTurns(server, { ...parts(9), handOn: () => undefined });
    const port = await listen(server);
    onTestFinished(() => server.close().closeAllConnections());
    const { socket, kinds } = opened(port, bytes.subarray(0, 3));
    for (const [from, to] of [
      [3, 7],
      [7, 8194],
      [8194, bytes.length - 1],
    ]) {
      await wait(20);
      socket.write(bytes.subarray(from, to));
    }
    await wait(50);
    expect(begun).toBe(0);
    socket.write(bytes.subarray(-1));
    await expect.poll(() => kinds[0]).toBe(22);
    expect(begun).toBe(1);
  });

  test('are closed at once where what comes is no handshake, and in time where it never ends', async () => {
    const hello = await firstBytes(600);
    const { port, metrics } = await listening({ tls: certificates().good, limits: { headersTimeoutMs: 300 } });
    const [plain, part] = [opened(port, Buffer.from('GET / HTTP/1.1')), opened(port, hello.subarray(0, 100))];
    await expect.poll(plain.isClosed).toBe(true);
    await expect.poll(part.isClosed).toBe(true);
    expect([...plain.kinds, ...part.kinds]).toEqual([]);
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(0);
  });

  test('leave room for those whose handshakes are not begun, and none beyond it is begun', async () => {
    const hello = await firstBytes(600);
    const limits = { secureConnectionsMax: 2 };
    const { port, metrics } = await listening({ tls: certificates().good, limits });
    const idle = Array.from({ length: 4 }, () => opened(port, hello.subarray(0, 100)));
    const begun = Array.from({ length: 2 }, () => opened(port, hello));
    await expect.poll(() => begun.map(({ kinds }) => kinds[0])).toEqual([22, 22]);
    const late = opened(port, hello);
    await expect.poll(late.isClosed).toBe(true);
    expect(late.kinds).toEqual([]);
    expect(idle.some(({ isClosed }) => isClosed())).toBe(false);
    expect(metrics.snapshot()['motif_gateway_connections_dropped_total{reason="limit"}']).toBe(1);
    begun[0]!.socket.destroy();
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(5);
    const next = opened(port, hello);
    await expect.poll(() => next.kinds[0]).toBe(22);
  });
});

const request = post('Content-Length: 2\r\n', 'hi');

const ends = [
  { how: 'ends its side', end: (client: TLSSocket) => client.end() },
  // Newer versions of Node have not written a request to the socket below as soon as it is handed over.
  { how: 'ends its side below TLS', end: (client: TLSSocket, below: Socket) => client.write('', () => below.end()) },
];
const leaves = [
  ...ends,
  { how: 'closes', end: (client: TLSSocket) => client.destroy() },
  { how: 'resets', end: (_: TLSSocket, below: Socket) => below.resetAndDestroy() },
];

function dialled(port: number): { client: TLSSocket; below: Socket } {
  const below = connectPlain({ port, host: '127.0.0.1', allowHalfOpen: true });
  return { client: connect({ socket: below, rejectUnauthorized: false }), below };
}

describe.skipIf(tlsMissing)('a client over TLS', () => {
  test.each(ends)('that $how with its request gets the reply that is made at once', async ({ end }) => {
    const { port, metrics } = await listening({ tls: certificates().good });
    for (let tries = 0; tries < 20; tries += 1) {
      const { client, below } = dialled(port);
      await once(client, 'secureConnect');
      const { text } = follow(client, request);
      end(client, below);
      await once(client, 'end');
      expect(text()).toContain('HTTP/1.1 200 OK');
    }
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(0);
  });

  test.each(leaves)('that $how while it waits for its reply is known to have gone', async ({ end }) => {
    let signal: AbortSignal | undefined;
    const gateway: Gateway = async (prompt) => {
      ({ signal } = prompt);
      await new Promise((resolve) => prompt.signal.addEventListener('abort', resolve));
      return reply(499, '{}');
    };
    const { port, metrics } = await listening({ tls: certificates().good, gateway });
    const { client, below } = dialled(port);
    follow(client, request);
    await expect.poll(() => signal).toBeInstanceOf(AbortSignal);
    end(client, below);
    await expect.poll(() => signal?.aborted).toBe(true);
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(0);
  });

  test.each(leaves)('that $how in its handshake leaves nothing open', async ({ end }) => {
    const { port, metrics } = await listening({ tls: certificates().good });
    const { client, below } = dialled(port);
    client.on('error', () => undefined);
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(1);
    end(client, below);
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(0);
  });

  test('whose replies are not taken yet loses none of the requests that come in one read', async () => {
    const gateway: Gateway = async (prompt) => {
      const { body } = await echo(prompt);
      return reply(200, JSON.stringify({ asked: String(body), filling: 'x'.repeat(4_000_000) }));
    };
    const { port } = await listening({ tls: certificates().good, gateway });
    const { client, sendTogether } = await heldTls(port);
    client.pause();
    const lengths = [3, 5, 7, 11, 13, 17];
    const [first, second, ...others] = lengths.map((length) =>
      post(`Content-Length: ${length}\r\n`, 'y'.repeat(length)),
    );
    client.write(first! + second!);
    // The system holds no more of the replies to these.
    await wait(300);
    await sendTogether(others);
    await wait(300);
    const { text } = follow(client, '');
    client.resume();
    await expect.poll(() => statusesOf(text()), { timeout: 10_000 }).toEqual(lengths.map(() => 200));
    expect([...text().matchAll(/"length\\":(\d+)/g)].map(([, length]) => Number(length))).toEqual(lengths);
  }, 20_000);
});
