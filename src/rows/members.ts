import { endOfString, endOfValue } from '../text/json/ends.ts';

/** One member of a JSON object, as it was written. */
export interface RawMember {
  readonly name: string;
  /** The JSON text of the name, with every escape. */
  readonly nameJson: string;
  /** The value's own text: every digit of a number, every escape of a string. */
  readonly json: string;
}

/** The members of an object's JSON text in their order. The text must be valid, as `parseJson` makes sure. */
export function rawMembers(text: string): readonly RawMember[] {
  const members: RawMember[] = [];
  let at = skipBlanks(text, text.indexOf('{') + 1);
  while (text.charCodeAt(at) === quote) {
    const nameEnd = endOfString(text, at);
    const nameJson = text.slice(at, nameEnd);
    const start = skipBlanks(text, text.indexOf(':', nameEnd) + 1);
    const end = endOfValue(text, start);
    members.push({ name: nameOf(nameJson), nameJson, json: text.slice(start, end) });
    at = skipBlanks(text, skipBlanks(text, end) + 1);
  }
  return members;
}

function nameOf(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

const quote = 0x22;

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}
