import {
  type CaseResult,
  type CheckReport,
  type Difference,
  type DocumentError,
  type Guard,
  keyOfResult,
} from '../result.ts';
import { demoSuiteName } from '../demo.ts';
import { formatDuration } from '../../text/durations.ts';
import { counted } from '../../text/sizes.ts';
import { wordsOfDetail } from '../../wire/failure.ts';

export interface ReportOptions {
  /** The command line that asks the failures again. */
  readonly again: string | undefined;
  /** Bold, red, yellow and dim, or the text as it is. */
  readonly paint: Paint;
  readonly version: string;
  /** This run's folder below the repository that GitHub checked out; absent for its top. */
  readonly folder?: string;
  /** Columns of the terminal on which it is read; undefined where a line may be as long as it is. */
  readonly columns?: number | undefined;
  /** True where it is read aloud: marks are words, and each count has its name beside it. */
  readonly isAccessible?: boolean;
  /** True where people want to see what was asked, too. */
  readonly isVerbose?: boolean | undefined;
}

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
}

/** A form of the result of a run; a pure function of it. */
export type RenderReport = (report: CheckReport, options: ReportOptions) => string;

/** True where every case is as it should be, though a policy may be unguarded. */
export function allPass({ exit_code: exitCode, guards, totals }: CheckReport): boolean {
  return exitCode === 0 || (guards !== null && totals.regressed === 0 && totals.unverified === 0);
}

/** Everything that is not as it should be, the worst first. */
export function troubles({ cases }: Pick<CheckReport, 'cases'>): readonly CaseResult[] {
  const order = ['regressed', 'unverified', 'known', 'skipped'] as const;
  return order.flatMap((verdict) => cases.filter((each) => each.verdict === verdict));
}

/** The error of a case, with what the service said of it. */
export function errorText(error: DocumentError): string {
  const words = wordsOfDetail(error.detail ?? null);
  return words === undefined ? error.message : `${error.message}; the service said: ${words}`;
}

/** Why a case has its verdict, in one line; it quotes the suite and the service, never an answer. */
export function reasonOf(result: CaseResult): string {
  const { misses, unjudged, error, attempts, verdict, known, passes, repeat, replayed } = result;
  const runs = `${repeat > 1 ? ` (${passes} of ${repeat} passed)` : ''}${replayed ? ' (replay)' : ''}`;
  const tries = attempts > 1 ? `, ${attempts} attempts` : '';
  if (error !== null) return `${errorText(error)}${tries}${runs}`;
  if (misses.length > 0) {
    const why = verdict === 'known' ? ` (known: ${known ?? ''})` : '';
    return `${misses.map(({ message }) => message).join('; ')}${why}${runs}`;
  }
  if (verdict === 'skipped') {
    const what = [...unjudged, ''].join(', ').replace(/, $/, ' ');
    if (replayed) return `${what}cannot be judged in a replay, which has answers alone: run it live with --local`;
    // With --live the provider itself answers, and decisions are seen all the same.
    const local = unjudged.includes('provider_answer') ? '--local without --live' : '--local';
    return `${what}can be judged only with --demo or ${local}`;
  }
  return runs.trim();
}

/** The lines that differ, or else what was answered. */
export function evidenceOf({ misses, answer }: CaseResult): string | undefined {
  const diff = misses.flatMap((miss) => miss.diff ?? []);
  if (diff.length > 0) return diff.join('\n');
  return answer === null || answer === '' ? undefined : answer;
}

/** Time that all prompts of a case took together. */
export function timeOf({ all_elapsed_ms: times }: CaseResult): number {
  return times.reduce((sum, ms) => sum + ms, 0);
}

export function latencyText({ latency_ms: { p50, p95, p99 } }: CheckReport): string | undefined {
  if (p50 === null) return undefined;
  const parts = Object.entries({ p50, p95, p99 }).map(([name, ms]) => `${name} ${formatDuration(ms ?? 0)}`);
  return parts.join(' · ');
}

/** The words for a baseline: what is new, what is fixed, and what still fails, though it fails no run. */
export function sinceBaseline(
  { fixed, standing, new: fresh }: NonNullable<CheckReport['baseline']>,
  idsShown: (ids: readonly string[]) => string,
): string {
  const counted = (ids: readonly string[], word: string) =>
    `${ids.length} ${word}${ids.length > 0 ? `: ${idsShown(ids)}` : ''}`;
  const still = `${standing.length} still fail${standing.length === 1 ? 's' : ''}${standing.length > 0 ? ', which --baseline allows' : ''}`;
  return [counted(fresh, 'new'), counted(fixed, 'fixed'), still].join('; ');
}

const idsNamedMax = 8;

/** Words for the cases that the other Motif could not verify, by their ids; `shown` disarms what is not ours. */
export function unverifiedThereText(
  { unverified, error }: NonNullable<CheckReport['against']>,
  shown: (text: string) => string,
): string {
  if (unverified.length === 0) return '';
  const more = unverified.length > idsNamedMax ? ` and ${unverified.length - idsNamedMax} more` : '';
  const ids = unverified.slice(0, idsNamedMax).map(({ id }) => shown(id));
  const why = error === null ? '' : `: ${shown(errorText(error))}`;
  return `${counted(unverified.length, 'case')} could not be verified there (${ids.join(', ')}${more})${why}`;
}

/**
 * The cases for tools that know no second Motif and no flags: one that only the other Motif could not verify is
 * unverified, and with `--fail-on-flaky` a flaky one is a failure.
 */
export function casesForTools({ cases, against, disallowed }: CheckReport): readonly CaseResult[] {
  const keys = new Set((against?.unverified ?? []).map(keyOfResult));
  const why = against?.error ? `: ${errorText(against.error)}` : '';
  const error: DocumentError = {
    kind: against?.error?.kind ?? 'unverified',
    exit_code: against?.error?.exit_code ?? 11,
    message: `could not be verified on ${against?.name}${why}`,
  };
  const flaky: CaseResult['misses'][number] = { expectation: 'flaky', message: 'flaky' };
  return cases.map((each) => {
    if (each.verdict !== 'pass') return each;
    if (each.flaky && disallowed.flaky > 0) return { ...each, verdict: 'regressed', misses: [flaky] };
    return keys.has(keyOfResult(each)) ? { ...each, verdict: 'unverified', error, prompt_id: null } : each;
  });
}

/** Words over the parts of policies that no case tests. */
export const untestedHead = 'untested parts';

/** The cases, in YAML, that would guard what a proof failed for; untested parts are failures with `--strict` alone. */
export function casesToAdd({ guards, disallowed }: Pick<CheckReport, 'guards' | 'disallowed'>): string {
  const isMissing = ({ state }: Guard): boolean => state === 'unguarded' || disallowed.untested > 0;
  return (guards ?? []).flatMap((guard) => (isMissing(guard) ? (guard.case_to_add ?? []) : [])).join('');
}

export const casesToAddHead = 'to add to the cases of a suite:';

/**
 * The name of the demo's suite, which is easily taken for one of the folder, and words for answers of an earlier run;
 * empty where a suite of the folder was asked.
 */
export function sourceWords({ cases }: CheckReport): string {
  const isDemo = cases.length > 0 && cases.every(({ file }) => file === demoSuiteName);
  const isReplay = cases.some(({ replayed }) => replayed);
  return `${isDemo ? ` of ${demoSuiteName}` : ''}${isReplay ? ' (replay, nothing was sent)' : ''}`;
}

/** The differences of each case, which follow each other. */
export function differencesByCase(differences: readonly Difference[]): readonly (readonly Difference[])[] {
  const cases: Difference[][] = [];
  for (const each of differences) {
    const last = cases.at(-1)?.[0];
    if (last !== undefined && keyOfResult(last) === keyOfResult(each)) cases.at(-1)!.push(each);
    else cases.push([each]);
  }
  return cases;
}
