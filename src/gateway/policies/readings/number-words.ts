import { UnitSort, findRun } from './unit-sort.ts';
import { Rewrite, type View } from './view.ts';

/** Digits as people say them one by one in English. */
const digitWords: readonly string[] = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const word = `(?:${digitWords.join('|')}|oh|o)`;
/** A text without any of them has no number in words. */
export const rareDigitWords: readonly string[] = ['zero', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].map(
  (word) => ` ${word} `,
);
/** Fewer words in a row are counting, and no number of anybody. */
const spoken = new RegExp(`(?<![a-z])(?:${word}[ ,.\\n-]{1,3}){6,}${word}(?![a-z])`, 'gi');
const shortest = 'six six six six six six six';
/** Hardly any other text has none of the letters that these words lack for so long. */
const ofWords = new UnitSort((character) => /[efghinorstuvwxz ,.\n-]/i.test(character));

function mayHaveNumberWords(text: string): boolean {
  return findRun(text, shortest.length, ofWords, 0) !== -1;
}

/** The text with digits for the words that stand for them; undefined where there are no seven in a row. */
export function withNumbersWritten(parent: View): View | undefined {
  const { text } = parent;
  if (!mayHaveNumberWords(text)) return undefined;
  const result = new Rewrite(parent);
  for (const { 0: run, index } of text.matchAll(spoken)) {
    const digits = Array.from(run.matchAll(/[a-z]+/gi), ([one]) => Math.max(0, digitWords.indexOf(one.toLowerCase())));
    result.replace(index, index + run.length, digits.join(''));
  }
  return result.finish('digits that were written as words');
}
