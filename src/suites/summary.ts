import type { Usage } from '../wire/reply.ts';
import { expectedOutcome, type Suite } from './case.ts';
import {
  type Allowed,
  type CaseResult,
  type CheckReport,
  type Disallowed,
  type Guard,
  keyOfResult,
  type Latency,
  type Matrix,
  type MatrixRow,
  type StandingFlag,
  type Totals,
  type Warning,
} from './result.ts';

/** A number of cases, or a share of them. */
export interface Threshold {
  readonly amount: number;
  readonly isPercent: boolean;
}

/** Limits of what a run tolerates. */
export interface Tolerance {
  readonly maxMissedBlocks?: Threshold | undefined;
  readonly maxFalseBlocks?: Threshold | undefined;
  readonly maxUnverified?: Threshold | undefined;
  readonly failOnFlaky?: boolean | undefined;
  readonly strict?: boolean | undefined;
}

/** Reads `3` or `0.5%`; undefined for anything else. */
export function parseThreshold(text: string): Threshold | undefined {
  const [, amount, percent] = /^(\d{1,9}(?:\.\d{1,6})?)(%)?$/.exec(text) ?? [];
  if (amount === undefined || (percent === undefined && amount.includes('.'))) return undefined;
  return { amount: Number(amount), isPercent: percent !== undefined };
}

export function isOver(count: number, whole: number, { amount, isPercent }: Threshold): boolean {
  return isPercent ? count * 100 > amount * whole : count > amount;
}

export function totalsOf(cases: readonly CaseResult[], left: number): Totals {
  const count = (verdict: CaseResult['verdict']) => cases.filter((each) => each.verdict === verdict).length;
  return {
    cases: cases.length + left,
    pass: count('pass'),
    regressed: count('regressed'),
    unverified: count('unverified'),
    known: count('known'),
    skipped: count('skipped'),
    flaky: cases.filter(({ flaky }) => flaky).length,
    left,
  };
}

/** Expected against actual outcomes, without the cases that cannot be judged here. */
export function matrixOf(cases: readonly CaseResult[]): Matrix {
  const row = (expect: CaseResult['expect']): MatrixRow => {
    const rows = cases.filter((each) => each.expect === expect && each.verdict !== 'skipped');
    const of = (outcome: CaseResult['outcome']) => rows.filter((each) => each.outcome === outcome);
    const answered = [...of('answered'), ...of('empty')];
    const wrong = expect === 'blocked' ? answered : of('blocked');
    return {
      blocked: of('blocked').length,
      answered: answered.length,
      unverified: of(null).length,
      wrong: wrong.map(({ id }) => id),
    };
  };
  return { must_block: row('blocked'), must_answer: row('answered') };
}

/** Times of all prompts that were sent now: a stored answer took none. */
export function timesOf(cases: readonly CaseResult[]): number[] {
  return cases.flatMap(({ all_elapsed_ms: times, replayed }) => (replayed ? [] : times));
}

/** Percentiles by the nearest rank. */
export function latencyOf(cases: readonly CaseResult[]): Latency {
  const times = timesOf(cases);
  times.sort((one, other) => one - other);
  const at = (share: number): number | null => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? null;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Tokens of all prompts that were sent now: a stored answer cost none. */
export function usageOf(cases: readonly CaseResult[]): CheckReport['usage'] {
  return sumOfUsage(cases.map(({ all_usage: usage, replayed }) => (replayed ? null : usage)));
}

export function sumOfUsage(all: readonly (Usage | null)[]): CheckReport['usage'] {
  const sum = (name: keyof Usage) => all.reduce((total, usage) => total + (usage?.[name] ?? 0), 0);
  return {
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
    total_tokens: sum('total_tokens'),
  };
}

/** A suite that only expects blocks is green as well where everything is blocked. */
export function controlWarnings({ file, cases }: Suite): readonly Warning[] {
  if (cases.some((each) => expectedOutcome(each) === 'answered')) return [];
  const message = `${file} expects no answer anywhere, so that a Motif that blocks everything would pass: add a control`;
  return [{ message, file }];
}

export interface Reckoning {
  readonly cases: readonly CaseResult[];
  readonly totals: Totals;
  readonly matrix: Matrix;
  readonly guards: readonly Guard[] | null;
  readonly warnings: readonly Warning[];
  /** Keys of regressions that are not new, each with the flag that allows it. */
  readonly standing: ReadonlyMap<string, StandingFlag>;
  /** Keys of cases that the Motif of --against could not verify. */
  readonly unverifiedThere: ReadonlySet<string>;
  /** True where --prove could prove nothing. */
  readonly isUnproved: boolean;
}

/** 0 as expected, 1 a regression, 11 something could not be verified. A regression among outages is a regression. */
export function exitCodeOf(reckoning: Reckoning, tolerance: Tolerance): 0 | 1 | 11 {
  const { totals, guards } = reckoning;
  const allowed = allowedOf(reckoning, tolerance);
  const regressions = allowed.missed_blocks + allowed.false_blocks + allowed.baseline + allowed.only_new;
  if (totals.regressed > regressions) return 1;
  if (Object.values(disallowedOf(reckoning, tolerance)).some((count) => count > 0)) return 1;
  if (guards?.some(({ state }) => state === 'unguarded') === true) return 1;
  if (reckoning.isUnproved) return 11;
  return unverifiedOf(reckoning) > allowed.unverified || isNothingVerified(totals) ? 11 : 0;
}

/** True where no verdict was reached: such a run is never green. */
export function isNothingVerified({ pass, known, regressed, cases }: Totals): boolean {
  return pass + known + regressed === 0 && cases > 0;
}

/** Cases that could not be verified here, or on the other Motif, or were not asked any more. */
function unverifiedOf({ cases, totals, unverifiedThere }: Reckoning): number {
  const onlyThere = cases.filter((each) => each.verdict !== 'unverified' && unverifiedThere.has(keyOfResult(each)));
  return totals.unverified + totals.left + onlyThere.length;
}

/** Counts of what fails the run by a flag alone. */
export function disallowedOf(
  { totals, guards, warnings }: Pick<Reckoning, 'totals' | 'guards' | 'warnings'>,
  { strict = false, failOnFlaky = false }: Tolerance,
): Disallowed {
  return {
    warnings: strict ? warnings.length : 0,
    untested: strict ? untestedOf(guards ?? []) : 0,
    flaky: failOnFlaky ? totals.flaky : 0,
  };
}

/** Parts of policies that no case tests. */
export function untestedOf(guards: readonly Guard[]): number {
  return guards.reduce((sum, { untested }) => sum + untested.length, 0);
}

/** True where the run is green by a flag that allows what is not as it should be. */
export function isByAllowance({ exit_code: code, allowed }: Pick<CheckReport, 'exit_code' | 'allowed'>): boolean {
  return code === 0 && Object.values(allowed).some((count) => count > 0);
}

/** Counts of what the flags of the run allow; a threshold allows regressions that are new. */
export function allowedOf(reckoning: Reckoning, tolerance: Tolerance): Allowed {
  const { cases, matrix, standing, totals } = reckoning;
  const { must_block: mustBlock, must_answer: mustAnswer } = matrix;
  const allows = {
    blocked: isTolerated(mustBlock, tolerance.maxMissedBlocks),
    answered: isTolerated(mustAnswer, tolerance.maxFalseBlocks),
  };
  const count = (expect: CaseResult['expect']): number =>
    cases.filter(
      (each) =>
        allows[each.expect] &&
        each.expect === expect &&
        each.verdict === 'regressed' &&
        !standing.has(keyOfResult(each)) &&
        each.misses.every(({ expectation }) => expectation === 'expect'),
    ).length;
  const standingBy = (flag: StandingFlag): number =>
    cases.filter((each) => each.verdict === 'regressed' && standing.get(keyOfResult(each)) === flag).length;
  const { maxUnverified } = tolerance;
  const isAllowed =
    maxUnverified !== undefined && areUnverifiedWithin(reckoning, maxUnverified) && !isNothingVerified(totals);
  return {
    missed_blocks: count('blocked'),
    false_blocks: count('answered'),
    baseline: standingBy('baseline'),
    only_new: standingBy('only_new'),
    unverified: isAllowed ? unverifiedOf(reckoning) : 0,
  };
}

function isTolerated(row: MatrixRow, threshold: Threshold | undefined): boolean {
  return threshold !== undefined && areWrongWithin(row, threshold);
}

export function areWrongWithin({ blocked, answered, unverified, wrong }: MatrixRow, threshold: Threshold): boolean {
  return !isOver(wrong.length, blocked + answered + unverified, threshold);
}

export function areUnverifiedWithin(reckoning: Reckoning, threshold: Threshold): boolean {
  return !isOver(unverifiedOf(reckoning), reckoning.totals.cases, threshold);
}
