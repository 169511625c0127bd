import { endOfString } from './ends.ts';
import { nestingMax } from '../limits.ts';

/** A field of the object at the top. */
interface JsonField {
  /** As it is written, cut where it is long. */
  readonly name: string;
  readonly cost: number;
  /** Of the list or object that is its value. */
  readonly entries: number;
}

/** The size of a JSON text by its signs, each right where the text is valid. */
export interface JsonShape {
  /** Values of every kind, also inside others. */
  readonly values: number;
  readonly keys: number;
  /** Arrays and objects that stand inside each other. */
  readonly depth: number;
  /** The work of making the value, measured in keys: 4 arrays or objects, or 8 other values, take as long as a key. */
  readonly cost: number;
  /** The field that costs most. */
  readonly largest: JsonField | undefined;
}

const eighthsOfKey = 8;
const nameMax = 100;

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

/**
 * Counts what a JSON text holds without making any of it, a nanosecond a character. It stops where the value would cost
 * more than `costMax` or is nested deeper than any reader goes.
 */
export function shapeOfJson(text: string, costMax = Infinity): JsonShape {
  const fields = new FieldCounter(text);
  const eighthsMax = costMax * eighthsOfKey;
  let values = 1;
  let keys = 0;
  let eighths = 1;
  let depth = 0;
  let deepest = 0;
  let isAfterOpening = false;
  let stringAt = 0;
  for (let at = 0; at < text.length && eighths <= eighthsMax && deepest <= nestingMax; at++) {
    const unit = text.charCodeAt(at);
    if (isBlank(unit)) continue;
    if (unit === 0x22) {
      stringAt = at;
      at = endOfString(text, at) - 1;
    } else if (unit === 0x3a) {
      if (depth === 1) fields.begin(stringAt, eighths);
      keys += 1;
      eighths += eighthsOfKey;
    } else if (unit === 0x2c) {
      if (depth === 2) fields.entries += 1;
      values += 1;
      eighths += 1;
    } else if (unit === 0x5b || unit === 0x7b) {
      values += 1;
      eighths += 2;
      depth += 1;
      deepest = Math.max(deepest, depth);
      isAfterOpening = true;
      continue;
    } else if (unit === 0x5d || unit === 0x7d) {
      // It holds nothing, not even the one value that its opening stood for.
      if (isAfterOpening) {
        values -= 1;
        eighths -= 1;
      }
      depth -= 1;
    }
    isAfterOpening = false;
  }
  return { values, keys, depth: deepest, cost: eighths / eighthsOfKey, largest: fields.largest(eighths) };
}

/** Finds the field of an object at the top that costs most, in numbers alone: there may be many. */
class FieldCounter {
  readonly #text: string;
  entries = 1;
  #nameAt = -1;
  #before = 0;
  #most = { nameAt: -1, eighths: 0, entries: 0 };

  constructor(text: string) {
    this.#text = text;
  }

  /** The field whose name begins at `nameAt`, behind what costs `eighths`. */
  begin(nameAt: number, eighths: number): void {
    this.#end(eighths);
    this.#nameAt = nameAt;
    this.#before = eighths;
    this.entries = 1;
  }

  #end(eighths: number): void {
    const own = eighths - this.#before;
    if (this.#nameAt === -1 || own <= this.#most.eighths) return;
    this.#most = { nameAt: this.#nameAt, eighths: own, entries: this.entries };
  }

  largest(eighths: number): JsonField | undefined {
    this.#end(eighths);
    const { nameAt, eighths: own, entries } = this.#most;
    if (nameAt === -1) return undefined;
    const end = Math.min(endOfString(this.#text, nameAt) - 1, nameAt + nameMax);
    return { name: this.#text.slice(nameAt + 1, end), cost: own / eighthsOfKey, entries };
  }
}
