/**
 * The matches of a global pattern, one after the other. The engine's `matchAll` makes a copy of the pattern each time,
 * and compiles a long one anew as soon as it has forgotten the last; this leaves the pattern as it was.
 */
export function* matchesOf(text: string, pattern: RegExp): Generator<RegExpExecArray, undefined> {
  if (!pattern.global) throw new TypeError('a pattern that is not global has no second match');
  const { length } = text;
  let at = 0;
  while (at <= length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    at = pattern.lastIndex;
    pattern.lastIndex = 0;
    if (match === null) return undefined;
    if (match[0] === '') at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    yield match;
  }
  return undefined;
}
