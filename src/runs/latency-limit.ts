/** The answers in a window, for each request under way and at least. */
const windowMin = 16;
/** The windows after which the limit is tried at another height first, and at the longest. */
const trialAfterMin = 4;
const trialAfterMax = 32;
/** A trial costs a job of few at once a larger share of its time: it begins later, unless answers became slower. */
const fewMax = 15;
const trialAfterOfFew = 16;
/**
 * The share of an overload in the growth of latency: 0 where each request takes as long as with fewer beside it, 1
 * where it takes longer by as much as there are more of them, so that they only wait for each other.
 */
const overloadShare = 0.5;
const fullOverloadShare = 0.8;
/** Slower answers than this are told from chance by so many standard errors. */
const errorsMin = 2;
/** A difference that is too small to matter. */
const differenceMsMin = 25;
/** Answers that take so many times as long as when the limit was chosen. */
const slowerFactor = 1.5;

/**
 * Latencies of requests that began one after the other with the same limit: the mean of their logarithms, and how sure
 * that is. It waits for the last of them, for those that answer first are the fast ones.
 */
export class Window {
  readonly limit: number;
  count = 0;
  #begun = 0;
  #sum = 0;
  #squares = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** True where a request belongs to this window. */
  begin(): boolean {
    if (this.#begun >= Math.max(windowMin, this.limit)) return false;
    this.#begun += 1;
    return true;
  }

  /** Takes out a request that got no answer. */
  leaveOut(): void {
    this.#begun -= 1;
  }

  get isFull(): boolean {
    return this.count >= Math.max(windowMin, this.limit);
  }

  get mean(): number {
    return this.#sum / this.count;
  }

  /** The square of the standard error of that mean. */
  get errorSquare(): number {
    return Math.max(0, this.#squares / this.count - this.mean ** 2) / this.count;
  }

  add(latencyMs: number): void {
    const logarithm = Math.log(Math.max(1, latencyMs));
    this.count += 1;
    this.#sum += logarithm;
    this.#squares += logarithm ** 2;
  }

  /** True where answers are slower than in the other window by this factor, and by more than chance. */
  isSlowerThan(other: Window, factor: number): boolean {
    const difference = this.mean - other.mean;
    const error = Math.sqrt(this.errorSquare + other.errorSquare);
    const differenceMs = Math.exp(this.mean) - Math.exp(other.mean);
    return difference > Math.log(factor) && difference > errorsMin * error && differenceMs > differenceMsMin;
  }
}

/**
 * Limit of requests under way that is lowered where more of them only make each other slower. From time to time half
 * as many are tried, or twice as many where there may be more, and the latencies of both compared. A service that is
 * slow whoever asks, or slow for long prompts, is slow at both and keeps the higher one.
 */
export class LatencyLimit {
  readonly #max: number;
  /** The window that is being filled, at the limit that counts now. */
  #window: Window;
  /** The window of the limit that was chosen: the one that a tried one, or a later one, is compared with. */
  #chosen: Window | undefined;
  #isTrial = false;
  /** The last window was slower than the chosen one. */
  #isSlower = false;
  #windows = 0;
  #trialAfter = trialAfterMin;

  constructor(max: number) {
    this.#max = max;
    if (max <= fewMax) this.#trialAfter = trialAfterOfFew;
    this.#window = new Window(max);
  }

  get current(): number {
    return this.#window.limit;
  }

  /** The window to which a request belongs that begins now; to be given back at its end. */
  started(): Window | undefined {
    return this.#window.begin() ? this.#window : undefined;
  }

  /** Takes note of the end of a request; without a latency where it got no answer. */
  ended(window: Window | undefined, latencyMs: number | undefined): void {
    if (window === undefined || window !== this.#window) return;
    if (latencyMs === undefined) return window.leaveOut();
    window.add(latencyMs);
    if (!window.isFull || this.#max === 1) return;
    if (this.#isTrial) this.#judge(window, this.#chosen!);
    else this.#noteWindow(window);
  }

  /** Begins a trial when it is time for one, or as soon as answers have become slower. */
  #noteWindow(window: Window): void {
    const isSlower = this.#chosen !== undefined && window.isSlowerThan(this.#chosen, slowerFactor);
    this.#windows += 1;
    // The window in which answers became slower has some of before, too: the next one is compared.
    const isSudden = isSlower && !this.#isSlower;
    this.#isSlower = isSlower;
    const isDue = this.#windows >= this.#trialAfter;
    if (isSudden || (!isSlower && !isDue)) {
      this.#chosen ??= window;
      this.#window = new Window(window.limit);
      return;
    }
    this.#isSlower = false;
    const isUpward = !isSlower && window.limit < this.#max;
    this.#try(window, isUpward ? Math.min(this.#max, window.limit * 2) : Math.ceil(window.limit / 2));
  }

  #try(chosen: Window, limit: number): void {
    this.#chosen = chosen;
    this.#isTrial = limit !== chosen.limit;
    this.#begin(limit);
  }

  #begin(limit: number): void {
    this.#window = new Window(limit);
    this.#windows = 0;
  }

  #judge(tried: Window, before: Window): void {
    const [low, high] = tried.limit < before.limit ? [tried, before] : [before, tried];
    const ratio = high.limit / low.limit;
    this.#isTrial = false;
    if (!high.isSlowerThan(low, ratio ** overloadShare)) return this.#choose(high, before);
    if (!high.isSlowerThan(low, ratio ** fullOverloadShare)) {
      this.#chosen = undefined;
      this.#trialAfter = Math.min(trialAfterMax, this.#trialAfter * 2);
      return this.#begin(Math.round(Math.sqrt(low.limit * high.limit)));
    }
    // The same may be true of still fewer.
    if (low === tried && low.limit > 1) return this.#try(low, Math.ceil(low.limit / 2));
    this.#choose(low, before);
  }

  /** Goes on at the limit of this window, with a trial sooner where it is another one than before. */
  #choose(chosen: Window, before: Window): void {
    const isSame = chosen === before;
    this.#trialAfter = isSame ? Math.min(trialAfterMax, this.#trialAfter * 2) : trialAfterMin;
    this.#chosen = chosen;
    this.#begin(chosen.limit);
  }
}
