import type { JudgingClock } from '../contract.ts';
import { RecentTokens } from './judging-history.ts';

/** The time for which a token is remembered whose texts were costly to judge. */
const costlyMs = 10_000;
/** The same at first where time told so. */
const firstCostlyMs = 1250;
/** The time after which that is the first one again. */
const forgivenMs = 60_000;
/** Texts that take longer than this, and then use the processor for as long again, are late. */
const lateMs = 15;
/**
 * Characters of work, for each of the text, up to which it is ordinary: prose needs 20, a long conversation that is
 * redacted 110, and what is built to be costly hundreds. Time does not tell them apart in a process that is new, where
 * an ordinary text takes ten times as long until its code is compiled.
 */
const ordinaryWork = 150;
/** Texts with more work that take longer than this are long; the others are where they are late. */
const longMs = 5;
/** The time for which the processor time of a token's texts is looked at, after a long one. */
const suspectMs = 5000;
/** A token is costly whose long texts have used so much lately, and more than its others did. */
const usedMsMax = 50;
/** The same where the work of its texts is ordinary: those of a process that is new use a tenth of it. */
const ordinaryUsedMsMax = 500;
/** The time after which half of that is forgotten. */
const halfLifeMs = 1000;
/** Characters of work that take less than a tenth of a millisecond, and those of costly texts up to half of one. */
const charactersPerLook = 8000;

interface Use {
  readonly ms: number;
  /** Of texts that were not long. */
  readonly ordinaryMs: number;
  readonly at: number;
}

/** The time for which a token was remembered last. */
interface Term {
  readonly ms: number;
  readonly until: number;
}

/** Tokens of one sort of texts. */
class CostlyList {
  readonly #monotonic: () => number;
  readonly #costly: RecentTokens;
  readonly #suspects: RecentTokens;
  readonly #uses = new Map<string, Use>();
  readonly #terms = new Map<string, Term>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
    this.#costly = new RecentTokens(monotonic, costlyMs);
    this.#suspects = new RecentTokens(monotonic, suspectMs);
  }

  note(holder: string): void {
    this.#uses.delete(holder);
    this.#costly.note(holder);
  }

  has(holder: string): boolean {
    return this.#costly.has(holder);
  }

  isSuspect(holder: string): boolean {
    return this.#suspects.has(holder);
  }

  /**
   * Notes a text that seems long. Processor time is known from the second on: time alone tells nothing on a busy
   * machine.
   */
  noteLong(holder: string, usedMs: number | undefined, isOrdinary: boolean): void {
    this.#suspects.note(holder);
    if (usedMs === undefined || usedMs < (isOrdinary ? lateMs : longMs)) return;
    const { ms, ordinaryMs } = this.#use(holder, usedMs, 0);
    if (ms >= (isOrdinary ? ordinaryUsedMsMax : usedMsMax) && ms > ordinaryMs) this.#noteAgain(holder);
  }

  /** Remembers it for twice as long each time, so that one which goes on has little of the event loop. */
  #noteAgain(holder: string): void {
    const at = this.#monotonic();
    const term = this.#terms.get(holder);
    const isAgain = term !== undefined && at < term.until + forgivenMs;
    const ms = isAgain ? Math.min(2 * term.ms, costlyMs) : firstCostlyMs;
    this.#terms.set(holder, { ms, until: at + ms });
    this.#uses.delete(holder);
    this.#costly.note(holder, ms);
  }

  /** Notes a text that was not long, of a token that had one: of hundreds in a second, ordinary ones, some are. */
  noteOrdinary(holder: string, ms: number): void {
    if (this.#uses.has(holder)) this.#use(holder, 0, ms);
  }

  #use(holder: string, longMs: number, ordinaryMs: number): Use {
    const at = this.#monotonic();
    const before = this.#uses.get(holder) ?? { ms: 0, ordinaryMs: 0, at };
    const left = 0.5 ** ((at - before.at) / halfLifeMs);
    const use = { ms: before.ms * left + longMs, ordinaryMs: before.ordinaryMs * left + ordinaryMs, at };
    this.#uses.set(holder, use);
    return use;
  }
}

/**
 * Tokens with small texts that cost far more than ordinary ones: one of them that took too much work, or several
 * that took long. What comes of them next is judged in threads, or a hundred connections of a token would take half of
 * the time.
 * Short texts of a token are judged here as long as the costly ones were longer.
 */
export class CostlyTokens {
  readonly #monotonic: () => number;
  /** Of the thread in which they are judged. */
  readonly #processorMs: () => number;
  readonly #withShort: CostlyList;
  readonly #withLonger: CostlyList;

  constructor(monotonic: () => number, processorMs: () => number) {
    this.#monotonic = monotonic;
    this.#processorMs = processorMs;
    this.#withShort = new CostlyList(monotonic);
    this.#withLonger = new CostlyList(monotonic);
  }

  has(holder: string, isShort: boolean): boolean {
    return this.#withShort.has(holder) || (!isShort && this.#withLonger.has(holder));
  }

  clock(holder: string, characters: number, isShort: boolean): JudgingClock {
    const list = isShort ? this.#withShort : this.#withLonger;
    return new Clock(this.#monotonic, this.#processorMs, list, holder, characters * ordinaryWork);
  }
}

/** A class: each prompt has one, and most of them never look at the time. */
class Clock implements JudgingClock {
  readonly charactersPerLook = charactersPerLook;
  readonly #monotonic: () => number;
  readonly #processorMs: () => number;
  readonly #list: CostlyList;
  readonly #holder: string;
  readonly #ordinaryWork: number;
  #spent = 0;
  #startedAt: number | undefined;
  /** Of the start for a suspect; else of the moment from which on the texts may be late. */
  #usedBefore: number | undefined;
  #isSuspect = false;
  #wasLate = false;

  constructor(monotonic: () => number, processorMs: () => number, list: CostlyList, holder: string, work: number) {
    this.#monotonic = monotonic;
    this.#processorMs = processorMs;
    this.#list = list;
    this.#holder = holder;
    this.#ordinaryWork = work;
  }

  isLate(spent: number): boolean {
    this.#spent = spent;
    const now = this.#monotonic();
    if (this.#startedAt === undefined) {
      this.#startedAt = now;
      this.#isSuspect = this.#list.isSuspect(this.#holder);
      if (this.#isSuspect) this.#usedBefore = this.#processorMs();
      return false;
    }
    if (now - this.#startedAt < lateMs) return false;
    const used = this.#processorMs();
    this.#usedBefore ??= used;
    return (this.#wasLate = used - this.#usedBefore > lateMs);
  }

  stop(isExceeded: boolean): void {
    // One that was late goes elsewhere, but it may be ordinary: code that is new, or memory to be cleared, takes long.
    if (isExceeded && !this.#wasLate) return this.#list.note(this.#holder);
    if (this.#startedAt === undefined) return;
    const ms = this.#monotonic() - this.#startedAt;
    if (ms < longMs) return this.#list.noteOrdinary(this.#holder, ms);
    const usedMs = this.#usedBefore === undefined ? 0 : this.#processorMs() - this.#usedBefore;
    const lateUsedMs = this.#wasLate ? lateMs + usedMs : undefined;
    this.#list.noteLong(this.#holder, this.#isSuspect ? usedMs : lateUsedMs, this.#spent <= this.#ordinaryWork);
  }
}
