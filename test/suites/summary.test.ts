import { describe, expect, test } from 'vitest';
import { renderReport } from '../../src/suites/reports/table.ts';
import type { CaseResult, Guard } from '../../src/suites/result.ts';
import { controlWarnings, isOver, parseThreshold, type Tolerance } from '../../src/suites/summary.ts';
import { reportOf, resultOf, suiteOf } from '../support/rooms/suites.ts';

const same = (text: string) => text;
const options = { again: undefined, paint: { bold: same, dim: same, red: same, yellow: same }, version: '1' };
const pass = resultOf({ id: 'pass' });
const missed = resultOf({
  id: 'missed',
  verdict: 'regressed',
  expect: 'blocked',
  outcome: 'answered',
  misses: [{ expectation: 'expect', message: 'expected blocked, was answered' }],
});
const falseBlock = resultOf({
  id: 'false',
  verdict: 'regressed',
  outcome: 'blocked',
  misses: [{ expectation: 'expect', message: 'expected answered, was blocked' }],
});
const wrongAnswer = resultOf({
  verdict: 'regressed',
  misses: [{ expectation: 'answer.contains', message: 'lacks "x"' }],
});
const outage = resultOf({ id: 'outage', verdict: 'unverified', outcome: null });
const skipped = resultOf({ id: 'skipped', verdict: 'skipped', outcome: null });
const known = resultOf({ id: 'known', verdict: 'known' });
const flaky = resultOf({ id: 'flaky', flaky: true });

describe('exit codes', () => {
  test.each<{
    name: string;
    results: readonly CaseResult[];
    left?: number;
    tolerance?: Tolerance;
    isUnproved?: boolean;
    code: number;
  }>([
    { name: 'all pass', results: [pass], code: 0 },
    { name: 'a regression', results: [pass, wrongAnswer], code: 1 },
    { name: 'an outage', results: [pass, outage], code: 11 },
    { name: 'a regression among outages', results: [outage, missed], code: 1 },
    { name: 'cases that were not asked any more', results: [pass], left: 2, code: 11 },
    { name: 'a known failure', results: [known], code: 0 },
    { name: 'a skipped case beside others', results: [pass, skipped], code: 0 },
    { name: 'nothing but skipped cases', results: [skipped], code: 11 },
    { name: 'a flaky case', results: [flaky], code: 0 },
    { name: 'a flaky case that fails', results: [flaky], tolerance: { failOnFlaky: true }, code: 1 },
    { name: 'few outages', results: [pass, outage], tolerance: { maxUnverified: parseThreshold('50%') }, code: 0 },
    {
      name: 'more outages',
      results: [outage, outage, pass],
      tolerance: { maxUnverified: parseThreshold('1') },
      code: 11,
    },
    { name: 'nothing but outages', results: [outage], tolerance: { maxUnverified: parseThreshold('100%') }, code: 11 },
    {
      name: 'a missed block within its number',
      results: [pass, missed],
      tolerance: { maxMissedBlocks: parseThreshold('1') },
      code: 0,
    },
    {
      name: 'a missed block beyond its number',
      results: [pass, missed],
      tolerance: { maxMissedBlocks: parseThreshold('0') },
      code: 1,
    },
    {
      name: 'a false block does not count as a missed one',
      results: [falseBlock],
      tolerance: { maxMissedBlocks: parseThreshold('9') },
      code: 1,
    },
    {
      name: 'a false block within its share',
      results: [pass, falseBlock],
      tolerance: { maxFalseBlocks: parseThreshold('50%') },
      code: 0,
    },
    {
      name: 'a missed block within its number, where a proof was asked for',
      results: [pass, missed],
      tolerance: { maxMissedBlocks: parseThreshold('1') },
      isUnproved: true,
      code: 11,
    },
    { name: 'a regression, where a proof was asked for', results: [pass, missed], isUnproved: true, code: 1 },
    {
      name: 'a wrong answer is within no threshold',
      results: [wrongAnswer],
      tolerance: { maxFalseBlocks: parseThreshold('9') },
      code: 1,
    },
  ])('$name: $code', ({ results, left = 0, tolerance = {}, isUnproved = false, code }) => {
    const report = reportOf(results, { left, tolerance, isUnproved });
    expect(report).toMatchObject({ exit_code: code, ok: code === 0 });
  });

  test('a regression that the baseline has too does not count', () => {
    const standing = new Map([['s.motif.yaml#missed', 'baseline' as const]]);
    const old = 'regressed (1 still failing, which --baseline allows)';
    const report = reportOf([missed], { standing });
    expect(report).toMatchObject({ exit_code: 0, summary: `OK staging: 1 ${old}, 0 pass of 1 in 1.2 s` });
    const worse = reportOf([missed, falseBlock], { standing });
    expect(worse).toMatchObject({ exit_code: 1, summary: `FAILED staging: 2 ${old}, 0 pass of 2 in 1.2 s` });
    expect(reportOf([missed], { standing: new Map([['s.motif.yaml#other', 'baseline']]) }).exit_code).toBe(1);
    const both = new Map([['s.motif.yaml#missed', 'only_new' as const]]);
    expect(reportOf([missed], { standing: both }).summary).toContain('(1 fails there too, which --only-new allows)');
  });

  test('a run that is green by an allowance says OK to a person, one that is green by itself does not', async () => {
    const tolerance = { maxMissedBlocks: parseThreshold('1') };
    const allowed = await renderReport('human', reportOf([pass, missed], { tolerance }), options);
    expect(allowed).toMatch(/^OK 2 cases: 1 pass, 1 regressed \(1 missed block, which --max-missed-blocks allows\)/m);
    expect(await renderReport('human', reportOf([pass], { tolerance }), options)).toMatch(/^1 case: 1 pass/);
  });

  test.each([
    { form: 'human' as const, says: 'UNVERIFIED staging: no policy proved, 1 regressed (1 missed block' },
    { form: 'brief' as const, says: 'UNVERIFIED staging: no policy proved, 1 regressed (1 missed block' },
    { form: 'markdown' as const, says: '### Not verified: no policy proved, 1 of 2 cases pass' },
    { form: 'html' as const, says: '<h1 class="warn">UNVERIFIED staging: no policy proved' },
    { form: 'json' as const, says: '"unproved":true' },
  ])('a proof that could not be made is said: $form', async ({ form, says }) => {
    const tolerance = { maxMissedBlocks: parseThreshold('1') };
    const report = reportOf([pass, missed], { tolerance, isUnproved: true });
    expect(await renderReport(form, report, options)).toContain(says);
  });

  test('an outage that is tolerated is said to be', () => {
    const report = reportOf([pass, outage], { tolerance: { maxUnverified: parseThreshold('1') } });
    expect(report.summary).toBe('OK staging: 1 unverified (which --max-unverified allows), 1 pass of 2 in 1.2 s');
  });

  test('a run in which nothing was verified is not said to be tolerated', () => {
    const report = reportOf([outage], { tolerance: { maxUnverified: parseThreshold('100%') } });
    const summary =
      'UNVERIFIED staging: 1 unverified, none of 1 verified (which --max-unverified never allows) in 1.2 s';
    expect(report).toMatchObject({ exit_code: 11, allowed: { unverified: 0 }, summary });
  });

  test.each([
    { limit: { maxUnverified: '1' }, says: '2 unverified, more than --max-unverified 1, 1 pass of 3' },
    { limit: { maxUnverified: '50%' }, says: '2 unverified, more than --max-unverified 50%, 1 pass of 3' },
    { limit: { maxMissedBlocks: '0' }, says: '2 unverified, 1 pass of 3' },
  ])('a limit that is exceeded is named: $limit', ({ limit, says }) => {
    const [[name, text]] = Object.entries(limit) as [[keyof Tolerance, string]];
    const report = reportOf([pass, outage, { ...outage, id: 'second' }], {
      tolerance: { [name]: parseThreshold(text) },
    });
    expect(report.summary).toBe(`UNVERIFIED staging: ${says} in 1.2 s`);
  });

  test('a run that fails by a flag alone names the flag, in every report', async () => {
    const report = reportOf([flaky], { tolerance: { failOnFlaky: true } });
    const why = '1 flaky (which --fail-on-flaky does not allow)';
    expect(report.summary).toBe(`FAILED staging: ${why}, 1 pass of 1 in 1.2 s`);
    expect(await renderReport('markdown', report, options)).toContain(`### Failed: ${why}, 1 of 1 cases pass`);
    expect(await renderReport('human', report, options)).toContain(why);
    expect(await renderReport('github', report, options)).toContain('::error ');
    expect(await renderReport('junit', report, options)).toContain('failures="1"');
    expect(JSON.parse(await renderReport('ctrf', report, options))).toMatchObject({
      results: { summary: { failed: 1 } },
    });
  });

  test('warnings fail with --strict alone', () => {
    expect(reportOf([pass], { warnings: [{ message: 'no control', file: null }] }).exit_code).toBe(0);
    const report = reportOf([pass], { warnings: [{ message: 'no control', file: null }], tolerance: { strict: true } });
    expect(report).toMatchObject({ exit_code: 1, disallowed: { warnings: 1 } });
    expect(report.summary).toBe('FAILED staging: 1 warning (which --strict does not allow), 1 pass of 1 in 1.2 s');
  });

  test('an unguarded policy fails, a part that nobody tests with --strict alone', () => {
    const guard: Guard = {
      policy: 'p',
      file: 'g.yaml',
      line: 3,
      kind: 'pii',
      action: 'block',
      off: 1,
      weakened: 1,
      state: 'guarded',
      also: [],
      case_to_add: null,
      untested: [],
      parts: 0,
    };
    const proved = (each: Partial<Guard>, tolerance: Tolerance = {}) =>
      reportOf([pass], { guards: [{ ...guard, ...each }], tolerance });
    const code = (...parts: Parameters<typeof proved>) => proved(...parts).exit_code;
    expect(code({})).toBe(0);
    expect(code({ state: 'unguarded' })).toBe(1);
    expect(code({ untested: ['phone'] })).toBe(0);
    expect(code({ untested: ['phone'] }, { strict: true })).toBe(1);
    expect(code({ state: 'not asked' }, { strict: true })).toBe(0);
    const [open, strict] = [{}, { strict: true }].map((tolerance) => proved({ untested: ['phone', 'ip'] }, tolerance));
    const parts = '2 untested parts';
    expect(open!.summary).toBe(`OK staging: 1 of 1 policies guarded (${parts}), 1 pass of 1 in 1.2 s`);
    expect(strict!.summary).toBe(
      `FAILED staging: 1 of 1 policies guarded (${parts}, which --strict does not allow), 1 pass of 1 in 1.2 s`,
    );
  });
});

test('a case that the other Motif could not verify is told by its file: another suite may have its id too', async () => {
  const [one, two] = ['one.motif.yaml', 'two.motif.yaml'].map((file) => resultOf({ id: 'greets', file }));
  const against = { name: 'prod', differences: [], unverified: [one!], error: null };
  const report = reportOf([one!, two!], { against, unverifiedThere: new Set(['one.motif.yaml#greets']) });
  const ctrf = JSON.parse(await renderReport('ctrf', report, options)) as { results: { summary: object } };
  expect(ctrf.results.summary).toMatchObject({ tests: 2, passed: 1, other: 1 });
});

describe('figures', () => {
  test('the matrix counts what came against what was expected, and leaves out what cannot be judged here', () => {
    const { matrix } = reportOf([pass, missed, falseBlock, outage, skipped]);
    expect(matrix).toEqual({
      must_block: { blocked: 0, answered: 1, unverified: 0, wrong: ['missed'] },
      must_answer: { blocked: 1, answered: 1, unverified: 1, wrong: ['false'] },
    });
  });

  test('percentiles are of what was asked now', () => {
    const times = Array.from({ length: 100 }, (_, index) => resultOf({ elapsed_ms: index + 1 }));
    expect(reportOf([...times, resultOf({ elapsed_ms: 9999, replayed: true })]).latency_ms).toEqual({
      p50: 50,
      p95: 95,
      p99: 99,
    });
    expect(reportOf([]).latency_ms).toEqual({ p50: null, p95: null, p99: null });
  });

  test('times and tokens are of every prompt that was sent now', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const all = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
    const repeated = resultOf({ elapsed_ms: 5, usage, all_elapsed_ms: [5, 50, 500], all_usage: all });
    const report = reportOf([repeated, resultOf({ usage }), { ...repeated, replayed: true }]);
    expect(report.latency_ms).toEqual({ p50: 50, p95: 500, p99: 500 });
    expect(report.usage).toEqual({ prompt_tokens: 11, completion_tokens: 22, total_tokens: 33 });
  });

  test('a number that a threshold allows is said beside the regressions', async () => {
    const tolerance = { maxFalseBlocks: parseThreshold('1'), maxMissedBlocks: parseThreshold('0') };
    const report = reportOf([pass, falseBlock], { tolerance });
    const allowed = '1 regressed (1 false block, which --max-false-blocks allows)';
    expect(report).toMatchObject({ exit_code: 0, allowed: { missed_blocks: 0, false_blocks: 1 } });
    expect(report.summary).toBe(`OK staging: ${allowed}, 1 pass of 2 in 1.2 s`);
    expect(await renderReport('human', report, options)).toContain(`2 cases: 1 pass, ${allowed}`);
    expect(await renderReport('markdown', report, options)).toContain(
      '1 of 2 cases pass (1 false block, which --max-false-blocks allows)',
    );
    expect(reportOf([pass, missed], { tolerance }).summary).toContain(
      'FAILED staging: 1 regressed, more than --max-missed-blocks 0, 1 pass of 2',
    );
  });

  test('one sentence says it all', () => {
    expect(reportOf([pass, missed, outage]).summary).toBe(
      'FAILED staging: 1 regressed, 1 unverified, 1 pass of 3 in 1.2 s',
    );
  });

  test.each([
    { text: '3', count: 3, whole: 10, over: false },
    { text: '3', count: 4, whole: 10, over: true },
    { text: '0.5%', count: 1, whole: 200, over: false },
    { text: '0.5%', count: 2, whole: 200, over: true },
  ])('$count of $whole over $text: $over', ({ text, count, whole, over }) => {
    expect(isOver(count, whole, parseThreshold(text)!)).toBe(over);
  });

  test.each(['', '1.5', '%', '-1', '1 %', 'x'])('%s is no threshold', (text) => {
    expect(parseThreshold(text)).toBeUndefined();
  });
});

test('a suite that expects no answer anywhere has no control', async () => {
  expect(controlWarnings(await suiteOf('cases:\n  - { prompt: a, expect: blocked }'))).toEqual([
    { message: expect.stringContaining('add a control'), file: 's.motif.yaml' },
  ]);
  expect(controlWarnings(await suiteOf('cases:\n  - { prompt: a }\n  - { prompt: b, expect: blocked }'))).toEqual([]);
});
