import { matchesOf } from '../../../text/patterns/matches.ts';
import list from './number-words.txt';
import { Rewrite, type View } from './view.ts';
import { WordRows } from './word-rows.ts';

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
const rowWordsMin = 7;
const gaps = ' ,.\n-';
const spoken = new RegExp(`(?<![${letter}])(?:${word}[${gaps}]{1,3}){${rowWordsMin - 1},}${word}`, 'giu');
let rows: WordRows | undefined;

/** A letter that makes a word longer, which is two units beyond the first plane. */
const besideCharacters = 2;

/** The text with digits for the words that stand for them; undefined where there are no seven in a row. */
export function withNumbersWritten(parent: View): View | undefined {
  const { text } = parent;
  rows ??= new WordRows(words, gaps, rowWordsMin);
  const result = new Rewrite(parent);
  for (const { start, end } of rows.partsOf(text)) {
    const from = Math.max(0, start - besideCharacters);
    for (const { 0: run, index } of matchesOf(text.slice(from, end + besideCharacters), spoken)) {
      const written = Array.from(matchesOf(run, /[\p{L}\p{M}]+/gu), ([one]) => digits.get(one.toLowerCase()) ?? '');
      result.replace(from + index, from + index + run.length, written.join(''));
    }
  }
  return result.finish('digits that were written as words');
}
