import type { Span } from './view.ts';

/** UTF-16 units of one sort. What a pattern tells of each is found out once, which makes it a tenth of the work. */
export class UnitSort {
  readonly #known = new Uint8Array(unitsMax);
  readonly #belongs: (character: string) => boolean;

  constructor(belongs: (character: string) => boolean) {
    this.#belongs = belongs;
  }

  has(unit: number): boolean {
    const known = this.#known[unit]!;
    return (known === isUnknown ? this.#learn(unit) : known) === isIn;
  }

  /** False outside of the text, of which the engine must not be asked: it then reads all units the slow way. */
  isAt(text: string, at: number): boolean {
    return at >= 0 && at < text.length && this.has(text.charCodeAt(at));
  }

  #learn(unit: number): number {
    return (this.#known[unit] = this.#belongs(String.fromCharCode(unit)) ? isIn : isOut);
  }
}

const unitsMax = 65_536;
const isUnknown = 0;
const isOut = 1;
const isIn = 2;

/** True where a text has so many of them in a row. */
export function hasRun(text: string, length: number, sort: UnitSort): boolean {
  return findRun(text, length, sort, 0) !== -1;
}

/**
 * Start of the next run of so many of them, whole but for what stands before `from`; -1 where there is none. A run ends
 * where one is missing, so it is looked at from its end, and most characters need no look.
 */
export function findRun(text: string, length: number, sort: UnitSort, from: number): number {
  const last = text.length;
  let start = from;
  /** All from the start to here belong. */
  let seen = from;
  for (let end = start + length; end <= last; end = start + length) {
    let at = end - 1;
    while (at >= seen && sort.has(text.charCodeAt(at))) at--;
    if (at < seen) return start;
    start = at + 1;
    seen = end;
  }
  return -1;
}

/** All runs of so many of them or more. */
export function runsIn(text: string, length: number, sort: UnitSort): Span[] {
  const last = text.length;
  const runs: Span[] = [];
  for (let start = findRun(text, length, sort, 0); start !== -1;) {
    let end = start + length;
    while (end < last && sort.has(text.charCodeAt(end))) end++;
    runs.push({ start, end });
    start = findRun(text, length, sort, end);
  }
  return runs;
}
