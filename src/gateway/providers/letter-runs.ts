/** The bits of all shifts: a weight holds them, so that a sign of the weight 0 leaves a sum as it is. */
const anyShift = 0b1111;

/** By byte of UTF-8, bits of no order for a letter or digit, whatever its case; 0 for every other sign. */
const weights = new Int32Array(256);
for (const [at, sign] of Array.from('0123456789abcdefghijklmnopqrstuvwxyz').entries())
  weights[sign.charCodeAt(0)] = weights[sign.toUpperCase().charCodeAt(0)] = mixed(at + 1);
/** Without those that may stand between the bytes of hex. */
const hexWeights = weights.map((weight, byte) => (/[0x]/i.test(String.fromCharCode(byte)) ? 0 : weight));

function mixed(value: number): number {
  const once = Math.imul(value, 0x9e3779b1) ^ 0x27d4eb2f;
  return Math.imul(once ^ (once >>> 15), 0x85ebca6b) | anyShift;
}

export function lettersOf(text: string): string {
  return text.replace(/[^a-z0-9]/gi, '');
}

/** Letters and digits in a row by which a run is known, and how far each one shifts the sum of those before it. */
interface Width {
  readonly letters: number;
  /** So many that nothing is left in 32 bits of what stands before the letters. */
  readonly shiftBits: number;
}

const widest: Width = { letters: 11, shiftBits: 3 };
/** The others are for short keys, which are mostly those of services on the same machine. */
const widths: readonly Width[] = [widest, { letters: 8, shiftBits: 4 }, { letters: 4, shiftBits: 8 }];

/**
 * Finds the runs of letters that stand in a text, whatever the case of the letters and whatever other signs stand
 * between them. A text takes as long to read however many runs are looked for.
 */
export class LetterRuns<Owner> {
  readonly #byWidth = widths.map((width) => new RunsOfWidth<Owner>(width));

  /** Adds a run by the letters in its middle, for many keys begin alike; false where it has too few. */
  add(letters: string, owner: Owner): boolean {
    const at = widths.findIndex((width) => width.letters <= letters.length);
    if (at === -1) return false;
    this.#byWidth[at]!.add(letters, (letters.length - widths[at]!.letters) >> 1, owner);
    return true;
  }

  /** Adds what each piece of so many letters of a run holds, and no shorter one; false where these are too few. */
  addPieces(letters: string, pieceLetters: number, owner: Owner): boolean {
    const step = pieceLetters - widest.letters + 1;
    if (step < 1) return false;
    for (let at = step - 1; at + widest.letters <= letters.length; at += step)
      this.#byWidth[0]!.add(letters, at, owner);
    return true;
  }

  /** Adds bytes in hex, each of which may have `0x` or `x` before it. */
  addHex(hex: string, owner: Owner): boolean {
    return this.add(hex.replaceAll('0', ''), owner);
  }

  /** The owners of the runs that stand in any of these texts. */
  in(texts: readonly string[]): Set<Owner> {
    const found = new Set<Owner>();
    for (const text of texts) {
      const bytes = text.length > shortTextMax ? Buffer.alloc(3 * text.length) : bytesOfShort;
      const written = bytes.write(text);
      const length = written === text.length ? written : withoutOthers(bytes, written);
      for (const runs of this.#byWidth) runs.find(bytes, length, found);
    }
    return found;
  }
}

/** Slots for each run, so that few letters of other texts have one. */
const slotsPerRun = 64;
const slotBitsMin = 12;
const slotBitsMax = 20;

/** The bit of a slot by which sums are told that share it. */
function bitOf(sum: number): number {
  return 1 << ((sum >>> 5) & 7);
}

/** The letters of a run that are looked for. */
interface SoughtLetters<Owner> {
  readonly letters: Uint8Array;
  readonly owner: Owner;
}

/** For texts that are short, as most are; a new one for each would take longer than to fill it. */
const shortTextMax = 16 * 1024;
const bytesOfShort = Buffer.alloc(3 * shortTextMax);

/** Leaves out all that is beyond ASCII, which no run holds; returns the length of the rest. */
function withoutOthers(bytes: Uint8Array, length: number): number {
  let kept = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!;
    bytes[kept] = byte;
    kept += byte < 128 ? 1 : 0;
  }
  return kept;
}

/** Runs of one width. Of the last letters of a text there is a sum, and only one that has a slot is looked up. */
class RunsOfWidth<Owner> {
  readonly #width: Width;
  readonly #bySum = new Map<number, SoughtLetters<Owner>[]>();
  #slots: Uint8Array | undefined;
  #slotShift = 0;

  constructor(width: Width) {
    this.#width = width;
  }

  add(run: string, start: number, owner: Owner): void {
    const { letters: count, shiftBits } = this.#width;
    const letters = Buffer.from(run.slice(start, start + count));
    let sum = 0;
    for (const letter of letters) sum = ((sum << shiftBits) + weights[letter]!) | 0;
    const sought = this.#bySum.get(sum);
    if (sought === undefined) this.#bySum.set(sum, [{ letters, owner }]);
    else if (!sought.some((known) => known.owner === owner && letters.equals(known.letters)))
      sought.push({ letters, owner });
    this.#slots = undefined;
  }

  /** Without a branch for each sign, because what comes next cannot be foreseen. */
  find(bytes: Uint8Array, length: number, found: Set<Owner>): void {
    if (this.#bySum.size === 0) return;
    const slots = (this.#slots ??= this.#createSlots());
    const slotShift = this.#slotShift;
    const { shiftBits } = this.#width;
    const [ofByte, ofHexByte] = [weights, hexWeights];
    let sum = 0;
    let hexSum = 0;
    for (let at = 0; at < length; at++) {
      const byte = bytes[at]!;
      const weight = ofByte[byte]!;
      const hexWeight = ofHexByte[byte]!;
      sum = ((sum << (weight & shiftBits)) + weight) | 0;
      hexSum = ((hexSum << (hexWeight & shiftBits)) + hexWeight) | 0;
      const slot = slots[sum >>> slotShift]!;
      const hexSlot = slots[hexSum >>> slotShift]!;
      // A sum that stays as it is was looked up before.
      if ((slot | hexSlot) === 0 || weight === 0) continue;
      if ((slot & bitOf(sum)) !== 0) this.#note(sum, { bytes, at, weights }, found);
      if ((hexSlot & bitOf(hexSum)) !== 0) this.#note(hexSum, { bytes, at, weights: hexWeights }, found);
    }
  }

  #note(sum: number, read: ReadLetters, found: Set<Owner>): void {
    for (const { letters, owner } of this.#bySum.get(sum) ?? [])
      if (!found.has(owner) && endsWith(read, letters)) found.add(owner);
  }

  #createSlots(): Uint8Array {
    const bits = Math.ceil(Math.log2(this.#bySum.size * slotsPerRun));
    const slotBits = Math.min(slotBitsMax, Math.max(slotBitsMin, bits));
    this.#slotShift = 32 - slotBits;
    const slots = new Uint8Array(1 << slotBits);
    for (const sum of this.#bySum.keys()) slots[sum >>> this.#slotShift]! |= bitOf(sum);
    return slots;
  }
}

/** A text up to a place; signs without a weight are left out. */
interface ReadLetters {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly weights: Int32Array;
}

function endsWith({ bytes, at, weights: ofByte }: ReadLetters, letters: Uint8Array): boolean {
  let left = letters.length;
  for (let place = at; place >= 0 && left > 0; place--) {
    const weight = ofByte[bytes[place]!]!;
    if (weight === 0) continue;
    if (weight !== ofByte[letters[left - 1]!]) return false;
    left -= 1;
  }
  return left === 0;
}
