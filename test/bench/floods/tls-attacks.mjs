/** Attacks below the requests: what a client of TLS may send between and around them. */
import { setTimeout as wait } from 'node:timers/promises';
import { recordsClient } from './records.mjs';

const recordMax = 16_000;
/** Records that are made at once; to make one takes as long as to read it. */
const burst = 500;

/**
 * By their names. Those of a gateway without TLS would say nothing; there each is what it is above TLS: requests and
 * pieces of requests. `words` makes the bytes of a request, of a stranger or of a token.
 */
export function tlsAttacksOf({ again, destination, random, words }) {
  const written = (socket, bytes) =>
    new Promise((resolve) => {
      if (socket.destroyed || !socket.writable) return resolve();
      if (socket.write(bytes)) return void setImmediate(resolve);
      const done = () => (socket.off('drain', done).off('close', done), resolve());
      socket.on('drain', done).on('close', done);
    });

  /** Sends what `next` makes of the records of a connection, until that is closed or `next` has no more. */
  const send = (next) => () =>
    again(async () => {
      const open = await recordsClient(destination());
      if (open === undefined) return;
      const { below, client, records } = open;
      client.on('error', () => undefined).resume();
      for (const bytes of next(records)) {
        if (below.destroyed || below.readableEnded) break;
        if (typeof bytes === 'number') await wait(bytes);
        else await written(below, bytes);
      }
      if (random.below(2) === 0) below.resetAndDestroy();
      else client.destroy();
    });

  const many = (make) => Buffer.concat(Array.from({ length: burst }, make));
  function* pieces(bytes, length) {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
  }

  return {
    'TLS with keys alone': send(function* keys(records) {
      for (;;) yield many(() => records.keys(false));
    }),
    'TLS with keys that ask for keys': send(function* keys(records) {
      for (;;) yield many(() => records.keys(true));
    }),
    'TLS with keys between requests': send(function* keys(records) {
      for (let turn = 0; turn < 20; turn += 1) {
        yield Buffer.concat([records.data(words.small()), ...Array.from({ length: 200 }, () => records.keys(false))]);
        yield 20;
      }
    }),
    'TLS with empty records': send(function* empty(records) {
      for (;;) yield many(() => records.data(''));
    }),
    'TLS with a record for each byte': send(function* bytes(records) {
      for (let turn = 0; turn < 20; turn += 1)
        yield Buffer.concat([...words.small()].map((letter) => records.data(letter)));
    }),
    'TLS with a record for each byte of a stranger': send(function* bytes(records) {
      for (;;) yield Buffer.concat([...words.stranger()].map((letter) => records.data(letter)));
    }),
    'TLS with records of hundreds of requests': send(function* full(records) {
      const one = 'GET / HTTP/1.1\r\nHost: g\r\n\r\n';
      for (let turn = 0; turn < 30; turn += 1) yield records.data(one.repeat(recordMax / one.length));
    }),
    'TLS with records of line ends': send(function* ends(records) {
      for (;;) yield records.data('\r\n'.repeat(recordMax / 2));
    }),
    'TLS with padding': send(function* padded(records) {
      for (let turn = 0; turn < 100; turn += 1)
        yield Buffer.concat(Array.from({ length: 100 }, () => records.data('x', recordMax)));
    }),
    'TLS with large records sent slowly': send(function* slow(records) {
      const record = records.data(words.large(15_000));
      for (const piece of pieces(record, 200 + random.below(2000))) {
        yield piece;
        yield 50 + random.below(150);
      }
      yield 1000;
    }),
    'TLS with reset within a record': send(function* reset(records) {
      const record = records.data(words.large(15_000));
      yield record.subarray(0, random.below(record.length));
      yield random.below(20);
    }),
    'TLS with pieces of a body of a byte': send(function* chunked(records) {
      const body = words.chunkedHead() + '1\r\nx\r\n'.repeat(3000);
      for (const piece of pieces(Buffer.from(body), recordMax)) yield records.data(piece);
      yield 200;
    }),
    'TLS with large new ones of strangers': send(function* large(records) {
      const request = Buffer.from(words.strangerLarge(30_000));
      yield Buffer.concat([...pieces(request, recordMax)].map((piece) => records.data(piece)));
      yield 50;
    }),
    'TLS with large new ones of a token': send(function* large(records) {
      const request = Buffer.from(words.large(30_000));
      yield Buffer.concat([...pieces(request, recordMax)].map((piece) => records.data(piece)));
      yield 100;
    }),
    'TLS with broken records': send(function* broken(records) {
      const record = records.data(words.small());
      record[record.length - 1] ^= 1;
      yield record;
      yield 50;
    }),
  };
}
