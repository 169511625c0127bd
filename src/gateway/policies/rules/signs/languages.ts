import de from './languages/de.txt';
import es from './languages/es.txt';
import fr from './languages/fr.txt';
import pt from './languages/pt.txt';
import ru from './languages/ru.txt';
import { remembered } from '../../readings/remembered.ts';
import { Translation } from '../../readings/translate.ts';
import { UnitSort } from '../../readings/unit-sort.ts';

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
  return withoutMarks(text.toLowerCase().normalize('NFD'));
}

function withoutMarks(text: string): string {
  return text.replace(/\p{M}/gu, '').replaceAll('\u00df', 'ss');
}

/** Writes letters plainly, one for one: marks and the sharp s, which are none or two, stay. */
const plain = new Translation((unit) => {
  const letters = plainLetters(String.fromCharCode(unit));
  return letters.length === 1 ? letters.charCodeAt(0) : unit;
});
const staysInPlain = /[\p{M}\u00df]/u;

const ofWords = /[\p{L}\p{M}\d]/u;
const inWords = new UnitSort((character) => ofWords.test(character));
const pairInWords = remembered((character) => ofWords.test(character));
const sentenceEnds = new UnitSort((character) => /[.!?;\n]/.test(character));

/** The words of a text, which are looked at for each of its languages. */
export class PlainWords {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** Of each, the number of its sentence. */
  readonly sentences: number[] = [];
  readonly #text: string;
  readonly #isWhole: boolean;

  constructor(text: string) {
    this.#text = plain.of(text);
    this.#isWhole = !staysInPlain.test(this.#text);
    let sentence = 0;
    let isEnded = false;
    for (let at = 0; at < text.length;) {
      const start = at;
      while (at < text.length) {
        const length = lengthInWord(text, at);
        if (length === 0) break;
        at += length;
      }
      if (at > start) {
        if (isEnded && this.starts.length > 0) sentence++;
        isEnded = false;
        this.starts.push(start);
        this.ends.push(at);
        this.sentences.push(sentence);
      } else if (sentenceEnds.has(text.charCodeAt(at++))) isEnded = true;
    }
  }

  /** The plain letters of a word, or the first of them. */
  lettersOf(index: number, most = Infinity): string {
    const start = this.starts[index]!;
    const end = this.ends[index]!;
    if (this.#isWhole) return this.#text.slice(start, Math.min(end, start + most));
    return withoutMarks(this.#text.slice(start, end)).slice(0, most);
  }
}

/** Units of a character that a word is made of; 0 for any other. */
function lengthInWord(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdbff) return inWords.has(unit) ? 1 : 0;
  return pairInWords(String.fromCodePoint(text.codePointAt(at)!)) ? 2 : 0;
}

/** The words that are in classes of a language, in their order. */
export function classedWords(words: PlainWords, language: SignLanguage): readonly ClassedWord[] {
  const { byBeginning } = tableOf(language);
  const { starts, ends, sentences } = words;
  const found: ClassedWord[] = [];
  for (let at = 0; at < starts.length; at++) {
    let classes = 0;
    let end = ends[at]!;
    for (const { words: wanted, bit } of byBeginning.get(words.lettersOf(at, beginningLength)) ?? none) {
      if (!isPhraseAt(words, at, wanted)) continue;
      classes |= bit;
      end = Math.max(end, ends[at + wanted.length - 1]!);
    }
    if (classes !== 0) found.push({ classes, at, sentence: sentences[at]!, start: starts[at]!, end });
  }
  return found;
}

const none: readonly Entry[] = [];

function isPhraseAt(words: PlainWords, at: number, wanted: readonly string[]): boolean {
  if (at + wanted.length > words.starts.length) return false;
  for (let index = 0; index < wanted.length; index++)
    if (!isLike(words.lettersOf(at + index), wanted[index]!)) return false;
  return true;
}

function isLike(found: string, wanted: string): boolean {
  return wanted.endsWith('*') ? found.startsWith(wanted.slice(0, -1)) : found === wanted;
}
