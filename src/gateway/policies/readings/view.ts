/** A place in a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * One way to read a text, with the way back from a place in it to the place in the text as it was sent. All of them are
 * made with the same fields in the same order, for rules read these all day, and the engine is faster with one shape.
 */
export interface View {
  readonly text: string;
  /** Origin of the reading, for the person who asks why: `inside base64`; empty for the text as it was sent. */
  readonly seen: string;
  /** True for a reading of letters alone, in which no figures and keys are looked for. */
  readonly isLetters: boolean;
  /** True where blanks between words may be gone, so that a word has no edges to go by. */
  readonly isRunTogether: boolean;
  /** The number of layers of encoding around it. */
  readonly depth: number;
  /** The parts of the text as sent that it was made of, where it was packed in several. */
  readonly carriers: (() => readonly Span[]) | undefined;
  /** The `signs` that a pass over its characters saw. */
  signs: number;
  toSent(span: Span): Span;
}

/** The signs of a view until there was a pass: any of them may be there. */
export const anySign = -1;

/** True where a view may have one of these signs. */
export function has({ signs }: View, some: number): boolean {
  return (signs & some) !== 0;
}

interface ViewParts {
  readonly isLetters?: boolean;
  readonly isRunTogether?: boolean;
}

export function viewAsSent(text: string): View {
  return {
    text,
    seen: '',
    isLetters: false,
    isRunTogether: false,
    depth: 0,
    carriers: undefined,
    signs: anySign,
    toSent: (span) => span,
  };
}

/** A view of the same length as its parent, character by character. */
export function viewInPlace(parent: View, text: string, how: string, parts: ViewParts = {}): View {
  return createView(parent, text, how, parts, (span) => parent.toSent(span));
}

/** A view whose text is known; it is made with its way back for whoever asks for that, for most often nobody does. */
export function viewMadeLater(parent: View, text: string, how: string, make: () => View | undefined): View {
  let made: View | undefined;
  return createView(parent, text, how, {}, (span) => (made ??= make() ?? parent).toSent(span));
}

/** A view in which a letter is written as two. The way back is made for whoever asks, for most often nobody does. */
export function viewWithPairs(parent: View, letter: string, pair: string, how: string): View {
  let pairs: readonly number[] | undefined;
  const toParent = (index: number): number => {
    pairs ??= pairsOf(parent.text, letter);
    const at = lastAtMost(pairs, index);
    const start = pairs[at]!;
    if (start > index) return index;
    return index <= start + 1 ? start - at : index - at - 1;
  };
  return createView(parent, parent.text.replaceAll(letter, pair), how, {}, ({ start, end }) =>
    parent.toSent({ start: toParent(start), end: toParent(end - 1) + 1 }),
  );
}

/** The start of each pair, in the text that has them in place of a letter. */
function pairsOf(text: string, letter: string): readonly number[] {
  const pairs: number[] = [];
  for (let at = text.indexOf(letter); at !== -1; at = text.indexOf(letter, at + 1)) pairs.push(at + pairs.length);
  return pairs;
}

/** A text that stands encoded in a part of another. */
interface PackedPiece {
  readonly text: string;
  readonly carrier: Span;
}

/** No rule reads over so many line ends, so pieces that only stand side by side here are not taken for one. */
export const betweenPieces = '\n'.repeat(11);

/**
 * One view of all pieces that were packed alike inside its parent, however many they are, so that detectors are called
 * once for all of them. Every place in a piece is the place of the whole part that carries it.
 */
export function viewOfPieces(
  parent: View,
  pieces: readonly PackedPiece[],
  how: string,
  { isLetters = parent.isLetters, isRunTogether = parent.isRunTogether }: ViewParts = {},
): View {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of pieces) {
    starts.push(length);
    length += text.length + betweenPieces.length;
  }
  const carrierAt = (index: number) => pieces[lastAtMost(starts, index)]!.carrier;
  return {
    text: pieces.map(({ text }) => text).join(betweenPieces),
    seen: parent.seen === '' ? how : `${parent.seen}, ${how}`,
    isLetters,
    isRunTogether,
    depth: parent.depth + 1,
    carriers: () => pieces.map(({ carrier }) => parent.toSent(carrier)),
    signs: anySign,
    toSent: ({ start, end }) =>
      parent.toSent({ start: carrierAt(start).start, end: carrierAt(Math.max(start, end - 1)).end }),
  };
}

/** The index of the last number that is not beyond a limit; the numbers ascend. */
export function lastAtMost(numbers: ArrayLike<number>, limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function createView(parent: View, text: string, how: string, parts: ViewParts, toSent: View['toSent']): View {
  const { isLetters = parent.isLetters, isRunTogether = parent.isRunTogether } = parts;
  const { depth, carriers } = parent;
  return {
    text,
    seen: joined(parent.seen, how),
    isLetters,
    isRunTogether,
    depth,
    carriers,
    signs: anySign,
    toSent,
  };
}

/** Two ways in which a text was read, one after the other; the same way is told once. */
function joined(one: string, other: string): string {
  if (one === '') return other;
  return one.endsWith(other) ? one : `${one}, ${other}`;
}

/** Numbers of marks in one list; more are packed: a list that grows is copied again and again, each in eight bytes. */
const unpackedMax = 16_384;

/** Builds a view out of parts that are replaced, in order; all between them stays as it is. */
export class Rewrite {
  readonly #parent: View;
  #parts: string[] = [];
  /** Four numbers for each replaced part: where it starts and ends here, and where it does in the parent. */
  #marks: number[] = [];
  /** The marks and the text before those. */
  readonly #packed: Int32Array[] = [];
  readonly #texts: string[] = [];
  #read = 0;
  #written = 0;

  constructor(parent: View) {
    this.#parent = parent;
  }

  replace(start: number, end: number, text: string): void {
    if (this.#marks.length === unpackedMax) this.#pack();
    this.#copyTo(start);
    this.#marks.push(this.#written, this.#written + text.length, start, end);
    this.#parts.push(text);
    this.#written += text.length;
    this.#read = end;
  }

  /** Undefined where nothing was replaced. */
  finish(how: string, parts: ViewParts = {}): View | undefined {
    if (this.#marks.length === 0) return undefined;
    this.#copyTo(this.#parent.text.length);
    const marks = this.#packed.length === 0 ? this.#marks : this.#allMarks();
    const parent = this.#parent;
    this.#texts.push(this.#parts.join(''));
    return createView(parent, this.#texts.join(''), how, parts, ({ start, end }) =>
      parent.toSent({ start: toParent(marks, start, 'start'), end: toParent(marks, end, 'end') }),
    );
  }

  #pack(): void {
    this.#packed.push(Int32Array.from(this.#marks));
    this.#texts.push(this.#parts.join(''));
    this.#marks = [];
    this.#parts = [];
  }

  #allMarks(): Int32Array {
    const all = new Int32Array(this.#packed.length * unpackedMax + this.#marks.length);
    for (const [at, some] of [...this.#packed, this.#marks].entries()) all.set(some, at * unpackedMax);
    return all;
  }

  #copyTo(index: number): void {
    if (index === this.#read) return;
    this.#parts.push(this.#parent.text.slice(this.#read, index));
    this.#written += index - this.#read;
    this.#read = index;
  }
}

/** A start before something that was removed goes behind it, and an end behind it goes before it: spans stay tight. */
function toParent(marks: readonly number[] | Int32Array, index: number, edge: 'start' | 'end'): number {
  let low = 0;
  let high = marks.length / 4;
  while (low < high) {
    const middle = (low + high) >> 1;
    const isPast = edge === 'start' ? marks[middle * 4]! <= index : marks[middle * 4]! < index;
    if (isPast) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return index;
  const [from, to, parentStart, parentEnd] = marks.slice(low * 4 - 4, low * 4) as [number, number, number, number];
  if (edge === 'start') return index < to ? parentStart : parentEnd + (index - to);
  return index <= to && from < index ? parentEnd : parentEnd + (index - to);
}
