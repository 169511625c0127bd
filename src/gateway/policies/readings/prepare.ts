import { type Sieve, createSieve } from './prefilter.ts';
import { mailDecoded, unescaped } from './escapes.ts';
import { glance, signs } from './character-scan.ts';
import { rot13Words, withoutGaps, withoutLeet, withoutRot13 } from './letters.ts';
import { normalised, skeleton } from './normalise.ts';
import { type Packed, packedTexts } from './encoded-text.ts';
import { smuggledTexts, spelledOut } from './invisible-text.ts';
import { type View, viewAsSent, viewInside } from './view.ts';

/** A text made ready once, for every policy that looks at it, and not before one does. */
export interface PreparedText {
  readonly sent: string;
  /** The first is the text as sent; the others exist only where they differ from those before. */
  readonly views: readonly View[];
  /** Nothing but printable ASCII, tab, LF and CR. */
  readonly isOrdinary: boolean;
  /** False where none of the views can hold what this looker needs. */
  mayConcern(looker: number): boolean;
}

/** What is known of those who will look at texts. */
export interface Looker {
  readonly needs?: readonly string[] | undefined;
  readonly readsLetters?: boolean;
}

/** How texts are to be read for some lookers: worked out once, for all texts. */
export interface Lens {
  /** A group for each looker, and one for the words of ROT13. */
  readonly sieve: Sieve;
  /** Those who read letters; where there are none, letters are not put together. */
  readonly readers: readonly number[];
}

export function createLens(lookers: readonly Looker[]): Lens {
  const readers = [...lookers.keys()].filter((index) => lookers[index]!.readsLetters === true);
  const rot13 = readers.length === 0 ? [] : rot13Words.map((word) => ` ${word} `);
  return { sieve: createSieve([...lookers.map(({ needs }) => needs), rot13]), readers };
}

const wholeLens = createLens([{ readsLetters: true }]);

export function prepare(sent: string, lens: Lens = wholeLens): PreparedText {
  return new LazyText(sent, lens);
}

/** A class, because each prompt has several and an object with getters of its own costs more than a look at its text. */
class LazyText implements PreparedText {
  readonly sent: string;
  readonly #lens: Lens;
  #reading: Reading | undefined;

  constructor(sent: string, lens: Lens) {
    this.sent = sent;
    this.#lens = lens;
  }

  get views(): readonly View[] {
    return this.#read().views;
  }

  get isOrdinary(): boolean {
    return this.#read().isOrdinary;
  }

  mayConcern(looker: number): boolean {
    return this.#read().found[looker] === 1;
  }

  #read(): Reading {
    return (this.#reading ??= readingOf(this.sent, this.#lens));
  }
}

interface Reading {
  readonly views: readonly View[];
  readonly isOrdinary: boolean;
  readonly found: Uint8Array;
}

function readingOf(sent: string, lens: Lens): Reading {
  const found = new Uint8Array(lens.sieve.groups);
  for (const group of lens.sieve.unknown) found[group] = 1;
  const seen = glance(sent, lens.sieve, found);
  const asSent = viewAsSent(sent);
  if (seen === 0 && !mayBeRot13(lens, found)) return { views: [asSent], isOrdinary: true, found };
  const views = viewsOf({ view: asSent, signs: seen }, 0, { lens, found });
  // Letters are guesswork, which no sieve knows.
  if (views.some(({ isLetters }) => isLetters)) for (const reader of lens.readers) found[reader] = 1;
  return { views, isOrdinary: (seen & signs.extraordinary) === 0, found };
}

/** The last group of the sieve is theirs. */
function mayBeRot13({ sieve, readers }: Lens, found: Uint8Array): boolean {
  return readers.length > 0 && found[sieve.groups - 1] === 1;
}

interface Task {
  readonly lens: Lens;
  readonly found: Uint8Array;
}

/** A view, and what a glance at its text told. */
interface Seen {
  readonly view: View;
  readonly signs: number;
}

function has(seen: Seen, some: number): boolean {
  return (seen.signs & some) !== 0;
}

/**
 * How often something encoded may be encoded again. Each layer is shorter than the one around it, so that all of them
 * together are a few times the text at most.
 */
const depthMax = 3;

function look(view: View, { lens, found }: Task): Seen {
  return { view, signs: glance(view.text, lens.sieve, found) };
}

function viewsOf(sent: Seen, depth: number, task: Task): View[] {
  const views = readingsOf(sent, depth, task);
  const spelled = has(sent, signs.extraordinary) ? spelledOut(sent.view) : undefined;
  return spelled === undefined
    ? views
    : [
        ...views,
        ...readingsOf(look(spelled, task), depth, task),
        ...insides(sent.view, smuggledTexts(sent.view.text), depth, task),
      ];
}

function readingsOf(start: Seen, depth: number, task: Task): View[] {
  const views = [start.view];
  const derive = (from: Seen, sign: number, way: (parent: View) => View | undefined): Seen => {
    const view = has(from, sign) ? way(from.view) : undefined;
    if (view === undefined) return from;
    views.push(view);
    return look(view, task);
  };
  const clean = derive(start, signs.extraordinary, normalised);
  const plain = derive(clean, signs.escape, unescaped);
  derive(clean, signs.equals, mailDecoded);
  const latin = derive(plain, signs.extraordinary, skeleton);
  if (task.lens.readers.length > 0) addLetters(views, latin, task);
  if (has(latin, signs.base64 | signs.hex))
    views.push(...insides(latin.view, packedTexts(latin.view.text), depth, task));
  return views;
}

function addLetters(views: View[], from: Seen, { lens, found }: Task): void {
  for (const letters of [
    has(from, signs.leet) ? withoutLeet(from.view) : undefined,
    mayBeRot13(lens, found) ? withoutRot13(from.view) : undefined,
    has(from, signs.spaced | signs.extraordinary) ? withoutGaps(from.view) : undefined,
  ])
    if (letters !== undefined) views.push(letters);
}

function insides(parent: View, packed: readonly Packed[], depth: number, task: Task): View[] {
  if (depth === depthMax) return [];
  return packed.flatMap(({ text, how, carrier }) =>
    viewsOf(look(viewAsSent(text), task), depth + 1, task).map((inner) =>
      viewInside(parent, inner.text, how, carrier, inner),
    ),
  );
}
