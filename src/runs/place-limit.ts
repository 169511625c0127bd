/** A refusal that asks for a longer wait tells of a limit by time. */
const waitMsMax = 5000;
/** The refusals within the limit, closer together than so many answers, after which it is no limit of places. */
const strikesMax = 3;
const strikeAnswers = 50;
/** The answers after which one place more is tried; twice as many each time that it is refused. */
const growAnswersMin = 16;
const growAnswersMax = 1024;

/** One refusal, as the limit of places has to know it. */
interface PlaceRefusal {
  readonly startedAt: number;
  readonly now: number;
  /** Requests that were under way beside the refused one. */
  readonly beside: number;
  readonly waitMs: number | undefined;
}

/**
 * The number of requests that a service works on at once, learnt from its refusals. Where a refused one has others
 * beside it, and the next request is taken as soon as one of those is answered, places were full and no time has to
 * pass. A refusal of that next request, or further ones with fewer under way, tell of a limit by time instead.
 */
export class PlaceLimit {
  #state: 'unknown' | 'trial' | 'known' | 'none' = 'unknown';
  #places = Infinity;
  /** Requests begun until then knew nothing of the last refusal. */
  #cutAt = -Infinity;
  #hasTrial = false;
  #strikes = 0;
  #sinceStrike = 0;
  #sinceGrowth = 0;
  #growAnswers = growAnswersMin;

  /** True where one more request may begin beside those that are under way. */
  hasRoom(underWay: number): boolean {
    return underWay === 0 || (underWay < this.#places && !(this.#state === 'trial' && this.#hasTrial));
  }

  /** Takes note that a request is about to begin. */
  began(): void {
    this.#hasTrial = true;
  }

  /** Takes note of a refusal. True where it tells of places alone, so that no other request has to wait. */
  refused({ startedAt, now, beside, waitMs = 0 }: PlaceRefusal): boolean {
    if (this.#state === 'none' || beside === 0 || waitMs > waitMsMax) return false;
    if (startedAt <= this.#cutAt) {
      this.#places = Math.max(1, Math.min(this.#places, beside));
      return true;
    }
    const isStrike = this.#state === 'known' && beside < this.#places - 1;
    if (isStrike) this.#strikes += 1;
    if (isStrike) this.#sinceStrike = 0;
    if (this.#state === 'trial' || this.#strikes > strikesMax) {
      this.#state = 'none';
      this.#places = Infinity;
      return false;
    }
    if (this.#state === 'known') this.#growAnswers = Math.min(growAnswersMax, this.#growAnswers * 2);
    else this.#startTrial();
    this.#sinceGrowth = 0;
    this.#cutAt = now;
    this.#places = Math.max(1, Math.min(this.#places, beside));
    return true;
  }

  #startTrial(): void {
    this.#state = 'trial';
    this.#hasTrial = false;
  }

  answered(startedAt: number): void {
    if (this.#state === 'trial' && startedAt > this.#cutAt) this.#state = 'known';
    if (this.#state !== 'known') return;
    this.#sinceStrike += 1;
    if (this.#sinceStrike >= strikeAnswers) this.#strikes = 0;
    this.#sinceGrowth += 1;
    if (this.#sinceGrowth < this.#growAnswers) return;
    this.#sinceGrowth = 0;
    this.#places += 1;
    this.#growAnswers = Math.max(growAnswersMin, this.#growAnswers / 2);
  }

  /** Takes note of a request that ended without an answer or a refusal. */
  failed(startedAt: number): void {
    if (startedAt > this.#cutAt) this.#hasTrial = false;
  }
}
