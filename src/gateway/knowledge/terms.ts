/** Words that say nothing about what a passage is about. */
const stopWords = new Set(
  `a about an and any are as at be been but by can could did do does for from had has have how i if in into is it its
  may me my no not of on or our should so than that the their them then there these they this to was we were what when
  where which who why will with would you your`.split(/\s+/),
);

const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
/** Scripts that put no blanks between words; pairs of their characters do as terms. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const ascii = /^[\x20-\x7e\s]*$/;
const termCharactersMax = 40;
/**
 * Unicode's normalisation is quadratic in a run of combining marks, the two of half-width kana among them, which become
 * some by it; no language stacks so many.
 */
const longStack = /([\p{M}\uff9e\uff9f]{16})[\p{M}\uff9e\uff9f]+/gu;

/**
 * The terms by which texts are compared: words in lower case, English endings off, without those that mean little. No
 * more than so many characters are read, of which one may become eighteen as it is normalised.
 */
export function termsOf(text: string, charactersMax = Infinity): string[] {
  const read = text.slice(0, charactersMax);
  const isPlain = ascii.test(read);
  const compared = isPlain ? read : read.replace(longStack, '$1').normalize('NFKC');
  const words = compared.slice(0, charactersMax).toLowerCase().match(word) ?? [];
  const terms: string[] = [];
  for (const found of words) {
    // A row of characters may have more pairs than one call takes arguments.
    if (!isPlain && unspaced.test(found)) for (const pair of pairsOf(found)) terms.push(pair);
    else if (!stopWords.has(found)) terms.push(stem(found).slice(0, termCharactersMax));
  }
  return terms;
}

function pairsOf(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Crude, and the same for passages and questions: `returns`, `returned` and `returning` meet at `return`. */
function stem(word: string): string {
  if (word.length < 4) return word;
  let root = word;
  if (root.endsWith('ies')) root = `${root.slice(0, -3)}y`;
  else if (root.endsWith('s') && !root.endsWith('ss') && !root.endsWith('us')) root = root.slice(0, -1);
  if (root.endsWith('ing') && root.length > 5) root = undoubled(root.slice(0, -3));
  else if (root.endsWith('ed') && root.length > 4) root = undoubled(root.slice(0, -2));
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root;
}

function undoubled(root: string): string {
  const last = root.at(-1) ?? '';
  return root.at(-2) === last && !'lsz'.includes(last) ? root.slice(0, -1) : root;
}
