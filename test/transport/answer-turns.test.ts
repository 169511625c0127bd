import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { AnswerTurns } from '../../src/transport/answer-turns.ts';

/** A socket whose bytes are read as undici reads them; each piece takes some time. */
function listening(turns: AnswerTurns, name: string, firstMs: number, read: string[], laterMs = firstMs): PassThrough {
  const stream = new PassThrough();
  turns.take(stream as unknown as Socket);
  let pieceMs = firstMs;
  stream.on('readable', () => {
    while (stream.read() !== null) {
      read.push(name);
      for (const until = performance.now() + pieceMs; performance.now() < until;);
      pieceMs = laterMs;
    }
  });
  return stream;
}

test('a connection whose every piece takes a whole turn leaves others theirs', async () => {
  const turns = new AnswerTurns();
  const read: string[] = [];
  const greedy = [0, 1].map((at) => listening(turns, `greedy ${at}`, 15, read));
  const honest = listening(turns, 'honest', 0, read);
  for (let round = 0; round < 12; round++) {
    for (const stream of greedy) stream.write('a');
    if (round === 2) honest.write('a');
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(read.slice(0, 9)).toContain('honest');
});

test('a connection whose pieces take no time is read every other round at least, however many others wait', async () => {
  const turns = new AnswerTurns();
  const read: string[] = [];
  const greedy = Array.from({ length: 6 }, (_, at) => listening(turns, `greedy ${at}`, 15, read));
  const honest = listening(turns, 'honest', 0, read);
  for (let round = 0; round < 12; round++) {
    for (const stream of [...greedy, honest]) stream.write('a');
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(read.filter((name) => name === 'honest').length).toBeGreaterThan(3);
});

test('a connection of which one piece took long is read again, however many others wait', async () => {
  const turns = new AnswerTurns();
  const read: string[] = [];
  const honest = listening(turns, 'honest', 15, read, 0);
  // Enough of them for each turn, though a piece of none takes long.
  const others = Array.from({ length: 60 }, (_, at) => listening(turns, `other ${at}`, 0.4, read));
  honest.write('a');
  for (let round = 0; round < 20; round++) {
    for (const stream of [honest, ...others]) stream.write('a');
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(read.filter((name) => name === 'honest').length).toBeGreaterThan(1);
});

test('connections that are closed by their first piece take turns as well', async () => {
  const turns = new AnswerTurns();
  let read = 0;
  const streams = Array.from({ length: 40 }, () => {
    const stream = new PassThrough();
    turns.take(stream as unknown as Socket);
    stream.on('readable', () => {
      if (stream.destroyed || stream.read() === null) return;
      read += 1;
      for (const until = performance.now() + 2; performance.now() < until;);
      stream.destroy();
    });
    return stream;
  });
  for (const stream of streams) stream.write('a');
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBeLessThan(10);
  for (let round = 0; round < 60 && read < streams.length; round++)
    await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBe(streams.length);
});
