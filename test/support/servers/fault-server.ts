import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';

/** One accepted connection, as a script sees it. */
interface Peer {
  readonly socket: Socket;
  /** The same below TLS. */
  readonly raw: Socket;
  /** All that has come so far. */
  received: () => string;
  /** Resolves when what has come so far satisfies the test; rejects when the connection ends first. */
  until: (isEnough: (received: string) => boolean) => Promise<void>;
}

/** A script is a list of steps; one that rejects ends its connection's script, as a hang-up of the client does. */
export type Step = (peer: Peer) => Promise<void> | void;

export interface FaultServer {
  readonly port: number;
  /** Number of connections that were accepted. */
  connections(): number;
  /** Everything that any connection received, for leak tests. */
  received(): string;
  close(): Promise<void>;
}

interface FaultServerOptions {
  readonly tls?: TlsOptions;
  readonly host?: string;
}

/** Serves each connection with a script; `steps` may differ by the number of the connection, counted from 0. */
export async function faultServer(
  steps: readonly Step[] | ((connection: number) => readonly Step[]),
  { tls, host = '127.0.0.1' }: FaultServerOptions = {},
): Promise<FaultServer> {
  const raws = new Map<number, Socket>();
  const texts: string[] = [];
  const serve = (socket: Socket) => {
    const index = texts.push('') - 1;
    const raw = raws.get(socket.remotePort ?? 0) ?? socket;
    const peer = toPeer(socket, raw, (text) => (texts[index] += text));
    run(typeof steps === 'function' ? steps(index) : steps, peer).catch(() => {});
  };
  const server: Server = tls === undefined ? createServer({ noDelay: true }, serve) : createTlsServer(tls, serve);
  server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0;
    raws.set(port, socket);
    socket.on('error', () => {}).on('close', () => raws.delete(port));
  });
  server.on('tlsClientError', () => {});
  const port = await listen(server, host);
  return {
    port,
    connections: () => texts.length,
    received: () => texts.join(''),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of raws.values()) socket.destroy();
      }),
  };
}

export function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port));
  });
}

async function run(steps: readonly Step[], peer: Peer): Promise<void> {
  for (const step of steps) await step(peer);
}

function toPeer(socket: Socket, raw: Socket, keep: (text: string) => void): Peer {
  let received = '';
  let ended = false;
  let wake = () => {};
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    keep(chunk.toString('latin1'));
    wake();
  });
  for (const event of ['end', 'close']) socket.on(event, () => ((ended = true), wake()));
  return {
    socket,
    raw,
    received: () => received,
    until: (isEnough) =>
      new Promise((resolve, reject) => {
        wake = () => {
          if (isEnough(received)) resolve();
          else if (ended) reject(new Error('the client has gone'));
        };
        wake();
      }),
  };
}

/** Waits for the headers of a request. */
export const readHead: Step = (peer) => peer.until((text) => text.includes('\r\n\r\n'));

/** Waits for the request with its whole body. */
export const readRequest: Step = (peer) =>
  peer.until((text) => {
    const end = text.indexOf('\r\n\r\n');
    return end >= 0 && text.length - end - 4 >= Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  });

/** Answers one request after the other with the same bytes, for as long as the client asks. */
export const answerEach =
  (bytes: string): Step =>
  async (peer) => {
    for (let count = 1; ; count += 1) {
      await peer.until((text) => text.split('POST ').length > count && text.endsWith('}'));
      await send(bytes)(peer);
    }
  };

export const send =
  (bytes: string | Buffer): Step =>
  ({ socket }) =>
    new Promise((resolve) => socket.write(toBytes(bytes), () => resolve()));

export const wait =
  (ms: number): Step =>
  () =>
    sleep(ms);

/** Ends in good order: FIN after everything was sent. */
export const end: Step = ({ socket }) => void socket.end();

/** A true RST. */
export const reset: Step = ({ raw }) => void raw.resetAndDestroy();

export const destroy: Step = ({ socket }) => void socket.destroy();

/** Says nothing more until the client gives up. */
export const hang: Step = (peer) => peer.until(() => false);

/** Stops taking bytes, so that what the client sends piles up on its side. */
export const deafen: Step = ({ socket }) => void socket.pause();

/** Sends in pieces of `size` bytes, one every `everyMs`. */
export const drip =
  (bytes: string | Buffer, everyMs: number, size = 1): Step =>
  async ({ socket }) => {
    const all = toBytes(bytes);
    for (let at = 0; at < all.length && !socket.destroyed; at += size) {
      socket.write(all.subarray(at, at + size));
      await sleep(everyMs);
    }
  };

/** The same bytes again and again until the client hangs up. */
export const endless =
  (bytes: string | Buffer, everyMs = 0): Step =>
  async ({ socket }) => {
    while (!socket.destroyed) {
      if (!socket.write(toBytes(bytes))) await Promise.race([drained(socket), sleep(50)]);
      await sleep(everyMs);
    }
  };

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once('drain', resolve).once('close', resolve));
}

function toBytes(bytes: string | Buffer): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
}
