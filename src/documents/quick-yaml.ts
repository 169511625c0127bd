import { pathText } from '../text/json/json.ts';
import { nestingMax } from '../text/limits.ts';
import { formatSize } from '../text/sizes.ts';
import type { Piecework } from '../text/turns.ts';
import type { DocumentFault, FilePlace, Path } from './fault.ts';
import { readJsonInPieces } from './json-pieces.ts';
import { JsonPlaces } from './json-places.ts';
import { createPlacer, offsetAt } from './places.ts';
import { readPlainYaml } from './plain-yaml.ts';

export interface YamlOptions {
  /** Judged before a single character is parsed. */
  readonly bytesMax?: number;
}

/** A document as it was written: `value` is undefined where its syntax could not be read. */
export interface Yaml {
  readonly value: unknown;
  /** Everything that is wrong with it as YAML, in the order of the text. */
  readonly faults: readonly DocumentFault[];
  /** The place of a value, or the key of a value that spans lines; for what is not there, the nearest around it. */
  readonly at: (path: Path) => FilePlace;
}

const defaultBytesMax = 256 * 1024;
/** The most columns before a line's first word: the parser calls itself for every level, until its stack ends. */
const columnsMax = 400;
/** The most brackets that are open at once, for the same reason. */
const openBracketsMax = 400;

/**
 * The document of a text that is JSON or plain YAML, or that is refused as it stands; undefined where it takes the
 * whole of the language, whose parser is large and loaded for no other.
 */
export function* parseQuickly(
  text: string,
  file: string,
  { bytesMax = defaultBytesMax }: YamlOptions = {},
): Piecework<Yaml | undefined> {
  const refusal = refusalOf(text, bytesMax);
  if (refusal !== undefined) return unread(text, file, [refusal]);
  // Of some megabytes the look for what is refused takes a turn.
  yield;
  const json = yield* readAsJson(text);
  if (json !== undefined) return json;
  const plain = yield* readPlainYaml(text, nestingMax);
  if (plain === undefined) return undefined;
  const place = createPlacer(text);
  return { value: plain.value, faults: [], at: (path) => place(offsetAt(plain.places, plain.value, path)) };
}

/** JSON is YAML, and programs write gateway files so. What is no JSON, or has faults, is left to YAML. */
function* readAsJson(text: string): Piecework<Yaml | undefined> {
  if (!/^\s{0,100}\{/.test(text)) return undefined;
  const value = yield* readJsonInPieces(text, nestingMax);
  if (value === undefined) return undefined;
  const place = createPlacer(text);
  const places = new JsonPlaces(text);
  return { value, faults: [], at: (path) => place(places.offsetAt(path)) };
}

/** A document that could not be read. */
export function unread(text: string, file: string, problems: readonly Problem[]): Yaml {
  const place = createPlacer(text);
  return { value: undefined, faults: problems.map((problem) => toFault(problem, file, place)), at: () => place(0) };
}

/** A fault where it was found, by its offset. */
export interface Problem {
  readonly at: number;
  readonly path?: Path;
  readonly expected: string;
}

export function toFault(
  { at, path = [], expected }: Problem,
  file: string,
  place: (offset: number) => FilePlace,
): DocumentFault {
  return { file, ...place(at), path: pathText(path), expected };
}

function refusalOf(text: string, bytesMax: number): Problem | undefined {
  if (Buffer.byteLength(text) > bytesMax) return { at: 0, expected: `the file is larger than ${formatSize(bytesMax)}` };
  const directiveAt = text.search(/^%(?:YAML|TAG)\b/m);
  if (directiveAt !== -1) return { at: directiveAt, expected: 'directives are not read; the file is YAML 1.2' };
  const deepAt = tooDeepAt(text);
  return deepAt === undefined ? undefined : { at: deepAt, expected: 'nested too deep to be read' };
}

/**
 * The place at which a text may nest too deep. It is an upper bound: brackets in texts count like others, and every
 * column before a line's first word like a level. No file that a person writes comes near.
 */
function tooDeepAt(text: string): number | undefined {
  const indented = new RegExp(`^(?: |[-?:](?=\\s)){${columnsMax}}`, 'm').exec(text);
  if (indented !== null) return indented.index;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x5b || unit === 0x7b) depth++;
    else if ((unit === 0x5d || unit === 0x7d) && depth > 0) depth--;
    if (depth > openBracketsMax) return at;
  }
  return undefined;
}
