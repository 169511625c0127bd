import { type Span, lastAtMost } from './view.ts';

/** Starts and ends of the runs of digits of a text, in turns. */
export type DigitRuns = readonly number[];

/** The parts of a text that have digits near each other, joined, so that rules about numbers read nothing else. */
export class NumberAreas {
  readonly text: string;
  readonly #parts: readonly Span[];
  readonly #starts: readonly number[];

  constructor(whole: string, parts: readonly Span[]) {
    const starts: number[] = [];
    const texts: string[] = [];
    let length = 0;
    for (const { start, end } of parts) {
      starts.push(length);
      texts.push(whole.slice(start, end));
      length += end - start + betweenParts.length;
    }
    this.text = texts.join(betweenParts);
    this.#parts = parts;
    this.#starts = starts;
  }

  /** The place in the whole text of a place in the joined one; no match may reach over two parts. */
  toWhole(index: number): number {
    const part = lastAtMost(this.#starts, index);
    return this.#parts[part]!.start + index - this.#starts[part]!;
  }

  /** The runs of the joined text, by those of the whole one. */
  runsOf(whole: DigitRuns): DigitRuns {
    const runs: number[] = [];
    let at = 0;
    for (const [part, { start, end }] of this.#parts.entries()) {
      const shift = this.#starts[part]! - start;
      while (at < whole.length && whole[at + 1]! <= start) at += 2;
      for (let run = at; run < whole.length && whole[run]! < end; run += 2)
        runs.push(Math.max(start, whole[run]!) + shift, Math.min(end, whole[run + 1]!) + shift);
    }
    return runs;
  }
}

interface AreaLimits {
  /** A part with fewer digits holds no such number. */
  readonly digitsMin: number;
  /** The same where a letter stands right beside a digit. */
  readonly withLettersMin: number;
  /** Digits that are further apart than this belong to different numbers. */
  readonly gapMax: number;
  /** Letters and signs around the digits that may belong to the number. */
  readonly margin: number;
}

const betweenParts = '\n\n\n';
/** A point in time of a log has many digits and is no number of anybody. */
const timestamp = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?$/;
const timestampCharactersMin = 16;
const timestampCharactersMax = 32;
const hyphen = 0x2d;

/** Undefined where no part of the text has enough digits. */
export function findNumberAreas(text: string, runs: DigitRuns, limits: AreaLimits): NumberAreas | undefined {
  const parts = digitParts(text, runs, limits);
  return parts.length === 0 ? undefined : new NumberAreas(text, parts);
}

export function digitRunsOf(text: string): DigitRuns {
  const runs: number[] = [];
  const { length } = text;
  for (let start = nextDigit(text, 0); start < length;) {
    let end = start + 1;
    while (end < length && isDigit(text.charCodeAt(end))) end++;
    runs.push(start, end);
    start = nextDigit(text, end);
  }
  return runs;
}

/** So many characters are passed over by a loop faster than by the engine, and more of them slower. */
const loopMax = 16;
const anyDigit = /\d/g;

/** The length of the text where there is none. */
function nextDigit(text: string, from: number): number {
  const near = Math.min(text.length, from + loopMax);
  for (let at = from; at < near; at++) if (isDigit(text.charCodeAt(at))) return at;
  anyDigit.lastIndex = near;
  return anyDigit.test(text) ? anyDigit.lastIndex - 1 : text.length;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function digitParts(text: string, runs: DigitRuns, limits: AreaLimits): readonly Span[] {
  const { gapMax, margin } = limits;
  const parts: Span[] = [];
  for (let first = 0, next = 0; first < runs.length; first = next) {
    let digits = 0;
    let end = runs[first]!;
    for (next = first; next < runs.length && runs[next]! - end < gapMax; next += 2) {
      end = runs[next + 1]!;
      digits += end - runs[next]!;
    }
    const from = runs[first]!;
    const hasEnough =
      digits >= limits.digitsMin || (digits >= limits.withLettersMin && isBesideLetter(text, runs, first, next));
    if (!hasEnough || isTimestamp(text, from, end)) continue;
    const start = Math.max(0, from - margin);
    const before = parts.at(-1);
    const isInside = before !== undefined && start <= before.end;
    const part = { start: isInside ? before.start : start, end: Math.min(text.length, end + margin) };
    if (isInside) parts[parts.length - 1] = part;
    else parts.push(part);
  }
  return parts;
}

function isTimestamp(text: string, start: number, end: number): boolean {
  if (end - start < timestampCharactersMin || end - start > timestampCharactersMax) return false;
  return text.charCodeAt(start + 4) === hyphen && timestamp.test(text.slice(start, end));
}

/** True where a letter stands right beside one of some runs. */
function isBesideLetter(text: string, runs: DigitRuns, first: number, next: number): boolean {
  for (let at = first; at < next; at += 2)
    if (isLetterAt(text, runs[at]! - 1) || isLetterAt(text, runs[at + 1]!)) return true;
  return false;
}

function isLetterAt(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false;
  const unit = text.charCodeAt(at) | 0x20;
  return unit >= 0x61 && unit <= 0x7a;
}
