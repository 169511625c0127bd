import { Refusal } from '../refusal.ts';
import type { Asking, TextsSize } from '../contract.ts';
import { MotifShares } from './motif-shares.ts';

/** Milliseconds of judging in one round of the event loop, idle time taken off; then others are heard. */
const turnMs = 5;
/**
 * The same while new connections come, of which the system hands over one in each round. Where others took long, a turn
 * is as long as that, up to the usual one.
 */
const hurriedTurnMs = 1;
/** The time for which turns are that short after a new connection: where another one waits, it comes a round later. */
const hurriedMs = 20;
/** Characters that are parsed or written as JSON in a millisecond, about. */
const jsonCharactersPerMs = 100_000;
/**
 * Characters that are judged in a millisecond, and milliseconds for each text, beside those of others. With fewer
 * characters large prompts of one token would wait for many more of the small ones of dozens.
 */
const charactersPerMs = 1000;
const msPerText = 0.05;
/** The most that one piece of work counts: one that seems to take longer stood still with the process. */
const countedMsMax = 250;

/**
 * Rounds for which work is held back while new connections come: one that was reset as soon as its prompt was sent is
 * read in the first of them, and known to be closed in the second.
 */
const heldRounds = 2;

interface Waiting {
  readonly holder: string;
  readonly signal: AbortSignal;
  readonly size: TextsSize;
  run(): void;
  leave(): void;
}

const nothing: TextsSize = { characters: 0, texts: 0 };

/** Milliseconds that texts may take. */
function msOf({ characters, texts }: TextsSize): number {
  return characters / charactersPerMs + texts * msPerText;
}

/**
 * Judging in the event loop of this process, a little in each of its rounds. Work that finds no more room in a round
 * waits for the next one. There Motifs share the time, and of a Motif its tokens.
 *
 * While new connections come, work has half of the time, for some of it takes a whole round: two hundred connections
 * with a costly text each would keep a new one waiting for as many of these rounds. And it waits until it is seen
 * whether its client has reset the connection, which costs a client less than to wait for the answer.
 */
export class JudgingTurns {
  readonly #monotonic: () => number;
  readonly #waiting = new MotifShares<Waiting>(({ size }) => msOf(size));
  /** Work that is held back, by the rounds that are left to it. */
  readonly #held: Waiting[][] = Array.from({ length: heldRounds }, () => []);
  #spentMs = 0;
  #endedAt = 0;
  #isArmed = false;
  #hurriedUntil = 0;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /**
   * The result of the work, at once where there is room. Rejects with a Refusal where its client has gone meanwhile.
   * Short work is not held back: two rounds are more than it takes. Work that may take less comes sooner.
   */
  take<T>({ holder, signal }: Asking, work: () => T | Promise<T>, isShort = false, size = nothing): T | Promise<T> {
    const isHeld = !isShort && this.#monotonic() < this.#hurriedUntil;
    if (this.#waiting.size === 0 && !isHeld) {
      const now = this.#rest();
      if (this.#spentMs < this.#turnMs(now)) return this.#run(work, now);
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        holder,
        signal,
        size,
        run: () => {
          try {
            resolve(this.#run(work, this.#monotonic()));
          } catch (error) {
            reject(error as Error);
          }
        },
        leave: () => reject(new Refusal('client_gone')),
      };
      if (isHeld) this.#held.at(-1)!.push(waiting);
      else this.#waiting.add(holder, waiting);
      this.#arm();
    });
  }

  noteConnection(): void {
    this.#hurriedUntil = this.#monotonic() + hurriedMs;
  }

  noteWork(characters: number): void {
    this.#spentMs += characters / jsonCharactersPerMs;
    if (this.#spentMs >= 1) this.#arm();
  }

  /** Takes off the time without judging, unless the round that judged has yet to end; returns the moment. */
  #rest(): number {
    const now = this.#monotonic();
    // Below 0 is what makes a short turn as long as others took, but no longer than the usual one.
    const spentMin = this.#turnMs(now) - turnMs;
    if (!this.#isArmed) this.#spentMs = Math.max(spentMin, this.#spentMs - (now - this.#endedAt));
    return (this.#endedAt = now);
  }

  #turnMs(now: number): number {
    return now < this.#hurriedUntil ? hurriedTurnMs : turnMs;
  }

  #run<T>(work: () => T, startedAt: number): T {
    try {
      return work();
    } finally {
      this.#endedAt = this.#monotonic();
      this.#spentMs += Math.min(this.#endedAt - startedAt, countedMsMax);
      if (this.#spentMs >= this.#turnMs(this.#endedAt)) this.#arm();
    }
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(() => {
      this.#isArmed = false;
      const maxMs = this.#turnMs(this.#monotonic());
      if (this.#hasRoom(maxMs)) while (this.#waiting.size > 0 && this.#spentMs < maxMs) this.#runNext();
      for (const held of this.#held.shift()!)
        if (held.signal.aborted) held.leave();
        else this.#waiting.add(held.holder, held);
      this.#held.push([]);
      if (this.#waiting.size > 0 || this.#held.some((each) => each.length > 0)) this.#arm();
    });
  }

  /** True where the round that begins has room for work. */
  #hasRoom(maxMs: number): boolean {
    // Time in which others were heard since the last work makes room, however many rounds they took.
    if (maxMs < turnMs) this.#rest();
    const hasRoom = this.#spentMs < maxMs;
    // Otherwise work that filled a round has the next one left to others.
    if (maxMs === turnMs) this.#spentMs = 0;
    return hasRoom;
  }

  #runNext(): void {
    const [holder, next] = this.#waiting.takeNext();
    const spentBefore = this.#spentMs;
    if (next.signal.aborted) next.leave();
    else next.run();
    this.#waiting.noteUse(holder, this.#spentMs - spentBefore);
  }
}
