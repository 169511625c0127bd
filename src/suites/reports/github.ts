import { annotation, annotationsMax } from '../../reports/annotations.ts';
import type { CaseResult } from '../result.ts';
import { failuresBeside } from './proof.ts';
import { casesForTools, reasonOf, type RenderReport, troubles } from './report.ts';

/** Workflow commands that put each failure beside its line of the suite, or of the gateway file. */
export const github: RenderReport = (report) => {
  const failures = troubles({ cases: casesForTools(report) });
  const errors = failures.filter(({ verdict }) => verdict === 'regressed');
  const warnings = failures.filter(({ verdict }) => verdict === 'unverified');
  return [...annotations('error', [...errors, ...failuresBeside(report)]), ...annotations('warning', warnings)].join(
    '',
  );
};

function annotations(kind: 'error' | 'warning', results: readonly CaseResult[]): readonly string[] {
  const lines = results
    .slice(0, annotationsMax)
    .map((each) => annotation({ kind, file: each.file, line: each.line, title: each.id, message: reasonOf(each) }));
  const more = results.length - lines.length;
  return more > 0 ? [...lines, `::${kind}::and ${more} more: see the summary of the job\n`] : lines;
}
