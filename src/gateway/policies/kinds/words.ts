import { fileText } from '../../../documents/fetched.ts';
import { refinedInPieces } from '../../../documents/refined.ts';
import { about, list, object, text } from '../../../documents/shape.ts';
import type { Spot } from '../../../documents/spot.ts';
import { LiteralFault } from '../../../text/patterns/literal-scan.ts';
import { eachInPieces, type Piecework } from '../../../text/turns.ts';
import { createPhraseSearch, makePhraseSearch, type PhraseSearch } from '../rules/phrases.ts';
import { type Detector, findIn, policyKind } from '../policy.ts';

const wordsMax = 50_000;
const wordCharactersMax = 256;

const word = text('a text that is not empty', /\S/);

const options = refinedInPieces(
  object(
    {},
    {
      words: about('words and phrases, in any case', list(word, { least: 1, most: wordsMax })),
      file: about('the path of a text file with one word a line', fileText(parseLines)),
    },
  ),
  function* ({ words: listed = [], file }, spot) {
    const all = file !== undefined && listed.length === 0 ? file.words : [...listed, ...(file?.words ?? [])];
    if (all.length === 0)
      return spot.fault('needs words, a list, or file, the path of a text file with one word a line');
    return (yield* checkWords(all, file?.spot ?? spot)) && { words: all };
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
    const search = searches.get(all) ?? createPhraseSearch(all);
    searches.set(all, search);
    return {
      detect: createDetector(search),
      needs: search.literals,
      readsLetters: true,
      prepare: () => search.prepare(),
    };
  },
});

interface FileWords {
  readonly words: readonly string[];
  /** The place for faults that come of these words. */
  readonly spot: Spot;
}

/** A file without a word is a fault: somebody may have emptied it, and then nothing of it would be found any more. */
function* parseLines(content: string, spot: Spot): Piecework<FileWords | undefined> {
  const lines = yield* eachInPieces(content.split(/\r?\n/), (line) => line.trim());
  const all = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (all.length === 0) return spot.fault('must name a text file with one word a line; it holds no word');
  return (yield* checkWords(all, spot)) && { words: all, spot };
}

function* checkWords(all: readonly string[], spot: Spot): Piecework<readonly string[] | undefined> {
  if (all.length > wordsMax) return spot.fault(`must have at most ${wordsMax} words`);
  const long = all.findIndex(({ length }) => length > wordCharactersMax);
  if (long !== -1) return spot.fault(`has a word, number ${long + 1}, of more than ${wordCharactersMax} characters`);
  try {
    if (!searches.has(all)) searches.set(all, yield* makePhraseSearch(all));
    return all;
  } catch (error) {
    if (error instanceof LiteralFault) return spot.fault(`has ${error.message}`);
    throw error;
  }
}

/** Searches that were made, by their lists, for the check of one makes it. */
const searches = new WeakMap<readonly string[], PhraseSearch>();

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
