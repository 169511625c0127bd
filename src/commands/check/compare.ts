import { compareToBaseline, differencesOf, failingOnBoth, unverifiedOf } from '../../suites/comparison.ts';
import { type Case, keyOf } from '../../suites/case.ts';
import { type CaseResult, keyOfResult, type StandingFlag } from '../../suites/result.ts';
import type { SuiteRun } from '../../suites/run.ts';
import type { StoredRun } from '../../suites/stored.ts';
import type { ReportParts } from '../../suites/whole.ts';
import { defuseLine } from '../../text/defuse.ts';
import { motifUrl } from '../../wire/request.ts';
import type { Run } from '../shared/run.ts';
import type { CheckFlags } from './check-flags.ts';
import type { AnswerSource } from './answer-source.ts';
import { openOther } from './source.ts';
import { readStoredRun } from './stored-files.ts';

type Compared = Pick<ReportParts, 'baseline' | 'against' | 'standing' | 'unverifiedThere'>;

type Compare = (results: readonly CaseResult[], ask: (source: AnswerSource) => Promise<SuiteRun>) => Promise<Compared>;

/** Opens the earlier run and the other Motif, so that what is wrong with one is told before a prompt is paid for. */
export async function openComparison(
  run: Run<CheckFlags>,
  here: AnswerSource,
  cases: readonly Case[],
): Promise<Compare> {
  const { flags, world } = run;
  const { baseline: file, against: profile } = flags;
  const stored = file === undefined ? undefined : { file, run: await readStoredRun(file, world) };
  if (stored !== undefined && !knowsSome(stored.run, cases))
    run.notice(
      `warning: ${defuseLine(stored.file)} has none of these cases, so it allows no failure: is it of another suite, or of another folder?`,
    );
  const other = profile === undefined ? undefined : { profile, source: await openOther(run, profile, cases) };
  const address = other && addressOf(other.source);
  if (other !== undefined && address !== undefined && address === addressOf(here))
    run.notice(`--against ${other.profile} asks the same Motif a second time: ${address}`);
  return async (results, ask) => {
    const standing = new Map<string, StandingFlag>();
    let compared: Compared = { standing };
    if (stored !== undefined) {
      const baseline = compareToBaseline(results, stored.run, stored.file);
      for (const key of baseline.standing) standing.set(key, 'baseline');
      compared = { ...compared, baseline: baseline.report };
    }
    if (other === undefined || world.interrupted.aborted) return compared;
    const there = (await ask(other.source)).results;
    if (flags.onlyNew) {
      for (const key of failingOnBoth(results, there)) if (!standing.has(key)) standing.set(key, 'only_new');
    }
    const { cases, keys, error } = unverifiedOf(results, there);
    const differences = differencesOf(results, there);
    const against = { name: other.profile, differences, unverified: cases, error };
    return { ...compared, unverifiedThere: keys, against };
  };
}

/** The address that a source asks; undefined for a gateway in this process, and where nothing is asked. */
function addressOf({ destination }: AnswerSource): string | undefined {
  return destination === undefined || destination.inside !== undefined
    ? undefined
    : motifUrl(destination.connection.target);
}

function knowsSome({ cases: known }: StoredRun, cases: readonly Case[]): boolean {
  const keys = new Set(known.map(keyOfResult));
  return cases.some((each) => keys.has(keyOf(each)));
}
