import type { Span } from '../../readings/view.ts';

/** More than any key has; one whose end is not found within it ends with its last line. */
const keyCharactersMax = 65_536;
const lineCharactersMax = 200;
const bodyCharactersMin = 16;
const lead = 400;
const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Wrapping that programs and people put around the lines of a key: quotes, signs that join strings, numbers. */
const lineOfKey =
  /^[\s"'`>|*#+.,;:\\()[\]0-9-]{0,24}(?:[A-Za-z0-9+/=]{16,}|[A-Za-z-]{2,20}: [^\n]{0,80}|[A-Za-z0-9+/=]{1,76})?[\s"'`+.,;:\\()[\]nr-]{0,16}$/;

/** A line of a head: `Proc-Type: 4,ENCRYPTED`, and not `bob: MIIEvQIBADANBgkq...` as a chat or a log has it. */
const headLine = /[A-Za-z-]{2,20}: (?![A-Za-z0-9+/=]{16,}[\s"'\\,]{0,8}(?:\n|$))[^\n]{0,80}/g;

/**
 * Place of a private key that begins with a line of armour: up to the line that ends it, or, where that is missing,
 * to the last line that may be part of it. Undefined for armour with no key in it.
 */
export function privateKeyFrom(text: string, start: number, armourEnd: number): Span | undefined {
  const body = text
    .slice(armourEnd, armourEnd + lead)
    .replace(/-----[^]*/, '')
    .replace(/\\[nrt]/g, '')
    .replace(headLine, '');
  if (!/[A-Za-z0-9+/=]{16}/.test(body.replace(/[^A-Za-z0-9+/=]/g, '')) || !hasRow(body)) return undefined;
  end.lastIndex = armourEnd;
  const within = text.slice(0, armourEnd + keyCharactersMax);
  const closing = end.exec(within);
  const next = text.indexOf('-----BEGIN', armourEnd);
  if (closing !== null && (next === -1 || closing.index < next))
    return { start, end: closing.index + closing[0].length };
  return { start, end: endOfLastLine(text, armourEnd, next === -1 ? text.length : next, start) };
}

/** Signs of a key right before armour, where all of it is on one line. */
const besideArmour = /(?<=((?:\\{1,2}[nr]|[A-Za-z0-9+/=]|["'+ \t]){0,65536}))/y;
/** Lines before what is left of a key that are none of its rows. */
const wordOrHead = /^\s*(?:[A-Z]?[a-z]{1,12}|[A-Za-z-]{2,20}: [^\n]*)\s*$/;

/** Place of what is left of a private key whose first line is missing; undefined where its beginning is there. */
export function privateKeyUpTo(text: string, start: number, armourEnd: number): Span | undefined {
  const from = Math.max(0, start - keyCharactersMax);
  const toRow = rowReader(text, start);
  const ownLine = text.lastIndexOf('\n', start - 1) + 1;
  besideArmour.lastIndex = start;
  let begin = start - (besideArmour.exec(text)?.[1] ?? '').replace(/^["'+ \t]+/, '').length;
  for (let lineEnd = ownLine - 1; lineEnd > from;) {
    const at = text.lastIndexOf('\n', lineEnd - 1) + 1;
    const line = text.slice(Math.max(at, from), lineEnd);
    if (line.includes('-----BEGIN')) return undefined;
    if (line.length > lineCharactersMax || !lineOfKey.test(toRow(line)) || wordOrHead.test(toRow(line))) {
      const row = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{24,76}["',;+\\\s]{0,8}$/.exec(line);
      if (row !== null) begin = lineEnd - line.length + row.index;
      break;
    }
    if (line.trim() !== '') begin = at;
    lineEnd = at - 1;
  }
  return /[A-Za-z0-9+/=]{24}/.test(text.slice(begin, start)) ? { start: begin, end: armourEnd } : undefined;
}

/**
 * A function that takes the moment or name before a row of a key away: those before the armour may stand before each
 * row, with other figures, but the same words.
 */
function rowReader(text: string, armour: number): (line: string) => string {
  const before = text.slice(Math.max(0, armour - lineCharactersMax), armour).replace(/^[^]*\n/, '');
  const form = before.trim() === '' || /\\[nr]|[A-Za-z0-9+/=]{16}/.test(before) ? undefined : withoutFigures(before);
  return (line) => {
    const isBehindForm = form !== undefined && withoutFigures(line.slice(0, before.length)) === form;
    return isBehindForm ? line.slice(before.length) : line;
  };
}

function withoutFigures(text: string): string {
  return text.replace(/\d/g, '0');
}

/** Key material has some rows of its signs; words of a sentence are shorter. */
function hasRow(body: string): boolean {
  return /[A-Za-z0-9+/=]{16}|(?:[A-Za-z0-9+/=]{4,}[\s"'+\\]{1,8}){6}/.test(body) && body.length >= bodyCharactersMin;
}

function endOfLastLine(text: string, from: number, until: number, start: number): number {
  const toRow = rowReader(text, start);
  let done = from;
  for (let at = from; at < until && at - start < keyCharactersMax;) {
    const found = text.indexOf('\n', at);
    const lineEnd = found === -1 || found > until ? until : found;
    const line = text.slice(at, Math.min(lineEnd, at + keyCharactersMax));
    const isOneLine = /^(?:\\[nr]|[A-Za-z0-9+/=\s"'+])*/.exec(line)?.[0] ?? '';
    if (line.length > lineCharactersMax) return Math.max(done, at + isOneLine.trimEnd().length);
    if (!lineOfKey.test(toRow(line))) return Math.max(done, at === from ? at + isOneLine.trimEnd().length : done);
    if (line.trim() !== '') done = at + line.trimEnd().length;
    at = lineEnd + 1;
  }
  return done;
}
