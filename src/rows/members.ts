import { endOfString } from '../documents/json-places.ts';

/** One member of a JSON object, as it was written. */
export interface RawMember {
  readonly name: string;
  /** The value's own text: every digit of a number, every escape of a string. */
  readonly json: string;
}

/** The members of an object's JSON text in their order. The text must be valid, as `parseJson` makes sure. */
export function rawMembers(text: string): readonly RawMember[] {
  const members: RawMember[] = [];
  let at = skipBlanks(text, text.indexOf('{') + 1);
  while (text.charCodeAt(at) === quote) {
    const nameEnd = endOfString(text, at);
    const name = nameOf(text.slice(at, nameEnd));
    const start = skipBlanks(text, text.indexOf(':', nameEnd) + 1);
    const end = endOfValue(text, start);
    members.push({ name, json: text.slice(start, end) });
    at = skipBlanks(text, skipBlanks(text, end) + 1);
  }
  return members;
}

function nameOf(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

const quote = 0x22;
const comma = 0x2c;
const bracket = 0x5b;
const bracketEnd = 0x5d;
const brace = 0x7b;
const braceEnd = 0x7d;

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return endOfString(text, start);
  if (first === brace || first === bracket) return endOfNested(text, start);
  let at = start;
  while (at < text.length && !endsPlain(text.charCodeAt(at))) at += 1;
  return at;
}

/** Valid JSON has no other blanks than those up to the space. */
function endsPlain(unit: number): boolean {
  return unit <= 0x20 || unit === comma || unit === braceEnd || unit === bracketEnd;
}

function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at) - 1;
    else if (unit === brace || unit === bracket) depth += 1;
    else if (unit === braceEnd || unit === bracketEnd) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}
