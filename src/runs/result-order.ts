/** One item and what came of it. */
export interface Finished<Item, Result> {
  readonly item: Item;
  readonly result: Result;
}

/** Results that were not handed out yet, in the order in which they have to be. */
export class ResultOrder<Item, Result> {
  readonly #isOfInput: boolean;
  /** Results that wait for their turn, a place for each item of the window: a Map would keep what was removed. */
  readonly #ready: (Finished<Item, Result> | undefined)[];
  readonly #queue: Finished<Item, Result>[] = [];
  #nextPlace = 0;

  constructor(order: 'input' | 'finished', windowItems: number) {
    this.#isOfInput = order === 'input';
    this.#ready = Array.from({ length: windowItems });
  }

  put(place: number, finished: Finished<Item, Result>): void {
    if (this.#isOfInput) this.#ready[place % this.#ready.length] = finished;
    else this.#queue.push(finished);
  }

  /**
   * Takes out the next result that may be handed out. `begun` is the number of items that were begun, given once no
   * more can come: those before which an item was left unasked come last, still in order.
   */
  take(begun: number | undefined): Finished<Item, Result> | undefined {
    if (!this.#isOfInput) return this.#queue.shift();
    const size = this.#ready.length;
    while (this.#ready[this.#nextPlace % size] === undefined && this.#nextPlace < (begun ?? 0)) this.#nextPlace += 1;
    const next = this.#ready[this.#nextPlace % size];
    if (next === undefined) return undefined;
    this.#ready[this.#nextPlace % size] = undefined;
    this.#nextPlace += 1;
    return next;
  }
}
