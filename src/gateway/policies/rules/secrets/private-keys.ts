/** More than any key has; one whose end is not found within it ends with its last line. */
const keyCharactersMax = 65_536;
const lineCharactersMax = 200;
const bodyCharactersMin = 16;
const lead = 400;
const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Wrapping that programs and people put around the lines of a key: quotes, signs that join strings, numbers. */
const lineOfKey =
  /^[\s"'`>|*#+.,;:\\()[\]0-9-]{0,24}(?:[A-Za-z0-9+/=]{16,}|[A-Za-z-]{2,20}: [^\n]{0,80}|[A-Za-z0-9+/=]{1,76})?[\s"'`+.,;:\\()[\]nr-]{0,16}$/;

/**
 * End of a private key that begins with a line of armour: behind the line that ends it, or, where that is missing,
 * behind the last line that may be part of it. Undefined for armour with no key in it.
 */
export function endOfPrivateKey(text: string, start: number, armourEnd: number): number | undefined {
  const body = text
    .slice(armourEnd, armourEnd + lead)
    .replace(/-----[^]*/, '')
    .replace(/\\[nrt]|[A-Za-z-]{2,20}: [^\n]{0,80}/g, '');
  if (!/[A-Za-z0-9+/=]{16}/.test(body.replace(/[^A-Za-z0-9+/=]/g, '')) || !hasRow(body)) return undefined;
  end.lastIndex = armourEnd;
  const within = text.slice(0, armourEnd + keyCharactersMax);
  const closing = end.exec(within);
  const next = text.indexOf('-----BEGIN', armourEnd);
  if (closing !== null && (next === -1 || closing.index < next)) return closing.index + closing[0].length;
  return endOfLastLine(text, armourEnd, next === -1 ? text.length : next, start);
}

/** Key material has some rows of its signs; words of a sentence are shorter. */
function hasRow(body: string): boolean {
  return /[A-Za-z0-9+/=]{16}|(?:[A-Za-z0-9+/=]{4,}[\s"'+\\]{1,8}){6}/.test(body) && body.length >= bodyCharactersMin;
}

function endOfLastLine(text: string, from: number, until: number, start: number): number {
  let done = from;
  for (let at = from; at < until && at - start < keyCharactersMax;) {
    const found = text.indexOf('\n', at);
    const lineEnd = found === -1 || found > until ? until : found;
    const line = text.slice(at, Math.min(lineEnd, at + keyCharactersMax));
    const isOneLine = /^(?:\\[nr]|[A-Za-z0-9+/=\s"'+])*/.exec(line)?.[0] ?? '';
    if (line.length > lineCharactersMax) return Math.max(done, at + isOneLine.trimEnd().length);
    if (!lineOfKey.test(line)) return Math.max(done, at === from ? at + isOneLine.trimEnd().length : done);
    if (line.trim() !== '') done = at + line.trimEnd().length;
    at = lineEnd + 1;
  }
  return done;
}
