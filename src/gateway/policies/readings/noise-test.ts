export interface NoiseLimits {
  /** Plain characters in a row that are read whatever stands around them. */
  readonly rowMin: number;
  /** True where bytes of that many can be text with so many oddities among them. */
  readonly mayBeText: (odd: number, bytes: number) => boolean;
}

/** By byte, what it may be in a text: the number of those that belong to a lead, or one of these. */
const plain = 4;
const control = 5;
const inside = 6;
const sorts = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return byte < 0xc0 ? inside : followersOf(byte);
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d ? plain : control;
});

/**
 * Reads bytes one by one, and tells of most that they are surely neither text nor have text in them. It counts no
 * oddity that a decoder would not count as well, so that nothing is lost that reading them would find.
 */
export class NoiseTest {
  readonly #bytes: number;
  readonly #limits: NoiseLimits;
  readonly #rowMin: number;
  #index = 0;
  #odd = 0;
  #row = 0;
  #awaited = 0;

  constructor(bytes: number, limits: NoiseLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#rowMin = limits.rowMin;
  }

  /** Undefined while it is not known yet. */
  add(byte: number): boolean | undefined {
    const sort = sorts[byte]!;
    const index = this.#index++;
    // Two bytes for each character may have nothing but such between them.
    if (byte === 0 && index < 4) return false;
    if (sort === inside) {
      this.#row = 0;
      if (this.#awaited === 0) this.#odd++;
      else this.#awaited--;
    } else {
      if (this.#awaited > 0) this.#odd++;
      this.#awaited = 0;
      if (sort === plain) {
        if (++this.#row === this.#rowMin) return false;
      } else {
        this.#row = 0;
        if (sort === control) this.#odd++;
        else this.#awaited = sort;
      }
    }
    // Too much of it is odd already, what is left is too short to be worth reading, and two bytes make no character.
    if (this.#odd === 0 || index < 3 || this.#row + this.#bytes - index > this.#rowMin) return undefined;
    return this.#limits.mayBeText(this.#odd, this.#bytes) ? undefined : true;
  }

  /** The same once all of them are read. */
  get isNoise(): boolean {
    return !this.#limits.mayBeText(this.#odd, this.#bytes);
  }
}

function followersOf(lead: number): number {
  if (lead < 0xe0) return 1;
  return lead < 0xf0 ? 2 : 3;
}
