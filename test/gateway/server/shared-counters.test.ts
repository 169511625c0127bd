import { describe, expect, test } from 'vitest';
import { type Counters, createCounters, type LimitHolder } from '../../../src/gateway/access/counters.ts';
import { unlimited } from '../../../src/gateway/config.ts';
import { CountKeeper, SharedCounters } from '../../../src/gateway/server/shared-counters.ts';

const holder = (limits: Partial<LimitHolder['limits']>): LimitHolder => ({
  key: 'motif bot',
  limits: { ...unlimited, ...limits },
});

/** Workers that share the counts of one keeper; what they say goes through JSON, as between processes. */
function pool(count: number) {
  const clock = { now: () => 0, monotonic: () => 1000, sinceBoot: () => 1000 };
  const keeper = new CountKeeper(createCounters(clock));
  const sent: number[] = [];
  const workers = Array.from({ length: count }, (_, id) => {
    const counters: SharedCounters = new SharedCounters((calls) => {
      sent.push(id);
      const heard = JSON.parse(JSON.stringify(calls)) as typeof calls;
      void keeper
        .answer(id, heard)
        .then((answers) => counters.answered(JSON.parse(JSON.stringify(answers)) as typeof answers));
    });
    return counters;
  });
  return { keeper, workers, sent };
}

test('rpm and tokens_per_day count once for all workers', async () => {
  const { workers } = pool(3);
  const taken = await Promise.all(
    Array.from({ length: 9 }, (_, at) => workers[at % 3]!.takePrompt([holder({ rpm: 4 })])),
  );
  expect(taken.filter((exhausted) => exhausted === undefined)).toHaveLength(4);
  await workers[0]!.addTokens([holder({ tokensPerDay: 10 })], 10);
  expect(await workers[1]!.takePrompt([holder({ tokensPerDay: 10 })])).toMatchObject({ limit: 'tokens_per_day' });
});

test('in_flight counts once for all workers, and the places of a worker that has ended are free', async () => {
  const { keeper, workers } = pool(2);
  const one = [holder({ inFlight: 2 })];
  expect([await workers[0]!.takePlace(one), await workers[0]!.takePlace(one)]).toEqual([undefined, undefined]);
  expect(await workers[1]!.takePlace(one)).toMatchObject({ limit: 'in_flight', key: 'motif bot' });
  workers[0]!.givePlace(one);
  expect(await workers[1]!.takePlace(one)).toBeUndefined();
  keeper.forget(0);
  expect(await workers[1]!.takePlace(one)).toBeUndefined();
  expect(await workers[1]!.takePlace(one)).toMatchObject({ limit: 'in_flight' });
});

describe('a place that a worker asked for right before its end is free again', () => {
  const clock = { now: () => 0, monotonic: () => 1000, sinceBoot: () => 1000 };
  /** A store that answers later, as one for many machines does. */
  const late = (): Counters => {
    const counters = createCounters(clock);
    return { ...counters, takePlace: async (holders) => counters.takePlace(holders) };
  };
  const one = [holder({ inFlight: 1 })];
  const take = { call: 'takePlace', id: 1, holders: one } as const;
  const give = { call: 'givePlace', holders: one } as const;

  test.each([
    { name: 'the store answers after the end', calls: [[take], 'ends'] },
    { name: 'the call is read after the end', calls: ['ends', [take]] },
    {
      name: 'it was taken before, and its return is read after the end',
      calls: [[take], 'is answered', 'ends', [give]],
    },
    { name: 'it was taken and given before', calls: [[take], 'is answered', [give], 'ends'] },
  ] as const)('$name', async ({ calls }) => {
    for (const store of [createCounters(clock), late()]) {
      const keeper = new CountKeeper(store);
      const answers: Promise<unknown>[] = [];
      for (const call of calls) {
        if (call === 'is answered') await Promise.all(answers);
        else if (call === 'ends') keeper.forget(1);
        else answers.push(keeper.answer(1, call));
      }
      await Promise.all(answers);
      expect(await keeper.answer(2, [take, take])).toMatchObject([
        { exhausted: null },
        { exhausted: { limit: 'in_flight' } },
      ]);
    }
  });
});

test('calls of one turn go to the process above together', async () => {
  const { workers, sent } = pool(1);
  await Promise.all(Array.from({ length: 50 }, () => workers[0]!.takePlace([holder({ inFlight: 100 })])));
  expect(sent).toEqual([0]);
});
