/** Sets of literals: one of each stands in every match of the pattern, whatever its case. */
export type LiteralSets = readonly (readonly string[])[];

/** The literals that a pattern needs, as far as it tells; fewer are safe, only slower. RE2 must accept the pattern. */
export function requiredLiterals(source: string): LiteralSets {
  if (source.includes('\\Q')) return [];
  const reader = { source, at: 0 };
  const found = readChoice(reader);
  return reader.at === source.length ? usefulOf(found).slice(0, setsMax) : [];
}

/** Facts of a part: the one text that it matches, or literals that it needs. */
type Known = { readonly exact: string } | { readonly needs: LiteralSets };

/** A pattern that is being read, and how far it was. */
export interface PatternReader {
  readonly source: string;
  at: number;
}

const setsMax = 4;
const literalsMax = 32;
const charactersMin = 2;

/** The longest literals first: they are the rarest. */
function usefulOf(known: Known): LiteralSets {
  const sets = 'exact' in known ? [[known.exact]] : known.needs;
  return sets
    .filter((literals) => literals.length <= literalsMax && shortest(literals) >= charactersMin)
    .toSorted((one, other) => shortest(other) - shortest(one));
}

function shortest(literals: readonly string[]): number {
  return Math.min(...literals.map((literal) => literal.length));
}

function readChoice(reader: PatternReader): Known {
  const branches = [readSequence(reader)];
  while (reader.source[reader.at] === '|') {
    reader.at++;
    branches.push(readSequence(reader));
  }
  if (branches.length === 1) return branches[0]!;
  const best = branches.map((branch) => usefulOf(branch)[0]);
  return { needs: best.every((literals) => literals !== undefined) ? [best.flat()] : [] };
}

function readSequence(reader: PatternReader): Known {
  const needs: (readonly string[])[] = [];
  let run = '';
  let isWhole = true;
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at]!)) {
    const known = readRepeated(reader);
    if ('exact' in known) run += known.exact;
    else {
      isWhole = false;
      needs.push([run], ...known.needs);
      run = '';
    }
  }
  return isWhole ? { exact: run } : { needs: [...needs, [run]] };
}

const repetition = /(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y;

function readRepeated(reader: PatternReader): Known {
  const atom = readAtom(reader);
  repetition.lastIndex = reader.at;
  const found = repetition.exec(reader.source);
  if (found === null) return atom;
  reader.at = repetition.lastIndex;
  const isOptional = found[1] === undefined ? !found[0].startsWith('+') : Number(found[1]) === 0;
  return { needs: isOptional ? [] : usefulOf(atom) };
}

/** The start of a group, flags that stand alone, and a set. */
export const groupStart = /\((?:\?(?:P?<[^>]*>|[A-Za-z-]*:))?/y;
export const flagGroup = /\(\?[A-Za-z-]+\)/y;
export const characterSet = /\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]/y;
const escape = /\\(?:[pPx]\{[^}]*\}|[pP]\w|x[0-9A-Fa-f]{2}|[0-7]{1,3}|[^])/y;

const nothing: Known = { needs: [] };

function readAtom(reader: PatternReader): Known {
  if (takeToken(reader, flagGroup) !== undefined) return { exact: '' };
  if (takeToken(reader, groupStart) !== undefined) {
    const inner = readChoice(reader);
    reader.at++;
    return inner;
  }
  if (takeToken(reader, characterSet) !== undefined) return nothing;
  const escaped = takeToken(reader, escape);
  if (escaped !== undefined) return knownOfEscape(escaped);
  const character = String.fromCodePoint(reader.source.codePointAt(reader.at)!);
  reader.at += character.length;
  if (character === '^' || character === '$') return { exact: '' };
  return isPlain(character) && character !== '.' ? { exact: character } : nothing;
}

/** `\b` and its like match between characters; an escaped sign stands for itself; all else is left unknown. */
function knownOfEscape(escaped: string): Known {
  if (/^\\[bBAz]$/.test(escaped)) return { exact: '' };
  return /^\\[^\w]$/.test(escaped) && isPlain(escaped[1]!) ? { exact: escaped[1]! } : nothing;
}

/** True for ASCII alone: of other letters, several may be the same one in another case. */
function isPlain(character: string): boolean {
  return character >= ' ' && character <= '~';
}

/** Reads past a token that stands here; undefined where another does. */
export function takeToken(reader: PatternReader, token: RegExp): string | undefined {
  token.lastIndex = reader.at;
  const found = token.exec(reader.source)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}
