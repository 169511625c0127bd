import type { CountedDay } from './utc-day.ts';

const minuteMs = 60_000;

/**
 * The prompts and tokens of one holder of limits: six numbers, however much is asked. Minutes are those of the
 * monotonic clock, so that setting the other one neither gives nor takes prompts.
 */
export class HolderUsage {
  /** Prompts in work. */
  inFlight = 0;
  #minute = 0;
  #prompts = 0;
  #promptsBefore = 0;
  #epoch = 0;
  #tokens = 0;

  addPrompt(at: number): void {
    this.#toMinute(at);
    this.#prompts += 1;
  }

  addTokens(count: number, day: CountedDay): void {
    this.#toDay(day);
    this.#tokens += count;
  }

  tokensWaitMs(tokensPerDay: number | undefined, day: CountedDay): number {
    this.#toDay(day);
    return tokensPerDay === undefined || this.#tokens < tokensPerDay ? 0 : day.leftMs();
  }

  /** The last sixty seconds: this minute, and of the one before as much of it as they still cover. */
  promptsWaitMs(rpm: number | undefined, at: number): number {
    this.#toMinute(at);
    if (rpm === undefined) return 0;
    const elapsedMs = at - this.#minute * minuteMs;
    const room = rpm - 1 - this.#prompts;
    if (room >= 0) return Math.max(0, coveredUntilMs(this.#promptsBefore, room) - elapsedMs);
    return minuteMs - elapsedMs + coveredUntilMs(this.#prompts, rpm - 1);
  }

  /** True where it may be forgotten once its day is over. */
  isIdle(at: number): boolean {
    this.#toMinute(at);
    return this.inFlight === 0 && this.#prompts === 0 && this.#promptsBefore === 0;
  }

  #toDay({ epoch }: CountedDay): void {
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#tokens = 0;
  }

  #toMinute(at: number): void {
    const minute = Math.floor(at / minuteMs);
    if (minute === this.#minute) return;
    this.#promptsBefore = minute === this.#minute + 1 ? this.#prompts : 0;
    this.#prompts = 0;
    this.#minute = minute;
  }
}

/** The moment of a minute at which the share of an earlier one that still counts is down to `room`. */
function coveredUntilMs(earlier: number, room: number): number {
  return earlier <= room ? 0 : Math.ceil(minuteMs * (1 - room / earlier));
}
