import type { Shard } from '../runs/shards.ts';
import type { CaseResult, CheckReport, Guard, SelectedCases, StandingFlag, Totals, Warning } from './result.ts';
import {
  allowedOf,
  disallowedOf,
  exitCodeOf,
  latencyOf,
  matrixOf,
  type Tolerance,
  totalsOf,
  usageOf,
} from './summary.ts';
import { sentenceOf } from './sentences.ts';

/** Everything that a report is made of. */
export interface ReportParts {
  readonly results: readonly CaseResult[];
  readonly left: number;
  readonly guards: readonly Guard[] | null;
  readonly names: readonly string[];
  /** Subject of the result; null where it is the suites. */
  readonly subject: string | null;
  readonly profile: string | null;
  readonly motifId: string | null;
  readonly startedAt: number;
  readonly elapsedMs: number;
  readonly isInterrupted: boolean;
  readonly shard: Shard | null;
  readonly suite: SelectedCases;
  readonly tolerance: Tolerance;
  readonly warnings: readonly Warning[];
  readonly baseline?: CheckReport['baseline'];
  readonly against?: CheckReport['against'];
  /** Keys of regressions that are not new, each with the flag that allows it. */
  readonly standing?: ReadonlyMap<string, StandingFlag>;
  /** Keys of cases that the other Motif could not verify. */
  readonly unverifiedThere?: ReadonlySet<string>;
  /** True where --prove could prove nothing, because a case did not pass. */
  readonly isUnproved?: boolean;
}

/** The result of a run as a whole: counted, judged, and said in one sentence. */
export function toReport(parts: ReportParts): CheckReport {
  const { results, left, guards, tolerance, elapsedMs, isUnproved = false } = parts;
  const totals = totalsOf(results, left);
  const matrix = matrixOf(results);
  const { warnings } = parts;
  const standing = parts.standing ?? new Map<string, StandingFlag>();
  const unverifiedThere = parts.unverifiedThere ?? new Set<string>();
  const reckoning = { cases: results, totals, matrix, guards, warnings, standing, unverifiedThere, isUnproved };
  const exitCode = exitCodeOf(reckoning, tolerance);
  const flagged = { allowed: allowedOf(reckoning, tolerance), disallowed: disallowedOf(reckoning, tolerance) };
  const name = nameOf(parts);
  const said = results.some(({ replayed }) => replayed) ? `${name} (replay, nothing was sent)` : name;
  return {
    ok: exitCode === 0,
    exit_code: exitCode,
    summary:
      emptyShardText(parts.shard, totals) ??
      sentenceOf({ name: said, elapsedMs, exitCode }, reckoning, { ...flagged, tolerance }),
    name,
    profile: parts.profile,
    motif_id: parts.motifId,
    started_at: new Date(parts.startedAt).toISOString(),
    elapsed_ms: elapsedMs,
    interrupted: parts.isInterrupted,
    totals,
    ...flagged,
    matrix,
    latency_ms: latencyOf(results),
    usage: usageOf(results),
    warnings: warnings.map(({ message }) => message),
    warning_files: warnings.map(({ file }) => file),
    cases: results,
    guards,
    unproved: isUnproved,
    baseline: parts.baseline ?? null,
    against: parts.against ?? null,
    shard: parts.shard,
    suite: parts.suite,
    error: null,
  };
}

function nameOf({ subject, names }: ReportParts): string {
  return subject ?? (names.length === 1 ? names[0]! : `${names.length} suites`);
}

/** Words for a shard that has no case, which is right; undefined for any other run. */
function emptyShardText(shard: Shard | null, { cases }: Pick<Totals, 'cases'>): string | undefined {
  return shard === null || cases > 0 ? undefined : `no case belongs to shard ${shard.index}/${shard.of}`;
}
