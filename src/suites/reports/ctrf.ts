import type { CaseResult } from '../result.ts';
import { failuresBeside } from './proof.ts';
import { casesForTools, evidenceOf, reasonOf, type RenderReport, timeOf } from './report.ts';

const statuses = {
  pass: 'passed',
  regressed: 'failed',
  unverified: 'other',
  known: 'skipped',
  skipped: 'skipped',
} as const;

/** The Common Test Report Format, JSON that many tools read; what could not be verified is `other`. */
export const ctrf: RenderReport = (report, { version }) => {
  const { totals, shard } = report;
  const cases = casesForTools(report);
  const count = (verdict: CaseResult['verdict']) => cases.filter((each) => each.verdict === verdict).length;
  const start = Date.parse(report.started_at);
  const beside = failuresBeside(report);
  const tests = [...cases, ...beside].map((each) => testOf(each));
  const summary = {
    tests: tests.length,
    passed: count('pass'),
    failed: count('regressed') + beside.length,
    skipped: totals.skipped + totals.known,
    pending: 0,
    other: count('unverified'),
    flaky: totals.flaky,
    start,
    stop: start + Math.round(report.elapsed_ms),
  };
  const environment = shard === null ? {} : { environment: { extra: { shard: `${shard.index}/${shard.of}` } } };
  const results = { tool: { name: 'motif', version }, summary, tests, ...environment };
  return `${JSON.stringify({ reportFormat: 'CTRF', specVersion: '0.0.0', results })}\n`;
};

function testOf(each: CaseResult): Readonly<Record<string, unknown>> {
  const evidence = each.verdict === 'regressed' ? evidenceOf(each) : undefined;
  const isPlain = each.verdict === 'pass';
  return {
    name: each.id.toWellFormed(),
    status: statuses[each.verdict],
    duration: Math.round(timeOf(each)),
    suite: [each.file],
    filePath: each.file,
    line: each.line,
    tags: each.tags,
    flaky: each.flaky,
    retries: Math.max(0, each.attempts - 1),
    ...(!isPlain && { message: reasonOf(each).toWellFormed(), rawStatus: each.verdict }),
    ...(evidence !== undefined && { stdout: evidence.toWellFormed().split('\n') }),
    ...(each.prompt_id !== null && { extra: { prompt_id: each.prompt_id } }),
  };
}
