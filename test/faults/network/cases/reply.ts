import { gzipSync } from 'node:zlib';
import { drip, end, endless, hang, send, wait } from '../../../support/servers/fault-server.ts';
import { answer, answerText, http, type NetworkCase, poisoned, says } from '../scenes.ts';

const refused = { kind: 'service', layer: 'http', sent: true } as const;
const tooLarge = { ...refused, says: 'the answer is larger than 64 KiB' } as const;
const encoded = { ...refused, says: 'the answer is encoded as' } as const;
const ok = `content-length: ${answerText.length}`;
const zipped = gzipSync(answerText).toString('latin1');
const gzipReply = (encoding: string, status = '200 OK') =>
  http(status, [`content-encoding: ${encoding}`, `content-length: ${zipped.length}`], zipped);
const cap = 64 * 1024;

const redirects = ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent'];
const targets = ['https://evil.example/', '//evil.example/x', '/api', 'ftp://evil.example'];

/** Statuses go back as they are; what they mean is the client's business. */
export const statusCases: readonly NetworkCase[] = [
  ...redirects.map((status, at): NetworkCase => {
    const location = targets[at % targets.length]!;
    const name = `${status} to ${location} is not followed`;
    return {
      name,
      start: says(send(http(status, [`location: ${location}`, 'content-length: 0']))),
      replies: { status: Number.parseInt(status, 10), bodyBytes: 0 },
    };
  }),
  {
    name: 'a captive portal',
    start: says(send(http('302 Found', ['location: http://portal.test/login', 'content-length: 4'], '<a/>'))),
    replies: { status: 302 },
  },
  ...[400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 431, 500, 502, 503, 504].map((status): NetworkCase => ({
    name: `status ${status}`,
    start: says(send(http(status, [ok], answerText))),
    replies: { status, bodyBytes: answerText.length },
  })),
  ...[204, 304].map((status): NetworkCase => ({
    name: `${status} with a body`,
    start: says(send(http(status, [ok], answerText)), hang),
    replies: { status, bodyBytes: 0 },
  })),
  ...[204, 304].map((status): NetworkCase => ({
    name: `${status} with a length and no body`,
    start: says(send(http(status, [ok])), end),
    replies: { status, bodyBytes: 0 },
  })),
  { name: '204', start: says(send(http('204 No Content'))), replies: { status: 204, bodyBytes: 0 } },
  {
    name: 'an empty body',
    start: says(send(http(200, ['content-length: 0']))),
    replies: { status: 200, bodyBytes: 0 },
  },
  {
    name: 'bytes that are no UTF-8',
    start: says(send(Buffer.from(http(200, ['content-length: 3'], '\xff\xfe\xfd'), 'latin1'))),
    replies: { status: 200, bodyBytes: 3 },
  },
];

/** Encodings and sizes that were not asked for. */
export const limitCases: readonly NetworkCase[] = [
  ...['gzip', 'br', 'deflate', 'x-unknown', Array(20).fill('gzip').join(', '), 'identity, gzip'].map(
    (encoding): NetworkCase => ({
      name: `an answer encoded as ${encoding.slice(0, 30)}`,
      start: says(send(gzipReply(encoding))),
      fails: encoded,
    }),
  ),
  {
    name: 'identity',
    start: says(send(gzipReply(' Identity '))),
    replies: { status: 200, bodyBytes: zipped.length },
  },
  {
    name: 'an encoded 401 keeps its status',
    start: says(send(gzipReply('gzip', '401 Unauthorized'))),
    replies: { status: 401, bodyBytes: 0 },
  },
  {
    name: 'exactly the cap',
    start: says(send(http(200, [`content-length: ${cap}`], 'x'.repeat(cap)))),
    bodyBytesMax: cap,
    replies: { status: 200, bodyBytes: cap },
  },
  {
    name: 'one byte above the cap, with its length',
    start: says(send(http(200, [`content-length: ${cap + 1}`])), hang),
    bodyBytesMax: cap,
    fails: tooLarge,
  },
  {
    name: 'one byte above the cap, without',
    start: says(send(http(200, ['connection: close'], 'x'.repeat(cap + 1))), end),
    bodyBytesMax: cap,
    fails: tooLarge,
  },
  {
    name: 'a length of an exabyte',
    start: says(send(http(200, ['content-length: 1000000000000000000'])), hang),
    bodyBytesMax: cap,
    fails: tooLarge,
  },
  {
    name: 'chunks without end',
    start: says(send(http(200, ['transfer-encoding: chunked'])), endless(`1000\r\n${'x'.repeat(4096)}\r\n`)),
    bodyBytesMax: cap,
    fails: tooLarge,
  },
  {
    name: 'chunks of one byte without end',
    start: says(send(http(200, ['transfer-encoding: chunked'])), endless('1\r\nx\r\n'.repeat(1000))),
    bodyBytesMax: cap,
    fails: tooLarge,
  },
  {
    name: 'bytes without end',
    start: says(send(http(200, ['connection: close'])), endless('x'.repeat(4096))),
    bodyBytesMax: cap,
    fails: tooLarge,
  },
  {
    name: 'an endless body of a failure',
    start: says(send(http(500, ['connection: close'])), endless('x'.repeat(4096))),
    bodyBytesMax: cap,
    fails: tooLarge,
  },
];

const cut = { kind: 'network', layer: 'http', sent: true } as const;

/** The eight toxics. */
export const toxicCases: readonly NetworkCase[] = [
  {
    name: 'latency within the deadline',
    start: poisoned({ kind: 'latency', ms: 100 }),
    replies: { status: 200 },
  },
  {
    name: 'latency beyond the deadline',
    start: poisoned({ kind: 'latency', ms: 5000 }),
    deadlineMs: 300,
    fails: { kind: 'timeout', layer: 'http', sent: true, says: 'no first byte' },
  },
  { name: 'down', start: poisoned({ kind: 'down' }), fails: { ...cut, says: '' } },
  {
    name: 'bandwidth of 100 bytes a second',
    start: poisoned({ kind: 'bandwidth', bytesPerSecond: 100 }),
    deadlineMs: 500,
    fails: { kind: 'timeout', layer: 'http', sent: true, says: '' },
  },
  {
    name: 'bandwidth that is enough',
    start: poisoned({ kind: 'bandwidth', bytesPerSecond: 1000 }),
    replies: { status: 200 },
  },
  {
    name: 'slow close after a body with its length',
    start: poisoned({ kind: 'slow_close', ms: 3000 }),
    replies: { status: 200 },
  },
  {
    name: 'slow close where only the close ends the body',
    start: poisoned({ kind: 'slow_close', ms: 200 }, send(http(200, ['connection: close'], 'abc')), wait(50), end),
    replies: { status: 200, bodyBytes: 3 },
  },
  {
    name: 'nothing comes, then the connection closes',
    start: poisoned({ kind: 'timeout', ms: 200 }),
    fails: { ...cut, says: 'the connection' },
  },
  {
    name: 'reset after 150 ms',
    start: poisoned({ kind: 'reset_peer', ms: 150 }, drip(answer, 20)),
    fails: { ...cut, says: '' },
  },
  {
    name: 'sliced into single bytes',
    start: poisoned({ kind: 'slicer', bytes: 1, everyMs: 1 }),
    replies: { status: 200, bodyBytes: answerText.length },
  },
  {
    name: 'sliced into 7 bytes',
    start: poisoned({ kind: 'slicer', bytes: 7, everyMs: 0 }),
    replies: { status: 200, bodyBytes: answerText.length },
  },
  {
    name: 'cut after 10 bytes',
    start: poisoned({ kind: 'limit_data', bytes: 10 }),
    fails: { ...cut, says: 'in the middle of its headers' },
  },
  {
    name: 'cut one byte before the end',
    start: poisoned({ kind: 'limit_data', bytes: answer.length - 1 }),
    fails: { ...cut, says: 'cut off after 55 bytes' },
  },
];
