import { RE2JS } from 're2js';
import { Automaton, type Spend } from './automaton.ts';
import { createLiteralScan } from './literal-scan.ts';
import { type LiteralSets, requiredLiterals } from './required-literals.ts';
import { TextWindow } from './text-window.ts';

/** A pattern that an operator wrote. It takes time linear in the text whatever it says, unlike a native RegExp. */
export interface Pattern {
  readonly source: string;
  /** A text without one literal of each set cannot match. */
  readonly literals: LiteralSets;
  /** Instructions of the compiled pattern: what one character of a text may cost. */
  readonly size: number;
  test(text: string, spend?: Spend): boolean;
  /** True where the last text needed more states than the automaton may keep: each part of it may make them anew. */
  wasOverfull(): boolean;
  /** False where `find` would find nothing. True where it would, and where that takes too many states to tell. */
  mayFind(window: TextWindow, from: number, until: number, spend?: Spend): boolean;
  /** The first match at or after `from`, as if the text ended at `until`; what stands before `from` is seen by `\b`. */
  find(window: TextWindow, from: number, until: number): FoundSpan | undefined;
}

interface PatternSpan {
  readonly start: number;
  readonly end: number;
}

interface FoundSpan extends PatternSpan {
  /** The end of what was read to find it: whatever stands behind that, the match is the same. */
  readonly readTo: number;
}

interface PatternMatch extends PatternSpan {
  /** Index of the pattern. */
  readonly pattern: number;
}

/** Says what is wrong with a pattern, in words that end a sentence which begins with its place. */
export class PatternFault extends Error {
  override readonly name = 'PatternFault';
}

const sourceCharactersMax = 1_000;
const sizeMax = 250;

/** The patterns that somebody still holds, by flag and source: a file is read again and again with the same ones. */
const held = new Map<string, WeakRef<Pattern>>();
const letGo = new FinalizationRegistry<string>((name) => {
  if (held.get(name)?.deref() === undefined) held.delete(name);
});

/** A pattern, made once for all who hold it: a thousand of them take 0.2 s. Throws a PatternFault. */
export function compilePattern(source: string, { ignoreCase = true }: { readonly ignoreCase?: boolean } = {}): Pattern {
  const name = `${ignoreCase} ${source}`;
  const known = held.get(name)?.deref();
  if (known !== undefined) return known;
  const pattern = makePattern(source, ignoreCase);
  held.set(name, new WeakRef(pattern));
  letGo.register(pattern, name);
  return pattern;
}

function makePattern(source: string, ignoreCase: boolean): Pattern {
  if (source === '') throw new PatternFault('must not be empty');
  if (source.length > sourceCharactersMax)
    throw new PatternFault(`must have at most ${sourceCharactersMax} characters`);
  const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
  const compiled = compileOrExplain(source, flags);
  const size = compiled.programSize();
  if (size > sizeMax) {
    throw new PatternFault(
      `is too large: ${size} steps once its repetitions are written out, at most ${sizeMax} are allowed`,
    );
  }
  const automaton = new Automaton(source, flags, size);
  const test = (text: string, spend?: Spend) => automaton.test(text, spend);
  const wasOverfull = () => automaton.wasOverfull;
  if (test('') && test('\ue000')) throw new PatternFault('matches every text, even an empty one');
  const engine = compiled.re2();
  function find(window: TextWindow, from: number, until: number): FoundSpan | undefined {
    const base = Math.max(0, from - 1);
    window.show(base, until);
    const span: readonly number[] | null = engine.executeEngine(window, from - base, 0, 2);
    return span === null ? undefined : { start: base + span[0]!, end: base + span[1]!, readTo: window.readTo };
  }
  function mayFind(window: TextWindow, from: number, until: number, spend?: Spend): boolean {
    const base = Math.max(0, from - 1);
    window.show(base, until);
    const isThere = automaton.mayFind(window, from - base, spend);
    spend?.(Math.ceil((window.readTo - from) / charactersPerWork));
    return isThere;
  }
  return { source, literals: requiredLiterals(source), size, test, wasOverfull, mayFind, find };
}

function compileOrExplain(source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(source, flags);
  } catch (error) {
    const bare = source.replace(/\\[^\dk]|\[\^?\]?(?:\\[^]|[^\]\\])*\]/g, '');
    if (/\(\?(?:[=!]|<[=!])/.test(bare)) throw new PatternFault('uses look-around, which cannot run in linear time');
    if (/\\[1-9k]/.test(bare)) throw new PatternFault('uses a back-reference, which cannot run in linear time');
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'unknown syntax';
    throw new PatternFault(`is not a pattern of RE2 syntax: ${reason}`);
  }
}

/**
 * Finds every match of many patterns. A pattern is only run on a text that holds one of its literals. Whoever pays for
 * the work hears of it, in characters read once: an automaton reads four in the time that others take for one.
 */
export function createPatternScan(patterns: readonly Pattern[]): (text: string, spend?: Spend) => PatternMatch[] {
  const literals = patterns.flatMap((pattern, index) =>
    pattern.literals.flatMap((set, place) => set.map((text) => ({ pattern: index, bit: 1 << place, text }))),
  );
  const scan = createLiteralScan(literals.map(({ text }) => text));
  const missing = Uint8Array.from(patterns, (pattern) => (1 << pattern.literals.length) - 1);
  return (text, spend) => {
    const wanted = missing.slice();
    scan.scan(text, (literal) => {
      const { pattern, bit } = literals[literal]!;
      wanted[pattern] = wanted[pattern]! & ~bit;
    });
    const budget = { steps: stepsFree + stepsPerCharacter * text.length };
    const found: PatternMatch[] = [];
    for (const [index, pattern] of patterns.entries()) {
      if (wanted[index] !== 0) continue;
      spend?.(Math.ceil(text.length / charactersPerWork));
      addMatches(found, { pattern, index, text, budget, spend });
    }
    return found;
  };
}

/**
 * Telling whether a pattern matches is cheap, telling where is not: a pattern like `x.*y|x` looks to the end of the
 * text for each of its matches. So the places are looked for in windows, and once the steps for that are used up, all
 * that is left of the text counts as one match.
 */
const stepsPerCharacter = 50;
const stepsFree = 50_000;
/** No more than a character has: however many places there are, to find each in one short look is always paid for. */
const stepsPerLook = stepsPerCharacter;
const windowCharacters = 64;
/** A place that begins so near to the last makes it likely that another follows. */
const denseCharacters = 16;
const charactersPerWork = 4;
/** To begin a look costs as much as to read so many characters. */
const workPerLook = 8;

interface Search {
  readonly pattern: Pattern;
  readonly index: number;
  readonly text: string;
  readonly budget: { steps: number };
  readonly spend: Spend | undefined;
}

function addMatches(found: PatternMatch[], { pattern, index, text, budget, spend }: Search): void {
  if (!pattern.test(text, spend)) return;
  const wasOverfull = pattern.wasOverfull();
  const view = new TextWindow(text);
  let at = 0;
  let window = windowCharacters;
  let isDense = false;
  while (at <= text.length) {
    const until = Math.min(at + window, text.length);
    const isLast = until === text.length;
    // States that are made for a window alone cost many times what it takes to look for the place itself.
    const isLookedAt: boolean = isLast || wasOverfull || isDense || pattern.mayFind(view, at, until, spend);
    // A long look is paid for before it is done, for nobody can stop it; of a short one, only what is read.
    const isShort = until - at <= windowCharacters;
    if (isLookedAt && !isShort) spend?.(pattern.size * (until - at));
    const span: FoundSpan | undefined = isLookedAt ? pattern.find(view, at, until) : undefined;
    if (isLookedAt) spend?.(workPerLook + (isShort ? pattern.size * (view.readTo - at) : 0));
    // To look for a place costs less than to ask for it first, if one follows another.
    isDense = span !== undefined && span.start - at < denseCharacters;
    if (span === undefined) {
      if (isLast) break;
      window *= 2;
      continue;
    }
    // A text behind the window may make the match longer, or another one, or none.
    const isCut = !isLast && span.readTo === until;
    // Only what will be looked at again is charged: all else is looked at once, which is linear whatever it finds, and
    // so is one character behind each place, which most patterns read.
    const again = isCut ? until - at : Math.max(0, span.readTo - span.end - 1);
    budget.steps -= stepsPerLook + pattern.size * again;
    // Each look begins anew: by twos they would read nearly twice as much as by fours.
    if (isCut) window *= 4;
    const stepsAhead = isCut ? pattern.size * Math.min(window, text.length - at) : 0;
    if (budget.steps < stepsAhead) return void found.push({ pattern: index, start: span.start, end: text.length });
    if (isCut) continue;
    found.push({ pattern: index, start: span.start, end: span.end });
    at = Math.max(span.end, span.start + 1);
    window = windowCharacters;
  }
}
