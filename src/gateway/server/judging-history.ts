import { Refusal } from '../refusal.ts';

/** The time for which a token is remembered whose text took long. */
const slowForMs = 600_000;
const hourMs = 3_600_000;

/** Tokens whose large texts took long, or had threads ended, by their names. */
export class JudgingHistory {
  readonly #monotonic: () => number;
  /** Until when they are remembered. */
  readonly #slow = new Map<string, number>();
  /** The moments of the last hour. */
  readonly #kills = new Map<string, readonly number[]>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  noteSlow(holder: string): void {
    this.#slow.set(holder, this.#monotonic() + slowForMs);
  }

  isSlow(holder: string): boolean {
    const until = this.#slow.get(holder);
    if (until === undefined) return false;
    if (until > this.#monotonic()) return true;
    this.#slow.delete(holder);
    return false;
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
