import { type RowReader, rowSymbols } from '../../readings/digit-rows.ts';

/** Rows that were seen are known for all texts, if they are short, and so many of them. */
const knownCharactersMax = 24;
const nodesMax = 16_384;
/** So many rows of one text become known: of a text of nothing else, each would be tried with all patterns. */
const newMax = 64;
const root = 0;
/** In place of a node: no step leads back to the root. */
const none = 0;

/** Patterns of rows, and which of them each row has. The rows that are known are a tree of their symbols. */
export class KnownRows {
  readonly #patterns: { readonly pattern: RegExp; readonly hasLetters: boolean }[] = [];
  /** By node and symbol, the node that it leads to; grows with the rows that come. */
  #next = new Uint16Array(rowSymbols.length);
  /** By node, the row that leads to it, and the indexes of the patterns that it has; undefined where not looked for. */
  readonly #rows: string[] = [''];
  readonly #found: (readonly number[] | undefined)[] = [undefined];

  get size(): number {
    return this.#patterns.length;
  }

  indexOf(pattern: RegExp, hasLetters: boolean): number {
    const same = this.#patterns.findIndex(
      (one) => one.pattern.source === pattern.source && one.hasLetters === hasLetters,
    );
    if (same !== -1) return same;
    // The rows that are known were not searched for this one.
    this.#clear();
    return this.#patterns.push({ pattern, hasLetters }) - 1;
  }

  step(node: number, symbol: number): number {
    return this.#next[node * rowSymbols.length + symbol]!;
  }

  rowAt(node: number): string {
    return this.#rows[node]!;
  }

  patternsAt(node: number): readonly number[] | undefined {
    return this.#found[node];
  }

  learn(row: string): readonly number[] {
    const digits = row.replace(/[A-Z]+/g, '');
    const found = this.#patterns.flatMap((_, index) => (this.has(index, row, digits) ? [index] : []));
    if (this.#rows.length + row.length > nodesMax) this.#clear();
    this.#found[this.#grow(row)] = found;
    return found;
  }

  has(index: number, rows: string, digits: string): boolean {
    const { pattern, hasLetters } = this.#patterns[index]!;
    return pattern.test(hasLetters ? rows : digits);
  }

  #grow(row: string): number {
    let node = root;
    for (let length = 1; length <= row.length; length++) {
      const place = node * rowSymbols.length + rowSymbols.indexOf(row[length - 1]!);
      if (this.#next[place] === none) {
        this.#next[place] = this.#rows.push(row.slice(0, length)) - 1;
        this.#found.push(undefined);
        this.#makeRoom();
      }
      node = this.#next[place]!;
    }
    return node;
  }

  #makeRoom(): void {
    const needed = this.#rows.length * rowSymbols.length;
    if (needed <= this.#next.length) return;
    const larger = new Uint16Array(2 * needed);
    larger.set(this.#next);
    this.#next = larger;
  }

  #clear(): void {
    this.#next.fill(none);
    this.#rows.length = 1;
    this.#found.length = 1;
  }
}

/** Tells which runs of digits stand in a text, once its rows were read. */
export class RunsTest implements RowReader {
  readonly #known: KnownRows;
  readonly #found: Uint8Array;
  #learnt = 0;
  /** The row that is read: a node, and all of it where it is no longer known. */
  #node = root;
  #row: string | undefined;
  /** Rows of which nothing is known, a blank between them; each pattern is looked for once. */
  #others = '';
  #otherDigits: string | undefined;

  constructor(known: KnownRows) {
    this.#known = known;
    this.#found = new Uint8Array(known.size);
  }

  add(symbol: number): void {
    const next = this.#row === undefined ? this.#known.step(this.#node, symbol) : none;
    if (next === none) this.#row = (this.#row ?? this.#known.rowAt(this.#node)) + rowSymbols[symbol]!;
    else this.#node = next;
  }

  end(): void {
    const patterns =
      this.#row === undefined
        ? (this.#known.patternsAt(this.#node) ?? this.#learn(this.#known.rowAt(this.#node)))
        : this.#learn(this.#row);
    if (patterns !== undefined) for (const index of patterns) this.#found[index] = isThere;
    this.#node = root;
    this.#row = undefined;
  }

  has(index: number): boolean {
    if (this.#others === '') return this.#found[index] === isThere;
    return (this.#found[index] ||= this.#isInOthers(index) ? isThere : isMissing) === isThere;
  }

  #learn(row: string): readonly number[] | undefined {
    if (row.length <= knownCharactersMax && this.#learnt++ < newMax) return this.#known.learn(row);
    this.#others += ` ${row}`;
    return undefined;
  }

  #isInOthers(index: number): boolean {
    this.#otherDigits ??= this.#others.replace(/[A-Z]+/g, '');
    return this.#known.has(index, this.#others, this.#otherDigits);
  }
}

const isMissing = 1;
const isThere = 2;
