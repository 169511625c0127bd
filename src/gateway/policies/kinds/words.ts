import { fileText } from '../../../documents/fetched.ts';
import { about, list, object, refined, text } from '../../../documents/shape.ts';
import type { Spot } from '../../../documents/spot.ts';
import { LiteralFault } from '../../../text/patterns/literal-scan.ts';
import { type PhraseSearch, createPhraseSearch } from '../rules/phrases.ts';
import { type Detector, findIn, policyKind } from '../policy.ts';

const wordsMax = 50_000;
const wordCharactersMax = 256;

const word = text('a text that is not empty', /\S/);

const options = refined(
  object(
    {},
    {
      words: about('words and phrases, in any case', list(word, { least: 1, most: wordsMax })),
      file: about('the path of a text file with one word a line', fileText(parseLines)),
    },
  ),
  ({ words: listed = [], file }, spot) => {
    const all = file !== undefined && listed.length === 0 ? file.words : [...listed, ...(file?.words ?? [])];
    if (all.length === 0)
      return spot.fault('needs words, a list, or file, the path of a text file with one word a line');
    return checkWords(all, file?.spot ?? spot) && { words: all };
  },
);

/** Words and phrases that must not be said; a `file` has one a line, and lines that begin with # are remarks. */
export const words = policyKind({
  isPure: true,
  messageSeparators: ['', ' '],
  findsListed: true,
  rules: /^word$/,
  options,
  create({ words: all }) {
    const search = searchFor(all);
    return { detect: createDetector(search), needs: search.literals, readsLetters: true };
  },
});

interface FileWords {
  readonly words: readonly string[];
  /** The place for faults that come of these words. */
  readonly spot: Spot;
}

/** A file without a word is a fault: somebody may have emptied it, and then nothing of it would be found any more. */
function parseLines(content: string, spot: Spot): FileWords | undefined {
  const lines = content.split(/\r?\n/).map((line) => line.trim());
  const all = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (all.length === 0) return spot.fault('must name a text file with one word a line; it holds no word');
  return checkWords(all, spot) && { words: all, spot };
}

function checkWords(all: readonly string[], spot: Spot): readonly string[] | undefined {
  if (all.length > wordsMax) return spot.fault(`must have at most ${wordsMax} words`);
  const long = all.findIndex(({ length }) => length > wordCharactersMax);
  if (long !== -1) return spot.fault(`has a word, number ${long + 1}, of more than ${wordCharactersMax} characters`);
  try {
    searchFor(all);
    return all;
  } catch (error) {
    if (error instanceof LiteralFault) return spot.fault(`has ${error.message}`);
    throw error;
  }
}

/** Searches that were made, by their lists: the check of one makes it, which takes 50 ms for thousands of words. */
const searches = new WeakMap<readonly string[], PhraseSearch>();

function searchFor(all: readonly string[]): PhraseSearch {
  const search = searches.get(all) ?? createPhraseSearch(all);
  searches.set(all, search);
  return search;
}

function createDetector(search: PhraseSearch): Detector {
  return function words(text) {
    return findIn(
      text,
      (view) => {
        const found: { rule: string; start: number; length: number }[] = [];
        search.find(view, (_, { start, end }) => {
          // Phrases inside of each other are found together wherever one of them ends.
          text.spend(end - start);
          found.push({ rule: 'word', start, length: end - start });
        });
        return found;
      },
      () => true,
    );
  };
}
