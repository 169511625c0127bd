/** Requests that have to be let through before a pace is taken from them: fewer say too little. */
const acceptedMin = 8;
/** The share of what was let through that is cut off; twice as much each time that the new pace is refused at once. */
const cutShare = 0.02;
const cutShareMax = 0.08;
const atOnceMs = 10_000;
/** The time over which is counted what the service lets through: most limits are named by the minute. */
const spanMs = 60_000;
const marksEveryMs = 5000;
/** The wait after a first refusal, and the longest one between tries while all are refused. */
const firstWaitMs = 1000;
const refusedWaitMsMax = 8000;
/** The pace grows by 1 %, 3 %, 7 % ... after each such time: quickly while nothing has refused it yet. */
const newStepMs = 10_000;
const provenStepMs = 40_000;
/** The growth from which on the pace counts as no limit. */
const growthMax = 1000;

/** The number of requests that had been let through at a moment. */
interface Mark {
  readonly at: number;
  readonly accepted: number;
}

/**
 * The pace that a service allows, learnt from its refusals: as much as it let through in the minute before is sent from
 * then on, evenly. Without refusals the pace grows again, slowly at first, for limits are raised too.
 */
export class LearntPace {
  /** Requests a millisecond when it was learnt; undefined while nothing is. */
  #rate: number | undefined;
  #learntAt = -Infinity;
  #isProven = false;
  #cut = cutShare;
  #accepted = 0;
  /** Counts of the last minute, and the one before. */
  readonly #marks: Mark[] = [];
  /** The last refusal that was no echo of the one before, what had been let through by then, and its pace. */
  #refusal: Mark & { readonly pace?: number | undefined } = { at: -Infinity, accepted: 0 };
  /** The time from one try to the next while requests are refused. */
  #waitMs = 0;
  #isTimed = false;

  get isLearnt(): boolean {
    return this.#rate !== undefined;
  }

  /** The time from the start of a request to that of the next, in milliseconds. */
  gapMs(now: number): number {
    return Math.max(this.#waitMs, 1 / (this.#paceAt(now) ?? Infinity));
  }

  started(now: number): void {
    const last = this.#marks.at(-1);
    if (last === undefined || now - last.at >= marksEveryMs) {
      this.#marks.push({ at: now, accepted: this.#accepted });
      while (this.#marks.length > 1 && now - this.#marks[1]!.at >= spanMs) this.#marks.shift();
    }
    this.#accepted += 1;
  }

  /** Takes note of a refusal; `isTimed` where the service said when to come back. Returns the wait until then. */
  refused(startedAt: number, now: number, isTimed: boolean): number {
    this.#accepted -= 1;
    this.#isTimed ||= isTimed;
    // Requests that were under way at the last refusal are part of the same one.
    if (startedAt <= this.#refusal.at) return 0;
    const firstMs = this.isLearnt ? Math.min(firstWaitMs, this.gapMs(now)) : firstWaitMs;
    this.#waitMs = this.#waitMs === 0 ? firstMs : Math.min(refusedWaitMsMax, this.#waitMs * 2);
    this.#refusal = { at: now, accepted: this.#accepted, pace: this.#paceAt(now) };
    return this.#waitMs;
  }

  /** Takes note of an answer. The first one to a request that was begun after the last refusal tells the pace. */
  answered(startedAt: number): void {
    if (this.#waitMs === 0 || startedAt <= this.#refusal.at) return;
    const { at, accepted, pace = Infinity } = this.#refusal;
    const since = Math.max(at - spanMs, this.#marks[0]!.at);
    // Of a run that is younger the span lasts until the service takes more, somewhere between the two.
    const end = at - since >= spanMs ? at : this.#isTimed ? startedAt : (at + startedAt) / 2;
    this.#waitMs = 0;
    this.#isTimed = false;
    const count = accepted - this.#acceptedAt(since);
    if (count < acceptedMin) return;
    this.#cut = at - this.#learntAt < atOnceMs ? Math.min(cutShareMax, this.#cut * 2) : cutShare;
    this.#rate = (1 - this.#cut) * Math.min(count / (end - since), pace);
    this.#isProven = pace < Infinity;
    this.#learntAt = startedAt;
  }

  /** The number that had been let through at a moment, as if it had grown evenly between two marks. */
  #acceptedAt(moment: number): number {
    const next = this.#marks.findIndex(({ at }) => at > moment);
    const before = this.#marks.at(next === -1 ? -1 : Math.max(0, next - 1))!;
    const after = this.#marks[next] ?? before;
    const share = after.at > before.at ? (moment - before.at) / (after.at - before.at) : 0;
    return before.accepted + share * (after.accepted - before.accepted);
  }

  #paceAt(now: number): number | undefined {
    if (this.#rate === undefined) return undefined;
    const steps = Math.max(0, now - this.#learntAt) / (this.#isProven ? provenStepMs : newStepMs);
    const growth = 1 + 0.01 * (2 ** steps - 1);
    return growth > growthMax ? undefined : this.#rate * growth;
  }
}
