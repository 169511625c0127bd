import { RE2Set } from 're2js';
import type { TextWindow } from './text-window.ts';

/**
 * Pays for work, in characters read once. Work `ofThisTime` would not be done again for the same text: a verdict must
 * not depend on it, but the time that others wait does.
 */
export type Spend = (characters: number, ofThisTime?: boolean) => void;

/** Beyond this the automaton gives up and the instructions are followed one by one, which then costs less. */
const bytesMax = 1 << 17;
/** To make a state, each instruction is followed several times, and what is found is sorted and kept. */
const stepsPerState = 10;

/**
 * Tells whether a pattern matches a text, by an automaton whose states are made when a text needs them and kept for the
 * next one. To make them, and to follow the instructions of a text that needs too many, costs up to a thousand times
 * what reading a character does. Both are paid for, the latter before it is done, for nobody can stop it.
 */
export class Automaton {
  readonly #set: RE2Set;
  readonly #size: number;
  #spend: Spend = forNothing;
  #isFresh = false;
  #wasOverfull = false;

  constructor(source: string, flags: number, size: number) {
    const set = new RE2Set(RE2Set.UNANCHORED, flags, bytesMax);
    set.add(source);
    set.compile();
    this.#set = set;
    this.#size = size;
    this.#watch();
  }

  test(text: string, spend: Spend = forNothing): boolean {
    this.#spend = spend;
    this.#wasOverfull = false;
    try {
      return this.#set.match(text).length > 0;
    } finally {
      // It knows the text, which may be private, and the pattern lives on.
      this.#spend = forNothing;
    }
  }

  /**
   * False where no match begins in a part of a text at a place of it, or behind. That one does is told as soon as it
   * has ended. True where that takes more states than may be kept, too.
   */
  mayFind(part: TextWindow, place: number, spend: Spend = forNothing): boolean {
    this.#spend = spend;
    try {
      return this.#search<boolean | null>(() => this.#set.dfa.match(part, place, RE2Set.UNANCHORED)) ?? true;
    } finally {
      this.#spend = forNothing;
    }
  }

  /** True where the last text needed more states than may be kept, so that each part of it may make them anew. */
  get wasOverfull(): boolean {
    return this.#wasOverfull;
  }

  /** The engine asks its own automaton, which tells here what it does beyond one step a character. */
  #watch(): void {
    const { dfa } = this.#set;
    const reset = dfa.resetCache.bind(dfa);
    const search = dfa.matchSet.bind(dfa);
    dfa.resetCache = (state: unknown): unknown => {
      if (!this.#isFresh) return null;
      this.#wasOverfull = true;
      this.#spend(this.#costOf(dfa.stateCount));
      return reset(state);
    };
    dfa.matchSet = (input: EngineInput, pos: number, anchor: number) => {
      const found = this.#search(() => search(input, pos, anchor));
      if (found !== null) return found;
      this.#wasOverfull = true;
      this.#spend(this.#size * input.endPos());
      return found;
    };
  }

  /** The outcome of a search of the automaton, null where it gives up. */
  #search<T>(search: () => T): T {
    const { dfa } = this.#set;
    let known = dfa.stateCount;
    this.#isFresh = known === 0;
    let found = search();
    if (found === null && !this.#isFresh) {
      // States of earlier texts took the room: what a text costs must not depend on them.
      dfa.clearCache();
      known = 0;
      this.#isFresh = true;
      found = search();
    }
    if (dfa.stateCount > known) this.#spend(this.#costOf(dfa.stateCount - known), true);
    return found;
  }

  #costOf(states: number): number {
    return states * stepsPerState * this.#size;
  }
}

interface EngineInput {
  endPos(): number;
}

function forNothing(): void {
  // The pattern of a file is tried as it is read.
}
