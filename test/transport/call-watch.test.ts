import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CallWatch } from '../../src/transport/call-watch.ts';
import { Wakefulness } from '../../src/transport/wakefulness.ts';

const clock = { now: () => performance.now() };

function call(name: string, deadlineMs: number, heard: string[], signal?: AbortSignal) {
  const watched = {
    deadlineAt: clock.now() + deadlineMs,
    signal,
    expire: () => heard.push(`${name} expired`),
    abort: () => heard.push(`${name} aborted`),
  };
  return watched;
}

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('calls of one signal share its listener, which stays for the next call', () => {
  const { signal } = new AbortController();
  const watch = new CallWatch(clock, new Wakefulness(clock));
  const calls = ['a', 'b', 'c'].map((name) => call(name, 60_000, [], signal));
  for (const each of calls) watch.add(each);
  expect(listeners(signal)).toBe(1);
  for (const each of calls) watch.delete(each);
  watch.add(calls[0]!);
  expect(listeners(signal)).toBe(1);
  watch.delete(calls[0]!);
});

test('of very many signals most are let go once no call waits on them', () => {
  const watch = new CallWatch(clock, new Wakefulness(clock));
  const calls = Array.from({ length: 1_000 }, () => call('one', 60_000, [], new AbortController().signal));
  for (const each of calls) {
    watch.add(each);
    watch.delete(each);
  }
  expect(calls.filter(({ signal }) => listeners(signal!) > 0)).toHaveLength(128);
});

test('a signal whose calls are all over ends none that came later', () => {
  const heard: string[] = [];
  const one = new AbortController();
  const watch = new CallWatch(clock, new Wakefulness(clock));
  const over = call('over', 60_000, heard, one.signal);
  const other = call('other', 60_000, heard);
  watch.add(over);
  watch.delete(over);
  watch.add(other);
  one.abort();
  watch.delete(other);
  expect(heard).toEqual([]);
});

test('only the calls of a signal end with it, and those that are over are left alone', () => {
  const heard: string[] = [];
  const [one, other] = [new AbortController(), new AbortController()];
  const watch = new CallWatch(clock, new Wakefulness(clock));
  const over = call('over', 60_000, heard, one.signal);
  const others = [
    call('first', 60_000, heard, one.signal),
    call('second', 60_000, heard, one.signal),
    call('other', 60_000, heard, other.signal),
    call('free', 60_000, heard),
  ];
  for (const each of [over, ...others]) watch.add(each);
  watch.delete(over);
  one.abort();
  for (const each of others) watch.delete(each);
  expect(heard.toSorted()).toEqual(['first aborted', 'second aborted']);
});

test('a call that is added later may end earlier', async () => {
  const heard: string[] = [];
  const watch = new CallWatch(clock, new Wakefulness(clock));
  const late = call('late', 60_000, heard);
  watch.add(late);
  await new Promise<void>((resolve) => {
    const early = call('early', 5, heard);
    watch.add({
      ...early,
      expire() {
        watch.delete(this);
        early.expire();
        resolve();
      },
    });
  });
  watch.delete(late);
  expect(heard).toEqual(['early expired']);
});

test('a timer keeps the process alive while a call waits, and no longer', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const watch = new CallWatch(clock, new Wakefulness(clock));
  const counts = ['first', 'second'].map((name) => {
    const one = call(name, 60_000, []);
    watch.add(one);
    const during = timers();
    watch.delete(one);
    return [during - before, timers() - before];
  });
  expect(counts).toEqual([
    [1, 0],
    [1, 0],
  ]);
});

test('a call that comes after others are over ends at its own deadline', async () => {
  const heard: string[] = [];
  const watch = new CallWatch(clock, new Wakefulness(clock));
  const over = call('over', 60_000, heard);
  watch.add(over);
  watch.delete(over);
  await new Promise<void>((resolve) => {
    const next = call('next', 5, heard);
    watch.add({
      ...next,
      expire() {
        watch.delete(this);
        next.expire();
        resolve();
      },
    });
  });
  expect(heard).toEqual(['next expired']);
});

test.each([
  { name: 'an answer that came while the process was stopped counts', isAnswered: true, heard: [] },
  { name: 'a call that was not answered ends soon after', isAnswered: false, heard: ['late expired'] },
])('past the deadline by a stop of the process: $name', ({ isAnswered, heard: expected }) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let stoppedMs = 0;
  const stoppable = { now: () => Date.now() + stoppedMs };
  const heard: string[] = [];
  const watch = new CallWatch(stoppable, new Wakefulness(stoppable));
  const late = {
    ...call('late', 0, heard),
    deadlineAt: stoppable.now() + 5_000,
    expire() {
      watch.delete(this);
      heard.push('late expired');
    },
  };
  watch.add(late);
  stoppedMs = 60_000;
  vi.advanceTimersByTime(1_000);
  expect(heard).toEqual([]);
  if (isAnswered) watch.delete(late);
  vi.advanceTimersByTime(1_000);
  expect(heard).toEqual(expected);
});

test('a call ends soon after its deadline also where the clock of the day is set forward all the time', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let setMs = 0;
  const set = { now: () => Date.now(), timeOfDay: () => Date.now() + setMs };
  const heard: string[] = [];
  const watch = new CallWatch(set, new Wakefulness(set));
  const late = call('late', 0, heard);
  const watched = { ...late, deadlineAt: set.now() + 5_000, expire: () => (watch.delete(watched), late.expire()) };
  watch.add(watched);
  for (let tenths = 0; tenths < 70; tenths++) {
    setMs += 10_000;
    vi.advanceTimersByTime(100);
  }
  expect(heard).toEqual(['late expired']);
});
