import { describe, expect, test } from 'vitest';
import { type ReportKind, renderReport, reportForms, reportKinds } from '../../../src/suites/reports/table.ts';
import type { ReportOptions } from '../../../src/suites/reports/report.ts';
import { fenced } from '../../../src/suites/reports/github.ts';
import { hostileReport } from '../../support/hostile-report.ts';

const same = (text: string) => text;
const options: ReportOptions = {
  again: undefined,
  paint: { bold: same, dim: same, red: same, yellow: same },
  version: '1.2.3',
};

const rendered = Object.fromEntries(
  await Promise.all(reportKinds.map(async (kind) => [kind, await renderReport(kind, hostileReport, options)] as const)),
) as Readonly<Record<ReportKind, string>>;

const control = new RegExp(String.raw`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]`);
const commands = (text: string) => text.split('\n').filter((line) => /^\s*::|##[a-z]*\[/i.test(line));

/** The check of each form: nothing of a result leads its reader astray. A form without a row does not compile. */
const checks: Readonly<Record<ReportKind, (text: string) => void>> = {
  human: (text) => expect(commands(text)).toEqual([]),
  brief: (text) => expect(commands(text)).toEqual([]),
  json: (text) => expect(JSON.parse(text)).toMatchObject({ ok: false, exit_code: 1 }),
  blob: (text) => expect(JSON.parse(text)).toMatchObject({ ok: false, exit_code: 1 }),
  github: checkGithub,
  ctrf: checkCtrf,
  junit: checkJunit,
  html: checkHtml,
  markdown: checkMarkdown,
};

describe('whatever stands in a result', () => {
  test.each(reportKinds)('%s keeps it in its place', (kind) => {
    expect(rendered[kind]).not.toBe('');
    checks[kind](rendered[kind]);
  });

  test.each(reportKinds.filter((kind) => !rendered[kind].startsWith('{') && kind !== 'junit'))(
    '%s has no control and no bidi mark',
    (kind) => expect(control.exec(rendered[kind])).toBeNull(),
  );

  test.each(reportKinds.filter((kind) => reportForms[kind].reader !== 'person'))(
    '%s, which a program reads, is the same whatever paints it',
    async (kind) => {
      const mark = (text: string) => `<${text}>`;
      const paint = { bold: mark, dim: mark, red: mark, yellow: mark };
      const painted = await renderReport(kind, hostileReport, { ...options, paint });
      expect(painted).toBe(rendered[kind]);
    },
  );

  test('a fence for the log of GitHub ends with its own token alone', () => {
    expect(fenced('::error::x\n', 'tok')).toBe('::stop-commands::tok\n::error::x\n::tok::\n');
    expect(fenced('no newline', 'tok')).toBe('::stop-commands::tok\nno newline\n::tok::\n');
  });
});

/** It has its own commands alone, each one line, ten of a kind at most. */
function checkGithub(text: string): void {
  const lines = text.trimEnd().split('\n');
  const own = /^::(error|warning) (file=[^,]*,line=3,title=[^,:]*)::[^\n]*$|^::(error|warning)::and \d+ more/;
  expect(lines.filter((line) => !own.test(line))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(10);
  expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(10);
}

function checkCtrf(text: string): void {
  const ctrf = JSON.parse(text) as { results: { tests: unknown[]; summary: Record<string, number> } };
  expect(ctrf.results.tests).toHaveLength(hostileReport.cases.length);
  const { tests, passed, failed, skipped, pending, other } = ctrf.results.summary;
  expect(passed! + failed! + skipped! + pending! + other!).toBe(tests);
}

/** It holds only what XML 1.0 can hold, and no tag but its own. */
function checkJunit(xml: string): void {
  expect(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(xml)).toBeNull();
  expect(xml.isWellFormed()).toBe(true);
  const tags = new Set([...xml.matchAll(/<\/?([a-zA-Z-]+)/g)].map((match) => match[1]));
  const known = 'testsuites testsuite properties property testcase failure error skipped system-out'.split(' ');
  expect([...tags].filter((tag) => !known.includes(tag ?? ''))).toEqual([]);
  expect(xml.replace(/&(amp|lt|gt|quot|#\d+);/g, '')).not.toContain('&');
}

/** It is set as text: the only elements and scripts are those of the page. */
function checkHtml(html: string): void {
  const known = `html head meta title style body header main section h1 h2 p div span b table thead tbody tr th td svg
    rect form label select option input details summary pre script`.split(/\s+/);
  const elements = [...html.matchAll(/<([a-z0-9]+)/gi)].map((match) => match[1] ?? '');
  expect([...new Set(elements)].filter((name) => !known.includes(name))).toEqual([]);
  expect(elements.filter((name) => name === 'script')).toHaveLength(1);
  expect([...html.replace(/"[^"]*"/g, '""').matchAll(/<[^>]* (on\w+|src|href|action|style)=/g)]).toEqual([]);
  expect(html).toContain('default-src &#39;none&#39;');
}

/** It shows it as code alone. */
function checkMarkdown(text: string): void {
  const outside = text.replace(/^(`{3,})text\n[\s\S]*?^\1$/gm, '').replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
  expect(outside).not.toMatch(/<script|javascript:|@everyone|heading/);
}
