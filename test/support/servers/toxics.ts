import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultServer, listen, type Step } from './fault-server.ts';

/** Effects of a bad network on the bytes that come back from a server. */
export type Toxic =
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'down' }
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number }
  | { readonly kind: 'slow_close'; readonly ms: number }
  | { readonly kind: 'timeout'; readonly ms: number }
  | { readonly kind: 'reset_peer'; readonly ms: number }
  | { readonly kind: 'slicer'; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: 'limit_data'; readonly bytes: number };

/** A relay in front of a server that passes the request on unharmed and poisons the answer. */
export async function toxicRelay(upstreamPort: number, toxic: Toxic): Promise<Pick<FaultServer, 'port' | 'close'>> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: upstreamPort, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    }
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    relay(upstream, client, toxic).catch(() => client.destroy());
  });
  const port = await listen(server);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function relay(upstream: Socket, client: Socket, toxic: Toxic): Promise<void> {
  if (toxic.kind === 'down') return void client.destroy();
  if (toxic.kind === 'reset_peer') setTimeout(() => client.resetAndDestroy(), toxic.ms).unref();
  if (toxic.kind === 'timeout') {
    await sleep(toxic.ms);
    return void client.destroy();
  }
  let left = toxic.kind === 'limit_data' ? toxic.bytes : Infinity;
  for await (const chunk of upstream as AsyncIterable<Buffer>) {
    const passed = chunk.subarray(0, left);
    left -= passed.length;
    await pass(passed, client, toxic);
    if (left === 0) break;
  }
  if (toxic.kind === 'slow_close') await sleep(toxic.ms);
  client.end();
}

async function pass(chunk: Buffer, client: Socket, toxic: Toxic): Promise<void> {
  if (toxic.kind === 'latency') await sleep(toxic.ms);
  if (toxic.kind !== 'slicer' && toxic.kind !== 'bandwidth') return void client.write(chunk);
  const size = toxic.kind === 'slicer' ? toxic.bytes : Math.max(1, Math.round(toxic.bytesPerSecond / 20));
  for (let at = 0; at < chunk.length && !client.destroyed; at += size) {
    client.write(chunk.subarray(at, at + size));
    await sleep(toxic.kind === 'slicer' ? toxic.everyMs : 50);
  }
}

/** A step for a scripted CONNECT proxy: passes bytes to and fro from here on, also those that came with the CONNECT. */
export const tunnel: Step = ({ socket, received }) => {
  const [head = '', host = '', port = ''] = /^CONNECT \[?([^\]\s]+)\]?:(\d+) [^]*?\r\n\r\n/.exec(received()) ?? [];
  const upstream = connect({ host, port: Number(port), noDelay: true });
  upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  socket.on('close', () => upstream.destroy());
  upstream.write(received().slice(head.length), 'latin1');
  socket.pipe(upstream);
  upstream.pipe(socket);
};
