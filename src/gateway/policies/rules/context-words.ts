import { sharedPlaces } from '../../../text/patterns/foreign-places.ts';
import { createLiteralScan } from '../../../text/patterns/literal-scan.ts';
import { oddUnitsOf, scannedText } from '../../../text/patterns/scanned-text.ts';
import { isAsciiText } from '../../../text/utf8.ts';
import { lookOf } from '../readings/homoglyphs.ts';
import { UnitSort } from '../readings/unit-sort.ts';
import { lastAtMost } from '../readings/view.ts';
import list from './pii/context.txt';

/** A word of a topic; `isStem` where any ending may follow. */
interface ContextWord {
  readonly topic: string;
  readonly text: string;
  readonly isStem: boolean;
}

function parseList(): ContextWord[] {
  let topic = '';
  return list.split('\n').flatMap((line) => {
    const [, title] = /^\[(\w+)\]$/.exec(line.trim()) ?? [];
    if (title !== undefined) topic = title;
    const words = line.startsWith('#') ? undefined : /^\w\w: (.*)$/.exec(line)?.[1];
    return (words ?? '').split(',').flatMap((entry) => formsOf(topic, entry.trim()));
  });
}

const plainCharactersMin = 5;

function withoutAccents(text: string): string {
  const fold = (character: string) => (/\p{Script=Latin}/u.test(character) ? lookOf(character) : character);
  return Array.from(text.normalize('NFC'), fold).join('');
}

/** A word as it stands, without its accents, and with what programs write for a blank. */
function formsOf(topic: string, entry: string): ContextWord[] {
  const isStem = entry.endsWith('*');
  const text = isStem ? entry.slice(0, -1) : entry;
  const bare = withoutAccents(text);
  // Short words without their accents are words of other languages.
  const plain = bare.length < plainCharactersMin ? text : bare;
  const forms = new Set([text, plain].flatMap((form) => ['', ' ', '_', '-'].map((sign) => form.replaceAll(' ', sign))));
  return [...forms].filter((form) => form !== '').map((form) => ({ topic, text: form, isStem }));
}

interface WordScan {
  readonly words: readonly ContextWord[];
  readonly scan: ReturnType<typeof createLiteralScan>;
}

/** Anything beyond ASCII but dashes, quotation marks and signs of currencies, which English has as well. */
const hasOtherLetters = /[^\0-\x7f\u2010-\u203f\u20a0-\u20cf]/;

/**
 * Apart, because words of ASCII alone are read in half the time, most texts have no letter beyond it, and the words
 * with some make by far the larger table.
 */
let scans: ReturnType<typeof createScans> | undefined;

function createScans() {
  const words = parseList();
  const isPlain = ({ text }: ContextWord) => isAsciiText(text);
  const other = words.filter((word) => !isPlain(word));
  const withSigns = other.filter(({ text }) => !hasOtherLetters.test(text));
  const anyWithSigns = new RegExp(withSigns.map(({ text }) => text.replaceAll(' ', '\\s+')).join('|') || '(?!)', 'i');
  // Their signs alone are looked for sooner, and most texts have others.
  const anySign = new RegExp(`[${withSigns.map(({ text }) => text.replace(/[\0-\x7f]/g, '')).join('')}]`);
  return {
    plain: createScan(words.filter(isPlain)),
    other: createScan(other),
    mayHoldOther: (text: string) => {
      if (scannedText(text).isAscii) return false;
      const units = oddUnitsOf(text);
      return hasOtherLetters.test(units) || (anySign.test(units) && anyWithSigns.test(text));
    },
  };
}

function createScan(words: readonly ContextWord[]): WordScan {
  return {
    words,
    scan: createLiteralScan(
      words.map(({ text }) => text),
      { shared: sharedPlaces },
    ),
  };
}

/** The words of all topics in one text, found in one pass, however many numbers ask for them. */
export interface ContextWords {
  /** True where a word of the topic stands in a part of the text. */
  isWithin(topic: string, start: number, end: number): boolean;
  /** True where one stands anywhere in the text. */
  has(topic: string): boolean;
  /** The ends of all words of a topic. */
  endsOf(topic: string): readonly number[];
}

const nowhere: readonly number[] = [];

interface Places {
  starts: number[];
  ends: number[];
}

export function findContextWords(text: string): ContextWords {
  scans ??= createScans();
  const topics = new Map<string, Places>();
  note(text, scans.plain, topics);
  if (scans.mayHoldOther(text)) {
    note(text, scans.other, topics);
    for (const places of topics.values()) sort(places);
  }
  return {
    has: (topic) => topics.has(topic),
    endsOf: (topic) => topics.get(topic)?.ends ?? nowhere,
    isWithin(topic, start, end) {
      const places = topics.get(topic);
      if (places === undefined) return false;
      // Ends ascend; the last word that ends in the part is the one that starts latest, but for a longer one.
      const last = lastAtMost(places.ends, end);
      return places.ends[last]! <= end && places.starts[last]! >= start;
    },
  };
}

function note(text: string, { words, scan }: WordScan, topics: Map<string, Places>): void {
  const tell = (index: number, end: number) => {
    const { topic, text: word, isStem } = words[index]!;
    const start = end - word.length;
    if (!isEdge(text, start, end, isStem) || isInMark(text, start, end)) return;
    let places = topics.get(topic);
    if (places === undefined) topics.set(topic, (places = { starts: [], ends: [] }));
    places.starts.push(start);
    places.ends.push(end);
  };
  scan.scan(text, tell);
}

function sort(places: Places): void {
  const order = places.ends.map((_, index) => index).toSorted((one, other) => places.ends[one]! - places.ends[other]!);
  places.starts = order.map((index) => places.starts[index]!);
  places.ends = order.map((index) => places.ends[index]!);
}

const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Hang}]/u;
const unspacedUnits = new UnitSort((character) => unspaced.test(character));
const letters = new UnitSort((character) => /\p{L}/u.test(character));
const lowers = new UnitSort((character) => /\p{Ll}/u.test(character));
const uppers = new UnitSort((character) => /\p{Lu}/u.test(character));
const blank = 0x20;
const openingBracket = 0x5b;
const lowLine = 0x5f;
const backslash = 0x5c;
/** Endings that programs add to a name without a sign between. */
const suffix = /^(?:s|nr|no|num|number|nummer|id|code|value|field)s?(?!\p{Ll})/iu;
const suffixCharacters = 10;

/** True behind `\n` and its like, as the source of a program and JSON have them in a text. */
function isEscape(text: string, at: number): boolean {
  return at > 1 && text.charCodeAt(at - 2) === backslash && 'nrt'.includes(text.charAt(at - 1));
}

const markCharacters = 24;

/** True of a word in a mark such as `[PHONE]`, which names what stood in its place and no number beside it. */
function isInMark(text: string, start: number, end: number): boolean {
  if (start === 0) return false;
  const before = text.charCodeAt(start - 1);
  if (before !== openingBracket && before !== lowLine) return false;
  return (
    /\[[A-Z_]*$/.test(text.slice(Math.max(0, start - markCharacters), start)) &&
    /^[A-Z_]*\]/.test(text.slice(start, end + markCharacters))
  );
}

/** Letters on both sides of a place make it no edge of a word, unless the case changes as in `homePhone`. */
function isEdge(text: string, start: number, end: number, isStem: boolean): boolean {
  const first = text.charCodeAt(start);
  if (unspacedUnits.has(first)) return true;
  const before = start === 0 ? blank : text.charCodeAt(start - 1);
  const isInWord = letters.has(before) && !(lowers.has(before) && uppers.has(first));
  if (isInWord && !isEscape(text, start)) return false;
  const after = end === text.length ? blank : text.charCodeAt(end);
  if (isStem || !letters.has(after)) return true;
  if (lowers.has(text.charCodeAt(end - 1)) && uppers.has(after)) return true;
  return suffix.test(text.slice(end, end + suffixCharacters));
}
