import { parsePattern, type GlobToken } from './glob-tokens.ts';

/**
 * True where a path matches as in a shell: `*` and `?` within a name, `[a-z]`, `[!x]`, `{a,b}`, `**` for any folders,
 * and a backslash to take a character as it is. A dot at the start of a name is matched by a dot alone. The pattern
 * becomes a set of steps that are tried all at once, so no pattern makes this slow.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  const end: Step = { next: [] };
  let states = statesAt([link(parsePattern(pattern), end)]);
  let startsName = true;
  for (const character of path) {
    const isLeadingDot = startsName && character === '.';
    const next: Step[] = [];
    for (const [step, literally] of states) {
      if (step.accepts?.(character) && (literally || !isLeadingDot)) next.push(...step.next);
    }
    states = statesAt(next);
    startsName = character === '/';
  }
  return states.has(end);
}

/** The folder to begin in: all of the pattern up to the last slash before its first wildcard. Empty for none. */
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

/** Takes one character of the path and goes on to any of `next`; without `accepts` it takes none. */
interface Step {
  readonly accepts?: (character: string) => boolean;
  readonly next: Step[];
  /** Paths through here go by a wildcard, which no dot at the start of a name matches. */
  readonly isWild?: boolean;
}

/** All steps that may take the next character, each with whether it is reached without a wildcard on the way. */
function statesAt(steps: readonly Step[]): Map<Step, boolean> {
  const states = new Map<Step, boolean>();
  const open = steps.map((step) => ({ step, literally: true }));
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const { step } = state;
    const literally = state.literally && !step.isWild;
    const known = states.get(step);
    if (known === true || known === literally) continue;
    states.set(step, literally);
    if (step.accepts === undefined) for (const next of step.next) open.push({ step: next, literally });
  }
  return states;
}

/** Puts the tokens before `after` and returns the step to begin with. */
function link(tokens: readonly GlobToken[], after: Step): Step {
  return tokens.reduceRight((rest, token) => linkToken(token, rest), after);
}

function linkToken(token: GlobToken, after: Step): Step {
  switch (token.kind) {
    case 'literal':
      return { accepts: (character) => character === token.character, next: [after] };
    case 'one':
      return {
        isWild: true,
        next: [{ accepts: (character) => character !== '/' && token.accepts(character), next: [after] }],
      };
    case 'star': {
      // A star that takes nothing is a wildcard too: `*.md` does not match `.md`.
      const star: Step = { isWild: true, next: [after] };
      star.next.push({ accepts: (character) => character !== '/', next: [star] });
      return star;
    }
    case 'globstar': {
      const onward: Step = token.folders ? { accepts: (character) => character === '/', next: [after] } : after;
      const any: Step = { accepts: () => true, next: [onward] };
      const wild: Step = { isWild: true, next: [any] };
      any.next.push(wild);
      return { next: [wild, after] };
    }
    case 'choice':
      return { next: token.branches.map((branch) => link(branch, after)) };
  }
}
