/** What one Motif may use in this process. Three numbers a Motif, however much is asked. */
export interface QuotaLimits {
  readonly rpm: number | undefined;
  readonly tokensPerDay: number | undefined;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Counts the prompts and tokens of one Motif; it outlives the version of the file that its limits come from. */
export class Quota {
  #minute = 0;
  #prompts = 0;
  #promptsBefore = 0;
  #day = 0;
  #tokens = 0;

  /** Takes one prompt, or says how long to wait until there is room for one. */
  take({ rpm, tokensPerDay }: QuotaLimits, now: number): number | undefined {
    const waitMs = Math.max(this.#tokensWaitMs(tokensPerDay, now), this.#promptsWaitMs(rpm, now));
    if (waitMs > 0) return waitMs;
    this.#prompts += 1;
    return undefined;
  }

  /** Known only afterwards, so that prompts in flight together may go beyond the day's limit together. */
  addTokens(count: number, now: number): void {
    this.#toDay(now);
    this.#tokens += count;
  }

  /** Until midnight in UTC, when a new day begins. */
  #tokensWaitMs(tokensPerDay: number | undefined, now: number): number {
    this.#toDay(now);
    return tokensPerDay === undefined || this.#tokens < tokensPerDay ? 0 : (this.#day + 1) * dayMs - now;
  }

  /** The last sixty seconds: this minute, and of the one before as much of it as they still cover. */
  #promptsWaitMs(rpm: number | undefined, now: number): number {
    this.#toMinute(now);
    if (rpm === undefined) return 0;
    const elapsedMs = now - this.#minute * minuteMs;
    const room = rpm - 1 - this.#prompts;
    if (room >= 0) return Math.max(0, coveredUntilMs(this.#promptsBefore, room) - elapsedMs);
    return minuteMs - elapsedMs + coveredUntilMs(this.#prompts, rpm - 1);
  }

  #toDay(now: number): void {
    const day = Math.floor(now / dayMs);
    if (day === this.#day) return;
    this.#day = day;
    this.#tokens = 0;
  }

  #toMinute(now: number): void {
    const minute = Math.floor(now / minuteMs);
    if (minute === this.#minute) return;
    this.#promptsBefore = minute === this.#minute + 1 ? this.#prompts : 0;
    this.#prompts = 0;
    this.#minute = minute;
  }
}

/** How far into a minute the share of an earlier one that still counts is down to `room`. */
function coveredUntilMs(earlier: number, room: number): number {
  return earlier <= room ? 0 : Math.ceil(minuteMs * (1 - room / earlier));
}
