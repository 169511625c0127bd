import { compareToBaseline, differencesOf, failingOnBoth, unverifiedOf } from '../../suites/comparison.ts';
import type { CaseResult, StandingFlag } from '../../suites/result.ts';
import type { SuiteRun } from '../../suites/run.ts';
import type { ReportParts } from '../../suites/whole.ts';
import { motifUrl } from '../../wire/request.ts';
import type { Run } from '../shared/run.ts';
import type { CheckFlags } from './check-flags.ts';
import type { AnswerSource } from './answer-source.ts';
import { openOther } from './source.ts';
import { readStoredRun } from './stored-files.ts';

type Compared = Pick<ReportParts, 'baseline' | 'against' | 'standing' | 'unverifiedThere'>;

/** Comparison of an earlier run and another Motif to these results. */
export async function compare(
  run: Run<CheckFlags>,
  { source: here, results }: { readonly source: AnswerSource; readonly results: readonly CaseResult[] },
  ask: (source: AnswerSource) => Promise<SuiteRun>,
): Promise<Compared> {
  const { flags, world } = run;
  const { baseline: file, against: profile } = flags;
  const standing = new Map<string, StandingFlag>();
  let compared: Compared = { standing };
  if (file !== undefined) {
    const baseline = compareToBaseline(results, await readStoredRun(file, world), file);
    for (const key of baseline.standing) standing.set(key, 'baseline');
    compared = { ...compared, baseline: baseline.report };
  }
  if (profile === undefined || world.interrupted.aborted) return compared;
  const other = await openOther(run, profile);
  const isSame = addressOf(other) !== undefined && addressOf(other) === addressOf(here);
  if (isSame) run.notice(`--against ${profile} asks the same Motif a second time: ${addressOf(other)}`);
  const there = (await ask(other)).results;
  if (flags.onlyNew) {
    for (const key of failingOnBoth(results, there)) if (!standing.has(key)) standing.set(key, 'only_new');
  }
  const { cases, keys, error } = unverifiedOf(results, there);
  const differences = differencesOf(results, there);
  return { ...compared, unverifiedThere: keys, against: { name: profile, differences, unverified: cases, error } };
}

/** The address that a source asks; undefined for a gateway in this process, and where nothing is asked. */
function addressOf({ destination }: AnswerSource): string | undefined {
  return destination === undefined || destination.inside !== undefined
    ? undefined
    : motifUrl(destination.connection.target);
}
