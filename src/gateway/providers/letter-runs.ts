/** Letters and digits, and the place before the first of them. */
const signs = 37;
/** Marks a text's own triples; an older text's are cleared when the numbers are used up. */
const roundsMax = 255;

const codes = new Uint8Array(128);
for (const [at, sign] of Array.from('0123456789abcdefghijklmnopqrstuvwxyz').entries()) {
  codes[sign.charCodeAt(0)] = at + 1;
  codes[sign.toUpperCase().charCodeAt(0)] = at + 1;
}

export function lettersOf(text: string): string {
  return text.replace(/[^a-z0-9]/gi, '');
}

/** A form of a secret; a text that holds it has its pairs and threes of letters, whatever their case. */
export interface LetterRun {
  readonly triples: readonly number[];
  readonly pairs: readonly number[];
  /** The form, where it is looked for as it is. */
  readonly verbatim?: string;
  /** Its letters and digits, where other signs may stand between them. */
  readonly letters?: string;
  /** Its figures but for zeros, where other signs, `0x` or `\\x` may stand between them. */
  readonly figures?: string;
}

/** A form that may stand in any text. */
export const anyRun: LetterRun = { triples: [], pairs: [] };

export function verbatimRun(text: string): LetterRun {
  return { triples: triplesOf(lettersOf(text)), pairs: [], verbatim: text };
}

export function letterRun(text: string): LetterRun {
  const letters = lettersOf(text).toLowerCase();
  return { triples: triplesOf(letters), pairs: [], letters };
}

/** Bytes as two figures each, whatever stands between them. */
export function hexRun(bytes: readonly string[]): LetterRun {
  const pairs = bytes.map((byte) => codeOf(byte[0]!) * signs + codeOf(byte[1]!));
  return { triples: [], pairs: [...new Set(pairs)], figures: bytes.join('').replaceAll('0', '') };
}

function triplesOf(letters: string): readonly number[] {
  const found = Array.from(letters, codeOf);
  return [...new Set(found.slice(2).map((code, at) => (found[at]! * signs + found[at + 1]!) * signs + code))];
}

function codeOf(letter: string): number {
  return codes[letter.charCodeAt(0)]!;
}

/**
 * Three letters in a row each, of all that a text holds: one pass over the text tells of any number of runs that they
 * do not stand in it.
 */
export class LetterTriples {
  readonly #triples = new Uint8Array(signs ** 3);
  readonly #pairs = new Uint8Array(signs ** 2);
  #round = 0;
  #readings: readonly string[] = [];
  #squeezed: string | undefined;
  #figures: string | undefined;

  /** Takes the readings of one text, as it is first, in the place of those before. */
  take(readings: readonly string[]): void {
    this.#readings = readings;
    this.#squeezed = undefined;
    this.#figures = undefined;
    if (this.#round === roundsMax) for (const seen of [this.#triples, this.#pairs]) seen.fill(0);
    this.#round = (this.#round % roundsMax) + 1;
    for (const reading of readings) this.#note(reading);
  }

  #note(text: string): void {
    const triples = this.#triples;
    const pairs = this.#pairs;
    const round = this.#round;
    let pair = 0;
    let last = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const code = unit < 128 ? codes[unit]! : 0;
      if (code === 0) continue;
      triples[pair * signs + code] = round;
      pair = last * signs + code;
      pairs[pair] = round;
      last = code;
    }
  }

  /** Mostly the first three letters that are looked for do not stand in a text, and nothing else is done. */
  holds({ triples, pairs, verbatim, letters, figures }: LetterRun): boolean {
    for (const triple of triples) if (this.#triples[triple] !== this.#round) return false;
    for (const pair of pairs) if (this.#pairs[pair] !== this.#round) return false;
    if (verbatim !== undefined) return this.#readings[0]!.includes(verbatim);
    if (letters !== undefined) return this.#lettersOfAll.includes(letters);
    if (figures === undefined) return true;
    this.#figures ??= this.#lettersOfAll.replace(/[0x]/g, '');
    return this.#figures.includes(figures);
  }

  get #lettersOfAll(): string {
    return (this.#squeezed ??= this.#readings.map((reading) => lettersOf(reading).toLowerCase()).join(' '));
  }
}
