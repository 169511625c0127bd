import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StreamChunks } from '../../src/world/stream-chunks.ts';

/** A pipe has all that is asked of a terminal here. */
function stdin(): PassThrough & NodeJS.ReadStream {
  return Object.assign(new PassThrough(), { ref() {}, unref() {} }) as unknown as PassThrough & NodeJS.ReadStream;
}

test('a terminal that fails after it was left ends no program, and the next reader is told', async () => {
  const stream = stdin();
  const chunks = new StreamChunks(stream, new AbortController().signal);
  await chunks.return();
  const fault = new Error('read EIO');
  stream.destroy(fault);
  await turn();
  await expect(new StreamChunks(stream, new AbortController().signal).next()).rejects.toBe(fault);
});

test('many readers, one after the other, leave one listener', async () => {
  const stream = stdin();
  for (let count = 0; count < 20; count++) await new StreamChunks(stream, new AbortController().signal).return();
  expect(stream.listenerCount('error')).toBe(1);
});
