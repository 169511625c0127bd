import type { Piecework } from '../../text/turns.ts';

/** The fewest letters in a row that count as quoted. */
const windowLetters = 12;
/** A short text is only looked for as a whole, and one of a word or two would be found in anything. */
const wholeLettersMin = 8;
/** Characters that are read before others may have their turn: 1 to 3 ms. */
export const charactersPerPiece = 32 * 1024;
/** To read any text at all takes as long as so many characters. */
const charactersPerText = 64;

/**
 * Returns true where words repeat a part of one of the texts, whatever their blanks, quotes, escapes and capitals. The
 * prompts are read in pieces: a MiB takes a tenth of a second.
 */
export function* quotesAny(words: string, texts: readonly string[], window = windowLetters): Piecework<boolean> {
  const spellings = [words, unescaped(words)].map(lettersOf);
  const windows: string[] = [];
  // Windows side by side: what is repeated at twice their length holds one of them whole.
  for (const said of new Set(spellings))
    for (let at = 0; at + window <= said.length; at += window) windows.push(said.slice(at, at + window));
  let left = charactersPerPiece;
  for (const text of texts) {
    left -= charactersPerText;
    /** Those of this piece, behind as many as any window or short text has. */
    let letters = '';
    let count = 0;
    for (let at = 0; at < text.length;) {
      if (left < 1) {
        yield;
        left = charactersPerPiece;
      }
      const end = endOfPiece(text, at + left);
      const more = lettersOf(text.slice(at, end));
      count += more.length;
      letters = letters.slice(-2 * window) + more;
      if (count >= 2 * window && windows.some((each) => letters.includes(each))) return true;
      left -= end - at;
      at = end;
    }
    if (count >= wholeLettersMin && count < 2 * window && spellings.some((said) => said.includes(letters))) return true;
  }
  return false;
}

/** This place, or the one behind it: an escape and a pair stay whole. */
function endOfPiece(text: string, end: number): number {
  return /[\\\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end;
}

/** The words with the characters for which escapes of JSON, HTML, Python or a URL stand: some providers quote so. */
function unescaped(words: string): string {
  return words
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/&#(?:x([0-9a-f]{1,4})|(\d{1,5}));/gi, (_, hex?: string, decimal?: string) =>
      String.fromCharCode(hex === undefined ? Number(decimal) : parseInt(hex, 16)),
    )
    .replace(/(?:(?:%|\\+x)[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replace(/%|\\+x/gi, ''), 'hex').toString());
}

function lettersOf(text: string): string {
  return text.replace(/\\[nrtbf]|[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
