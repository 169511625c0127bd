import { parsePattern, type Token } from './glob-pattern.ts';

/** A longer pattern than any path can be is no pattern. */
const charactersMax = 4096;

/**
 * Whether a path matches as in a shell: `*` and `?` within a name, `[a-z]`, `[!x]`, `{a,b}`, `**` for any folders, and a
 * backslash to take a character as it is. A dot at the start of a name is matched by a dot alone. The pattern becomes
 * a set of steps that are tried all at once, so no pattern makes this slow.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  if (pattern.length > charactersMax) return false;
  const end: Step = { accepts: () => false, next: new Set() };
  let steps = link(parsePattern(pattern), new Set([end]));
  let startsName = true;
  for (const character of path) {
    const reached = new Set<Step>();
    for (const step of steps) {
      if (step.accepts(character, startsName)) for (const next of step.next) reached.add(next);
    }
    if (reached.size === 0) return false;
    steps = reached;
    startsName = character === '/';
  }
  return steps.has(end);
}

/** The folder to begin looking in: all of the pattern up to the last slash before its first wildcard. Empty for none. */
export function globBase(pattern: string): string {
  let prefix = '';
  for (const token of parsePattern(pattern)) {
    if (token.kind !== 'literal') break;
    prefix += token.character;
  }
  const slash = prefix.lastIndexOf('/');
  return slash === 0 ? '/' : prefix.slice(0, Math.max(0, slash));
}

export function hasWildcard(text: string): boolean {
  return parsePattern(text).some((token) => token.kind !== 'literal');
}

/** One character of the path; `startsName` when it is the first of a file's or folder's name. */
interface Step {
  readonly accepts: (character: string, startsName: boolean) => boolean;
  readonly next: Set<Step>;
}

/** Puts the tokens before `after` and returns the steps to begin with; sets keep equal ways from multiplying. */
function link(tokens: readonly Token[], after: ReadonlySet<Step>): Set<Step> {
  let entry = new Set(after);
  for (const token of tokens.toReversed()) entry = linkToken(token, entry);
  return entry;
}

function linkToken(token: Token, after: Set<Step>): Set<Step> {
  switch (token.kind) {
    case 'literal':
      return new Set([{ accepts: (character) => character === token.character, next: after }]);
    case 'one':
      return new Set([
        {
          accepts: (character, startsName) => isInName(character, startsName) && token.accepts(character),
          next: after,
        },
      ]);
    case 'star':
      return repeat(isInName, after, after);
    case 'globstar': {
      const isVisible = (character: string, startsName: boolean) => !(startsName && character === '.');
      if (!token.folders) return repeat(isVisible, after, after);
      return repeat(isVisible, new Set([{ accepts: (character) => character === '/', next: after }]), after);
    }
    case 'choice':
      return new Set(token.branches.flatMap((branch) => [...link(branch, after)]));
  }
}

/** Any number of characters and then `following`, or none and then `skipped`. */
function repeat(accepts: Step['accepts'], following: Set<Step>, skipped: Set<Step>): Set<Step> {
  const loop: Step = { accepts, next: new Set(following) };
  loop.next.add(loop);
  return new Set([loop, ...skipped]);
}

function isInName(character: string, startsName: boolean): boolean {
  return character !== '/' && !(startsName && character === '.');
}
