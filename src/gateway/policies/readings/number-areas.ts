import type { DigitRows } from './digit-rows.ts';
import { type Span, lastAtMost } from './view.ts';

/** The parts of a text that have digits near each other, joined, so that rules about numbers read nothing else. */
export interface NumberAreas {
  readonly text: string;
  /** The place in the whole text of a place in the joined one; no match may reach over two parts. */
  toWhole(index: number): number;
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
const besideLetter = /[A-Za-z]\d|\d[A-Za-z]/;
const timestampCharactersMax = 32;
const hyphen = 0x2d;

/** Undefined where no part of the text has enough digits. The rows of all its digits are read on the way. */
export function findNumberAreas(text: string, limits: AreaLimits, rows?: DigitRows): NumberAreas | undefined {
  const parts = digitParts(text, limits, rows);
  if (parts.length === 0) return undefined;
  const starts: number[] = [];
  let length = 0;
  for (const { start, end } of parts) {
    starts.push(length);
    length += end - start + betweenParts.length;
  }
  return {
    text: parts.map(({ start, end }) => text.slice(start, end)).join(betweenParts),
    toWhole(index) {
      const part = lastAtMost(starts, index);
      return parts[part]!.start + index - starts[part]!;
    },
  };
}

const someDigit = /\d/g;
/** So few characters between two runs are passed over by a loop faster than by the engine, and more of them slower. */
const loopMax = 64;

function eachDigitRun(text: string, found: (start: number, end: number) => void): void {
  const { length } = text;
  for (let start = digitFrom(text, 0); start !== -1;) {
    let end = start + 1;
    while (end < length && isDigit(text.charCodeAt(end))) end++;
    found(start, end);
    start = digitFrom(text, end);
  }
}

function digitFrom(text: string, from: number): number {
  const near = Math.min(text.length, from + loopMax);
  for (let at = from; at < near; at++) if (isDigit(text.charCodeAt(at))) return at;
  someDigit.lastIndex = near;
  return someDigit.test(text) ? someDigit.lastIndex - 1 : -1;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function digitParts(
  text: string,
  { digitsMin, withLettersMin, gapMax, margin }: AreaLimits,
  rows: DigitRows | undefined,
): Span[] {
  const parts: Span[] = [];
  let from = -1;
  let last = -1;
  let digits = 0;
  const close = () => {
    if (digits < withLettersMin) return;
    if (digits < digitsMin && !besideLetter.test(text.slice(Math.max(0, from - 1), last + 2))) return;
    if (
      text.charCodeAt(from + 4) === hyphen &&
      last - from < timestampCharactersMax &&
      timestamp.test(text.slice(from, last + 1))
    )
      return;
    const start = Math.max(0, from - margin);
    const end = Math.min(text.length, last + 1 + margin);
    const before = parts.at(-1);
    if (before !== undefined && start <= before.end) parts[parts.length - 1] = { start: before.start, end };
    else parts.push({ start, end });
  };
  eachDigitRun(text, (start, end) => {
    if (last === -1 || start - last > gapMax) {
      close();
      from = start;
      digits = 0;
    }
    last = end - 1;
    digits += end - start;
    rows?.add(start, end);
  });
  close();
  rows?.finish();
  return parts;
}
