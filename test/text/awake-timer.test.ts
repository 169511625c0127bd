import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterAwake } from '../../src/text/awake-timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A wait of a second; the result tells whether it is over. */
function second() {
  let isOver = false;
  const timer = afterAwake(1000, () => (isOver = true));
  return { timer, isOver: () => isOver };
}

test('a wait is over once its time is', () => {
  const { isOver } = second();
  vi.advanceTimersByTime(950);
  expect(isOver()).toBe(false);
  vi.advanceTimersByTime(100);
  expect(isOver()).toBe(true);
});

test('a process that stood still has nearly all of the time left that it had', () => {
  const { isOver } = second();
  vi.advanceTimersByTime(250);
  // Timers see the clock of the end of a standstill, as after SIGSTOP.
  vi.setSystemTime(Date.now() + 60_000);
  vi.advanceTimersToNextTimer();
  expect(isOver()).toBe(false);
  vi.advanceTimersByTime(650);
  expect(isOver()).toBe(false);
  vi.advanceTimersByTime(200);
  expect(isOver()).toBe(true);
});

test('what comes has it begin anew', () => {
  const { timer, isOver } = second();
  for (let count = 0; count < 5; count++) {
    vi.advanceTimersByTime(900);
    timer.again();
  }
  expect(isOver()).toBe(false);
  vi.advanceTimersByTime(1100);
  expect(isOver()).toBe(true);
});

test('one that was ended is never over, and begins no more', () => {
  const { timer, isOver } = second();
  vi.advanceTimersByTime(500);
  timer.end();
  timer.again();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(isOver()).toBe(false);
});
