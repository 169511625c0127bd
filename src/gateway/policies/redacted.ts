import type { Finding } from '../vocabulary.ts';

/** A mark that stands in a redacted text for what was found in the text as sent. */
interface Mark {
  readonly rule: string;
  readonly text: string;
  /** In the text as sent. */
  readonly start: number;
  end: number;
  /** In the redacted text. */
  readonly shownStart: number;
}

/**
 * The marks of all findings, in order: what overlaps gets one, of the finding that begins first, and so does a row of
 * one rule: a pattern that matches each letter would make nine of each.
 */
function marksOf(findings: readonly Finding[]): readonly Mark[] {
  const ordered = findings.toSorted((one, other) => one.start - other.start || other.length - one.length);
  const marks: Mark[] = [];
  let last: Mark | undefined;
  for (const { rule, start, length } of ordered) {
    const end = start + length;
    if (last !== undefined && (start < last.end || (start === last.end && rule === last.rule))) {
      last.end = Math.max(end, last.end);
      continue;
    }
    last = { rule, text: `[${rule.toUpperCase()}]`, start, end, shownStart: toShown(start, last) };
    marks.push(last);
  }
  return marks;
}

/** The text with a mark of its rule in place of each finding. */
export function redacted(text: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return text;
  let result = '';
  let done = 0;
  for (const mark of marksOf(findings)) {
    result += text.slice(done, mark.start) + mark.text;
    done = mark.end;
  }
  return result + text.slice(done);
}

/**
 * Moves what was found in the redacted text to its place in the text as sent, so that all findings can be named and
 * redacted together. A mark that it touches counts whole.
 */
export function createUnredaction(findings: readonly Finding[]): <F extends Finding>(found: F) => F {
  const marks = marksOf(findings);
  if (marks.length === 0) return (found) => found;
  const toSent = (offset: number, isEnd: boolean): number => {
    const mark = lastBefore(marks, isEnd ? offset - 1 : offset);
    if (mark === undefined) return offset;
    const shownEnd = mark.shownStart + mark.text.length;
    if (offset > shownEnd || (offset === shownEnd && !isEnd)) return offset - shownEnd + mark.end;
    return isEnd ? mark.end : mark.start;
  };
  return (found) => {
    const start = toSent(found.start, false);
    const end = found.length === 0 ? start : toSent(found.start + found.length, true);
    return { ...found, start, length: end - start };
  };
}

/** Tells of a finding in the redacted text that has a character, and none outside of one mark. */
export function createMarkTest(findings: readonly Finding[]): (found: Finding) => boolean {
  const marks = marksOf(findings);
  return ({ start, length }) => {
    const mark = length === 0 ? undefined : lastBefore(marks, start);
    return mark !== undefined && start + length <= mark.shownStart + mark.text.length;
  };
}

function toShown(start: number, before: Mark | undefined): number {
  return before === undefined ? start : start - before.end + before.shownStart + before.text.length;
}

/** The last mark that begins at or before a place of the redacted text. */
function lastBefore(marks: readonly Mark[], place: number): Mark | undefined {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle]!.shownStart <= place) low = middle + 1;
    else high = middle;
  }
  return marks[low - 1];
}
