import { annotation, annotationsMax } from '../../reports/annotations.ts';
import type { CaseResult } from '../result.ts';
import { failuresBeside } from './proof.ts';
import { casesForTools, reasonOf, type RenderReport, troubles } from './report.ts';

/** Workflow commands that put each failure beside its line of the suite, or of the gateway file. */
export const github: RenderReport = (report, { folder = '' }) => {
  const failures = troubles({ cases: casesForTools(report) });
  const errors = failures.filter(({ verdict }) => verdict === 'regressed');
  const warnings = failures.filter(({ verdict }) => verdict === 'unverified');
  const found = [
    ...annotations('error', [...errors, ...failuresBeside(report)], folder),
    ...annotations('warning', warnings, folder),
  ];
  return found.join('');
};

function annotations(kind: 'error' | 'warning', results: readonly CaseResult[], folder: string): readonly string[] {
  const lines = results.slice(0, annotationsMax).map((each) => {
    const { file, line, id: title } = each;
    return annotation({ kind, file, folder, line, title, message: reasonOf(each) });
  });
  const more = results.length - lines.length;
  return more > 0 ? [...lines, `::${kind}::and ${more} more: see the summary of the job\n`] : lines;
}
