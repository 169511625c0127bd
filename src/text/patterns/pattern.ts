import { RE2JS } from 're2js';
import { Automaton, type Spend } from './automaton.ts';
import { createLiteralScan } from './literal-scan.ts';
import { type LiteralSets, requiredLiterals } from './required-literals.ts';

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
  /** The first match at or after `from`, as if the text ended at `until`; what stands before `from` is seen by `\b`. */
  find(text: string, from: number, until: number): FoundSpan | undefined;
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
  function find(text: string, from: number, until: number): FoundSpan | undefined {
    const base = Math.max(0, from - 1);
    const watched = new WatchedText(text.slice(base, until));
    const matcher = compiled.matcher(watched as unknown as string);
    if (!matcher.find(from - base)) return undefined;
    return { start: base + matcher.start(), end: base + matcher.end(), readTo: base + watched.readTo };
  }
  return { source, literals: requiredLiterals(source), size, test, wasOverfull, find };
}

/**
 * A text that knows how far it was read, with what the engine asks of one. As a subclass of String it would make each
 * `charCodeAt` of the whole process slower: the policies took a third longer.
 */
class WatchedText {
  readonly [Symbol.toStringTag] = 'String';
  readonly length: number;
  readonly #text: string;
  readTo = 0;

  constructor(text: string) {
    this.#text = text;
    this.length = text.length;
  }

  charCodeAt(at: number): number {
    if (at >= this.readTo) this.readTo = at + 1;
    return this.#text.charCodeAt(at);
  }

  indexOf(searched: string, from?: number): number {
    const found = this.#text.indexOf(searched, from);
    this.readTo = Math.max(this.readTo, found === -1 ? this.#text.length : found + searched.length);
    return found;
  }
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
    return patterns.flatMap((pattern, index) => {
      if (wanted[index] !== 0) return [];
      spend?.(Math.ceil(text.length / charactersPerWork));
      return spansOf(pattern, text, budget, spend).map((span) => ({ pattern: index, ...span }));
    });
  };
}

/**
 * Telling whether a pattern matches is cheap, telling where is not: a pattern like `x.*y|x` looks to the end of the
 * text for each of its matches. So the places are looked for in windows, and once the steps for that are used up, all
 * that is left of the text counts as one match.
 */
const stepsPerCharacter = 50;
const stepsFree = 50_000;
const stepsPerLook = 1000;
const windowCharacters = 64;
const charactersPerWork = 4;
const stepsPerWork = 8;

function spansOf(pattern: Pattern, text: string, budget: { steps: number }, spend: Spend | undefined): PatternSpan[] {
  if (!pattern.test(text, spend)) return [];
  const wasOverfull = pattern.wasOverfull();
  const spans: PatternSpan[] = [];
  let at = 0;
  let window = windowCharacters;
  while (at <= text.length) {
    const until = Math.min(at + window, text.length);
    const isLast = until === text.length;
    // States that are made for a window alone cost many times what it takes to look for the place itself.
    const isLookedAt = isLast || wasOverfull || mayStandIn(pattern, text, { start: at, end: until }, spend);
    // Paid for before it is done, for nobody can stop it.
    if (isLookedAt) spend?.(pattern.size * (until - at));
    const span = isLookedAt ? pattern.find(text, at, until) : undefined;
    if (span === undefined) {
      if (isLast) break;
      window *= 2;
      continue;
    }
    // A text behind the window may make the match longer, or another one, or none.
    const isCut = !isLast && span.readTo === until;
    // Only what will be looked at again is charged: all else is looked at once, which is linear whatever it finds.
    const steps = stepsPerLook + pattern.size * (isCut ? until - at : Math.max(0, span.readTo - span.end));
    budget.steps -= steps;
    spend?.(stepsPerLook / stepsPerWork);
    // Each look begins anew: by twos they would read nearly twice as much as by fours.
    if (isCut) window *= 4;
    const stepsAhead = isCut ? pattern.size * Math.min(window, text.length - at) : 0;
    if (budget.steps < stepsAhead) return [...spans, { start: span.start, end: text.length }];
    if (isCut) continue;
    spans.push({ start: span.start, end: span.end });
    at = Math.max(span.end, span.start + 1);
    window = windowCharacters;
  }
  return spans;
}

/**
 * False where no match begins in a window. Both texts have more matches than it: one those that begin before it, the
 * other those for which its beginning is that of a text or a word. Only a `\B` may need the character before.
 */
function mayStandIn(pattern: Pattern, text: string, { start, end }: PatternSpan, spend: Spend | undefined): boolean {
  spend?.(Math.ceil((end - start) / charactersPerWork));
  const hasBefore = pattern.test(text.slice(Math.max(0, start - 1), end), spend);
  return hasBefore && (start === 0 || pattern.source.includes('\\B') || pattern.test(text.slice(start, end), spend));
}
