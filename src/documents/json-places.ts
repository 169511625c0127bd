import type { PathStep } from '../text/json/json.ts';
import { endOfValue } from '../text/json/ends.ts';
import type { Path } from './fault.ts';

interface Child {
  /** The place at which a fault of it is shown: its key if it spans lines, or may. */
  readonly offset: number;
  readonly valueAt: number;
}

/**
 * Finds places in a text that is known to be JSON, when somebody asks. Hardly anybody ever does, so only the maps and
 * lists on the way to a place are looked through, each once.
 */
export class JsonPlaces {
  readonly #text: string;
  readonly #known = new Map<number, ReadonlyMap<PathStep, Child>>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The offset of what a path leads to, or of the nearest thing around it that is there. */
  offsetAt(path: Path): number {
    let valueAt = this.#skipped(0, blank);
    let offset = 0;
    for (const step of path) {
      if (!this.#isNested(valueAt)) return offset;
      const child = this.#childrenAt(valueAt).get(step);
      if (child === undefined) return offset;
      ({ offset, valueAt } = child);
    }
    return offset;
  }

  #childrenAt(start: number): ReadonlyMap<PathStep, Child> {
    const known = this.#known.get(start) ?? this.#childrenOf(start);
    this.#known.set(start, known);
    return known;
  }

  #childrenOf(start: number): ReadonlyMap<PathStep, Child> {
    const children = new Map<PathStep, Child>();
    const isMap = this.#text[start] === '{';
    for (let at = this.#skipped(start + 1, blank); !closing.test(this.#text[at]!); at = this.#skipped(at, between)) {
      const keyEnd = isMap ? endOfValue(this.#text, at) : at;
      const step = isMap ? (JSON.parse(this.#text.slice(at, keyEnd)) as string) : children.size;
      const valueAt = isMap ? this.#skipped(keyEnd, between) : at;
      const isAtKey = isMap && (this.#isNested(valueAt) || this.#text.startsWith('null', valueAt));
      children.set(step, { offset: isAtKey ? at : valueAt, valueAt });
      at = endOfValue(this.#text, valueAt);
    }
    return children;
  }

  #isNested(at: number): boolean {
    return this.#text[at] === '{' || this.#text[at] === '[';
  }

  #skipped(at: number, pattern: RegExp): number {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : at;
  }
}

const blank = /[ \t\n\r]+/y;
const between = /[ \t\n\r:,]+/y;
const closing = /[\]}]/;
