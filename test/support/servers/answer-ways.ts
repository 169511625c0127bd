import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { listen } from './fault-server.ts';

/** Of a way to answer: the caller gets this answer, or none, or, where readers of HTTP differ, either. */
export type Kind = 'good' | 'bad' | 'either';
type Write = (socket: Socket, body: string, head: string) => unknown;

const ok = (head: string, more = '') => `HTTP/1.1 200 OK\r\n${head}${more}`;
const whole = (head: string, body: string) => ok(head, `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
const chunk = (part: string) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`;
const chunked = (head: string, body: string) =>
  ok(head, `transfer-encoding: chunked\r\n\r\n${chunk(body.slice(0, 7))}${chunk(body.slice(7))}0\r\n\r\n`);
const sends =
  (make: (head: string, body: string) => string): Write =>
  (socket, body, head) =>
    socket.write(make(head, body));
const ends =
  (make: (head: string, body: string) => string): Write =>
  (socket, body, head) =>
    socket.end(make(head, body));
const status = (line: string, more = '') =>
  ends((head, body) => `HTTP/1.1 ${line}\r\n${head}${more}content-length: ${body.length}\r\n\r\n${body}`);
/** An answer to nobody, which would be taken for one to the next prompt. */
const foreign = JSON.stringify({
  choices: [{ message: { content: 'foreign' }, finish_reason: 'stop' }],
  findings: [],
});
async function inPieces(socket: Socket, text: string): Promise<void> {
  const length = Math.max(29, Math.ceil(text.length / 50));
  for (let at = 0; at < text.length && !socket.destroyed; at += length) {
    socket.write(text.slice(at, at + length));
    await wait(1);
  }
}

/** Ways to answer with a body in which the word `answer` may stand, under a head of some lines. */
export const ways: Readonly<Record<string, readonly [Kind, Write]>> = {
  'with its length': ['good', sends(whole)],
  'in chunks': ['good', sends(chunked)],
  'in pieces': ['good', (socket, body, head) => void inPieces(socket, whole(head, body))],
  'in chunks and pieces': ['good', (socket, body, head) => void inPieces(socket, chunked(head, body))],
  later: ['good', (socket, body, head) => setTimeout(() => socket.write(whole(head, body)), 50)],
  'up to its end': ['good', ends((head, body) => ok(head, `connection: close\r\n\r\n${body}`))],
  'as the last one': ['good', ends((head, body) => whole(`${head}connection: close\r\n`, body))],
  'and ends without a word': ['good', ends(whole)],
  'and resets a little later': [
    'good',
    (socket, body, head) => {
      socket.write(whole(head, body));
      // An answer that began meanwhile, in pieces, would be cut off, and be no good one.
      const { bytesWritten } = socket;
      setTimeout(() => socket.bytesWritten === bytesWritten && socket.resetAndDestroy(), 5);
    },
  ],
  'behind a continue': [
    'good',
    sends((head, body) => `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${whole(head, body)}`),
  ],
  'behind a hint': [
    'good',
    sends((head, body) => `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${whole(head, body)}`),
  ],
  'with a trailer': ['good', sends((head, body) => chunked(head, body).replace(/\r\n\r\n$/, '\r\nx-sum: 1\r\n\r\n'))],
  'with another one behind it': ['good', sends((head, body) => whole(head, body) + whole('', foreign))],
  'with another one behind its chunks': ['good', sends((head, body) => chunked(head, body) + whole('', foreign))],
  'with garbage behind it': ['good', sends((head, body) => `${whole(head, body)}garbage`)],
  'with line ends behind it': ['either', sends((head, body) => `${whole(head, body)}\r\n\r\n`)],
  'as HTTP/1.0': ['good', ends((head, body) => whole(head, body).replace('1.1', '1.0'))],
  'as HTTP/1.0 that is kept': [
    'good',
    sends((head, body) => whole(`connection: keep-alive\r\n${head}`, body).replace('1.1', '1.0')),
  ],
  'over a connection that is kept for no time': [
    'good',
    sends((head, body) => whole(`keep-alive: timeout=0\r\n${head}`, body)),
  ],
  'with a trailer that ends the connection': [
    'good',
    sends((head, body) => chunked(head, body).replace(/\r\n\r\n$/, '\r\nconnection: close\r\n\r\n')),
  ],
  'behind more hints than anyone has': [
    'bad',
    ends((head, body) => 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(200) + whole(head, body)),
  ],
  'with a head that is too large': ['bad', ends((head, body) => whole(`x-a: ${'a'.repeat(300_000)}\r\n${head}`, body))],
  'with a length below nothing': ['bad', ends((head, body) => ok(head, `content-length: -5\r\n\r\n${body}`))],
  'with a length of twenty figures': [
    'bad',
    ends((head, body) => ok(head, `content-length: ${'9'.repeat(20)}\r\n\r\n${body}`)),
  ],
  'in chunks of another coding': [
    'either',
    ends((head, body) => chunked(head, body).replace('encoding: chunked', 'encoding: gzip, chunked')),
  ],
  'with the same length twice': [
    'either',
    ends((head, body) => whole(`content-length: ${Buffer.byteLength(body)}\r\n${head}`, body)),
  ],
  'with two lengths': ['either', ends((head, body) => whole(`content-length: 3\r\n${head}`, body))],
  'with a length beside its chunks': ['either', ends((head, body) => chunked(`content-length: 5\r\n${head}`, body))],
  'with a length that is too long': [
    'bad',
    ends((head, body) => ok(head, `content-length: ${body.length + 9}\r\n\r\n${body}`)),
  ],
  'with a length that is too short': [
    'bad',
    sends((head, body) => ok(head, `content-length: ${body.length - 9}\r\n\r\n${body}`)),
  ],
  'with a length that is too short, and another one': [
    'bad',
    sends((head, body) => ok(head, `content-length: ${body.length - 9}\r\n\r\n${body}${whole('', foreign)}`)),
  ],
  'with a chunk that is too long': [
    'bad',
    ends((head, body) => ok(head, `transfer-encoding: chunked\r\n\r\nfff\r\n${body}\r\n0\r\n\r\n`)),
  ],
  'without a last chunk': ['bad', ends((head, body) => ok(head, `transfer-encoding: chunked\r\n\r\n${chunk(body)}`))],
  'with half of its chunks, and a reset': [
    'bad',
    (socket, body, head) => {
      socket.write(ok(head, `transfer-encoding: chunked\r\n\r\n${chunk(body.slice(0, 20))}`));
      setTimeout(() => socket.resetAndDestroy(), 5);
    },
  ],
  'cut off': ['bad', ends((head, body) => whole(head, body).slice(0, -5))],
  'cut off in its head': ['bad', ends((head) => ok(head, 'content-le'))],
  'cut off where only its end tells': [
    'bad',
    ends((head, body) => ok(head, `connection: close\r\n\r\n${body.slice(0, -5)}`)),
  ],
  'with nothing': ['bad', (socket) => socket.end()],
  'with a reset': ['bad', (socket) => socket.resetAndDestroy()],
  'without an end': ['bad', sends((head, body) => ok(head, `content-length: ${body.length + 9}\r\n\r\n${body}`))],
  never: ['bad', () => undefined],
  'with two answers, the first a failure': [
    'bad',
    sends((head, body) => `HTTP/1.1 500 No\r\n${head}content-length: 0\r\n\r\n${whole('', body)}`),
  ],
  'with a status alone': ['bad', sends((head) => ok(head, 'content-length: 0\r\n\r\n'))],
  'with no content': ['bad', sends((head) => `HTTP/1.1 204 No Content\r\n${head}\r\n`)],
  'with no content that is there': [
    'bad',
    sends((head, body) => `HTTP/1.1 204 No Content\r\n${head}content-length: ${body.length}\r\n\r\n${body}`),
  ],
  'as a switch of protocols': [
    'bad',
    sends(
      (head, body) => `HTTP/1.1 101 Switching Protocols\r\n${head}upgrade: x\r\nconnection: upgrade\r\n\r\n${body}`,
    ),
  ],
  'not modified': ['bad', status('304 Not Modified')],
  partly: ['either', status('206 Partial Content')],
  'with a redirect': ['bad', status('307 Temporary Redirect', 'location: /v1/chat/completions\r\n')],
  'with a limit': ['bad', status('429 Too Many Requests', 'retry-after: 0\r\n')],
  'with a failure': ['bad', status('500 Internal Server Error')],
  'that it is away': ['bad', status('503 Service Unavailable', 'retry-after: 0\r\n')],
  'with a refusal': ['bad', status('400 Bad Request')],
  'with a status that is none': ['bad', status('2000 OK')],
  'without a version': ['bad', ends((_, body) => body)],
  'as HTTP/2': ['bad', ends((head, body) => whole(head, body).replace('HTTP/1.1', 'HTTP/2'))],
  'compressed, as it says': ['bad', ends((head, body) => whole(`content-encoding: gzip\r\n${head}`, body))],
  'with a page': ['bad', ends((head) => whole(head, '<html>hello</html>'))],
  'with an empty object': ['bad', sends((head) => whole(head, '{}'))],
  'with an error of status 200': ['bad', sends((head) => whole(head, '{"error":{"message":"no"}}'))],
  'with the answer twice in a body': ['bad', sends((head, body) => whole(head, body + body))],
  'with half of a pair': ['either', sends((head, body) => whole(head, body.replace('answer', '\\ud800')))],
  'with a byte that is no UTF-8': [
    'either',
    (socket, body, head) => socket.end(Buffer.from(whole(head, body).replace('answer', '\xff'), 'latin1')),
  ],
};

/** Ways that send more than the answer: no connection to such a server is kept for a while. */
export const talkative: ReadonlySet<string> = new Set([
  'with another one behind it',
  'with another one behind its chunks',
  'with garbage behind it',
  'with a length that is too short',
  'with a length that is too short, and another one',
  'with two answers, the first a failure',
  'with no content that is there',
]);

/** A request as it came in. */
interface ReceivedRequest {
  readonly path: string;
  /** The lines of its head. */
  readonly head: string;
  readonly body: string;
}

/** A server below HTTP, which keeps connections, and whose answers are whatever is written. */
export async function rawServer(answer: (socket: Socket, request: ReceivedRequest) => void) {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let received = Buffer.alloc(0);
    sockets.add(socket.setNoDelay());
    socket
      .on('error', () => undefined)
      .on('end', () => socket.end())
      .on('close', () => sockets.delete(socket));
    socket.on('data', (part: Buffer) => {
      received = Buffer.concat([received, part]);
      for (;;) {
        const end = received.indexOf('\r\n\r\n');
        const head = received.subarray(0, Math.max(end, 0)).toString();
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (end === -1 || received.length < end + 4 + length) return;
        const body = received.subarray(end + 4, end + 4 + length).toString();
        received = received.subarray(end + 4 + length);
        answer(socket, { path: head.split(' ', 2)[1]!, head, body });
      }
    });
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: await listen(server) };
}
