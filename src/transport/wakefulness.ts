/** A moment on both clocks: the monotonic one may stand still while the machine sleeps, the other is set at times. */
export interface Moment {
  readonly monotonic: number;
  readonly timeOfDay: number;
}

interface Clocks {
  /** The monotonic clock. */
  now(): number;
  timeOfDay?(): number;
}

/** Marks of an awake process are this far apart at most. */
export const markedEveryMs = 1000;
/** The lateness of a mark from which on the process was stopped or its machine slept. */
const lateMsMax = 1000;

/** Notices that this process was stopped, or that its machine slept, by marks that are late. */
export class Wakefulness {
  readonly #clocks: Clocks;
  #mark: Moment;
  #sleptUntil = -Infinity;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#mark = this.#moment();
  }

  #moment(): Moment {
    const monotonic = this.#clocks.now();
    return { monotonic, timeOfDay: this.#clocks.timeOfDay?.() ?? monotonic };
  }

  /** The latest mark. */
  get marked(): Moment {
    return this.#mark;
  }

  /** The time since a moment, that of sleep included. A clock that was set makes it longer at times. */
  msSince(before: Moment): number {
    return msBetween(before, this.#moment());
  }

  /** Leaves the first mark of a time with marks. */
  begin(): void {
    this.#mark = this.#moment();
  }

  /** Leaves a further mark. */
  mark(): void {
    const now = this.#moment();
    if (msBetween(this.#mark, now) > markedEveryMs + lateMsMax) this.#sleptUntil = now.monotonic;
    this.#mark = now;
  }

  /** True where a sleep was noticed after this moment of the monotonic clock. */
  hasSleptSince(monotonic: number): boolean {
    return this.#sleptUntil > monotonic;
  }
}

function msBetween(before: Moment, after: Moment): number {
  return Math.max(after.monotonic - before.monotonic, after.timeOfDay - before.timeOfDay);
}
