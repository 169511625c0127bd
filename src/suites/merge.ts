import { MotifError } from '../errors.ts';
import { type CaseResult, keyOfResult } from './result.ts';
import { shardOf } from './selection.ts';
import type { StoredRun } from './stored.ts';
import type { ReportParts } from './whole.ts';

interface Blob {
  readonly file: string;
  readonly run: StoredRun;
}

type MergedParts = Omit<ReportParts, 'tolerance'>;

/**
 * The shards of one suite as one result. Their completeness is proven first: each part is there once, all are of the
 * same cases and the same Motif, each case stands in its part, and together they are as many as were selected.
 */
export function mergeBlobs(blobs: readonly Blob[]): MergedParts {
  const [first] = blobs;
  if (first === undefined) throw incomplete('there is nothing to merge');
  for (const blob of blobs) checkBlob(blob, first);
  checkParts(blobs, first.run.shard!.of);
  const results = blobs.flatMap(({ run }) => run.cases);
  const left = blobs.reduce((sum, { run }) => sum + run.left, 0);
  const keys = new Set(results.map(keyOfResult));
  const { cases } = first.run.suite!;
  if (keys.size !== results.length) throw incomplete('a case stands in several of them');
  if (results.length + left !== cases) throw incomplete(`they hold ${results.length + left} cases of ${cases}`);
  return {
    results: results.toSorted(byPlace),
    left,
    guards: null,
    names: [first.run.name],
    subject: first.run.name === '' ? null : first.run.name,
    profile: first.run.profile,
    motifId: first.run.motifId,
    startedAt: Math.min(...blobs.map(({ run }) => run.startedAt)),
    elapsedMs: Math.max(...blobs.map(({ run }) => run.elapsedMs)),
    isInterrupted: blobs.some(({ run }) => run.isInterrupted),
    shard: null,
    suite: first.run.suite!,
    warnings: [...new Map(blobs.flatMap(({ run }) => run.warnings.map((each) => [each.message, each]))).values()],
  };
}

function checkBlob({ file, run }: Blob, { file: firstFile, run: first }: Blob): void {
  const { shard, suite, cases } = run;
  if (shard === null || suite === null) throw incomplete(`${file} is no part of several: it was made without --shard`);
  if (suite.digest !== first.suite?.digest)
    throw incomplete(`${file} and ${firstFile} are not of the same cases: one is older, or of another suite`);
  if (shard.of !== first.shard?.of)
    throw incomplete(`${file} is of ${shard.of} parts, ${firstFile} of ${first.shard?.of}`);
  if (run.motifId !== first.motifId) throw incomplete(`${file} and ${firstFile} are of different Motifs`);
  const odd = cases.find((each) => shardOf(keyOfResult(each), shard.of) !== shard.index);
  if (odd !== undefined) throw incomplete(`${file} holds the case ${JSON.stringify(odd.id)}, which is of another part`);
}

function checkParts(blobs: readonly Blob[], total: number): void {
  const files = new Map<number, string>();
  for (const { file, run } of blobs) {
    const { index } = run.shard!;
    const other = files.get(index);
    if (other !== undefined) throw incomplete(`${file} and ${other} are both part ${index}`);
    files.set(index, file);
  }
  const missing = Array.from({ length: total }, (_, at) => at + 1).filter((index) => !files.has(index));
  if (missing.length === 0) return;
  const shown = `${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ' and more' : ''}`;
  throw incomplete(
    missing.length === 1 ? `part ${shown} of ${total} is missing` : `parts ${shown} of ${total} are missing`,
  );
}

function incomplete(message: string): MotifError {
  return new MotifError('usage', `the parts do not fit together: ${message}`, {
    hint: 'each part: motif check --shard i/n --report blob=part-i.json',
  });
}

function byPlace(one: CaseResult, other: CaseResult): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.line - other.line;
}
