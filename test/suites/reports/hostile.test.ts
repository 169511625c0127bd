import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CaseVerdict } from '../../../src/suites/result.ts';
import { type ReportKind, renderReport, reportForms, reportKinds } from '../../../src/suites/reports/table.ts';
import type { ReportOptions } from '../../../src/suites/reports/report.ts';
import { fenced } from '../../../src/reports/annotations.ts';
import { hostileReport } from '../../support/texts/hostile-report.ts';
import { anyText } from '../../fixtures/any-text.ts';
import { naughtyTexts } from '../../support/texts/naughty.ts';
import { runs } from '../../support/runs.ts';
import { reportOf, resultOf } from '../../support/rooms/suites.ts';
import { controlIn, reportChecks } from '../../support/texts/report-checks.ts';

const same = (text: string) => text;
const options: ReportOptions = {
  again: undefined,
  paint: { bold: same, dim: same, red: same, yellow: same },
  version: '1.2.3',
};

const rendered = Object.fromEntries(
  await Promise.all(reportKinds.map(async (kind) => [kind, await renderReport(kind, hostileReport, options)] as const)),
) as Readonly<Record<ReportKind, string>>;

describe('whatever stands in a result', () => {
  test('annotations are ten of a kind at most', () => {
    const lines = rendered.github.split('\n');
    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(10);
    expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(10);
  });

  test('a report of CTRF has every case, and every policy that is unguarded', () => {
    expect((JSON.parse(rendered.ctrf) as { results: { tests: unknown[] } }).results.tests).toHaveLength(
      hostileReport.cases.length + hostileReport.guards!.length,
    );
  });

  test.each(reportKinds)('%s keeps it in its place', (kind) => {
    expect(rendered[kind]).not.toBe('');
    reportChecks[kind](rendered[kind]);
  });

  test.each(reportKinds.filter((kind) => !rendered[kind].startsWith('{') && kind !== 'junit'))(
    '%s has no control and no bidi mark',
    (kind) => expect(controlIn(rendered[kind])).toBeNull(),
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

describe('any texts', () => {
  const pieces = [
    '`',
    '```',
    '~~~',
    '\n',
    '\r',
    '|',
    '\\',
    '[x](http://e.example)',
    '![i](http://e.example/x.png)',
    '<b>',
    '</script>',
    '&amp;',
    '"',
    "'",
    '::',
    '\r::error::q',
    '\u2028::error::u',
    '##[',
    '%0A',
    '@team',
    '*',
    '_',
    '\n- ',
    '\n> ',
    '\n# ',
    '\n    ',
    '\n```\n',
    '\n| a |\n| - |\n',
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '&a;',
    ']]>',
    'a',
    ' ',
    ...naughtyTexts,
  ];
  const text = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
    anyText(12).map((each) => each || '?'),
  );
  const result = fc
    .record({
      id: text,
      file: text,
      said: text,
      why: text,
      verdict: fc.constantFrom('regressed', 'unverified', 'known', 'pass'),
    })
    .map(({ id, file, said, why, verdict }) =>
      resultOf({
        id,
        file,
        tags: [said],
        prompt_id: said,
        messages: [{ role: said, content: said }],
        answer: said,
        verdict: verdict as CaseVerdict,
        known: verdict === 'known' ? why : null,
        misses: verdict === 'regressed' ? [{ expectation: 'expect', message: why, diff: [said] }] : [],
        error: verdict === 'unverified' ? { kind: 'service', exit_code: 5, message: why } : null,
        outcome: verdict === 'unverified' ? null : 'answered',
      }),
    );
  const guard = fc.tuple(text, text).map(([policy, part]) => ({
    policy,
    file: part,
    line: 3,
    kind: part,
    action: 'block' as const,
    off: 0,
    weakened: 0,
    state: 'unguarded' as const,
    also: [policy],
    untested: [part],
    parts: 2,
    case_to_add: part,
  }));
  const report = fc
    .record({
      results: fc.array(result, { minLength: 1, maxLength: 4 }),
      guards: fc.array(guard, { maxLength: 2 }),
      name: text,
      said: text,
    })
    .map(({ results, guards, name, said }) =>
      reportOf(results, {
        names: [name],
        subject: name,
        motifId: said,
        profile: said,
        guards,
        warnings: [{ message: said, file: said }],
        baseline: { file: name, fixed: [said], standing: [said], new: [said] },
        against: {
          name,
          differences: [{ id: said, file: name, line: 1, what: 'outcome', here: said, there: name }],
          unverified: [{ id: said, file: name, line: 1 }],
          error: null,
        },
      }),
    );

  test.each(reportKinds)('stay in their place in %s', async (kind) => {
    expect.hasAssertions();
    await fc.assert(
      fc.asyncProperty(report, text, async (made, again) => {
        reportChecks[kind](await renderReport(kind, made, { ...options, again }));
      }),
      runs(500),
    );
  });
});
