import { describe, expect, test } from 'vitest';
import { collect, lost, pause, startWork } from '../support/rooms/work-run.ts';

describe('a stop asks for nothing more', () => {
  test.each([
    {
      name: 'by a person during a hold',
      asked: 4,
      setup: (stop: () => void) => ({ onHold: stop, outageMsMax: 60_000 }),
    },
    { name: 'while the next item is read', asked: 2, setup: (stop: () => void) => ({ items: stoppingAt(2, stop) }) },
  ])('$name', async ({ asked, setup }) => {
    const stop = new AbortController();
    const seen: number[] = [];
    const { run } = startWork(
      async (item) => {
        seen.push(item);
        return lost();
      },
      { stop: stop.signal, ...setup(() => stop.abort()) },
    );
    await collect(run);
    expect(seen).toHaveLength(asked);
    expect(run.end).toBe('stopped');
  });

  test.each([
    { name: 'a hold', asked: 4, setup: { outageMsMax: 60_000 } },
    { name: 'the pace', asked: 1, setup: { rpm: 1 } },
  ])('by the reader of results while $name is waited for', async ({ asked, setup }) => {
    const stop = new AbortController();
    const seen: number[] = [];
    const { run, clock } = startWork(
      async (item) => {
        seen.push(item);
        return lost();
      },
      { stop: stop.signal, sleeps: 'held', ...setup },
    );
    await run.each(async () => {
      while (clock.slept.length === 0) await pause();
      stop.abort();
    });
    expect(seen).toHaveLength(asked);
    expect(run.end).toBe('stopped');
  });
});

function* stoppingAt(last: number, stop: () => void) {
  for (let item = 0; ; item++) {
    if (item === last) stop();
    yield item;
  }
}

describe('a fault of the work while a result is waited for', () => {
  test.each([
    { order: 'finished', isFirstAnswered: true, seen: [0, 1, 2, 3] },
    { order: 'input', isFirstAnswered: true, seen: [0, 1, 2, 3] },
    { order: 'input', isFirstAnswered: false, seen: [1, 2, 3] },
  ] as const)('loses no answer: $order, $seen', async ({ order, isFirstAnswered, seen }) => {
    const taken: number[] = [];
    const { run } = startWork(
      async (item) => {
        if (item === 4) throw new Error('broken');
        return item > 0 || isFirstAnswered ? 'ok' : new Promise(() => {});
      },
      { order, concurrency: 5 },
    );
    const reading = run.each(async ({ item }) => {
      for (let round = 0; round < 3; round++) await pause();
      taken.push(item);
    });
    await expect(reading).rejects.toThrow('broken');
    expect(taken).toEqual(seen);
  });

  test.each([
    { name: 'the reader fails too', signal: undefined },
    { name: 'the run is abandoned', signal: new AbortController() },
  ])('waits no longer once $name', async ({ signal }) => {
    const options = signal === undefined ? {} : { signal: signal.signal };
    const { run } = startWork(async (item) => (item === 1 ? Promise.reject(new Error('broken')) : 'ok'), options);
    let taken = 0;
    const reading = run.each(async () => {
      taken += 1;
      await pause();
      if (signal === undefined) throw new Error('closed');
      signal.abort(new Error('now'));
      return new Promise<void>(() => {});
    });
    await expect(reading).rejects.toThrow('broken');
    expect(taken).toBe(1);
  });
});
