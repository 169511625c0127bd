import { dayMs } from '../../text/durations.ts';

/** The most that a clock kept right over the network drifts from the machine's own in a day. */
const driftMsMax = 300_000;

export interface CountedDay {
  /** Changes when the counts of a day end. */
  readonly epoch: number;
  /** Until midnight in UTC. */
  readonly leftMs: number;
}

/**
 * The day in UTC, by a wall clock that anybody may set. A midnight only ends the counts where the time since boot,
 * which goes on while the machine sleeps, agrees that it has come, and that it is a day since the one before: a clock
 * that is set, in whatever direction, gives nobody a second day.
 */
export class UtcDay {
  readonly #now: () => number;
  readonly #sinceBoot: () => number;
  #epoch = 0;
  #epochBegan = -Infinity;
  #number: number;
  #seen: { readonly wall: number; readonly boot: number };

  constructor(now: () => number, sinceBoot: () => number) {
    this.#now = now;
    this.#sinceBoot = sinceBoot;
    this.#seen = { wall: now(), boot: sinceBoot() };
    this.#number = Math.floor(this.#seen.wall / dayMs);
  }

  look(): CountedDay {
    const wall = this.#now();
    const number = Math.floor(wall / dayMs);
    if (number !== this.#number) this.#change(number, wall);
    return { epoch: this.#epoch, leftMs: (number + 1) * dayMs - wall };
  }

  #change(number: number, wall: number): void {
    const boot = this.#sinceBoot();
    const jumpMs = wall - this.#seen.wall - (boot - this.#seen.boot);
    if (number > this.#number && jumpMs <= driftMsMax && boot - this.#epochBegan >= dayMs - driftMsMax) {
      this.#epoch += 1;
      this.#epochBegan = boot;
    }
    this.#number = number;
    this.#seen = { wall, boot };
  }
}
