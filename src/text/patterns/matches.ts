/**
 * The matches of a global pattern, one after the other. The engine's `matchAll` makes a copy of the pattern each time,
 * and compiles a long one anew as soon as it has forgotten the last; this leaves the pattern as it was. The first is
 * looked for at once: most texts have none, and then there is nothing to go through.
 */
export function matchesOf(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  if (!pattern.global) throw new TypeError('a pattern that is not global has no second match');
  const first = matchFrom(text, pattern, 0);
  return first === undefined ? none : matchesAfter(text, pattern, first);
}

const none: readonly RegExpExecArray[] = [];

interface Match {
  readonly found: RegExpExecArray;
  /** Place from which the next is looked for. */
  readonly next: number;
}

function* matchesAfter(text: string, pattern: RegExp, first: Match): Generator<RegExpExecArray, undefined> {
  for (let match: Match | undefined = first; match !== undefined; match = matchFrom(text, pattern, match.next))
    yield match.found;
  return undefined;
}

function matchFrom(text: string, pattern: RegExp, from: number): Match | undefined {
  if (from > text.length) return undefined;
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  const end = pattern.lastIndex;
  pattern.lastIndex = 0;
  if (found === null) return undefined;
  const step = found[0] !== '' ? 0 : (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return { found, next: end + step };
}
