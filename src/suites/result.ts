import type { Kind } from '../errors.ts';
import type { Shard } from '../runs/shards.ts';
import type { Usage } from '../wire/reply.ts';
import type { Message } from '../wire/request.ts';
import type { ExpectedOutcome } from './expectations/decision.ts';
import type { Miss } from './expectations/expectation.ts';

/** `known` is a failure that somebody knows of, `skipped` a case that cannot be judged here. */
export type CaseVerdict = 'pass' | 'regressed' | 'unverified' | 'known' | 'skipped';

/** The error of a document, as every `--json` has it. */
export interface DocumentError {
  readonly kind: Kind;
  readonly exit_code: number;
  readonly message: string;
  readonly [name: string]: unknown;
}

/** Result of one case: the row of `check --json`, of a blob and of every report. */
export interface CaseResult {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly tags: readonly string[];
  readonly verdict: CaseVerdict;
  readonly expect: ExpectedOutcome;
  /** Null where nothing came back. */
  readonly outcome: 'answered' | 'blocked' | 'empty' | null;
  readonly misses: readonly Miss[];
  /** Expectations that cannot be judged here, like `provider_saw`. */
  readonly unjudged: readonly string[];
  readonly prompt_id: string | null;
  readonly error: DocumentError | null;
  /** Some of its repetitions passed and some did not. */
  readonly flaky: boolean;
  /** Number of its repetitions that passed, and of all. */
  readonly passes: number;
  readonly repeat: number;
  readonly attempts: number;
  readonly elapsed_ms: number | null;
  readonly usage: Usage | null;
  /** Times and tokens of all its prompts, of every turn and repetition; the others are of the one that is shown. */
  readonly all_elapsed_ms: readonly number[];
  readonly all_usage: Usage | null;
  readonly finish_reason: string | null;
  /** Why it is known to fail; null where it is not. */
  readonly known: string | null;
  /** Judged from a stored answer: nothing was sent. */
  readonly replayed: boolean;
  /** The last messages that were sent, and what was answered; null where the report holds no texts. */
  readonly messages: readonly Message[] | null;
  readonly answer: string | null;
  readonly digest: string;
}

export interface Totals {
  readonly cases: number;
  readonly pass: number;
  readonly regressed: number;
  readonly unverified: number;
  readonly known: number;
  readonly skipped: number;
  readonly flaky: number;
  /** Selected, but not asked any more. */
  readonly left: number;
}

/** Flags that allow a regression of an earlier run, or of another Motif, to be there still. */
export type StandingFlag = 'baseline' | 'only_new';

/** Numbers of what a flag of the run allows: wrong outcomes, regressions that are not new, and what is unverified. */
export interface Allowed extends Readonly<Record<StandingFlag, number>> {
  readonly missed_blocks: number;
  readonly false_blocks: number;
  readonly unverified: number;
}

/** Numbers of what fails no run, but this one by `--strict` or `--fail-on-flaky`. */
export interface Disallowed {
  readonly warnings: number;
  readonly untested: number;
  readonly flaky: number;
}

export interface MatrixRow {
  readonly blocked: number;
  readonly answered: number;
  readonly unverified: number;
  /** Ids of those that came out otherwise. */
  readonly wrong: readonly string[];
}

export interface Matrix {
  readonly must_block: MatrixRow;
  readonly must_answer: MatrixRow;
}

export interface Latency {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** A warning of a run, and the suite that it is about; null where it is about none. */
export interface Warning {
  readonly message: string;
  readonly file: string | null;
}

/** One policy in the proof that its absence would be noticed. */
export interface Guard {
  readonly policy: string;
  /** Its place in the gateway file. */
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly action: 'block' | 'redact' | 'warn';
  /** Number of cases that notice that it is switched off, or weakened; null where that was not tried. */
  readonly off: number | null;
  readonly weakened: number | null;
  readonly state: 'guarded' | 'unguarded' | 'not counted' | 'not asked';
  /** Other policies that catch the same. */
  readonly also: readonly string[];
  /** Entities, words and patterns whose absence no case notices. */
  readonly untested: readonly string[];
  readonly parts: number;
  /** Cases that would guard it, or its untested parts, for the list `cases` of a suite; null where none are known. */
  readonly case_to_add: string | null;
}

/** A case by the place where it stands: the same id in two suites names two cases. */
export type CasePlace = Pick<CaseResult, 'id' | 'file' | 'line'>;

/** A case that came out differently on two Motifs, or differently from an earlier run. */
export interface Difference extends CasePlace {
  /** Like `verdict`, `outcome`, `tokens`, `time`. */
  readonly what: string;
  readonly here: string;
  readonly there: string;
}

export interface SelectedCases {
  readonly digest: string;
  readonly cases: number;
}

/** Everything that a run of checks found out; `--json` prints it, a blob keeps it, and reports are made of it. */
export interface CheckReport {
  readonly ok: boolean;
  readonly exit_code: number;
  readonly summary: string;
  readonly name: string;
  readonly profile: string | null;
  readonly motif_id: string | null;
  readonly started_at: string;
  readonly elapsed_ms: number;
  readonly interrupted: boolean;
  readonly totals: Totals;
  readonly allowed: Allowed;
  readonly disallowed: Disallowed;
  readonly matrix: Matrix;
  readonly latency_ms: Latency;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
  readonly warnings: readonly string[];
  /** The files of the warnings, in their order. */
  readonly warning_files: readonly Warning['file'][];
  readonly cases: readonly CaseResult[];
  readonly guards: readonly Guard[] | null;
  /** True where --prove could prove nothing, because a case did not pass. */
  readonly unproved: boolean;
  readonly baseline: {
    readonly file: string;
    readonly fixed: readonly string[];
    /** Ids of regressions that the baseline has too, and of those that it has not. */
    readonly standing: readonly string[];
    readonly new: readonly string[];
  } | null;
  readonly against: {
    readonly name: string;
    readonly differences: readonly Difference[];
    /** Cases that could not be verified on the other Motif, and the error of the first of them. */
    readonly unverified: readonly CasePlace[];
    readonly error: DocumentError | null;
  } | null;
  readonly shard: Shard | null;
  /** All cases that were selected, whatever the shard: shards of one suite have the same digest. */
  readonly suite: SelectedCases;
  readonly error: null;
}

export function keyOfResult({ file, id }: Pick<CaseResult, 'file' | 'id'>): string {
  return `${file}#${id}`;
}

/** The result of a case that was not asked. */
export function unaskedResult(
  { id, file, line }: CasePlace,
  { verdict, expect, ...said }: Pick<CaseResult, 'verdict' | 'expect'> & Partial<CaseResult>,
): CaseResult {
  return {
    id,
    file,
    line,
    tags: [],
    verdict,
    expect,
    outcome: null,
    misses: [],
    unjudged: [],
    prompt_id: null,
    error: null,
    flaky: false,
    passes: 0,
    repeat: 1,
    attempts: 0,
    elapsed_ms: null,
    usage: null,
    all_elapsed_ms: [],
    all_usage: null,
    finish_reason: null,
    known: null,
    replayed: false,
    messages: null,
    answer: null,
    digest: '',
    ...said,
  };
}
