import { MotifError } from '../errors.ts';
import { type Fields, isFields, JsonFault, parseJson } from '../text/json/json.ts';
import { parseUsage, textOrNull } from '../wire/reply.ts';
import { type Message, MessagesFault, parseMessages } from '../wire/request.ts';
import type { Miss } from './expectations/expectation.ts';
import type { CaseResult, DocumentError, Warning } from './result.ts';

/** Parts that a later run needs of the JSON of an earlier one: a baseline, answers to judge again, or a shard. */
export interface StoredRun {
  readonly name: string;
  readonly motifId: string | null;
  readonly profile: string | null;
  readonly startedAt: number;
  readonly elapsedMs: number;
  readonly isInterrupted: boolean;
  readonly warnings: readonly Warning[];
  readonly left: number;
  readonly shard: { readonly index: number; readonly of: number } | null;
  /** Of all cases that were selected, whatever the shard. */
  readonly suite: { readonly digest: string; readonly cases: number } | null;
  readonly cases: readonly CaseResult[];
}

/** A file with the result of a run, and the report that makes such files. */
interface StoredFile {
  readonly file: string;
  readonly report: 'json' | 'blob';
}

/** Reads what `--report json=FILE` or `--report blob=FILE` wrote; anything else is a usage error. */
export function parseStoredRun(text: string, of: StoredFile): StoredRun {
  const value = parseDocument(text, of);
  if (!isFields(value) || !Array.isArray(value.cases)) throw noReport(of);
  const cases = value.cases.map((each: unknown) => toResult(each, of));
  const { shard, suite, totals } = value;
  return {
    name: textOrNull(value.name) ?? '',
    motifId: textOrNull(value.motif_id),
    profile: textOrNull(value.profile),
    startedAt: Date.parse(textOrNull(value.started_at) ?? '') || 0,
    elapsedMs: countOf(value.elapsed_ms) ?? 0,
    isInterrupted: value.interrupted === true,
    warnings: toWarnings(value),
    left: isFields(totals) ? (countOf(totals.left) ?? 0) : 0,
    shard: isFields(shard) ? { index: countOf(shard.index) ?? 0, of: countOf(shard.of) ?? 0 } : null,
    suite: isFields(suite) ? { digest: textOrNull(suite.digest) ?? '', cases: countOf(suite.cases) ?? 0 } : null,
    cases,
  };
}

function parseDocument(text: string, { file, report }: StoredFile): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new MotifError('usage', `${file}:${error.line}:${error.column}: ${error.message}`, {
      hint: `it has to be what --report ${report}=FILE wrote`,
    });
  }
}

function noReport({ file, report }: StoredFile): MotifError {
  const making =
    report === 'blob'
      ? 'motif check --shard i/n --report blob=FILE writes one'
      : 'motif check --report json=FILE writes one';
  return new MotifError('usage', `${file} is no result of motif check`, { hint: making });
}

const verdicts = ['pass', 'regressed', 'unverified', 'known', 'skipped'] as const;
const outcomes = ['answered', 'blocked', 'empty'] as const;

/** A later version may have written more; what is missing is as good as unknown. */
function toResult(value: unknown, of: StoredFile): CaseResult {
  const fields: Fields = isFields(value) ? value : {};
  const [id, place] = [textOrNull(fields.id), textOrNull(fields.file)];
  const verdict = verdicts.find((word) => word === fields.verdict);
  if (id === null || id === '' || place === null || verdict === undefined) throw noReport(of);
  return {
    id,
    file: place,
    line: countOf(fields.line) ?? 1,
    tags: textsOf(fields.tags),
    verdict,
    expect: fields.expect === 'blocked' ? 'blocked' : 'answered',
    outcome: outcomes.find((word) => word === fields.outcome) ?? null,
    misses: Array.isArray(fields.misses) ? fields.misses.flatMap(toMiss) : [],
    unjudged: textsOf(fields.unjudged),
    prompt_id: textOrNull(fields.prompt_id),
    error: isError(fields.error) ? fields.error : null,
    flaky: fields.flaky === true,
    passes: countOf(fields.passes) ?? 0,
    repeat: countOf(fields.repeat) ?? 1,
    attempts: countOf(fields.attempts) ?? 0,
    elapsed_ms: countOf(fields.elapsed_ms),
    usage: parseUsage(fields.usage),
    ...allOf(fields),
    finish_reason: textOrNull(fields.finish_reason),
    known: textOrNull(fields.known),
    replayed: fields.replayed === true,
    messages: toMessages(fields.messages),
    answer: textOrNull(fields.answer),
    digest: textOrNull(fields.digest) ?? '',
  };
}

/** An earlier version wrote the time and the tokens of one prompt alone. */
function allOf(fields: Fields): Pick<CaseResult, 'all_elapsed_ms' | 'all_usage'> {
  const times = Array.isArray(fields.all_elapsed_ms) ? fields.all_elapsed_ms : [fields.elapsed_ms];
  return {
    all_elapsed_ms: times.flatMap((each: unknown) => countOf(each) ?? []),
    all_usage: parseUsage(fields.all_usage ?? fields.usage),
  };
}

/** An earlier version wrote no files. */
function toWarnings({ warnings, warning_files: files }: Fields): readonly Warning[] {
  const fileAt = (at: number) => (Array.isArray(files) ? textOrNull(files[at]) : null);
  return textsOf(warnings).map((message, at) => ({ message, file: fileAt(at) }));
}

function toMiss(value: unknown): readonly Miss[] {
  if (!isFields(value)) return [];
  const diff = Array.isArray(value.diff) ? { diff: textsOf(value.diff) } : {};
  return [{ expectation: textOrNull(value.expectation) ?? '', message: textOrNull(value.message) ?? '', ...diff }];
}

function isError(value: unknown): value is DocumentError {
  return isFields(value) && typeof value.kind === 'string' && typeof value.message === 'string';
}

function toMessages(value: unknown): readonly Message[] | null {
  try {
    return value === null || value === undefined ? null : parseMessages(value);
  } catch (error) {
    if (error instanceof MessagesFault) return null;
    throw error;
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
