import { describe, expect, test } from 'vitest';
import { RoundWork, workMax } from '../../../../src/gateway/server/http/round-work.ts';

let now = 100;
const made = (): RoundWork => new RoundWork(() => now);

/** The rounds that are for new connections alone, while one comes in each of them, behind a round with a request. */
function roundsForNewcomers(round: RoundWork, { workMs, acceptMs }: { workMs: number; acceptMs: number }): number {
  round.noteConnection();
  round.add(1);
  now += workMs;
  let rounds = 0;
  while (round.isForNewcomers()) {
    rounds += 1;
    now += acceptMs;
    round.noteConnection();
  }
  return rounds;
}

describe('while new connections come', () => {
  test('a single request that takes long is made up for with rounds for them alone', () => {
    expect(roundsForNewcomers(made(), { workMs: 4, acceptMs: 1 })).toBe(12);
  });

  test('nobody else waits for them longer than for ten rounds, whatever held up the one before', () => {
    expect(roundsForNewcomers(made(), { workMs: 900, acceptMs: 1 })).toBe(50);
  });

  test('a round has the end of its time to be waited for, and so has the next one', () => {
    const round = made();
    expect(round.add(1)).toBe(false);
    round.noteConnection();
    expect(round.add(1)).toBe(true);
    now += 6;
    expect(round.hasRoom()).toBe(true);
    round.add(workMax / 4);
    expect(round.hasRoom()).toBe(false);
    expect(round.restart()).toBe(true);
    expect(round.add(1)).toBe(true);
    expect(round.restart()).toBe(false);
    expect(round.add(1)).toBe(false);
  });

  test('rounds for them end once none comes', () => {
    const round = made();
    round.noteConnection();
    now += 5;
    expect(round.isForNewcomers()).toBe(true);
    expect(round.isForNewcomers()).toBe(false);
  });
});

test('where no new connection comes no round is for them, however long its work took', () => {
  const round = made();
  round.add(workMax);
  now += 50;
  expect(round.isForNewcomers()).toBe(false);
});
