/** Ranges that hold accents and other forms of one letter; Han, Kana and whole Hangul, most of the rest, have none. */
const accented = /[\u00c0-\u1fff\u2c00-\u2fef\u3040-\u30ff\ua640-\uabff\uf900-\uffff]+/g;
const marks = /\p{M}/gu;
const beyondAscii = /[^\0-\x7f]/;
const beyondLatin = /[^\0-\xff]/;
const piecesMax = 4096;
const charactersMax = 24;
const known = new Map<string, string>();
/** Each of the first 256 characters as it is compared; none of them becomes two. */
let latin: Uint8Array | undefined;
/** Bytes of the text that is being changed: a buffer for each text would be half of the work. */
let scratch = Buffer.alloc(0);

/**
 * A text as it is compared: without case, accents and the difference between forms of one letter. A search does this to
 * all that was ever said, so that western texts go through a table, and of others what was changed once is remembered.
 */
export function toSearchable(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  return isLatin(text) ? bareLatin(text) : text.toLowerCase().replace(accented, bare);
}

/** True where a text is of the kind that costs next to nothing here. */
export function isLatin(text: string): boolean {
  return !beyondLatin.test(text);
}

function bareLatin(text: string): string {
  const table = (latin ??= Uint8Array.from({ length: 256 }, (_, code) => bareCode(code)));
  if (scratch.length < text.length) scratch = Buffer.allocUnsafe(2 * text.length);
  const bytes = scratch;
  const end = bytes.write(text, 'latin1');
  for (let at = 0; at < end; at += 1) bytes[at] = table[bytes[at]!]!;
  return bytes.toString('latin1', 0, end);
}

function bareCode(code: number): number {
  const lower = String.fromCharCode(code).toLowerCase();
  return (code < 0xc0 ? lower : bare(lower)).charCodeAt(0);
}

function bare(piece: string): string {
  const found = known.get(piece);
  if (found !== undefined) return found;
  // Marks are taken out before as well, because to put a long run of them in order takes time with its square. Composed
  // again at the end, or a syllable of Hangul would not be equal to itself.
  const plain = piece.replace(marks, '').normalize('NFKD').replace(marks, '').normalize('NFC').toLowerCase();
  if (piece.length <= charactersMax && known.size < piecesMax) known.set(piece, plain);
  return plain;
}
