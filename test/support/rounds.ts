import { onTestFinished } from 'vitest';

/** Counts what happens in each round of the event loop, and those that pass; of these, if told so, only some. */
export function countRounds(isOne = (): boolean => true) {
  let inRound = 0;
  let most = 0;
  let all = 0;
  let passed = 0;
  let isOver = false;
  const next = (): void => {
    inRound = 0;
    if (isOne()) passed += 1;
    if (!isOver) setImmediate(next);
  };
  next();
  onTestFinished(() => void (isOver = true));
  return {
    count(): void {
      all += 1;
      most = Math.max(most, (inRound += 1));
    },
    most: () => most,
    all: () => all,
    passed: () => passed,
  };
}
