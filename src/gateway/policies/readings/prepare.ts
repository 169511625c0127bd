import { type Prefilter, createPrefilter } from './prefilter.ts';
import { mailDecoded, unescaped } from './escapes.ts';
import { scanCharacters, signs } from './character-scan.ts';
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
  /** False where none of the views can hold what this consumer needs. */
  mayConcern(consumer: number): boolean;
}

/** What is known of those who will look at texts. */
export interface TextConsumer {
  readonly needs?: readonly string[] | undefined;
  readonly readsLetters?: boolean;
}

/** How texts are to be read for some consumers: worked out once, for all texts. */
export interface ReadingPlan {
  /** A group for each consumer, and one for the words of ROT13. */
  readonly prefilter: Prefilter;
  /** Those who read letters; where there are none, letters are not put together. */
  readonly readers: readonly number[];
}

export function createReadingPlan(consumers: readonly TextConsumer[]): ReadingPlan {
  const readers = [...consumers.keys()].filter((index) => consumers[index]!.readsLetters === true);
  const rot13 = readers.length === 0 ? [] : rot13Words.map((word) => ` ${word} `);
  return { prefilter: createPrefilter([...consumers.map(({ needs }) => needs), rot13]), readers };
}

const wholePlan = createReadingPlan([{ readsLetters: true }]);

export function prepare(sent: string, plan: ReadingPlan = wholePlan): PreparedText {
  return new LazyText(sent, plan);
}

/** A class, because each prompt has several and an object with getters of its own costs more than a look at its text. */
class LazyText implements PreparedText {
  readonly sent: string;
  readonly #plan: ReadingPlan;
  #reading: Reading | undefined;

  constructor(sent: string, plan: ReadingPlan) {
    this.sent = sent;
    this.#plan = plan;
  }

  get views(): readonly View[] {
    return this.#read().views;
  }

  get isOrdinary(): boolean {
    return this.#read().isOrdinary;
  }

  mayConcern(consumer: number): boolean {
    return this.#read().found[consumer] === 1;
  }

  #read(): Reading {
    return (this.#reading ??= readingOf(this.sent, this.#plan));
  }
}

interface Reading {
  readonly views: readonly View[];
  readonly isOrdinary: boolean;
  readonly found: Uint8Array;
}

function readingOf(sent: string, plan: ReadingPlan): Reading {
  const found = new Uint8Array(plan.prefilter.groups);
  for (const group of plan.prefilter.unknown) found[group] = 1;
  const seen = scanCharacters(sent, plan.prefilter, found);
  const asSent = viewAsSent(sent);
  if (seen === 0 && !mayBeRot13(plan, found)) return { views: [asSent], isOrdinary: true, found };
  const views = viewsOf({ view: asSent, signs: seen }, 0, { plan, found });
  // Letters are guesswork, which no prefilter knows.
  if (views.some(({ isLetters }) => isLetters)) for (const reader of plan.readers) found[reader] = 1;
  return { views, isOrdinary: (seen & signs.extraordinary) === 0, found };
}

/** The last group of the prefilter is theirs. */
function mayBeRot13({ prefilter, readers }: ReadingPlan, found: Uint8Array): boolean {
  return readers.length > 0 && found[prefilter.groups - 1] === 1;
}

interface Task {
  readonly plan: ReadingPlan;
  readonly found: Uint8Array;
}

/** A view, and what a scanCharacters at its text told. */
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

function look(view: View, { plan, found }: Task): Seen {
  return { view, signs: scanCharacters(view.text, plan.prefilter, found) };
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
  if (task.plan.readers.length > 0) addLetters(views, latin, task);
  if (has(latin, signs.base64 | signs.hex))
    views.push(...insides(latin.view, packedTexts(latin.view.text), depth, task));
  return views;
}

function addLetters(views: View[], from: Seen, { plan, found }: Task): void {
  for (const letters of [
    has(from, signs.leet) ? withoutLeet(from.view) : undefined,
    mayBeRot13(plan, found) ? withoutRot13(from.view) : undefined,
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
