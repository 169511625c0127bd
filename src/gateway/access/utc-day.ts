import { dayMs } from '../../text/durations.ts';

/** The most that a clock kept right over the network drifts from the machine's own in a day. */
const driftMsMax = 300_000;

export interface CountedDay {
  /** Changes when the counts of a day end. */
  readonly epoch: number;
  /** Until they do, which is midnight in UTC where nobody sets the clock. */
  leftMs(): number;
}

/**
 * The day in UTC, by a wall clock that anybody may set. A midnight only ends the counts where the time since boot,
 * which goes on while the machine sleeps, agrees that it has come, and that it is a day since the one before: a clock
 * that is set, in whatever direction, gives nobody a second day. One that comes too early ends them once it agrees: a
 * machine whose clock was put right by some minutes would have one day of two.
 */
export class UtcDay {
  readonly #now: () => number;
  readonly #sinceBoot: () => number;
  #epoch = 0;
  /** The number of the day for which the counts are. */
  #counted: number;
  /** Of the clock as it was seen last. */
  #number: number;
  /** Times since boot: of the midnight that follows that, of the end of a whole day, and of one that is owed. */
  #midnightAt: number;
  #dayEndsAt = -Infinity;
  #owedAt = Infinity;

  constructor(now: () => number, sinceBoot: () => number) {
    this.#now = now;
    this.#sinceBoot = sinceBoot;
    const wall = now();
    this.#counted = this.#number = Math.floor(wall / dayMs);
    this.#midnightAt = sinceBoot() + toMidnight(wall);
  }

  look(): CountedDay {
    const wall = this.#now();
    const number = Math.floor(wall / dayMs);
    if (number !== this.#number) this.#change(number, wall);
    else if (this.#owedAt < Infinity) this.#payOwed();
    return { epoch: this.#epoch, leftMs: () => this.#leftMs(toMidnight(wall)) };
  }

  #change(number: number, wall: number): void {
    const isLater = number > this.#number;
    const dueAt = this.#dueAt;
    // Nobody may have looked for hours.
    const cameAt = this.#sinceBoot() - (wall % dayMs);
    this.#number = number;
    this.#midnightAt = cameAt + dayMs;
    this.#owedAt = number > this.#counted ? Math.min(this.#owedAt, dueAt) : Infinity;
    if (isLater && cameAt >= dueAt) this.#endCounts(cameAt);
    else this.#payOwed();
  }

  #payOwed(): void {
    if (this.#sinceBoot() >= this.#owedAt) this.#endCounts(this.#owedAt);
  }

  #endCounts(at: number): void {
    this.#epoch += 1;
    this.#counted = this.#number;
    this.#dayEndsAt = at + dayMs;
    this.#owedAt = Infinity;
  }

  get #dueAt(): number {
    return Math.max(this.#midnightAt, this.#dayEndsAt) - driftMsMax;
  }

  #leftMs(toMidnightMs: number): number {
    const boot = this.#sinceBoot();
    const dueMs = this.#dueAt - boot;
    // A midnight that comes too early is owed, but not one that a clock which was set back has twice.
    const nextMs = this.#number < this.#counted ? toMidnightMs + dayMs : dueMs;
    return Math.min(this.#owedAt - boot, toMidnightMs < dueMs ? nextMs : toMidnightMs);
  }
}

function toMidnight(wall: number): number {
  return dayMs - (wall % dayMs);
}
