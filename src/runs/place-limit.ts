/** The answers after which one place more is tried; twice as many each time that it is refused. */
const growAnswersMin = 16;
const growAnswersMax = 1024;

/** One refusal, as the limit of places has to know it. */
interface PlaceRefusal {
  readonly startedAt: number;
  readonly now: number;
  /** Requests that were under way beside the refused one. */
  readonly beside: number;
}

/** The number of requests that a service works on at once, learnt from refusals that name this limit. */
export class PlaceLimit {
  #places = Infinity;
  /** Requests begun until then knew nothing of the last refusal. */
  #cutAt = -Infinity;
  #sinceGrowth = 0;
  #growAnswers = growAnswersMin / 2;

  /** True where one more request may begin beside those that are under way. */
  hasRoom(underWay: number): boolean {
    return underWay === 0 || underWay < this.#places;
  }

  refused({ startedAt, now, beside }: PlaceRefusal): void {
    this.#places = Math.max(1, Math.min(this.#places, beside));
    this.#sinceGrowth = 0;
    if (startedAt <= this.#cutAt) return;
    this.#growAnswers = Math.min(growAnswersMax, this.#growAnswers * 2);
    this.#cutAt = now;
  }

  answered(): void {
    if (this.#places === Infinity) return;
    this.#sinceGrowth += 1;
    if (this.#sinceGrowth < this.#growAnswers) return;
    this.#sinceGrowth = 0;
    this.#places += 1;
    this.#growAnswers = Math.max(growAnswersMin, this.#growAnswers / 2);
  }
}
