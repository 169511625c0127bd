import type { Piecework } from '../turns.ts';
import { endOfString } from './ends.ts';

const quote = 0x22;
/** Characters that are read before others may have their turn: of members as short as they can be, some 3 ms. */
const charactersPerPiece = 64 * 1024;

/**
 * A JSON text without what nobody reads: 0 stands for the value of each member whose name is not among these. It is
 * made in one pass that makes no value, so that lists and objects which are left out cost no more than their length.
 * They are not checked: the text says the same as before where it is valid.
 */
export function* withoutUnread(text: string, names: ReadonlySet<string>): Piecework<string> {
  let kept = '';
  let done = 0;
  let pieceEnd = charactersPerPiece;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    if (at >= pieceEnd) {
      yield;
      pieceEnd = at + charactersPerPiece;
    }
    const end = endOfString(text, at);
    const colon = afterBlanks(text, end);
    const name = text.charCodeAt(colon) === 0x3a ? text.slice(at + 1, end - 1) : undefined;
    at = end;
    // A name with an escape may be any.
    if (name === undefined || names.has(name) || name.includes('\\')) continue;
    at = endOfUnread(text, colon + 1);
    kept += `${text.slice(done, colon + 1)}0`;
    done = at;
  }
  return kept + text.slice(done);
}

/** The index of the comma or bracket behind a value that begins at `at`, blanks before and behind it among it. */
function endOfUnread(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at) - 1;
    else if (unit === 0x5b || unit === 0x7b) depth += 1;
    else if (unit === 0x5d || unit === 0x7d) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (unit === 0x2c && depth === 0) return at;
  }
  return text.length;
}

function afterBlanks(text: string, start: number): number {
  let at = start;
  for (let unit = text.charCodeAt(at); unit === 0x20 || (unit >= 0x09 && unit <= 0x0d); unit = text.charCodeAt(at))
    at += 1;
  return at;
}
