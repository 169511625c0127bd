import { expect, test } from 'vitest';
import { atOnce, inTurns, nextRoundIfAny } from '../../src/text/turns.ts';

/** Work of pieces that take so many milliseconds each. */
function working(...pieces: readonly number[]) {
  const clock = { at: 0, turns: [] as number[] };
  function* work(): Generator<void, string> {
    for (const ms of pieces) {
      clock.at += ms;
      yield;
    }
    return 'done';
  }
  const nextTurn = async (): Promise<void> => void clock.turns.push(clock.at);
  return { clock, work: work(), inTurns: () => inTurns(work(), nextTurn, () => clock.at) };
}

test.each([
  { name: 'no piece', pieces: [], turns: [] },
  { name: 'less than a turn', pieces: [3, 3, 3], turns: [] },
  { name: 'pieces that fill a turn', pieces: [5, 5, 5, 5, 5], turns: [10, 20] },
  { name: 'pieces that each take longer', pieces: [30, 1, 30], turns: [30, 61] },
])('gives others their turn whenever a turn is full: $name', async ({ pieces, turns }) => {
  const { clock, inTurns: run } = working(...pieces);
  expect([await run(), clock.turns]).toEqual(['done', turns]);
});

test('does all of it at once where nobody waits', () => {
  const { clock, work } = working(30, 30);
  expect([atOnce(work), clock]).toEqual(['done', { at: 60, turns: [] }]);
});

test.each([
  { name: 'by itself', nextTurn: undefined },
  { name: 'for work that need not end', nextTurn: nextRoundIfAny },
])('hears timers between the pieces, $name', async ({ nextTurn }) => {
  const clock = { at: 0, isHeard: false };
  function* work(): Generator<void, boolean> {
    // Sure to be reached, for each piece fills a turn of the event loop.
    while (!clock.isHeard) yield void (clock.at += 30);
    return clock.isHeard;
  }
  setTimeout(() => (clock.isHeard = true), 1);
  expect(await inTurns(work(), nextTurn, () => clock.at)).toBe(true);
});
