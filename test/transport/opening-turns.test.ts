import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OpeningTurns } from '../../src/transport/opening-turns.ts';
import { createSend } from '../../src/transport/send.ts';

const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Takes turns, and writes down whose began. */
function recorder() {
  const turns = new OpeningTurns();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const take = async (server: string, signal: AbortSignal = never): Promise<void> => {
    const end = await turns.take(server, signal);
    begun.push(server);
    ends.push(end);
  };
  const fill = () => Promise.all(Array.from({ length: 8 }, () => take('first')));
  const endOne = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { begun, take, fill, endOne };
}

test('the next connection is opened when one is there, or has waited 20 ms for its server', async () => {
  const { begun, take, fill, endOne } = recorder();
  await fill();
  const [ninth, tenth] = [take('ninth'), take('tenth')];
  await new Promise(setImmediate);
  expect(begun).toHaveLength(8);
  await endOne();
  await ninth;
  expect(begun).toHaveLength(9);
  await vi.advanceTimersByTimeAsync(20);
  await tenth;
  expect(begun.slice(8)).toEqual(['ninth', 'tenth']);
});

test('a turn that its time has ended is not ended a second time', async () => {
  const { begun, take, fill, endOne } = recorder();
  await fill();
  await vi.advanceTimersByTimeAsync(20);
  await fill();
  void take('last');
  await endOne();
  expect(begun).toHaveLength(16);
});

test('servers come in turn, however many connections to one of them wait', async () => {
  const { begun, take, fill, endOne } = recorder();
  await fill();
  for (const server of ['busy', 'busy', 'busy', 'quiet']) void take(server);
  for (let count = 0; count < 4; count++) await endOne();
  expect(begun.slice(8)).toEqual(['busy', 'quiet', 'busy', 'busy']);
});

test('a wait that is given up ends at once, and takes no turn', async () => {
  const { begun, take, fill, endOne } = recorder();
  await fill();
  const stop = new AbortController();
  const givenUp = take('given up', stop.signal);
  void take('patient');
  stop.abort(new Error('too slow'));
  await expect(givenUp).rejects.toThrow('too slow');
  await endOne();
  expect(begun.slice(8)).toEqual(['patient']);
});

test('of many requests at once, to servers that do not answer, a few open connections at a time', async () => {
  const asked = new Set<string>();
  const send = createSend({ now: () => performance.now(), lookup: (name) => void asked.add(name) });
  const limits = { connection: { connectTimeoutMs: 9000 }, bodyBytesMax: 2 ** 20 };
  const stops = Array.from({ length: 100 }, () => new AbortController());
  const answers = stops.map(({ signal }, index) =>
    send(
      { method: 'POST', url: `https://h${index}.test/`, headers: {}, body: '{}' },
      { ...limits, signal, deadlineAt: performance.now() + 9000 },
    ),
  );
  await new Promise(setImmediate);
  expect(asked.size).toBe(8);
  await vi.advanceTimersByTimeAsync(20);
  expect(asked.size).toBe(16);
  for (const stop of stops) stop.abort(new Error('enough'));
  const ends = await Promise.allSettled(answers);
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(100);
});
