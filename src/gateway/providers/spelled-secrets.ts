import { redactionMark } from '../../text/redact.ts';
import type { Secret } from '../../text/secret.ts';

/** The fewest letters and digits of a secret, some of them digits, that no answer holds in a row by chance. */
const lettersMin = 12;
/** Letters from the commonest to the rarest, with digits rarer than any: a text mostly lacks one of the last. */
const byRarity = 'etaoinsrhldcumfpgwybvkxjqz';
const neededMax = 4;
/** Signs between two letters: quotes, blanks or commas; never a letter, so that a text is read in one way alone. */
const between = '[^a-z0-9]{0,16}';
/** The end of a line as JSON writes it. */
const escapedEnd = /\\[nrt]/g;

interface Spelling {
  /** Characters without which the secret does not stand in a text, each in both its cases. */
  readonly needed: readonly (readonly [string, string])[];
  readonly pattern: RegExp;
}

/** Hides secrets whatever the case of their letters is, and whatever signs stand between them. */
export class SpelledSecrets {
  readonly #spellings: readonly Spelling[];

  constructor(secrets: readonly Secret[]) {
    this.#spellings = secrets.flatMap((secret) => {
      const letters = secret.reveal().replace(/[^a-z0-9]/gi, '');
      return letters.length < lettersMin || !/\d/.test(letters) ? [] : [spellingOf(letters)];
    });
  }

  hide(text: string): string {
    let hidden = text;
    for (const { needed, pattern } of this.#spellings)
      if (needed.every(([lower, upper]) => hidden.includes(lower) || (upper !== lower && hidden.includes(upper))))
        hidden = withoutMatches(hidden, pattern).replace(pattern, redactionMark);
    return hidden;
  }
}

/** The text without what the pattern finds once escaped ends of lines are blanks. */
function withoutMatches(text: string, pattern: RegExp): string {
  const view = text.replace(escapedEnd, '  ');
  if (view === text) return text;
  let hidden = '';
  let done = 0;
  for (const { 0: match, index } of view.matchAll(pattern)) {
    hidden += text.slice(done, index) + redactionMark;
    done = index + match.length;
  }
  return hidden + text.slice(done);
}

/** The fewest changes between letters and digits inside of words that no name of a program has. */
const changesMin = 3;

/** True for a value that was drawn by chance, such as a key, and no name with a year or a version. */
export function isRandom(value: string): boolean {
  const changes = value.match(/[a-z](?=\d)|\d(?=[a-z])/gi) ?? [];
  return changes.length >= changesMin;
}

function spellingOf(letters: string): Spelling {
  const rarity = (letter: string): number => (/\d/.test(letter) ? byRarity.length : byRarity.indexOf(letter));
  const distinct = [...new Set(letters.toLowerCase())].sort((one, other) => rarity(other) - rarity(one));
  return {
    needed: distinct.slice(0, neededMax).map((letter) => [letter, letter.toUpperCase()]),
    pattern: new RegExp(letters.split('').join(between), 'gi'),
  };
}
