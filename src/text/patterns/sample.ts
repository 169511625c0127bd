import { characterSet, flagGroup, groupStart, type PatternReader, takeToken } from './required-literals.ts';
import { compilePattern, PatternFault } from './pattern.ts';

/**
 * A short text for a simple pattern of RE2 syntax, for example `EMP-444` for `\bEMP-\d{3}\b`; undefined where none is
 * known. It is a guess that the caller tries: what an anchor or a boundary asks for is not looked at.
 */
export function sampleOfPattern(source: string): string | undefined {
  const reader: PatternReader = { source, at: 0 };
  try {
    const text = readChoice(reader);
    return reader.at === source.length && text !== '' ? text : undefined;
  } catch (error) {
    if (error instanceof NotSimple || error instanceof PatternFault) return undefined;
    throw error;
  }
}

class NotSimple extends Error {}

const charactersMax = 1_000;

/** The first branch; the others are read past. */
function readChoice(reader: PatternReader): string {
  const first = readSequence(reader);
  while (reader.source[reader.at] === '|') {
    reader.at += 1;
    readSequence(reader);
  }
  return first;
}

function readSequence(reader: PatternReader): string {
  let text = '';
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at]!)) {
    const atom = readAtom(reader);
    text += atom.repeat(Math.min(countOf(takeToken(reader, repetition)), charactersMax));
    if (text.length > charactersMax) throw new NotSimple();
  }
  return text;
}

const repetition = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;

/** The fewest repetitions. */
function countOf(repeated: string | undefined): number {
  if (repeated === undefined || repeated.startsWith('+')) return 1;
  return repeated.startsWith('{') ? Number.parseInt(repeated.slice(1), 10) : 0;
}

const escape = /\\[^]/y;
/** Characters that are tried for a set, the plainest first. */
const candidates = `x4A-_.@/ ${String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index))}`;
const escapes: Readonly<Record<string, string>> = {
  d: '4',
  w: 'x',
  s: ' ',
  D: 'x',
  W: '-',
  S: 'x',
  b: '',
  A: '',
  z: '',
};

function readAtom(reader: PatternReader): string {
  if (takeToken(reader, flagGroup) !== undefined) return '';
  if (takeToken(reader, groupStart) !== undefined) {
    const inner = readChoice(reader);
    reader.at += 1;
    return inner;
  }
  const characters = takeToken(reader, characterSet);
  if (characters !== undefined) return memberOf(characters);
  const escaped = takeToken(reader, escape)?.[1];
  if (escaped !== undefined) {
    const text = escapes[escaped] ?? (/\w/.test(escaped) ? undefined : escaped);
    if (text === undefined) throw new NotSimple();
    return text;
  }
  const character = String.fromCodePoint(reader.source.codePointAt(reader.at)!);
  reader.at += character.length;
  if (character === '^' || character === '$') return '';
  return character === '.' ? 'x' : character;
}

function memberOf(characters: string): string {
  const pattern = compilePattern(characters, { ignoreCase: false });
  const found = Array.from(candidates).find((each) => pattern.test(each));
  if (found === undefined) throw new NotSimple();
  return found;
}
