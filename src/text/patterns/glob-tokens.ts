/** A part of a shell pattern. */
export type GlobToken =
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'one'; readonly accepts: (character: string) => boolean }
  | { readonly kind: 'star' }
  /** `**`; with `folders` the one before a slash, which it takes with it. */
  | { readonly kind: 'globstar'; readonly folders: boolean }
  | { readonly kind: 'choice'; readonly branches: readonly (readonly GlobToken[])[] };

/** A longer text than any path can be is no pattern. */
const charactersMax = 4096;
const nestingMax = 100;

/**
 * Never fails: as in a shell, a bracket or brace that is not closed, or a brace without a comma, stands for itself, and
 * so does one inside a hundred others.
 */
export function parsePattern(pattern: string): GlobToken[] {
  if (pattern.length > charactersMax) return Array.from(pattern, (character) => ({ kind: 'literal', character }));
  return parse(Array.from(pattern), true, nestingMax);
}

interface Parsed {
  readonly token: GlobToken;
  /** Index at which the next token begins. */
  readonly end: number;
}

/** `startsName`: what is parsed here stands at the start of a name, where alone `**` has its meaning. */
function parse(characters: readonly string[], startsName: boolean, nestingLeft: number): GlobToken[] {
  const tokens: GlobToken[] = [];
  let at = 0;
  while (at < characters.length) {
    const atNameStart = at === 0 ? startsName : characters[at - 1] === '/';
    const { token, end } = parseGlobToken(characters, at, atNameStart, nestingLeft);
    tokens.push(token);
    at = end;
  }
  return tokens;
}

function parseGlobToken(characters: readonly string[], at: number, startsName: boolean, nestingLeft: number): Parsed {
  const character = characters[at]!;
  if (character === '?') return { token: { kind: 'one', accepts: () => true }, end: at + 1 };
  if (character === '*') return parseStars(characters, at, startsName);
  const special = character === '[' ? parseClass(characters, at) : parseChoice(characters, at, startsName, nestingLeft);
  if (special !== undefined) return special;
  const escaped = character === '\\' && at + 1 < characters.length;
  return escaped
    ? { token: { kind: 'literal', character: characters[at + 1]! }, end: at + 2 }
    : { token: { kind: 'literal', character }, end: at + 1 };
}

function parseStars(characters: readonly string[], at: number, startsName: boolean): Parsed {
  let end = at;
  while (characters[end] === '*') end++;
  const isWholeName = startsName && (end === characters.length || characters[end] === '/');
  if (end - at !== 2 || !isWholeName) return { token: { kind: 'star' }, end };
  const folders = end < characters.length;
  return { token: { kind: 'globstar', folders }, end: folders ? end + 1 : end };
}

function parseClass(characters: readonly string[], at: number): Parsed | undefined {
  const negated = characters[at + 1] === '!' || characters[at + 1] === '^';
  const first = at + (negated ? 2 : 1);
  // A closing bracket that comes first is a member.
  const close = characters.indexOf(']', first + 1);
  if (close === -1 || characters.slice(first, close).includes('/')) return undefined;
  const ranges: { from: string; to: string }[] = [];
  for (let index = first; index < close; index++) {
    const isRange = characters[index + 1] === '-' && index + 2 < close;
    ranges.push({ from: characters[index]!, to: characters[isRange ? index + 2 : index]! });
    if (isRange) index += 2;
  }
  const accepts = (character: string) =>
    ranges.some(({ from, to }) => order(from) <= order(character) && order(character) <= order(to)) !== negated;
  return { token: { kind: 'one', accepts }, end: close + 1 };
}

function order(character: string): number {
  return character.codePointAt(0)!;
}

/** Branches are parsed only once the brace is known to be a choice, or nested braces would be parsed over and over. */
function parseChoice(
  characters: readonly string[],
  at: number,
  startsName: boolean,
  nestingLeft: number,
): Parsed | undefined {
  if (characters[at] !== '{' || nestingLeft === 0) return undefined;
  const parts: (readonly string[])[] = [];
  let begin = at + 1;
  let depth = 1;
  for (let index = begin; depth > 0; index++) {
    const character = characters[index];
    if (character === undefined) return undefined;
    if (character === '\\') index++;
    else if (character === '{') depth++;
    else if (character === '}') depth--;
    if (depth === 0 || (depth === 1 && character === ',')) {
      parts.push(characters.slice(begin, index));
      begin = index + 1;
    }
  }
  if (parts.length === 1) return undefined;
  const branches = parts.map((part) => parse(part, startsName, nestingLeft - 1));
  return { token: { kind: 'choice', branches }, end: begin };
}
