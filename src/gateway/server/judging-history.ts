import { motifOf } from '../access/holder.ts';
import { Refusal } from '../refusal.ts';

/** The time for which a token counts as slow after a slow text. */
const slowForMs = 600_000;
const hourMs = 3_600_000;
/** The time after which half of what a token used is forgotten. */
const halfLifeMs = 10_000;

/** Tokens of which something was noted a short while ago. */
export class RecentTokens {
  readonly #monotonic: () => number;
  readonly #keptMs: number;
  readonly #until = new Map<string, number>();

  constructor(monotonic: () => number, keptMs: number) {
    this.#monotonic = monotonic;
    this.#keptMs = keptMs;
  }

  note(holder: string, keptMs = this.#keptMs): void {
    this.#until.set(holder, this.#monotonic() + keptMs);
  }

  has(holder: string): boolean {
    // Mostly there are none, and each text asks.
    if (this.#until.size === 0) return false;
    const until = this.#until.get(holder);
    if (until === undefined) return false;
    if (this.#monotonic() < until) return true;
    this.#until.delete(holder);
    return false;
  }
}

/** Milliseconds that tokens and Motifs used of the threads. */
interface Use {
  readonly ms: number;
  readonly at: number;
}

/** The past of tokens with large texts: which had slow ones, had threads ended, and used the threads for how long. */
export class JudgingHistory {
  readonly #monotonic: () => number;
  readonly #slow: RecentTokens;
  /** The moments of the last hour. */
  readonly #kills = new Map<string, readonly number[]>();
  readonly #uses = new Map<string, Use>();
  readonly #known = new Set<string>();
  #lastMotif: string | undefined;
  /** By Motif. */
  readonly #lastTokens = new Map<string, string>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
    this.#slow = new RecentTokens(monotonic, slowForMs);
  }

  noteSlow(holder: string): void {
    this.#slow.note(holder);
  }

  isSlow(holder: string): boolean {
    return this.#slow.has(holder);
  }

  noteUse(holder: string, ms: number): void {
    this.#known.add(holder);
    for (const one of [holder, motifOf(holder)]) this.#setUsed(one, this.usedMs(one) + ms);
  }

  /**
   * Notes a text that comes to those of others. A Motif, or a token, of which none was there begins with what the one
   * used that was last: those that waited meanwhile would come behind all that it may send, because they used threads
   * which nobody else wanted.
   */
  noteArrival(holder: string, others: readonly string[]): void {
    const motif = motifOf(holder);
    if (!others.some((other) => motifOf(other) === motif)) this.#raise(motif, this.#lastMotif);
    if (!others.includes(holder)) this.#raise(holder, this.#lastTokens.get(motif));
  }

  /** Notes that a text of it is begun. */
  noteBegin(holder: string): void {
    this.#lastMotif = motifOf(holder);
    this.#lastTokens.set(this.#lastMotif, holder);
  }

  #raise(one: string, last: string | undefined): void {
    const ms = last === undefined ? 0 : this.usedMs(last);
    if (ms > this.usedMs(one)) this.#setUsed(one, ms);
  }

  #setUsed(one: string, ms: number): void {
    this.#uses.set(one, { ms, at: this.#monotonic() });
  }

  /** True once a text of a token was judged. */
  isKnown(holder: string): boolean {
    return this.#known.has(holder);
  }

  /** The milliseconds that a token, or all of a Motif, used, those of long ago next to nothing. */
  usedMs(holder: string): number {
    const use = this.#uses.get(holder);
    return use === undefined ? 0 : use.ms * 0.5 ** ((this.#monotonic() - use.at) / halfLifeMs);
  }

  noteKill(holder: string): void {
    this.#kills.set(holder, [...this.#recentKills(holder), this.#monotonic()]);
  }

  /** The refusal of a token that had so many threads ended within an hour. */
  refusalOf(holder: string, killsMax: number): Refusal | undefined {
    const kills = this.#recentKills(holder);
    if (kills.length < killsMax) return undefined;
    const message = 'texts of this token took too much to judge';
    return new Refusal('limited', { message, retryAfterMs: hourMs - (this.#monotonic() - kills[0]!) });
  }

  #recentKills(holder: string): readonly number[] {
    const since = this.#monotonic() - hourMs;
    const kills = (this.#kills.get(holder) ?? []).filter((at) => at > since);
    if (kills.length === 0) this.#kills.delete(holder);
    return kills;
  }
}
