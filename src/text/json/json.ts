import { defuseLine, quotedLine } from '../defuse.ts';
import type { JsonShape } from './shape.ts';
import { Shortcut } from './shortcut.ts';
import { nestingMax } from '../limits.ts';

export interface JsonOptions {
  /** Depth to which arrays and objects may stand inside each other. */
  readonly depthMax?: number;
  /** A number beyond what a double holds becomes Infinity, for a reader that checks its numbers. */
  readonly takesHugeNumbers?: boolean;
  /** The shape of a large text, which is then read without looking for its colons. */
  readonly shape?: JsonShape | undefined;
}

/** A fault of a JSON text, in words that follow "line 3, column 7: ". */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
  readonly line: number;
  /** In characters, from 1. */
  readonly column: number;
  /** Path in the value, like `messages[2].content`; empty at the top. Fit to be shown. */
  readonly path: string;

  constructor(message: string, text: string, at: number, path: readonly PathStep[]) {
    super(message);
    const { line, column } = placeIn(text, at);
    this.line = line;
    this.column = column;
    this.path = pathText(path);
  }
}

/** Line and character from 1. A loop, for a text of many lines, or of one, would become as many small ones. */
function placeIn(text: string, end: number): { line: number; column: number } {
  let line = 1;
  let column = 1;
  for (let at = 0; at < end; at++) {
    const point = text.codePointAt(at)!;
    if (point > 0xffff) at += 1;
    column = point === 0x0a ? 1 : column + 1;
    if (point === 0x0a) line += 1;
  }
  return { line, column };
}

/**
 * Reads JSON strictly. Other than `JSON.parse` it refuses a key that appears twice in one object, a number beyond what
 * a double holds, and nesting so deep that writing the value again would fail. `__proto__` is a key like any other.
 */
export function parseJson(
  text: string,
  { depthMax = nestingMax, takesHugeNumbers = false, shape }: JsonOptions = {},
): unknown {
  const sure = new Shortcut(text, depthMax, takesHugeNumbers, shape).value();
  return sure === undefined ? new JsonReader(text, depthMax, takesHugeNumbers).document() : sure.value;
}

/** The longest envelope that is read twice: of a hostile one of 16 MiB that takes seconds, in which nothing ends it. */
const envelopeCharactersMax = 1024 * 1024;

/**
 * Reads a JSON object of which only the fields at the top matter: each stands there once, as in `parseJson`. Deeper
 * down a repeated key keeps its last value, and nesting costs nothing, unless the text is very long.
 */
export function parseEnvelope(text: string, options: JsonOptions = {}): unknown {
  try {
    return parseJson(text, options);
  } catch (fault) {
    if (text.length > envelopeCharactersMax) throw fault;
    const value = isJson(text) ? (JSON.parse(text) as unknown) : undefined;
    if (!isFields(value) || !hasUniqueKeys(text)) throw fault;
    return value;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** True where the keys at the top of a valid text differ: strings before a colon, inside one brace alone. */
function hasUniqueKeys(text: string): boolean {
  const keys = new Set<unknown>();
  let depth = 0;
  let before = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === ':' && depth === 1) {
      const key: unknown = JSON.parse(before);
      if (keys.has(key)) return false;
      keys.add(key);
    } else if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    before = token;
  }
  return true;
}

export type PathStep = string | number;
/** A JSON object, of which nothing more is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const longEscape = /\\u[0-9a-fA-F]{4}/y;
const constants = [
  { word: 'true', value: true },
  { word: 'false', value: false },
  { word: 'null', value: null },
];

/** One pass over the text; only as deep in calls as the text may be nested. */
class JsonReader {
  readonly #text: string;
  readonly #depthMax: number;
  readonly #takesHugeNumbers: boolean;
  readonly #path: PathStep[] = [];
  #at = 0;

  constructor(text: string, depthMax: number, takesHugeNumbers: boolean) {
    this.#text = text;
    this.#depthMax = depthMax;
    this.#takesHugeNumbers = takesHugeNumbers;
  }

  document(): unknown {
    const value = this.#value();
    if (this.#next() !== '') this.#fail(`the JSON ends before this ${this.#found()}`);
    return value;
  }

  #value(): unknown {
    const first = this.#next();
    if (first === '"') return this.#string();
    if (first === '{') return this.#object();
    if (first === '[') return this.#array();
    if (first === '-' || (first >= '0' && first <= '9')) return this.#number();
    for (const { word, value } of constants) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#fail(`expected a value, found ${this.#found()}`);
  }

  #object(): Fields {
    const fields: Record<string, unknown> = {};
    this.#open();
    if (this.#took('}')) return fields;
    do {
      if (this.#next() !== '"') this.#fail(`expected a key in double quotes, found ${this.#found()}`);
      const keyAt = this.#at;
      const key = this.#string();
      this.#path.push(key);
      if (Object.hasOwn(fields, key)) this.#fail(`the key ${quotedLine(key)} appears twice`, keyAt);
      if (!this.#took(':')) this.#fail(`expected ":" after a key, found ${this.#found()}`);
      put(fields, key, this.#value());
      this.#path.pop();
    } while (this.#took(','));
    if (!this.#took('}')) this.#fail(`expected "," or "}", found ${this.#found()}`);
    return fields;
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    this.#open();
    if (this.#took(']')) return items;
    do {
      this.#path.push(items.length);
      items.push(this.#value());
      this.#path.pop();
    } while (this.#took(','));
    if (!this.#took(']')) this.#fail(`expected "," or "]", found ${this.#found()}`);
    return items;
  }

  /** Inside a value the path is as long as the nesting is deep. */
  #open(): void {
    if (this.#path.length >= this.#depthMax) this.#fail(`nested deeper than ${this.#depthMax} levels`);
    this.#at++;
  }

  #string(): string {
    const start = this.#at;
    let escaped = false;
    for (let at = start + 1; ; at++) {
      const unit = this.#text.charCodeAt(at);
      if (unit === 0x22) {
        this.#at = at + 1;
        const literal = this.#text.slice(start, this.#at);
        return escaped ? (JSON.parse(literal) as string) : literal.slice(1, -1);
      }
      if (unit === 0x5c) {
        const length = this.#escapeLength(at);
        if (length === 0) this.#fail('no such escape in a string', at);
        at += length - 1;
        escaped = true;
      } else if (!(unit >= 0x20)) {
        if (at >= this.#text.length) this.#fail('the string that begins here has no end');
        this.#fail('a control character in a string, where it has to be written as an escape', at);
      }
    }
  }

  /** 0 where there is no such escape. */
  #escapeLength(at: number): number {
    if ('"\\/bfnrt'.includes(this.#text.charAt(at + 1) || ' ')) return 2;
    longEscape.lastIndex = at;
    return longEscape.test(this.#text) ? 6 : 0;
  }

  #number(): number {
    number.lastIndex = this.#at;
    const digits = number.exec(this.#text)?.[0];
    if (digits === undefined) return this.#fail('not a number as JSON writes it');
    const value = Number(digits);
    if (!Number.isFinite(value) && !this.#takesHugeNumbers) {
      this.#fail(`the number ${defuseLine(digits, 40)} is too large`);
    }
    this.#at += digits.length;
    return value;
  }

  /** The next character that is no blank, or an empty string at the end. */
  #next(): string {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return this.#text.charAt(this.#at);
      this.#at++;
    }
  }

  #took(sign: string): boolean {
    if (this.#next() !== sign) return false;
    this.#at++;
    return true;
  }

  #found(): string {
    const character = this.#text.codePointAt(this.#at);
    return character === undefined ? 'the end' : quotedLine(String.fromCodePoint(character));
  }

  #fail(message: string, at = this.#at): never {
    throw new JsonFault(message, this.#text, at, this.#path);
  }
}

/** A plain assignment of `__proto__` would change the object's prototype instead of adding a key. */
export function put(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') fields[key] = value;
  else Object.defineProperty(fields, key, { value, configurable: true, enumerable: true, writable: true });
}

export function pathText(path: readonly PathStep[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[\w-]{1,60}$/.test(step)) return `${text}[${quotedLine(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}
