import type { Span } from '../../readings/view.ts';

/** Values that stand in a list behind one name: `API_KEYS=3f2a,9b1c`, `"tokens": ["3f2a", "9b1c"]`, a line for each. */

/** A name of several values, and what stands between it and the first of them. */
const nameOfMany = /^[\w .-]{3,80}s["'`*\])]{0,4}\s{0,4}(?:[:=\s]|$)/i;
/** From one value to the next: behind a comma, or in a line of its own, with a bullet or without. */
const next =
  /["'`*]{0,3}[ \t]{0,3}(?:[,;]\s{0,40}|\r?\n[ \t]{0,40})(?:(?:[-*+•]|\d{1,2}[.)])[ \t]{1,3})?(?:["'`]([^"'`\s]{4,256})(?=["'`])|([^\s"'`,;<>(){}[\]\\=:]{8,256})(?=[ \t]{0,3}(?:[,;\]}\r\n]|$)))/y;

/** From a value to the one that takes its place, as Terraform tells it: `token = "3f2a" -> "9b1c"`. */
const changed = /["']\s{1,3}->\s{1,3}["']([^"'\s]{4,256})(?=["'])/y;

/** Places of the values behind the first one of a list, which ends at `from`, or of the next behind a name of one. */
export function* valuesBehind(text: string, from: number, before: string): Generator<Span> {
  const way = nameOfMany.test(before) ? next : changed;
  for (let at = from; ;) {
    way.lastIndex = at;
    const match = way.exec(text);
    if (match === null) return;
    at += match[0].length;
    yield { start: at - (match[1] ?? match[2]!).length, end: at };
  }
}
