import { type Prefilter, createPrefilter, isSieved } from './prefilter.ts';
import { mailDecoded, unescaped } from './escapes.ts';
import { extraordinary, scanCharacters, signs, signsOfReadings } from './character-scan.ts';
import {
  longWords,
  orderStems,
  rot13Words,
  withoutDoubledQuotes,
  withoutGaps,
  withoutLeet,
  withoutMarkup,
  withoutRot13,
  withoutSpacing,
} from './letters.ts';
import { normalised, skeleton } from './normalise.ts';
import { rareDigitWords, withNumbersWritten } from './number-words.ts';
import { type Packed, hasCodeMarks, packedTexts } from './encoded-text.ts';
import { smuggledTexts, spelledOut } from './invisible-text.ts';
import { has, type View, viewAsSent, viewOfPieces } from './view.ts';
import { WorkBudget } from './work-budget.ts';

/** A text made ready once, for every policy that looks at it, and not before one does. */
export interface PreparedText {
  readonly sent: string;
  /** The first is the text as sent; the others exist only where they differ from those before. */
  readonly views: readonly View[];
  /** True where all is printable ASCII, tab, LF and CR. */
  readonly isOrdinary: boolean;
  /** False where none of the views can hold what this consumer needs. */
  mayConcern(consumer: number): boolean;
  /** Counts characters that somebody reads of it; throws once all that was granted is spent. */
  spend(characters: number, ofThisTime?: boolean): void;
}

/** Facts of the consumers of texts. */
interface TextConsumer {
  readonly needs?: readonly string[] | undefined;
  readonly readsLetters?: boolean;
  readonly readsSentAlone?: boolean;
}

/** Plan of the readings for some consumers: worked out once, for all texts. */
export interface ReadingPlan {
  /** A group for each consumer, and behind them one for each of `hints`. */
  readonly prefilter: Prefilter;
  /** Those who read letters; where there are none, letters are not put together. */
  readonly readers: readonly number[];
  /**
   * Consumers with literals in which no digit stands, where all that read are such. Digits that were written as words
   * make none of these literals, so that a text without any of them need not be read for such words.
   */
  readonly digitless: readonly number[];
}

export function createReadingPlan(consumers: readonly TextConsumer[]): ReadingPlan {
  const readers = [...consumers.keys()].filter((index) => consumers[index]!.readsLetters === true);
  const reading = [...consumers.keys()].filter((index) => consumers[index]!.readsSentAlone !== true);
  const areDigitless = reading.every((index) => isDigitless(consumers[index]!));
  const isIdle = { rot13: readers.length === 0, longWords: readers.length === 0, numberWords: areDigitless };
  const ofHints = hintNames.map((hint) => (isIdle[hint] ? [] : hints[hint]));
  return {
    prefilter: createPrefilter([...consumers.map(({ needs }) => needs), ...ofHints]),
    readers,
    digitless: areDigitless ? reading : [],
  };
}

/** True where both plans make the same readings of a text, as far as a policy of both can find something in them. */
export function readsAlike(one: ReadingPlan, other: ReadingPlan): boolean {
  const areLettersAlike = one.readers.length > 0 === other.readers.length > 0;
  return areLettersAlike && one.digitless.length > 0 === other.digitless.length > 0;
}

function isDigitless({ needs }: TextConsumer): boolean {
  return isSieved(needs) && needs.every((literal) => !/\d/.test(literal));
}

/** Words that tell of a reading. Their groups of the prefilter stand in this order, behind those of the consumers. */
const hints = { rot13: rot13Words.map((word) => ` ${word} `), longWords: orderStems, numberWords: rareDigitWords };
const hintNames = Object.keys(hints) as readonly (keyof typeof hints)[];

function mayHave(hint: keyof typeof hints, { prefilter }: ReadingPlan, found: Uint8Array): boolean {
  return found[prefilter.groups - hintNames.length + hintNames.indexOf(hint)] === 1;
}

function mayHaveNumberWords(plan: ReadingPlan, found: Uint8Array): boolean {
  return mayHave('numberWords', plan, found) || plan.digitless.some((consumer) => found[consumer] === 1);
}

const wholePlan = createReadingPlan([{ readsLetters: true }]);

export function prepare(
  sent: string,
  plan: ReadingPlan = wholePlan,
  budget: WorkBudget = new WorkBudget(),
): PreparedText {
  return new LazyText(sent, plan, budget);
}

/** A class: each prompt has several, and an object with getters of its own costs more than a look at its text. */
class LazyText implements PreparedText {
  readonly sent: string;
  readonly #plan: ReadingPlan;
  readonly #budget: WorkBudget;
  #reading: ReadText | undefined;

  constructor(sent: string, plan: ReadingPlan, budget: WorkBudget) {
    this.sent = sent;
    this.#plan = plan;
    this.#budget = budget;
  }

  spend(characters: number, ofThisTime?: boolean): void {
    this.#budget.spend(characters, ofThisTime);
  }

  get views(): readonly View[] {
    return this.#read().views;
  }

  get isOrdinary(): boolean {
    return this.#reading?.isOrdinary ?? !extraordinary.test(this.sent);
  }

  mayConcern(consumer: number): boolean {
    return this.#read().found[consumer] === 1;
  }

  #read(): ReadText {
    return (this.#reading ??= readingOf(this.sent, this.#plan, this.#budget));
  }
}

interface ReadText {
  readonly views: readonly View[];
  readonly isOrdinary: boolean;
  readonly found: Uint8Array;
}

function readingOf(sent: string, plan: ReadingPlan, budget: WorkBudget): ReadText {
  budget.spend(sent.length);
  const found = new Uint8Array(plan.prefilter.groups);
  for (const group of plan.prefilter.unknown) found[group] = 1;
  const asSent = viewAsSent(sent);
  asSent.signs = scanCharacters(sent, plan.prefilter, found);
  const hasHint = hintNames.some((hint) => mayHave(hint, plan, found)) || mayHaveNumberWords(plan, found);
  if (!has(asSent, signsOfReadings) && !hasHint) return { views: [asSent], isOrdinary: true, found };
  const views: View[] = [];
  addViews(asSent, { plan, found, budget, views });
  // The prefilter cannot rule out letter-only readings, so those detectors always run.
  if (views.some(({ isLetters }) => isLetters)) for (const reader of plan.readers) found[reader] = 1;
  return { views, isOrdinary: !has(asSent, signs.extraordinary), found };
}

interface Task {
  readonly plan: ReadingPlan;
  readonly found: Uint8Array;
  /** The fixed number of passes for letters and number words over each view is free; reading their result is not. */
  readonly budget: WorkBudget;
  /** All that were made so far. */
  readonly views: View[];
}

/**
 * Depth to which something encoded may be encoded again. Each layer is shorter than the one around it, so that all of
 * them together are a few times the text at most.
 */
export const depthMax = 3;

function look(view: View, { plan, found, budget }: Task): View {
  budget.spend(view.text.length);
  view.signs = scanCharacters(view.text, plan.prefilter, found);
  return view;
}

function addViews(sent: View, task: Task): void {
  addReadings(sent, task);
  const spelled = has(sent, signs.extraordinary) ? spelledOut(sent) : undefined;
  if (spelled === undefined) return;
  addReadings(look(spelled, task), task);
  addPacked(sent, smuggledTexts(sent.text), task);
}

function addReadings(start: View, task: Task): void {
  const { views, budget, plan } = task;
  views.push(start);
  const derive = (from: View, sign: number, way: (parent: View) => View | undefined): View => {
    if (!has(from, sign)) return from;
    budget.spend(from.text.length);
    const view = way(from);
    if (view === undefined) return from;
    views.push(view);
    return look(view, task);
  };
  const clean = derive(start, signs.extraordinary, normalised);
  const written = derive(clean, signs.escape, unescaped);
  const plain = written === clean ? clean : derive(written, signs.extraordinary, normalised);
  const mail = derive(clean, signs.equals, mailDecoded);
  if (mail !== clean) derive(derive(mail, signs.extraordinary, normalised), signs.extraordinary, skeleton);
  const latin = derive(plain, signs.extraordinary, skeleton);
  derive(latin, signs.markup, withoutMarkup);
  derive(latin, signs.markup, withoutDoubledQuotes);
  derive(latin, signs.spaced, withoutSpacing);
  const spoken = mayHaveNumberWords(plan, task.found) ? withNumbersWritten(latin) : undefined;
  if (spoken !== undefined) {
    views.push(spoken);
    // Only for what it finds: numbers that were written out lead to no further reading.
    look(spoken, task);
  }
  if (plan.readers.length > 0) addLetters(latin, task);
  if (!has(latin, signs.base64 | signs.hex) && !hasCodeMarks(latin.text)) return;
  budget.spend(latin.text.length);
  addPacked(latin, packedTexts(latin.text, latin.signs), task);
}

function addLetters(from: View, { plan, found, views, budget }: Task): void {
  for (const letters of [
    has(from, signs.leet) ? withoutLeet(from) : undefined,
    mayHave('rot13', plan, found) ? withoutRot13(from) : undefined,
    has(from, signs.spaced | signs.extraordinary) ? withoutGaps(from) : undefined,
    mayHave('longWords', plan, found) ? longWords(from) : undefined,
  ]) {
    if (letters === undefined) continue;
    budget.spend(letters.text.length);
    views.push(letters);
  }
}

function addPacked(parent: View, packed: readonly Packed[], task: Task): void {
  if (packed.length === 0 || parent.depth === depthMax) return;
  const ways = new Map<string, Packed[]>();
  for (const piece of packed) {
    const alike = ways.get(piece.how);
    if (alike === undefined) ways.set(piece.how, [piece]);
    else alike.push(piece);
  }
  for (const [how, pieces] of ways) addViews(look(viewOfPieces(parent, pieces, how), task), task);
}
