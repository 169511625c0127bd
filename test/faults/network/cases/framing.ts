import { end, endless, hang, send, wait } from '../../../support/servers/fault-server.ts';
import { answer, answerText, http, type NetworkCase, says } from '../scenes.ts';

const invalid = { kind: 'service', layer: 'http', sent: true, says: 'is not valid HTTP' } as const;
const foreign = { ...invalid, says: 'does not speak HTTP, it said: ' } as const;
const ok = `content-length: ${answerText.length}`;

/** Bytes that are not, or not quite, HTTP/1.1. */
export const framingCases: readonly NetworkCase[] = [
  {
    name: 'two lengths',
    start: says(send(http(200, [ok, 'content-length: 3'], answerText)), hang),
    fails: invalid,
  },
  {
    name: 'two lists of lengths',
    start: says(send(http(200, ['content-length: 3, 4'], 'abc')), hang),
    fails: invalid,
  },
  {
    name: 'a length beside chunks',
    start: says(send(http(200, [ok, 'transfer-encoding: chunked'], '0\r\n\r\n')), hang),
    fails: invalid,
  },
  { name: 'a negative length', start: says(send(http(200, ['content-length: -1'])), hang), fails: invalid },
  {
    name: 'a length that is no number',
    start: says(send(http(200, ['content-length: ten'])), hang),
    fails: invalid,
  },
  {
    name: 'a length beyond 64 bits',
    start: says(send(http(200, [`content-length: ${'9'.repeat(30)}`])), hang),
    fails: invalid,
  },
  {
    name: 'bare line feeds',
    start: says(send(`HTTP/1.1 200 OK\n${ok}\n\n${answerText}`), hang),
    fails: invalid,
  },
  {
    name: 'HTTP/0.9',
    start: says(send(answerText), end),
    fails: { ...foreign, says: 'it said: {"response"' },
  },
  {
    name: 'an SSH banner',
    start: says(send('SSH-2.0-OpenSSH_9.2\r\n'), hang),
    fails: { ...foreign, says: 'it said: SSH-2.0-OpenSSH_9.2', hint: 'scheme and the port' },
  },
  { name: 'an SMTP banner', start: says(send('220 mail.test ESMTP\r\n'), hang), fails: foreign },
  {
    name: 'a banner with escape sequences',
    start: says(send('\x1b]0;owned\x07\x1b[2J\r\n'), hang),
    fails: { ...foreign, says: 'it said: \\u{1b}]0;owned\\u{7}' },
  },
  {
    name: 'bytes without meaning',
    start: says(send(Buffer.from([0x80, 0, 0xff, 1, 2])), hang),
    fails: foreign,
  },
  {
    name: 'HTTP/2.0 in the status line',
    start: says(send(answer.replace('HTTP/1.1', 'HTTP/2.0')), hang),
    replies: { status: 200 },
  },
  {
    name: 'HTTP/3.7 in the status line',
    start: says(send(answer.replace('HTTP/1.1', 'HTTP/3.7')), hang),
    fails: invalid,
  },
  { name: 'status 099', start: says(send(http('099 Odd', [ok], answerText)), hang), fails: invalid },
  { name: 'status 999', start: says(send(http('999 Odd', [ok], answerText))), replies: { status: 999 } },
  {
    name: 'status of four digits',
    start: says(send(http('2000 OK', [ok], answerText)), hang),
    fails: invalid,
  },
  { name: 'no status', start: says(send(http('OK', [ok], answerText)), hang), fails: invalid },
  { name: 'no reason', start: says(send(http('200', [ok], answerText))), replies: { status: 200 } },
  {
    name: 'a header of 17 KiB',
    start: says(send(http(200, [`x: ${'y'.repeat(17 * 1024)}`, ok], answerText)), hang),
    fails: { ...invalid, says: 'headers of the answer are larger than 16 KiB' },
  },
  {
    name: '5,000 headers',
    start: says(
      send(
        http(
          200,
          Array.from({ length: 5000 }, (_, at) => `x${at}: y`),
        ),
      ),
      hang,
    ),
    fails: { ...invalid, says: 'larger than 16 KiB' },
  },
  {
    name: 'headers without end',
    start: says(send('HTTP/1.1 200 OK\r\n'), endless(`x: ${'y'.repeat(100)}\r\n`)),
    fails: { ...invalid, says: 'larger than 16 KiB' },
  },
  {
    name: 'NUL in a header',
    start: says(send(http(200, ['x: a\0b', ok], answerText)), hang),
    fails: invalid,
  },
  {
    name: 'a header without a colon',
    start: says(send(http(200, ['nonsense', ok], answerText)), hang),
    fails: invalid,
  },
  {
    name: 'a space before the colon',
    start: says(send(http(200, ['x : y', ok], answerText)), hang),
    fails: invalid,
  },
  {
    name: 'a header that goes on in the next line',
    start: says(send(http(200, ['x: a', ' b', ok], answerText)), hang),
    fails: invalid,
  },
  {
    name: 'a header without a name',
    start: says(send(http(200, [': y', ok], answerText)), hang),
    fails: invalid,
  },
  {
    name: 'bytes after the body',
    start: says(send(`${answer}extra`), hang),
    replies: { status: 200, bodyBytes: answerText.length },
  },
  {
    name: 'a second answer behind the first',
    start: says(send(answer + answer), hang),
    replies: { status: 200, bodyBytes: answerText.length },
  },
  {
    name: 'HTTP/1.0',
    start: says(send(answer.replace('HTTP/1.1', 'HTTP/1.0')), end),
    replies: { status: 200 },
  },
  {
    name: 'a header named __proto__',
    start: says(send(http(200, ['__proto__: x', ok], answerText))),
    replies: { status: 200 },
  },
  {
    name: 'a TLS alert on a plain port',
    start: says(send(Buffer.from([0x15, 3, 3, 0, 2, 2, 0x28])), end),
    fails: {
      kind: 'network',
      layer: 'http',
      sent: true,
      says: 'expects TLS, and was asked without it: is the scheme wrong?',
      hint: 'https://',
    },
  },
  {
    name: 'a 100 that was not asked for',
    start: says(send(`HTTP/1.1 100 Continue\r\n\r\n${answer}`), hang),
    replies: { status: 200, bodyBytes: answerText.length },
  },
  {
    name: 'several, with headers, in pieces',
    start: says(
      send('HTTP/1.1 100'),
      wait(20),
      send(' Continue\r\nx: y\r\n'),
      wait(20),
      send(`\r\nHTTP/1.0 100 Go on\r\n\r\n${answer.slice(0, 5)}`),
      wait(20),
      send(answer.slice(5)),
      hang,
    ),
    replies: { status: 200, bodyBytes: answerText.length },
  },
  {
    name: 'a 100 and then nothing',
    start: says(send('HTTP/1.1 100 Continue\r\n\r\n'), end),
    fails: { kind: 'network', layer: 'http', sent: true, says: 'closed the connection' },
  },
  { name: 'a flood of 100', start: says(endless('HTTP/1.1 100 Continue\r\n\r\n')), fails: invalid },
  {
    name: 'a 101',
    start: says(send('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'), hang),
    fails: invalid,
  },
  {
    name: 'a 101 without its headers',
    start: says(send('HTTP/1.1 101 Switching Protocols\r\n\r\n'), hang),
    deadlineMs: 400,
    fails: { ...invalid, says: '' },
  },
  {
    name: 'a 103, then the answer',
    start: says(send('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), wait(30), send(answer)),
    replies: { status: 200 },
  },
  {
    name: 'a 100 behind others, one of them with a length',
    start: says(
      send('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 1'),
      wait(20),
      send(`03 Early Hints\r\nContent-Length: 5\r\n\r\nHTTP/1.1 199\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${answer}`),
      hang,
    ),
    replies: { status: 200, bodyBytes: answerText.length },
  },
  { name: 'a status of four digits', start: says(send(`HTTP/1.1 1000 X\r\n\r\n${answer}`), hang), fails: invalid },
  {
    name: 'a 102, then silence',
    start: says(send('HTTP/1.1 102 Processing\r\n\r\n'), hang),
    deadlineMs: 300,
    fails: { kind: 'timeout', layer: 'http', sent: true, says: 'no first byte of an answer' },
  },
  {
    name: 'a flood of 103',
    start: says(endless('HTTP/1.1 103 Early Hints\r\n\r\n')),
    fails: { ...invalid, says: 'more than 32 interim answers' },
  },
];
