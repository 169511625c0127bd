import de from './languages/de.txt';
import es from './languages/es.txt';
import fr from './languages/fr.txt';
import pt from './languages/pt.txt';
import ru from './languages/ru.txt';

/** Classes of words in other languages than English, from a text file each, and the words of a text in them. */

export const signLanguages = { de, es, fr, pt, ru } as const;
export type SignLanguage = keyof typeof signLanguages;

export const wordClasses = [
  'ignore',
  'remove',
  'show',
  'answer',
  'your',
  'before',
  'inner',
  'rules',
  'own',
  'limits',
  'setup',
  'secrets',
  'without',
  'unbound',
  'off',
  'never',
  'refuse',
  'obey',
  'mode',
  'modes',
  'role',
  'claim',
  'model',
  'pressure',
  'not',
] as const;
export type WordClass = (typeof wordClasses)[number];

/** A word or phrase of a text that is in some classes. */
export interface ClassedWord {
  /** The classes as bits, see `bitOf`. */
  readonly classes: number;
  /** Its number among the words of the text. */
  readonly at: number;
  readonly sentence: number;
  readonly start: number;
  readonly end: number;
}

/** One entry of a class: its words, of which those with a star stand for any ending. */
interface Entry {
  readonly words: readonly string[];
  readonly bit: number;
}

interface ClassTable {
  /** Entries by how their first word begins. */
  readonly byBeginning: ReadonlyMap<string, readonly Entry[]>;
}

export const bitOf = (one: WordClass): number => 1 << wordClasses.indexOf(one);

/** Sections of a language's file by their names, each as its words and phrases. */
export function sectionsOf(language: SignLanguage): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let section: string[] = [];
  for (const line of signLanguages[language].split('\n')) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (name !== undefined) sections.set(name, (section = []));
    else if (line !== '' && !/^[#=]/.test(line)) section.push(...line.split(' / '));
  }
  return sections;
}

/** Letters at the beginning of a word by which entries are found; shorter words are found whole. */
const beginningLength = 3;

const tables = new Map<SignLanguage, ClassTable>();

function tableOf(language: SignLanguage): ClassTable {
  const known = tables.get(language);
  if (known !== undefined) return known;
  const byBeginning = new Map<string, Entry[]>();
  const sections = sectionsOf(language);
  for (const one of wordClasses)
    for (const phrase of sections.get(one) ?? []) {
      const entry = { words: plainLetters(phrase).split(' '), bit: bitOf(one) };
      const beginning = entry.words[0]!.slice(0, beginningLength);
      byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), entry]);
    }
  const table = { byBeginning };
  tables.set(language, table);
  return table;
}

/** Small letters without accents, and ss for a sharp s, as in capitals and in Switzerland. */
function plainLetters(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('\u00df', 'ss');
}

const word = /[\p{L}\p{M}\d]+/gu;
const sentenceEnd = /[.!?;\n]/;

/** The words of a text that are in classes of a language, in their order. */
export function classedWords(text: string, language: SignLanguage): readonly ClassedWord[] {
  const { byBeginning } = tableOf(language);
  const words = Array.from(text.matchAll(word), ({ 0: found, index }) => ({
    plain: plainLetters(found),
    start: index,
    end: index + found.length,
  }));
  let sentence = 0;
  return words.flatMap(({ plain, start, end }, at) => {
    if (at > 0 && sentenceEnd.test(text.slice(words[at - 1]!.end, start))) sentence++;
    let classes = 0;
    let last = end;
    for (const { words: wanted, bit } of byBeginning.get(plain.slice(0, beginningLength)) ?? []) {
      if (!wanted.every((one, index) => isLike(words[at + index]?.plain, one))) continue;
      classes |= bit;
      last = Math.max(last, words[at + wanted.length - 1]!.end);
    }
    return classes === 0 ? [] : [{ classes, at, sentence, start, end: last }];
  });
}

function isLike(found: string | undefined, wanted: string): boolean {
  if (found === undefined) return false;
  return wanted.endsWith('*') ? found.startsWith(wanted.slice(0, -1)) : found === wanted;
}
