import { inertText } from '../../reports/inert.ts';
import type { CaseResult } from '../result.ts';
import { reasonOf, type RenderReport, troubles } from './report.ts';

/** GitHub shows ten annotations of a kind for each step and drops the rest without a word. */
const annotationsMax = 9;
const messageCharactersMax = 1000;

/** Workflow commands that put each failure beside its line of the suite. */
export const github: RenderReport = (report) => {
  const failures = troubles(report);
  const errors = failures.filter(({ verdict }) => verdict === 'regressed');
  const warnings = failures.filter(({ verdict }) => verdict === 'unverified');
  const lines = [...annotations('error', errors), ...annotations('warning', warnings)];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
};

function annotations(kind: 'error' | 'warning', results: readonly CaseResult[]): readonly string[] {
  const lines = results.slice(0, annotationsMax).map((each) => {
    const where = { file: each.file, line: String(each.line), title: each.id };
    const properties = Object.entries(where).map(([name, value]) => `${name}=${escapeProperty(value)}`);
    return `::${kind} ${properties.join(',')}::${escapeData(reasonOf(each).slice(0, messageCharactersMax))}`;
  });
  const more = results.length - lines.length;
  return more > 0 ? [...lines, `::${kind}::and ${more} more: see the summary of the job`] : lines;
}

function escapeData(text: string): string {
  return inertText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Text in which the runner obeys nothing, because only who knows the token can end it. */
export function fenced(text: string, token: string): string {
  return text === '' ? '' : `::stop-commands::${token}\n${text.endsWith('\n') ? text : `${text}\n`}::${token}::\n`;
}
