import { describe, expect, test } from 'vitest';
import { type Counters, createCounters, type LimitHolder } from '../../../src/gateway/access/counters.ts';
import { unlimited } from '../../../src/gateway/config.ts';
import { answerWaitMs, CountKeeper, SharedCounters } from '../../../src/gateway/server/shared-counters.ts';

const holder = (limits: Partial<LimitHolder['limits']>): LimitHolder => ({
  key: 'motif bot',
  limits: { ...unlimited, ...limits },
});

/** Workers that share the counts of one keeper, which may be stopped; what they say goes through JSON. */
function pool(count: number) {
  const clock = { at: 1000 };
  const monotonic = () => clock.at;
  const keeper = new CountKeeper(createCounters({ now: () => 0, monotonic, sinceBoot: monotonic }), monotonic);
  const sent: number[] = [];
  const logged: string[] = [];
  const say = (message: string) => void logged.push(message);
  const tasks: { readonly at: number; readonly task: () => void }[] = [];
  /** Calls that the process above has not read yet; undefined while it reads all at once. */
  let unread: (() => void)[] | undefined;
  const workers = Array.from({ length: count }, (_, id) => {
    const counters: SharedCounters = new SharedCounters({
      monotonic,
      after: (ms, task) => void tasks.push({ at: clock.at + ms, task }),
      log: { error: say, warn: say, info: say, debug: say },
      send(calls) {
        sent.push(id);
        const heard = JSON.parse(JSON.stringify(calls)) as typeof calls;
        const read = () =>
          void keeper
            .answer(id, heard)
            .then((answers) => counters.answered(JSON.parse(JSON.stringify(answers)) as typeof answers));
        if (unread === undefined) read();
        else unread.push(read);
      },
    });
    return counters;
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    keeper,
    workers,
    sent,
    logged,
    turn,
    stop: () => void (unread = []),
    goOn: async () => {
      for (const read of unread ?? []) read();
      unread = undefined;
      await turn();
    },
    /** Lets time pass; `comes` is called once a timer was due. */
    pass: async (ms: number, comes = () => {}) => {
      await turn();
      clock.at += ms;
      const due = tasks.filter(({ at }) => at <= clock.at);
      tasks.splice(0, tasks.length, ...tasks.filter(({ at }) => at > clock.at));
      for (const { task } of due) task();
      comes();
      await turn();
      await turn();
    },
  };
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
  await workers[0]!.givePlace(one);
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
  const take = { call: 'takePlace', id: 1, holders: one, until: Infinity } as const;
  const give = { call: 'givePlace', id: 2, holders: one } as const;

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
      const keeper = new CountKeeper(store, clock.monotonic);
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

test('a place is given back once it is free for prompts of other workers', async () => {
  const { workers, stop, goOn, turn } = pool(2);
  const one = [holder({ inFlight: 1 })];
  await workers[0]!.takePlace(one);
  stop();
  let isGiven = false;
  const given = Promise.resolve(workers[0]!.givePlace(one)).then(() => (isGiven = true));
  await turn();
  await turn();
  expect(isGiven).toBe(false);
  await goOn();
  await given;
  expect(await workers[1]!.takePlace(one)).toBeUndefined();
});

test('calls of one turn go to the process above together', async () => {
  const { workers, sent } = pool(1);
  await Promise.all(Array.from({ length: 50 }, () => workers[0]!.takePlace([holder({ inFlight: 100 })])));
  expect(sent).toEqual([0]);
});

describe('where the process above the workers does not answer', () => {
  const unavailable = { status: 503, code: 'limits_unavailable' };
  const outcome = (call: Promise<unknown>) => call.catch((error: unknown) => error);

  test('a prompt is refused once the time is over, and others at once, until it answers; no count is wrong then', async () => {
    const { workers, sent, logged, stop, goOn, pass } = pool(1);
    const [worker] = workers as [SharedCounters];
    const minute = [holder({ rpm: 3 })];
    const one = [holder({ inFlight: 1 })];
    expect(await worker.takePrompt(minute)).toBeUndefined();
    stop();
    const held = [worker.takePrompt(minute), worker.takePlace(one)].map(outcome);
    await pass(answerWaitMs - 1);
    expect(logged).toEqual([]);
    await pass(1);
    expect(await Promise.all(held)).toMatchObject([unavailable, unavailable]);
    const before = sent.length;
    for (let time = 0; time < 20; time++) await expect(worker.takePrompt(minute)).rejects.toMatchObject(unavailable);
    await pass(120_000);
    expect(sent).toHaveLength(before);
    expect(logged).toEqual(['the process above the workers does not answer, so no limit can be counted']);
    await goOn();
    expect(logged[1]).toBe('limits can be counted again');
    expect(await worker.takePlace(one)).toBeUndefined();
    expect(await worker.takePlace(one)).toMatchObject({ limit: 'in_flight' });
    for (const room of [true, true, true, false]) expect((await worker.takePrompt(minute)) === undefined).toBe(room);
  });

  test('a prompt of the same minute is not counted that was refused', async () => {
    const { workers, stop, goOn, pass } = pool(1);
    const [worker] = workers as [SharedCounters];
    const minute = [holder({ rpm: 2 })];
    stop();
    const held = outcome(worker.takePrompt(minute));
    await pass(answerWaitMs);
    expect(await held).toMatchObject(unavailable);
    await goOn();
    for (const room of [true, true, false]) expect((await worker.takePrompt(minute)) === undefined).toBe(room);
  });

  test('a place that was taken although its answer came too late is given back', async () => {
    const { workers, stop, goOn, pass } = pool(1);
    const [worker] = workers as [SharedCounters];
    const one = [holder({ inFlight: 1 })];
    stop();
    const first = outcome(worker.takePlace(one));
    await pass(answerWaitMs - 2000);
    const second = outcome(worker.takePlace(one));
    await pass(2000);
    expect(await Promise.all([first, second])).toMatchObject([unavailable, unavailable]);
    await goOn();
    expect(await worker.takePlace(one)).toBeUndefined();
  });

  test('an answer goes out whose tokens wait, which are counted later, and a place is free that was given meanwhile', async () => {
    const { workers, stop, goOn, pass } = pool(1);
    const [worker] = workers as [SharedCounters];
    const one = [holder({ inFlight: 1, tokensPerDay: 10 })];
    expect(await worker.takePlace(one)).toBeUndefined();
    stop();
    const added = worker.addTokens(one, 10);
    await pass(answerWaitMs);
    await added;
    await worker.givePlace(one);
    await pass(0);
    await goOn();
    expect(await worker.takePlace(one)).toBeUndefined();
    expect(await worker.takePrompt(one)).toMatchObject({ limit: 'tokens_per_day' });
  });

  test('a worker that was stopped itself reads what has come before it gives anything up', async () => {
    const { workers, logged, stop, pass } = pool(1);
    const [worker] = workers as [SharedCounters];
    stop();
    const taken = worker.takePlace([holder({ inFlight: 1 })]);
    await pass(10 * answerWaitMs, () => worker.answered([{ id: 1, exhausted: null }]));
    expect(await taken).toBeUndefined();
    expect(logged).toEqual([]);
  });
});
