/** Holders that are looked at for the one that used the least: there may be thousands. */
const looksMax = 128;

/** Items of several holders, in the order in which they came: of one holder in hundreds, of another one or two. */
export class ByHolder<T> {
  readonly #items = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  countOf(holder: string): number {
    return this.#items.get(holder)?.size ?? 0;
  }

  add(holder: string, item: T): void {
    const own = this.#items.get(holder);
    if (own?.has(item) === true) return;
    this.#size += 1;
    if (own === undefined) this.#items.set(holder, new Set([item]));
    else own.add(item);
  }

  /** False where it was not there. */
  delete(holder: string, item: T): boolean {
    const own = this.#items.get(holder);
    if (own === undefined || !own.delete(item)) return false;
    this.#size -= 1;
    if (own.size === 0) this.#items.delete(holder);
    return true;
  }

  /** Takes the first item of the holder whose turn it is: each has one before any has two. */
  takeNext(): T | undefined {
    const [holder] = this.#items.keys();
    return holder === undefined ? undefined : this.#takeFirst(holder);
  }

  /** Takes one after the other in the same turns, of those that are wanted; each is looked at once. */
  *takeWanted(isWanted: (item: T) => boolean): Generator<T, undefined> {
    const rows = new Map([...this.#items].map(([holder, own]) => [holder, own.values()]));
    while (rows.size > 0) {
      for (const [holder, row] of rows) {
        let next = row.next();
        while (next.done !== true && !isWanted(next.value)) next = row.next();
        if (next.done === true) rows.delete(holder);
        else yield this.#take(holder, next.value);
      }
    }
    return undefined;
  }

  /**
   * Takes the first item of the one that used the least, with what this item may use, of those whose turn is near; of
   * several alike, the first.
   */
  takeLeastUsed(usedBy: (holder: string, first: T) => number): readonly [holder: string, item: T] | undefined {
    let least: string | undefined;
    let leastUsed = Infinity;
    let looks = 0;
    for (const [holder, own] of this.#items) {
      if ((looks += 1) > looksMax) break;
      const [first] = own;
      const used = usedBy(holder, first!);
      if (used >= leastUsed) continue;
      least = holder;
      leastUsed = used;
    }
    return least === undefined ? undefined : [least, this.#takeFirst(least)];
  }

  #takeFirst(holder: string): T {
    const [item] = this.#items.get(holder)!;
    return this.#take(holder, item!);
  }

  #take(holder: string, item: T): T {
    const own = this.#items.get(holder)!;
    this.delete(holder, item);
    // A map keeps the order in which its keys were set, so a holder with items left is the last of the round now.
    if (this.#items.delete(holder)) this.#items.set(holder, own);
    return item;
  }

  /** The holder that has the most, and its items. */
  largest(): readonly [holder: string, items: ReadonlySet<T>] | undefined {
    let largest: readonly [string, ReadonlySet<T>] | undefined;
    for (const entry of this.#items) if (entry[1].size > (largest?.[1].size ?? 0)) largest = entry;
    return largest;
  }
}
