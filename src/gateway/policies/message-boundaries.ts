import { matchesOf } from '../../text/patterns/matches.ts';
import type { WorkBudget } from './readings/work-budget.ts';
import type { Policy, SeenFinding } from './policy.ts';
import { type ReadingPlan, prepare, type PreparedText } from './readings/prepare.ts';
import { lastAtMost } from './readings/view.ts';

/** A value whose name is the end of the message before stands that near to the start of its own. */
const valueStartMax = 48;

/** Characters of each message that are looked at where it meets the next: more than any secret of one line. */
const edgeCharactersMax = 256;

/** The ends of all messages joined, to find what was split over several. */
export interface JoinedMessages {
  readonly prepared: PreparedText;
  /** The parts of a finding in several messages; one in a single message only where the one before may name it. */
  split(finding: SeenFinding, policy: Policy): readonly PartFinding[];
}

export interface PartFinding extends SeenFinding {
  readonly message: number;
}

interface JointPiece {
  readonly message: number;
  /** Start of the piece in its message, and in the joined text. */
  readonly from: number;
  readonly at: number;
  readonly length: number;
  /** The same of pieces that nothing was left out between. */
  readonly run: number;
}

/**
 * The texts joined in several ways: each with the next, such neighbours alone, and without what only fills.
 * `between` is what a joined message is followed by: nothing where a key may be cut in two, a blank between words.
 * Of words, every other message may be an answer; of numbers and keys, most words around them are fillers.
 */
export function joinMessages(
  texts: readonly string[],
  between: string,
  plan: ReadingPlan,
  budget: WorkBudget,
): readonly JoinedMessages[] {
  const all = new Joint(texts);
  all.addEnds([...texts.keys()], between);
  const few = new Joint(texts);
  if (between === '') few.addPieces();
  else if (texts.length > 2) {
    const last = [...texts.keys()].slice(-2 * partsMax);
    for (const odd of [0, 1])
      few.addEnds(
        last.filter((_, index) => index % 2 === odd),
        between,
      );
  }
  const alone = new Joint(texts);
  if (between === '' && texts.length > 2) alone.addNeighbours();
  const bare = new Joint(texts);
  if (between !== '' && texts.length > 2) bare.addBareWords(between);
  return [all, few, alone, bare].filter(({ text }) => text !== '').map((joint) => joint.finish(plan, budget));
}

/** True where one ends with a blank, or the other begins with one: two are not what an exception names. */
function isBlankBetween(before: string, next: string): boolean {
  return /\s/.test(before.slice(-1) + next.slice(0, 1));
}

/** Signs around a part of a sentence, and the number or name before it. */
const aroundPart = /^(?:[^\p{L}\p{N}]*\d{1,2}[.):]|[^:=]{0,48}[:=])?[^\p{L}\p{N}]*|[^\p{L}\p{N}]+$/gu;
/** More characters than this are a sentence and no part of one. */
const wordsOfPartMax = 24;
const bareMessagesMax = 16;

/** The part of a sentence that a message may be, without what stands around it. */
function barePart(text: string, message: number): MessagePart | undefined {
  if (text.length > 48 + 2 * wordsOfPartMax) return undefined;
  const [before = '', after = ''] = [...matchesOf(text, aroundPart)].map(([found]) => found);
  const until = text.length - (before.length < text.length ? after.length : 0);
  const isShort = until > before.length && until - before.length <= wordsOfPartMax;
  return isShort ? { message, from: before.length, until } : undefined;
}

/** A message that may be a part of a key or number as a whole: one word, or capitals and figures in groups. */
const wholePart = /^\s*(?:\S*[^\s.!?,;:]|[A-Z\d]+(?:[ .-][A-Z\d]+)*)\s*$/;

interface MessagePart {
  readonly message: number;
  readonly from: number;
  readonly until: number;
}

/** So many parts a number is taken to be split into. */
const partsMax = 4;
/** The last pieces of a conversation are tried with each other; no more, for each is tried with the next ones. */
const piecesMax = 12;
const pieceCharactersMax = 200;
/** Figures and words with figures in them, in groups as they are written. */
const pieceOfNumber = /(?<![A-Za-z0-9])[A-Za-z0-9_-]*(?:\d|_|[a-z][A-Z])[\w-]*(?:[ .-](?=[A-Za-z0-9_]*\d)[\w-]+)*/g;

/** Fewer characters are a day, a price or a number of things, in a part and in all of them. */
const partCharactersMin = 3;
const splitCharactersMin = 12;

interface NumberPart {
  readonly message: number;
  readonly from: number;
  readonly text: string;
  /** True where neither words nor the end of a sentence stand behind it; alone: nor words before it, but its name. */
  readonly isLast: boolean;
  readonly isAlone: boolean;
}

/** Nothing, or words that tell which part follows: "part 2:", "and the second half is". */
const isNameOfPart =
  /^[^\p{L}\p{N}]*(?:(?:\d(?:st|nd|rd|th)?|the|and|then|next|now|is|of|part|piece|chunk|block|group|half|quarter|first|second|third|fourth|last|final|one|two|three|four|teil|hälfte|erste[rs]?|zweite[rs]?|dritte[rs]?|vierte[rs]?|dann|und|die|der|ist|partie|parte|puis|luego|et|y)(?![\p{L}\p{N}])[^\p{L}\p{N}]*){0,6}$/iu;

/** The longest piece with figures of a short message. */
function partOf(text: string, message: number): NumberPart[] {
  if (text.length > pieceCharactersMax) return [];
  const found = [...matchesOf(text, pieceOfNumber)].toSorted((one, other) => other[0].length - one[0].length)[0];
  if (found === undefined) return [];
  const isLast = !/[\p{L}\p{N}.?!]/u.test(text.slice(found.index + found[0].length));
  const isAlone = isLast && isNameOfPart.test(text.slice(0, found.index));
  return [{ message, from: found.index, text: found[0], isLast, isAlone }];
}

const startOfIban = /^[A-Z]{2}\d{2}[A-Z0-9]{11}/;

/** True for text that begins like an IBAN, or is letters to a quarter or more, as a key is and no order number. */
function isKeyLike(text: string): boolean {
  return (
    startOfIban.test(text) || 4 * text.replace(/[^A-Za-z]/g, '').length >= text.replace(/[^A-Za-z0-9]/g, '').length
  );
}

/**
 * True for parts that may be one number: words stand before the first alone, and no further number stands beside them.
 * Four numbers with words of their own are an order, a room, a distance and a year, and one row in thirty is a card.
 */
function areAlone(parts: readonly NumberPart[], first: number, count: number): boolean {
  const run = parts.slice(first, first + count);
  return (
    run[0]!.isLast &&
    run.slice(1).every(({ isAlone }) => isAlone) &&
    (run[0]!.isAlone ? parts[first - 1]?.isAlone !== true : count > 2 || run[1]!.message === run[0]!.message + 1) &&
    parts[first + count]?.isAlone !== true
  );
}

/** True for lengths of parts that one thing may be cut into: all the same or nearly so, but for the last. */
function isEven(lengths: readonly number[]): boolean {
  const before = lengths.slice(0, -1);
  const most = Math.max(...before);
  const last = lengths.at(-1)!;
  const all = lengths.reduce((sum, length) => sum + length, 0);
  const areAlike = most - Math.min(...before) <= 1 && last <= most + 1;
  return areAlike && Math.min(last, ...before) >= partCharactersMin && all >= splitCharactersMin;
}

/** A text that is put together from parts of messages. */
class Joint {
  text = '';
  readonly #texts: readonly string[];
  readonly #pieces: JointPiece[] = [];
  #run = 0;
  /** Starts of the pieces in the joined text, in their order. */
  readonly #starts: number[] = [];
  /** Parts of the joined text of which a finding has to be the whole; none: it may stand anywhere. */
  readonly #wholes: { readonly start: number; readonly end: number }[] = [];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  #add(message: number, from: number, until: number): void {
    this.#pieces.push({ message, from, at: this.text.length, length: until - from, run: this.#run });
    this.#starts.push(this.text.length);
    this.text += this.#texts[message]!.slice(from, until);
  }

  /** Parts the text from what follows: no finding may reach over what was left out. */
  #leaveGap(): void {
    if (this.text !== '') this.text += '\n\n\n';
    this.#run += 1;
  }

  addEnds(messages: readonly number[], between: string): void {
    this.#leaveGap();
    messages.forEach((message, index) => {
      const { length } = this.#texts[message]!;
      if (index > 0 && !isBlankBetween(this.#texts[messages[index - 1]!]!, this.#texts[message]!)) this.text += between;
      if (length <= 2 * edgeCharactersMax) return this.#add(message, 0, length);
      this.#add(message, 0, edgeCharactersMax);
      this.#leaveGap();
      this.#add(message, length - edgeCharactersMax, length);
    });
  }

  /**
   * Each message with the next one alone, where one of them may be a part as a whole: a third message beside it, glued
   * to it, would hide the edge of what both make. Of figures both are such parts: many a sentence ends with a number.
   */
  addNeighbours(): void {
    const areParts = this.#texts.map((text) => text.length <= edgeCharactersMax && wholePart.test(text));
    const isPartOfKey = (message: number): boolean => areParts[message]! && /\p{L}/u.test(this.#texts[message]!);
    for (let next = 1; next < areParts.length; next++) {
      if (!(areParts[next - 1] && areParts[next]) && !isPartOfKey(next - 1) && !isPartOfKey(next)) continue;
      this.#leaveGap();
      const [{ length }, { length: lengthOfNext }] = [this.#texts[next - 1]!, this.#texts[next]!];
      this.#add(next - 1, Math.max(0, length - edgeCharactersMax), length);
      this.#add(next, 0, Math.min(lengthOfNext, edgeCharactersMax));
    }
  }

  /** Runs of three or more of the last messages that are a few words each: all, and every other one. */
  addBareWords(between: string): void {
    const last = [...this.#texts.keys()].slice(-bareMessagesMax);
    const odd = [0, 1].map((one) => last.filter((_, index) => index % 2 === one));
    for (const messages of [last, ...odd]) {
      let run: MessagePart[] = [];
      for (const message of [...messages, undefined]) {
        const part = message === undefined ? undefined : barePart(this.#texts[message]!, message);
        if (part !== undefined) run.push(part);
        else {
          if (run.length > 2) this.#addRun(run, between);
          run = [];
        }
      }
    }
  }

  #addRun(run: readonly MessagePart[], between: string): void {
    this.#leaveGap();
    run.forEach(({ message, from, until }, index) => {
      if (index > 0) this.text += between;
      this.#add(message, from, until);
    });
  }

  /** Each run of two to four messages that may be parts of one key or number, by their longest piece alone. */
  addPieces(): void {
    const last = this.#texts.flatMap(partOf).slice(-piecesMax);
    for (let first = 0; first < last.length; first++) {
      for (let count = 2; count <= partsMax && first + count <= last.length; count++) {
        const run = last.slice(first, first + count);
        if (!isEven(run.map(({ text }) => text.replace(/[^A-Za-z0-9]/g, '').length))) continue;
        if (!isKeyLike(run.map(({ text }) => text).join('')) && !areAlone(last, first, count)) continue;
        const sign = run.map(({ text }) => /[ .-]/.exec(text)?.[0]).find((one) => one !== undefined) ?? '';
        for (const gap of new Set([sign, ''])) this.#addWhole(run, gap);
      }
    }
  }

  #addWhole(run: readonly NumberPart[], gap: string): void {
    if (this.text !== '') this.text += '\n\n';
    const start = this.text.length;
    run.forEach(({ message, from, text }, index) => {
      if (index > 0) this.text += gap;
      this.#add(message, from, from + text.length);
    });
    this.#wholes.push({ start, end: this.text.length });
  }

  finish(plan: ReadingPlan, budget: WorkBudget): JoinedMessages {
    return { prepared: prepare(this.text, plan, budget), split: (...asked) => this.#split(...asked) };
  }

  #split(finding: SeenFinding, { readsNameBefore = false, findsListed = false }: Policy): readonly PartFinding[] {
    const end = finding.start + finding.length;
    if (this.#wholes.length > 0 && !this.#wholes.some((whole) => whole.start === finding.start && whole.end === end))
      return [];
    // Each message may have findings, so they are not held against all pieces.
    const first = lastAtMost(this.#starts, finding.start);
    const runs = new Map<number, PartFinding[]>();
    for (let next = first; next < this.#pieces.length; next++) {
      const { message, from, at, length, run } = this.#pieces[next]!;
      if (at >= end) break;
      const start = Math.max(finding.start, at);
      const partEnd = Math.min(end, at + length);
      if (start >= partEnd) continue;
      const parts = runs.get(run) ?? [];
      runs.set(run, parts);
      parts.push({ ...finding, message, start: from + start - at, length: partEnd - start });
    }
    // White space of a phrase or pattern may be a gap as well. A pattern finds nothing else inside of what it matches.
    if (findsListed && runs.size > 1) return [];
    const split = [...runs.values()].filter(([one, ...others]) => others.some((each) => each.message !== one!.message));
    if (split.length > 0) return split.flat();
    return readsNameBefore && this.#isBehindAnother(finding, first) ? [...runs.values()].flat() : [];
  }

  /** True near the start of a message right behind the end of another one, and away from where it is cut. */
  #isBehindAnother({ start, length }: SeenFinding, place: number): boolean {
    const [before, piece] = [this.#pieces[place - 1], this.#pieces[place]];
    if (before === undefined || piece?.from !== 0 || start > piece.at + valueStartMax) return false;
    const isCut = start + length >= piece.at + piece.length && piece.length < this.#texts[piece.message]!.length;
    return !isCut && before.at + before.length === piece.at;
  }
}
