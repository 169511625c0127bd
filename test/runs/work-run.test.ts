import { describe, expect, test } from 'vitest';
import { windowItems } from '../../src/runs/work-run.ts';
import { collect, failing, lost, pause, refused, startWork } from '../support/rooms/work-run.ts';

test.each([
  { order: 'input', seen: ['0', '1', '2', '3', '4', '5'] },
  { order: 'finished', seen: ['1', '0', '3', '2', '5', '4'] },
] as const)('hands results out in the order: $order', async ({ order, seen }) => {
  const gates = new Map<number, () => void>();
  const work = async (item: number) => {
    if (item % 2 === 0) await new Promise<void>((open) => gates.set(item, open));
    else setImmediate(() => gates.get(item - 1)?.());
    return 'ok';
  };
  const { run } = startWork(work, { order });
  expect(await collect(run)).toEqual(seen);
  expect(run.end).toBe('done');
});

test('never has more under way than the limit', async () => {
  let now = 0;
  let most = 0;
  const { run } = startWork(
    async () => {
      now += 1;
      most = Math.max(most, now);
      await pause();
      now -= 1;
      return 'ok';
    },
    { concurrency: 3, count: 50 },
  );
  expect(await collect(run)).toHaveLength(50);
  expect(most).toBe(3);
});

test('reads no further ahead than its window, whatever the reader of the results does', async () => {
  let read = 0;
  function* endless() {
    for (;;) yield (read += 1);
  }
  const { run } = startWork(async () => 'ok', { items: endless() });
  let taken = 0;
  const reading = run.each(async () => {
    for (let round = 0; round < 20; round++) await pause();
    expect(read - taken).toBeLessThanOrEqual(windowItems + 2);
    if ((taken += 1) === 3) throw new Error('enough');
  });
  await expect(reading).rejects.toThrow('enough');
  expect(taken).toBe(3);
});

describe('an outage', () => {
  test('is waited for, and costs no item that was not asked', async () => {
    let isAway = true;
    const asked: number[] = [];
    const { run, clock } = startWork(
      async (item) => {
        asked.push(item);
        if (asked.length === 8) isAway = false;
        return isAway ? refused() : 'ok';
      },
      { outageMsMax: 900_000 },
    );
    expect(await collect(run)).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(clock.slept).toEqual([1000, 2000, 4000, 8000]);
    expect(run).toMatchObject({ end: 'done', heldMs: 15_000, asleepMs: 0 });
  });

  test('ends the run once it is too long; what was not asked is not handed out', async () => {
    const { run, clock } = startWork(async () => refused(), { outageMsMax: 60_000, count: 100 });
    expect(await collect(run)).toEqual([]);
    expect(run).toMatchObject({ end: 'outage', heldMs: 60_000 });
    expect(clock.slept).toEqual([1000, 2000, 4000, 8000, 16_000, 29_000]);
  });

  test.each([
    { name: 'ends the run', backAfter: Infinity, end: 'outage', failed: 5 },
    { name: 'passes', backAfter: 6, end: 'done', failed: 3 },
  ])('costs one more item for each four tries where answers are lost: $name', async (row) => {
    const asked: number[] = [];
    const { run } = startWork(
      async (item) => {
        asked.push(item);
        return asked.length > row.backAfter ? 'ok' : lost();
      },
      { outageMsMax: 60_000, count: 20 },
    );
    const seen = await collect(run);
    expect(seen.filter((text) => text.endsWith('failed'))).toHaveLength(row.failed);
    expect(asked.slice(3, 7)).toEqual([3, 3, 3, 3]);
    expect(run.end).toBe(row.end);
  });

  test.each([
    { name: 'are answered with 500', failure: failing },
    { name: 'end without a reply', failure: lost },
  ])('is over for the others once one of them is answered, where a few $name each time', async ({ failure }) => {
    const { run } = startWork(async (item) => (item >= 4 && item < 9 ? failure() : 'ok'), {
      outageMsMax: 900_000,
      count: 20,
    });
    const seen = await collect(run);
    expect(run.end).toBe('done');
    expect(seen.filter((text) => text.endsWith('failed'))).toHaveLength(5);
    expect(seen).toHaveLength(20);
  });

  test('that begins with many under way costs one more of them', async () => {
    let isAway = false;
    const { run, clock } = startWork(
      async () => {
        await clock.advance(1);
        // Answers to what was asked before come one by one, and resets at once.
        if (isAway) return lost();
        for (let turn = 0; turn < 9; turn += 1) await pause();
        return 'ok';
      },
      { outageMsMax: 60_000, count: 400, concurrency: 8 },
    );
    let answered = 0;
    let failed = 0;
    await run.each(({ result }) => {
      if (result !== 'ok') failed += 1;
      else if ((answered += 1) === 50) isAway = true;
    });
    expect({ failed, end: run.end }).toEqual({ failed: 17, end: 'outage' });
  });

  test('is not made longer by a machine that sleeps', async () => {
    let tries = 0;
    const { run, clock } = startWork(
      async () => {
        if ((tries += 1) === 6) await clock.advance(5 * 3_600_000);
        return tries < 9 ? refused() : 'ok';
      },
      { outageMsMax: 900_000 },
    );
    expect(await collect(run)).toHaveLength(6);
    expect(run.asleepMs).toBeGreaterThan(4 * 3_600_000);
    expect(run.heldMs).toBeLessThan(400_000);
  });

  test('a few failures between answers are none', async () => {
    const { run, clock } = startWork(async (item) => (item % 3 === 0 ? lost() : 'ok'), {
      outageMsMax: 60_000,
      count: 12,
    });
    expect(await collect(run)).toContain('9 failed');
    expect(clock.slept).toEqual([]);
  });
});

test('asks an item again that surely was not asked, and hands its failure out after some tries', async () => {
  const asked = new Map<number, number>();
  const { run } = startWork(async (item) => {
    asked.set(item, (asked.get(item) ?? 0) + 1);
    return item === 2 || (item === 4 && asked.get(item)! < 3) ? refused() : 'ok';
  });
  expect(await collect(run)).toEqual(['0', '1', '2 failed', '3', '4', '5']);
  expect(Object.fromEntries(asked)).toMatchObject({ 2: 9, 4: 3, 5: 1 });
});

test('stop begins nothing more, and hands out what was under way', async () => {
  const stop = new AbortController();
  const { run } = startWork(
    async (item) => {
      if (item === 3) stop.abort();
      await pause();
      return 'ok';
    },
    { stop: stop.signal, count: 100 },
  );
  const seen = await collect(run);
  expect(seen.length).toBeLessThanOrEqual(5);
  expect(seen).toContain('3');
  expect(run.end).toBe('stopped');
});

test('signal ends at once, and reaches the work', async () => {
  const signal = new AbortController();
  let reached = 0;
  const { run } = startWork(
    async (item, abandoned) => {
      if (item < 2) return 'ok';
      abandoned.addEventListener('abort', () => (reached += 1));
      setImmediate(() => signal.abort(new Error('now')));
      return new Promise(() => {});
    },
    { signal: signal.signal },
  );
  await expect(collect(run)).rejects.toThrow('now');
  expect(reached).toBe(2);
});

test('a reader that stops early abandons what is under way and closes the input', async () => {
  let closed = false;
  async function* items() {
    try {
      for (let item = 0; ; item += 2) yield [item, item + 1];
    } finally {
      closed = true;
    }
  }
  const { run } = startWork(async () => 'ok', { items: items() });
  const reading = run.each(({ item }) => {
    if (item === 5) throw new Error('enough');
  });
  await expect(reading).rejects.toThrow('enough');
  expect(closed).toBe(true);
});

test.each([
  { name: 'the input', run: () => startWork(async () => 'ok', { items: brokenGroups() }).run },
  { name: 'a group of the input', run: () => startWork(async () => 'ok', { items: brokenItems() }).run },
  { name: 'the work', run: () => startWork(async () => Promise.reject(new Error('broken'))).run },
])('a fault of $name ends the run with it', async ({ run }) => {
  await expect(collect(run())).rejects.toThrow('broken');
});

async function* brokenGroups() {
  yield [1];
  throw new Error('broken');
}

function* brokenItems() {
  yield 1;
  throw new Error('broken');
}
