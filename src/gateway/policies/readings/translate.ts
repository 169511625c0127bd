const unitsMax = 65_536;
export const latinMax = 0xff;

/** Writes one UTF-16 unit for each of a text. What is written for a unit is found out once. */
export class Translation {
  /** By unit, one more than what is written for it; 0 where that is not known yet. */
  readonly #known = new Int32Array(unitsMax);
  readonly #unitOf: (unit: number) => number;

  constructor(unitOf: (unit: number) => number) {
    this.#unitOf = unitOf;
  }

  /** As long as the text. */
  of(text: string): string {
    const known = this.#known;
    const { length } = text;
    const units = new Uint16Array(length);
    let all = 0;
    for (let at = 0; at < length; at++) {
      const unit = text.charCodeAt(at);
      const written = (known[unit] ||= this.#unitOf(unit) + 1) - 1;
      units[at] = written;
      all |= written;
    }
    return textOfUnits(units, all);
  }
}

/** The text of units that have only the bits of `all`: the engine searches one of single bytes in half the time. */
export function textOfUnits(units: Uint16Array, all: number): string {
  return all <= latinMax
    ? Buffer.from(units).toString('latin1')
    : Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}
