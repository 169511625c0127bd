/** Where accents and other forms of one letter are; Han, Kana and whole Hangul have none, and are most of what is left. */
const accented = /[\u0080-\u1fff\u2c00-\u2fef\u3040-\u30ff\ua640-\uabff\uf900-\uffff]+/g;
const marks = /\p{M}/gu;
const piecesMax = 4096;
const charactersMax = 24;
const known = new Map<string, string>();

/**
 * A text as it is compared: without case, accents and the difference between forms of one letter. Only what can change
 * is looked at, and what was changed once is remembered, for a search does this to all that was ever said.
 */
export function toSearchable(text: string): string {
  return text.toLowerCase().replace(accented, bare);
}

function bare(piece: string): string {
  const found = known.get(piece);
  if (found !== undefined) return found;
  // Composed again at the end, or a syllable of Hangul would not be equal to itself.
  const plain = piece.normalize('NFKD').replace(marks, '').normalize('NFC').toLowerCase();
  if (piece.length <= charactersMax && known.size < piecesMax) known.set(piece, plain);
  return plain;
}
