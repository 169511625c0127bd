import type { CaseResult, CheckReport } from '../result.ts';
import { failuresBeside } from './proof.ts';
import { casesForTools, evidenceOf, reasonOf, type RenderReport, timeOf } from './report.ts';

/**
 * JUnit XML, valid against the schema of the Jenkins xUnit plugin. Its test cases have no `file` and `line` of their
 * own, so that both stand at the suite, in the text of a failure and in its class name, where GitLab and Jenkins look.
 */
export const junit: RenderReport = (made) => {
  const report = { ...made, cases: [...casesForTools(made), ...failuresBeside(made)] };
  const files = [...new Set(report.cases.map(({ file }) => file))];
  const suites = files.map((file) => suiteOf(file, report));
  const count = (verdict: CaseResult['verdict']) => report.cases.filter((each) => each.verdict === verdict).length;
  const head = attributes({
    name: report.name,
    tests: report.cases.length,
    failures: count('regressed'),
    errors: count('unverified'),
    // As in a suite: the sum of its parts, however many ran at once.
    time: seconds(report.cases.reduce((sum, each) => sum + timeOf(each), 0)),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${head}>\n${suites.join('')}</testsuites>\n`;
};

function suiteOf(
  file: string,
  { cases, started_at: startedAt, profile, motif_id: motifId, interrupted }: CheckReport,
): string {
  const own = cases.filter((each) => each.file === file);
  const count = (...verdicts: readonly CaseResult['verdict'][]) =>
    own.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const head = attributes({
    name: file,
    package: file,
    file,
    tests: own.length,
    failures: count('regressed'),
    errors: count('unverified'),
    skipped: count('skipped', 'known'),
    time: seconds(own.reduce((sum, each) => sum + timeOf(each), 0)),
    timestamp: startedAt.slice(0, 19),
    hostname: 'motif',
  });
  const facts = { motif_id: motifId, profile, interrupted: interrupted ? 'true' : null };
  const properties = Object.entries(facts).flatMap(([name, value]) =>
    value === null ? [] : [`    <property ${attributes({ name, value })}/>\n`],
  );
  const block = properties.length === 0 ? '' : `  <properties>\n${properties.join('')}  </properties>\n`;
  return `<testsuite ${head}>\n${block}${own.map(caseOf).join('')}</testsuite>\n`;
}

function caseOf(each: CaseResult): string {
  const head = attributes({ name: each.id, classname: each.file, time: seconds(timeOf(each)) });
  const inner = [verdictOf(each), each.flaky && each.verdict === 'pass' ? flakyOf(each) : ''].join('');
  const output = each.verdict === 'regressed' ? evidenceOf(each) : undefined;
  const shown = output === undefined ? '' : `    <system-out>${escapeXml(output)}</system-out>\n`;
  return inner + shown === '' ? `  <testcase ${head}/>\n` : `  <testcase ${head}>\n${inner}${shown}  </testcase>\n`;
}

function verdictOf(each: CaseResult): string {
  const reason = reasonOf(each);
  const place = `${each.file}:${each.line}`;
  const prompt = each.prompt_id === null ? '' : `\nprompt_id ${each.prompt_id}`;
  const full = escapeXml(`${place}: ${reason}${prompt}`);
  const short = { message: reason.slice(0, 200) };
  if (each.verdict === 'regressed') {
    const type = each.misses[0]?.expectation ?? 'expectation';
    return `    <failure ${attributes({ ...short, type })}>${full}</failure>\n`;
  }
  if (each.verdict === 'unverified')
    return `    <error ${attributes({ ...short, type: each.error?.kind ?? 'unverified' })}>${full}</error>\n`;
  if (each.verdict === 'known' || each.verdict === 'skipped') return `    <skipped ${attributes(short)}/>\n`;
  return '';
}

function flakyOf(each: CaseResult): string {
  const message = `flaky: ${each.passes} of ${each.repeat} passed`;
  return `    <flakyFailure ${attributes({ message, type: 'flaky' })}>${escapeXml(message)}</flakyFailure>\n`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        `${name}="${escapeXml(String(value)).replace(/[\n\r\t]/g, (each) => `&#${each.charCodeAt(0)};`)}"`,
    )
    .join(' ');
}

const xmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no way to write most control characters, so that a mark stands in their place. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => xmlEntities[character]!)
    .replaceAll('\r', '&#13;');
}
