import { LiteralFault } from '../../../text/literals.ts';
import { readOptions } from '../options.ts';
import { type PhraseSearch, createPhraseSearch } from '../rules/phrases.ts';
import { type Detector, PolicyFault, type PolicyKind, findIn } from '../policy.ts';

const wordsMax = 50_000;
const wordCharactersMax = 256;

/** Words and phrases that must not be said; a `file` has one a line, and lines that begin with # are remarks. */
export const words: PolicyKind = {
  isPure: true,
  seam: '',
  files: ['file'],
  create(options, at) {
    const search = searchOf(parseWords(options, at), at);
    return { detect: createDetector(search), needs: search.literals, readsLetters: true };
  },
};

export function parseWords(options: unknown, at: string): string[] {
  const read = readOptions(options, at, ['words', 'file']);
  const listed = read.strings('words', wordsMax) ?? [];
  const lines = (read.string('file') ?? '').split(/\r?\n/).map((line) => line.trim());
  const all = [...listed, ...lines.filter((line) => line !== '' && !line.startsWith('#'))];
  if (all.length === 0)
    throw new PolicyFault(`${at} needs words, a list, or file, the path of a text file with one word a line`);
  if (all.length > wordsMax) throw new PolicyFault(`${at} must have at most ${wordsMax} words`);
  const long = all.findIndex((word) => word.length > wordCharactersMax);
  if (long !== -1) throw new PolicyFault(`${at}: word ${long + 1} must have at most ${wordCharactersMax} characters`);
  return all;
}

function createDetector(search: PhraseSearch): Detector {
  return function words(text) {
    return findIn(
      text,
      (view) => {
        const found: { rule: string; start: number; length: number }[] = [];
        search.find(view, (_, { start, end }) => found.push({ rule: 'word', start, length: end - start }));
        return found;
      },
      () => true,
    );
  };
}

function searchOf(list: readonly string[], at: string): PhraseSearch {
  try {
    return createPhraseSearch(list);
  } catch (error) {
    throw error instanceof LiteralFault ? new PolicyFault(`${at} has ${error.message}`) : error;
  }
}
