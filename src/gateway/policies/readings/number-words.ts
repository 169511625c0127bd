import { createLiteralScan } from '../../../text/literals.ts';
import list from './number-words.txt';
import { UnitSort } from './unit-sort.ts';
import { Rewrite, type View } from './view.ts';

function withoutAccents(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}

/** Digits by the words for them, of all languages. */
const digits = new Map(
  list.split('\n').flatMap((line) => {
    const words = /^\w\w: (.*)$/.exec(line)?.[1]?.split(', ') ?? [];
    return words.flatMap((some, digit) =>
      some.split('|').flatMap((word) => [word, withoutAccents(word)].map((form) => [form, String(digit)] as const)),
    );
  }),
);
const words = [...digits.keys()];
/** A text without any of them has no number in words; the others are words of other meanings as well. */
export const rareDigitWords: readonly string[] = words
  .filter((word) => /^(?:[a-z]{4,}|six)$/.test(word) && word !== 'null')
  .map((word) => ` ${word} `);
const letter = '\\p{L}\\p{M}';
const word = `(?:${words.toSorted((one, other) => other.length - one.length).join('|')})(?![${letter}])`;
/** Fewer words in a row are counting, and no number of anybody. */
const spoken = new RegExp(`(?<![${letter}])(?:${word}[ ,.\\n-]{1,3}){6,}${word}`, 'giu');
/** A text with fewer long words is looked at near each of them alone: its row has many an "oh", or none is in it. */
const longWordsMin = 4;
/** Six words and what parts them. */
const rowCharacters = 80;
const long = words.filter((one) => /^[a-z]{3,}$/.test(one));
let longWords: ReturnType<typeof createLiteralScan> | undefined;
const ofWords = new UnitSort((character) => /\p{L}/u.test(character));

function mayHaveNumberWords(text: string): boolean {
  longWords ??= createLiteralScan(long);
  const ends: number[] = [];
  longWords.scan(text, (index, end) => {
    const isWord = !ofWords.has(text.charCodeAt(end - long[index]!.length - 1)) && !ofWords.has(text.charCodeAt(end));
    if (isWord && ends.length < longWordsMin) ends.push(end);
  });
  const isInRow = (end: number) =>
    text.slice(Math.max(0, end - rowCharacters), end + rowCharacters).search(spoken) !== -1;
  return ends.length >= longWordsMin || ends.some(isInRow);
}

/** The text with digits for the words that stand for them; undefined where there are no seven in a row. */
export function withNumbersWritten(parent: View): View | undefined {
  const { text } = parent;
  if (!mayHaveNumberWords(text)) return undefined;
  const result = new Rewrite(parent);
  for (const { 0: run, index } of text.matchAll(spoken)) {
    const written = Array.from(run.matchAll(/[\p{L}\p{M}]+/gu), ([one]) => digits.get(one.toLowerCase()) ?? '');
    result.replace(index, index + run.length, written.join(''));
  }
  return result.finish('digits that were written as words');
}
