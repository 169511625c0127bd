import { MotifError } from '../errors.ts';
import { formatDuration } from '../text/durations.ts';
import { type Case, keyOf } from './case.ts';
import {
  type CasePlace,
  type CaseResult,
  type CheckReport,
  type Difference,
  type DocumentError,
  keyOfResult,
} from './result.ts';
import type { StoredRun } from './stored.ts';
import type { Ask } from './verdict.ts';

interface Baseline {
  readonly report: NonNullable<CheckReport['baseline']>;
  /** Keys of regressions that are not new. */
  readonly standing: ReadonlySet<string>;
}

/** Comparison with an earlier run: which regressions are not new, and which are gone. */
export function compareToBaseline(results: readonly CaseResult[], run: StoredRun, file: string): Baseline {
  const before = run.cases.filter(({ verdict }) => verdict === 'regressed');
  const regressed = new Map(before.map((each) => [keyOfResult(each), each]));
  const isStanding = (each: CaseResult): boolean => {
    const earlier = regressed.get(keyOfResult(each));
    return earlier !== undefined && isKnownThatPasses(earlier) === isKnownThatPasses(each);
  };
  const now = results.filter(({ verdict }) => verdict === 'regressed');
  const standing = now.filter(isStanding);
  const fresh = now.filter((each) => !isStanding(each));
  const fixed = results.filter((each) => each.verdict === 'pass' && regressed.has(keyOfResult(each)));
  const ids = (cases: readonly CaseResult[]) => cases.map(({ id }) => id);
  return {
    report: { file, fixed: ids(fixed), standing: ids(standing), new: ids(fresh) },
    standing: new Set(standing.map(keyOfResult)),
  };
}

/** True for a case that failed because it passes, though the suite calls it a known failure: it does not fail still. */
function isKnownThatPasses({ misses }: CaseResult): boolean {
  return misses.length > 0 && misses.every(({ expectation }) => expectation === 'known');
}

/** Times that differ less than this differ for no reason that anybody could find. */
const timeFactor = 2;
const timeByMs = 500;

/** The cases of a run that another Motif could not verify. */
interface UnverifiedThere {
  readonly cases: readonly CasePlace[];
  readonly keys: ReadonlySet<string>;
  /** The error of the first of them that has one. */
  readonly error: DocumentError | null;
}

export function unverifiedOf(here: readonly CaseResult[], there: readonly CaseResult[]): UnverifiedThere {
  const others = new Map(there.map((each) => [keyOfResult(each), each]));
  const unverified = here.filter((one) => (others.get(keyOfResult(one))?.verdict ?? 'unverified') === 'unverified');
  const keys = new Set(unverified.map(keyOfResult));
  const error = there.find((each) => each.error !== null && keys.has(keyOfResult(each)))?.error ?? null;
  return { cases: unverified.map(({ id, file, line }) => ({ id, file, line })), keys, error };
}

/** Everything in which two Motifs came out differently, case by case; a case that one could not verify has nothing. */
export function differencesOf(here: readonly CaseResult[], there: readonly CaseResult[]): readonly Difference[] {
  const others = new Map(there.map((each) => [keyOfResult(each), each]));
  return here.flatMap((one) => {
    const other = others.get(keyOfResult(one));
    if (other === undefined || [one, other].some(({ verdict }) => verdict === 'unverified')) return [];
    const { id, file, line } = one;
    return differentPairs(one, other).map(([what, mine, theirs]) => ({
      id,
      file,
      line,
      what,
      here: mine,
      there: theirs,
    }));
  });
}

function differentPairs(one: CaseResult, other: CaseResult): readonly (readonly [string, string, string])[] {
  const tokens = (each: CaseResult) => String(each.usage?.total_tokens ?? 'unknown');
  const pairs = [
    ['verdict', one.verdict, other.verdict],
    ['outcome', one.outcome ?? 'none', other.outcome ?? 'none'],
    ['tokens', tokens(one), tokens(other)],
  ] as const;
  const [mine, theirs] = [one.elapsed_ms ?? 0, other.elapsed_ms ?? 0];
  const isSlower = Math.max(mine, theirs) > timeFactor * Math.min(mine, theirs) && Math.abs(mine - theirs) > timeByMs;
  const time = isSlower ? [['time', formatDuration(mine), formatDuration(theirs)] as const] : [];
  return [...pairs.filter(([, left, right]) => left !== right), ...time];
}

/** Keys of cases that fail on both Motifs. */
export function failingOnBoth(here: readonly CaseResult[], there: readonly CaseResult[]): ReadonlySet<string> {
  const failing = (results: readonly CaseResult[]) =>
    results.filter(({ verdict }) => verdict === 'regressed').map(keyOfResult);
  const others = new Set(failing(there));
  return new Set(failing(here).filter((key) => others.has(key)));
}

/** The expectations for whose sake an earlier run skipped a case without asking it, so that it has no answer to it. */
export function skippedIn(run: StoredRun): (of: Case) => readonly string[] {
  const unasked = run.cases.filter(({ verdict, attempts }) => verdict === 'skipped' && attempts === 0);
  const stored = new Map(unasked.map((each) => [keyOfResult(each), each.unjudged]));
  return (of) => stored.get(keyOf(of)) ?? [];
}

/** Gives the answers of an earlier run instead of asking; a prompt that is not the same any more has none. */
export function askStored(run: StoredRun, file: string): Ask {
  const stored = new Map(run.cases.map((each) => [keyOfResult(each), each]));
  const unverified = (message: string) =>
    new MotifError('unverified', message, { hint: 'ask it live: the same command without --replay' });
  return async (messages, of) => {
    const result = stored.get(keyOf(of));
    if (result === undefined) throw unverified(`${file} does not have this case`);
    const { messages: asked, outcome } = result;
    if (asked === null) {
      throw new MotifError('usage', `${file} holds no prompts and answers`, { hint: 'make it with --report-text all' });
    }
    const isSame = messages.every(({ role, content }, at) => asked[at]?.role === role && asked[at].content === content);
    if (!isSame) throw unverified(`the prompt differs from the one in ${file}`);
    const isLast = asked.length === messages.length;
    if (isLast && outcome === null) throw unverified(`could not be verified in ${file} either`);
    const answer = isLast ? (result.answer ?? '') : (asked[messages.length]?.content ?? '');
    return {
      outcome: isLast ? outcome! : answer === '' ? 'empty' : 'answered',
      answer,
      hasLeaked: false,
      finishReason: result.finish_reason,
      usage: result.usage,
      elapsedMs: result.elapsed_ms ?? 0,
      sight: undefined,
      promptId: result.prompt_id,
      attempts: 0,
      isPolicyFailure: false,
    };
  };
}
