import { setFlagsFromString } from 'node:v8';

/** Per cent by which the memory of a thread grows, over what was in use, before V8 looks for what is free again. */
const slowPercent = 40;
/** Left to V8. */
const usualPercent = 0;

/**
 * V8 lets its memory grow to four times what was in use: beside many large bodies and answers that would be more than
 * all of them may hold. To look for free memory as early at all times would make each small prompt some 5 % dearer.
 */
export function growSlowly(isSlow: boolean): void {
  setFlagsFromString(`--heap-growing-percent=${isSlow ? slowPercent : usualPercent}`);
}
