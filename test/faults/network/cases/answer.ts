import {
  deafen,
  destroy,
  drip,
  end,
  endless,
  hang,
  readHead,
  reset,
  send,
  wait,
} from '../../../support/servers/fault-server.ts';
import { answer, answerText, chunked, http, type NetworkCase, plain, says } from '../scenes.ts';

const late = { kind: 'timeout', layer: 'http', sent: true } as const;
const broken = { kind: 'network', layer: 'http', sent: true } as const;
const cut = { ...broken, says: 'the answer was cut off after' } as const;
const invalid = { kind: 'service', layer: 'http', sent: true, says: 'is not valid HTTP' } as const;
const open200 = http('200 OK', ['content-length: 100'], 'abcdefghij');
const chunkedHead = http('200 OK', ['transfer-encoding: chunked']);
const untilClose = http('200 OK', ['connection: close'], '0123456789');

/** Data and a reset that are met in one turn of the event loop look like a FIN, so that they are kept apart. */
const resetGapMs = 400;

/** Faults before the headers are complete. */
export const headCases: readonly NetworkCase[] = [
  {
    name: 'reset after the request',
    start: says(reset),
    fails: { ...broken, says: 'the connection', isReplyLost: true },
  },
  {
    name: 'closed after the request',
    start: says(end),
    fails: { ...broken, says: 'closed the connection without an answer', isReplyLost: true },
  },
  {
    name: 'closed after the head of the request',
    start: plain(readHead, destroy),
    fails: { ...broken, says: '' },
  },
  {
    name: 'closed in the middle of a large request',
    start: plain(readHead, destroy),
    requestBytes: 8_000_000,
    fails: { ...broken, says: '' },
  },
  {
    name: 'closed in the status line',
    start: says(send('HTTP/1.1 20'), end),
    fails: { ...broken, says: 'closed the connection in the middle of its headers' },
  },
  {
    name: 'closed in the headers',
    start: says(send('HTTP/1.1 200 OK\r\ncontent-le'), end),
    fails: { ...broken, says: 'in the middle of its headers' },
  },
  {
    name: 'reset in the headers',
    start: says(send('HTTP/1.1 200 OK\r\ncontent-le'), wait(50), reset),
    fails: { ...broken, says: 'the connection' },
  },
  {
    name: 'silence',
    start: says(hang),
    deadlineMs: 300,
    fails: { ...late, says: 'no first byte of an answer from' },
  },
  {
    name: 'silence from the start',
    start: plain(hang),
    deadlineMs: 300,
    fails: { ...late, says: 'within 0.3 s' },
  },
  {
    name: 'a peer that stops reading',
    start: plain(deafen, hang),
    requestBytes: 16_000_000,
    deadlineMs: 400,
    fails: { ...late, says: 'did not take the whole request' },
  },
  {
    name: 'headers byte by byte',
    start: says(drip(answer, 50)),
    deadlineMs: 400,
    fails: { ...late, says: 'the headers of the answer did not end within 0.4 s' },
  },
  {
    name: 'the status line stops',
    start: says(send('HTTP/1.1 200'), hang),
    deadlineMs: 300,
    fails: { ...late, says: 'did not end' },
  },
  {
    name: 'one header after the other',
    start: says(send('HTTP/1.1 200 OK\r\n'), endless('a: b\r\n', 50)),
    deadlineMs: 400,
    fails: { ...late, says: 'did not end' },
  },
  {
    name: 'blank lines for ever',
    start: says(endless('\r\n', 20)),
    deadlineMs: 300,
    fails: { ...late, says: 'within 0.3 s' },
  },
  {
    name: 'a deadline beyond 2^31 ms',
    start: says(wait(50), send(answer)),
    deadlineMs: 2 ** 33,
    replies: { status: 200 },
  },
];

/** Faults in the body. */
export const bodyCases: readonly NetworkCase[] = [
  {
    name: 'content-length too large, closed',
    start: says(send(open200), end),
    fails: { ...cut, says: 'cut off after 10 bytes', isReplyLost: true },
  },
  {
    name: 'content-length too large, connection: close',
    start: says(send(open200.replace('200 OK\r\n', '200 OK\r\nconnection: close\r\n')), end),
    fails: { ...cut, says: 'cut off after 10 bytes' },
  },
  { name: 'content-length too large, reset', start: says(send(open200), wait(50), reset), fails: cut },
  {
    name: 'no body after its headers',
    start: says(send(http('200 OK', ['content-length: 5'])), end),
    fails: { ...cut, says: 'cut off after 0 bytes' },
  },
  {
    name: 'chunks cut between two',
    start: says(send(`${chunkedHead}5\r\nabcde\r\n`), end),
    fails: { ...cut, says: 'cut off after 5 bytes' },
  },
  {
    name: 'chunks cut in one',
    start: says(send(`${chunkedHead}5\r\nab`), end),
    fails: { ...cut, says: 'cut off after 2 bytes' },
  },
  { name: 'chunks cut in a size', start: says(send(`${chunkedHead}5`), end), fails: cut },
  {
    name: 'chunks without their last blank line',
    start: says(send(`${chunkedHead}5\r\nabcde\r\n0\r\n`), end),
    fails: cut,
  },
  {
    name: 'chunks cut, connection: close',
    start: says(send(http('200 OK', ['connection: close', 'transfer-encoding: chunked'], '5\r\nab')), end),
    fails: cut,
  },
  { name: 'chunks reset', start: says(send(`${chunkedHead}5\r\nab`), wait(50), reset), fails: cut },
  {
    name: 'a large body reset',
    start: says(send(http('200 OK', ['content-length: 900000'], 'x'.repeat(500_000))), wait(100), reset),
    fails: cut,
  },
  {
    name: 'a body that only the close ends, cut by a FIN',
    start: says(send(http('200 OK', ['connection: close'], answerText.slice(0, 20))), end),
    replies: { status: 200, bodyBytes: 20 },
  },
  {
    name: 'a body that only the close ends, cut by a reset',
    start: says(send(untilClose), wait(resetGapMs), reset),
    fails: { ...cut, says: 'cut off after 10 bytes' },
  },
  {
    name: 'a body byte by byte',
    start: says(send(open200), endless('x', 50)),
    deadlineMs: 400,
    fails: { ...late, says: 'the answer was too slow:' },
  },
  {
    name: 'a chunked body byte by byte',
    start: says(send(chunkedHead), endless('1\r\nx\r\n', 50)),
    deadlineMs: 400,
    fails: { ...late, says: 'the answer was too slow:' },
  },
  {
    name: 'a body that stops',
    start: says(send(open200), hang),
    deadlineMs: 400,
    fails: { ...late, says: 'the answer stopped after 10 bytes and did not go on within 0.4 s' },
  },
  {
    name: 'a body that never starts',
    start: says(send(http('200 OK', ['content-length: 5'])), hang),
    deadlineMs: 300,
    fails: { ...late, says: 'the answer stopped after 0 bytes' },
  },
  {
    name: 'a body that only the close ends, left open',
    start: says(send(untilClose), hang),
    deadlineMs: 300,
    fails: { ...late, says: 'the answer stopped after 10 bytes' },
  },
  {
    name: 'a chunk size that is no number',
    start: says(send(`${chunkedHead}zz\r\nabc\r\n`), hang),
    fails: { ...invalid, says: 'is not valid HTTP (invalid character in chunk size)' },
  },
  { name: 'a negative chunk size', start: says(send(`${chunkedHead}-5\r\nabc\r\n`), hang), fails: invalid },
  {
    name: 'a chunk size beyond 64 bits',
    start: says(send(`${chunkedHead}${'f'.repeat(20)}\r\nabc\r\n`), hang),
    fails: invalid,
  },
  {
    name: 'a chunk longer than its size',
    start: says(send(`${chunkedHead}3\r\nabcdef\r\n`), hang),
    fails: invalid,
  },
  {
    name: 'chunks with trailers',
    start: says(send(`${chunkedHead}3\r\nabc\r\n0\r\nx-t: 1\r\n\r\n`)),
    replies: { status: 200, bodyBytes: 3 },
  },
  {
    name: 'chunks with extensions',
    start: says(send(`${chunkedHead}3;a=b\r\nabc\r\n0\r\n\r\n`)),
    replies: { status: 200, bodyBytes: 3 },
  },
];

const sizes = [65_535, 65_536, 100_000, 131_072, 1_048_576];
const framings = [
  {
    framing: 'content-length',
    bytes: (body: string) => http('200 OK', ['connection: close', `content-length: ${body.length}`], body),
  },
  {
    framing: 'chunks',
    bytes: (body: string) => http('200 OK', ['connection: close', 'transfer-encoding: chunked'], chunked(body)),
  },
  { framing: 'the close', bytes: (body: string) => http('200 OK', ['connection: close'], body) },
];

/** FIN right behind a body of about the socket's buffer: undici dies of it unless the body is read at once. */
export const finCases: readonly NetworkCase[] = sizes.flatMap((size) =>
  framings.flatMap(({ framing, bytes }) =>
    [0, 20].map((delayMs): NetworkCase => {
      const reply = bytes('x'.repeat(size));
      const headEnd = reply.indexOf('\r\n\r\n') + 4;
      const name = `${size} bytes ended by ${framing}, FIN at once, ${delayMs} ms after the headers`;
      const steps = [send(reply.slice(0, headEnd)), wait(delayMs), send(reply.slice(headEnd)), end];
      return { name, start: says(...steps), bodyBytesMax: 2 ** 21, replies: { status: 200, bodyBytes: size } };
    }),
  ),
);
