/** UTF-16 units of one sort. What a pattern would tell of each is found out once, which makes it a tenth of the work. */
export class UnitSort {
  readonly #known = new Uint8Array(unitsMax);
  readonly #belongs: (character: string) => boolean;

  constructor(belongs: (character: string) => boolean) {
    this.#belongs = belongs;
  }

  has(unit: number): boolean {
    const known = this.#known[unit]!;
    return (known === isUnknown ? this.#learn(unit) : known) === isIn;
  }

  #learn(unit: number): number {
    return (this.#known[unit] = this.#belongs(String.fromCharCode(unit)) ? isIn : isOut);
  }
}

const unitsMax = 65_536;
const isUnknown = 0;
const isOut = 1;
const isIn = 2;

/** True where a text has so many of them in a row: such a run covers one place of every so many, so most need no look. */
export function hasRun(text: string, length: number, sort: UnitSort): boolean {
  for (let probe = length - 1; probe < text.length; probe += length) {
    if (!sort.has(text.charCodeAt(probe))) continue;
    let start = probe;
    while (start > 0 && probe - start < length && sort.has(text.charCodeAt(start - 1))) start--;
    let end = probe + 1;
    while (end < text.length && end - start < length && sort.has(text.charCodeAt(end))) end++;
    if (end - start >= length) return true;
  }
  return false;
}
