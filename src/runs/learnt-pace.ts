/** Requests that have to be let through before a pace is taken from them: fewer say too little. */
const acceptedMin = 8;
/** The share of what was let through that is cut off; twice as much each time that the new pace is refused at once. */
const cutShare = 0.02;
const cutShareMax = 0.08;
/** A pace below its minute's count by this share was cut more than once. */
const furtherCutShare = 1.5 * cutShare;
const atOnceMs = 10_000;
/** The share of a pace that is kept at least, where the service takes requests again after so short a wait. */
const keptShare = 0.85;
const shortWaitMsMax = 2000;
/** The time over which is counted what the service lets through: most limits are named by the minute. */
const spanMs = 60_000;
const marksEveryMs = 5000;
/** The wait after a first refusal, and the longest one between tries while all are refused. */
const firstWaitMs = 1000;
const refusedWaitMsMax = 8000;
/** The pace grows by 1 %, 3 %, 7 % ... after each such time: quickly while nothing has refused it yet. */
const newStepMs = 10_000;
const provenStepMs = 40_000;
/** A proven pace below this many a minute grows more slowly, for each refusal is a larger share of its requests. */
const slowPerMinute = 300;
/** A pace grows while at least this share of it is used. */
const usedShare = 0.9;
/** The growth from which on the pace counts as no limit. */
const growthMax = 1000;

/** The number of requests that had been started by a moment, less those refused until then. */
interface Mark {
  readonly at: number;
  accepted: number;
}

/**
 * The pace that a service allows, learnt from its refusals: as much as it let through in the minute before is sent from
 * then on, evenly. Without refusals the pace grows again, slowly at first, for limits are raised too.
 */
export class LearntPace {
  /** Requests a millisecond when it was learnt; undefined while nothing is. */
  #rate: number | undefined;
  /** Requests that are let through in any minute; undefined where no refusal told it. */
  #inSpanMax: number | undefined;
  /** The time in which the pace was used since it was learnt. */
  #usedMs = 0;
  #learntAt = -Infinity;
  #isProven = false;
  #cut = cutShare;
  /** Requests that were started, less the refused ones: one that is under way counts as let through. */
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

  /** All was refused since the last answer. */
  get isRefused(): boolean {
    return this.#waitMs > 0;
  }

  /** The time from the start of a request to that of the next, in milliseconds. */
  gapMs(now: number): number {
    return Math.max(this.#waitMs, 1 / (this.#pace() ?? Infinity), this.#roomInMs(now));
  }

  started(now: number): void {
    const last = this.#marks.at(-1);
    if (last === undefined || now - last.at >= marksEveryMs) {
      if (last !== undefined) this.#noteUse(last, now);
      this.#marks.push({ at: now, accepted: this.#accepted });
      while (this.#marks.length > 1 && now - this.#marks[1]!.at >= spanMs) this.#marks.shift();
    }
    this.#accepted += 1;
  }

  /** Takes a request out of the count that was refused for another reason. */
  leaveOut(): void {
    this.#accepted -= 1;
  }

  /** Takes note of a refusal; `isTimed` where the service said when to come back. Returns the wait until then. */
  refused(startedAt: number, now: number, isTimed: boolean): number {
    this.#accepted -= 1;
    this.#isTimed ||= isTimed;
    // Requests that were under way at the last refusal are part of the same one, and were not let through either.
    if (startedAt <= this.#refusal.at) {
      this.#refusal.accepted -= 1;
      return 0;
    }
    const firstMs = this.isLearnt ? Math.min(firstWaitMs, this.gapMs(now)) : firstWaitMs;
    this.#waitMs = this.#waitMs === 0 ? firstMs : Math.min(refusedWaitMsMax, this.#waitMs * 2);
    this.#refusal = { at: now, accepted: this.#accepted, pace: this.#pace() };
    return this.#waitMs;
  }

  /** Takes note of an answer. The first one to a request that was begun after the last refusal tells the pace. */
  answered(startedAt: number): void {
    if (this.#waitMs === 0 || startedAt <= this.#refusal.at) return;
    const { at, accepted, pace = Infinity } = this.#refusal;
    const since = Math.max(at - spanMs, this.#marks[0]!.at);
    // In a run shorter than a minute the span ends when the service takes requests again, between refusal and answer.
    // A service that says nothing and takes more once the minute is over seems to count by the minute.
    const lateMs = startedAt - since - spanMs;
    const isOfSpan = at - since >= spanMs || (!this.#isTimed && lateMs >= 0 && lateMs <= refusedWaitMsMax);
    const end = isOfSpan ? Math.max(at, since + spanMs) : this.#isTimed ? startedAt : (at + startedAt) / 2;
    this.#waitMs = 0;
    this.#isTimed = false;
    const count = accepted - this.#acceptedAt(since);
    if (count < acceptedMin) return;
    this.#cut = at - this.#learntAt < atOnceMs ? Math.min(cutShareMax, this.#cut * 2) : cutShare;
    // Over a few seconds the wait itself weighs too much: a refusal that is over so soon tells of little too many.
    const isShort = !isOfSpan && pace < Infinity && startedAt - at <= shortWaitMsMax;
    const least = isShort ? keptShare * pace : 0;
    this.#rate = (1 - this.#cut) * Math.max(least, Math.min(count / (end - since), pace));
    if (isOfSpan) this.#inSpanMax = count;
    this.#isProven = pace < Infinity;
    this.#learntAt = startedAt;
    this.#usedMs = 0;
  }

  /** Counts the time in which the pace was used: where few requests may be under way nothing would refuse a growth. */
  #noteUse(last: Mark, now: number): void {
    const used = this.#accepted - last.accepted;
    const mostUsed = Math.min((this.#pace() ?? Infinity) * (now - last.at), this.#inSpanMax ?? Infinity);
    if (used >= usedShare * mostUsed) this.#usedMs += now - last.at;
  }

  /** The time until the last minute has room for one more. */
  #roomInMs(now: number): number {
    if (this.#inSpanMax === undefined || this.#pace() === undefined) return 0;
    const surplus = this.#accepted + 1 - this.#inSpanMax * this.#growth();
    const next = this.#marks.findIndex(({ accepted }) => accepted >= surplus);
    if (next <= 0) return 0;
    const [before, after] = [this.#marks[next - 1]!, this.#marks[next]!];
    const share = (surplus - before.accepted) / (after.accepted - before.accepted);
    return Math.max(0, before.at + share * (after.at - before.at) + spanMs - now);
  }

  /** The number that had been let through at a moment, as if it had grown evenly between two marks. */
  #acceptedAt(moment: number): number {
    const next = this.#marks.findIndex(({ at }) => at > moment);
    const before = this.#marks.at(next === -1 ? -1 : Math.max(0, next - 1))!;
    const after = this.#marks[next] ?? before;
    const share = after.at > before.at ? (moment - before.at) / (after.at - before.at) : 0;
    return before.accepted + share * (after.accepted - before.accepted);
  }

  #pace(): number | undefined {
    const growth = this.#growth();
    return this.#rate === undefined || growth > growthMax ? undefined : this.#rate * growth;
  }

  #growth(): number {
    const perMinute = (this.#rate ?? Infinity) * 60_000;
    // Refusals in a row cut more than a minute allows.
    const isCutFurther = perMinute < (this.#inSpanMax ?? 0) * (1 - furtherCutShare);
    const provenMs = provenStepMs * (isCutFurther ? 1 : Math.max(1, Math.sqrt(slowPerMinute / perMinute)));
    return 1 + 0.01 * (2 ** (this.#usedMs / (this.#isProven ? provenMs : newStepMs)) - 1);
  }
}
