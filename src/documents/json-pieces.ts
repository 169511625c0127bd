import { endOfString, endOfValue } from '../text/json/ends.ts';
import { type Fields, JsonFault, parseJson, put } from '../text/json/json.ts';
import type { Piecework } from '../text/turns.ts';

/** Sections and what stands in them are parsed one by one. */
const levelsInPieces = 2;

/** The value of `parseJson`, entry by entry; undefined where the text is no JSON object. */
export function* readJsonInPieces(text: string, depthMax: number): Piecework<Fields | undefined> {
  const reader = new JsonPieces(text, depthMax);
  try {
    return yield* reader.document();
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

const blank = /[ \t\n\r]*/y;

class JsonPieces {
  readonly #text: string;
  readonly #depthMax: number;
  #at = 0;

  constructor(text: string, depthMax: number) {
    this.#text = text;
    this.#depthMax = depthMax;
  }

  *document(): Piecework<Fields | undefined> {
    const value = this.#next() === '{' ? yield* this.#object(levelsInPieces) : undefined;
    return this.#next() === undefined ? value : undefined;
  }

  *#object(levels: number): Piecework<Fields | undefined> {
    const fields: Record<string, unknown> = {};
    this.#at += 1;
    if (this.#next() === '}') return this.#ended(fields);
    for (;;) {
      const key = this.#next() === '"' ? this.#take(endOfString(this.#text, this.#at), 0) : undefined;
      if (typeof key !== 'string' || Object.hasOwn(fields, key) || this.#next() !== ':') return undefined;
      this.#at += 1;
      const isSplit = this.#next() === '{' && levels > 1;
      const depth = levelsInPieces - levels + 1;
      const value = isSplit ? yield* this.#object(levels - 1) : this.#take(endOfValue(this.#text, this.#at), depth);
      if (value === undefined) return undefined;
      put(fields, key, value);
      yield;
      const sign = this.#next();
      if (sign === '}') return this.#ended(fields);
      if (sign !== ',') return undefined;
      this.#at += 1;
    }
  }

  /** The value up to an offset. */
  #take(end: number, depth: number): unknown {
    const value = parseJson(this.#text.slice(this.#at, end), { depthMax: this.#depthMax - depth });
    this.#at = end;
    return value;
  }

  #ended(fields: Fields): Fields {
    this.#at += 1;
    return fields;
  }

  /** The next character that is no blank. */
  #next(): string | undefined {
    blank.lastIndex = this.#at;
    blank.test(this.#text);
    this.#at = blank.lastIndex;
    return this.#text[this.#at];
  }
}
