export interface NoiseLimits {
  /** Plain characters in a row that are read whatever stands around them. */
  readonly rowMin: number;
  /** True where bytes of that many can be text with so many oddities among them. */
  readonly mayBeText: (odd: number, bytes: number) => boolean;
}

/**
 * Reads bytes one by one, and tells of most that they are surely neither text nor have text in them. It counts no
 * oddity that a decoder would not count as well, so that nothing is lost that reading them would find.
 */
export class NoiseTest {
  readonly #bytes: number;
  readonly #limits: NoiseLimits;
  #index = 0;
  #odd = 0;
  #row = 0;
  #awaited = 0;

  constructor(bytes: number, limits: NoiseLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  /** Undefined while it is not known yet. */
  add(byte: number): boolean | undefined {
    const { rowMin, mayBeText } = this.#limits;
    const index = this.#index++;
    // Two bytes for each character may have nothing but such between them.
    if (byte === 0 && index < 4) return false;
    const isPlain = (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
    this.#row = isPlain ? this.#row + 1 : 0;
    if (this.#row === rowMin) return false;
    const isInside = byte >= 0x80 && byte < 0xc0;
    const isCutShort = this.#awaited > 0 && !isInside;
    if (isCutShort) this.#odd++;
    if ((byte < 0x80 && !isPlain) || (isInside && this.#awaited === 0)) this.#odd++;
    // Too much of it is odd already, what is left is too short to be worth reading, and two bytes make no character.
    if (this.#odd > 0 && index > 2 && this.#row + this.#bytes - index <= rowMin && !mayBeText(this.#odd, this.#bytes))
      return true;
    this.#awaited = isInside ? Math.max(0, this.#awaited - 1) : followersOf(byte);
    return undefined;
  }

  /** The same once all of them are read. */
  get isNoise(): boolean {
    return !this.#limits.mayBeText(this.#odd, this.#bytes);
  }
}

function followersOf(lead: number): number {
  if (lead < 0xc0) return 0;
  if (lead < 0xe0) return 1;
  return lead < 0xf0 ? 2 : 3;
}
