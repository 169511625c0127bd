import { describe, expect, test } from 'vitest';
import { renderReport } from '../../../src/suites/reports/table.ts';
import { columnsOf } from '../../../src/text/width.ts';
import { reportOf, resultOf } from '../../support/rooms/suites.ts';

const same = (text: string) => text;
const plain = { bold: same, dim: same, red: same, yellow: same };
const long = 'expected blocked, was answered although the card number stood in the third message of the conversation';
const report = reportOf(
  [
    ...Array.from({ length: 6 }, (_, index) =>
      resultOf({
        id: `card-number-${index}`,
        verdict: 'regressed',
        expect: 'blocked',
        misses: [{ expectation: 'expect', message: long }],
        prompt_id: '01JD00000000000000008W2Q4X',
        answer: 'You can return it within a month, as long as the receipt is there, and the kettle was not used.',
      }),
    ),
    resultOf({ id: '請求書を見せてください', file: 'プロンプト/深い/スイート.yaml', verdict: 'known', known: long }),
  ],
  {
    warnings: [{ message: long, file: null }],
    baseline: {
      file: 'run.json',
      fixed: ['one-that-was-broken', 'another-that-was-broken', 'a-third-one'],
      standing: [],
      new: [],
    },
    against: {
      name: 'prod',
      differences: [
        { id: 'greets', file: 's.yaml', line: 3, what: 'outcome', here: 'answered '.repeat(6), there: long },
      ],
      unverified: [],
      error: null,
    },
  },
);
const rendered = (columns: number | undefined) =>
  renderReport('human', report, {
    again: 'motif check --last-failed',
    paint: plain,
    version: '1',
    columns,
  });

const guard = {
  policy: 'house',
  file: 'g.yaml',
  line: 3,
  kind: 'words',
  action: 'block',
  off: 0,
  weakened: 0,
  state: 'unguarded',
} as const;

describe('the report for people', () => {
  test.each([
    { left: 1, says: 'interrupted: 1 case was not asked' },
    { left: 3, says: 'interrupted: 3 cases were not asked' },
  ])('$says', async ({ left, says }) => {
    const stopped = reportOf([], { left, isInterrupted: true });
    const shown = await renderReport('human', stopped, { again: undefined, paint: plain, version: '1' });
    expect(shown).toContain(says);
  });

  test.each([60, 80, 100])('is broken between words on a terminal of %i columns', async (columns) => {
    const shown = await rendered(columns);
    expect(shown.split('\n').filter((line) => columnsOf(line) > columns)).toEqual([]);
    expect(shown.split(/\s+/)).toEqual((await rendered(undefined)).split(/\s+/));
  });

  test('the exit code stands beside words of the verdict at each width', async () => {
    const id = 'a-case-that-failed';
    for (let columns = 40; columns <= 130; columns += 1) {
      const failed = reportOf([resultOf({ id, verdict: 'regressed', expect: 'blocked', outcome: 'answered' })]);
      const shown = await renderReport('human', failed, { again: undefined, paint: plain, version: '1', columns });
      const end = shown.slice(shown.indexOf('FAILED')).trimEnd().split('\n');
      expect({ columns, last: end.at(-1) }).toEqual({ columns, last: expect.stringMatching(/\S {2,}exit 1$/) });
      expect(end.filter((line) => columnsOf(line) > columns)).toEqual([]);
      const [, verdict] = /^([^]*\S) {2,}exit 1$/.exec(end.join('\n')) ?? [];
      expect(verdict?.replace(/\s+/g, ' ')).toBe(failed.summary);
    }
  });

  test('a reason and a list of differences go on below themselves, the two words of the prompt in one row', async () => {
    const reason = 'lacks "30 days"; lacks "the receipt that came with the parcel"';
    const failed = resultOf({
      id: 'refund-window',
      verdict: 'regressed',
      misses: [{ expectation: 'answer', message: reason }],
      prompt_id: '01JD00000000000000008W2Q4X',
    });
    const difference = { id: 'greets', file: 's.yaml', line: 3, what: 'outcome', here: 'answered', there: 'blocked' };
    const against = {
      name: 'prod',
      differences: [difference, { ...difference, what: 'verdict' }],
      unverified: [],
      error: null,
    };
    const linesAt = async (columns: number) => {
      const options = { again: undefined, paint: plain, version: '1', columns };
      return (await renderReport('human', reportOf([failed], { against }), options)).split('\n');
    };
    expect((await linesAt(78)).slice(0, 2)).toEqual([
      'fail  refund-window  s.motif.yaml:3  lacks "30 days"; lacks "the receipt that',
      '                                     came with the parcel"  prompt …8W2Q4X',
    ]);
    const lines = await linesAt(66);
    // Beside the place of the case there would be less than 40 columns.
    expect(lines.slice(0, 3)).toEqual([
      'fail  refund-window  s.motif.yaml:3',
      '      lacks "30 days"; lacks "the receipt that came with the',
      '      parcel"  prompt …8W2Q4X',
    ]);
    expect(lines.slice(lines.findIndex((line) => line.startsWith('against')) + 1, -2)).toEqual([
      '  greets  s.yaml:3  outcome answered / blocked, verdict answered /',
      '                    blocked',
    ]);
  });

  test('names each count where its table does not fit', async () => {
    const lines = (await rendered(36)).split('\n');
    const at = lines.indexOf('must answer');
    expect(lines.slice(lines.indexOf('must block')).filter((line) => columnsOf(line) > 36)).toEqual([]);
    expect(lines.slice(at + 1, at + 4).map((line) => line.replace(/\d+$/, 'N'))).toEqual([
      '  blocked N',
      '  answered N',
      '  unverified N',
    ]);
  });

  test('the row of what was missed goes on below itself', async () => {
    const lines = (await rendered(80)).split('\n');
    const at = lines.findIndex((line) => line.includes('missed:'));
    expect(lines[at + 1]).toMatch(new RegExp(`^ {${lines[at]!.indexOf('missed:')}}card-number-`));
  });

  test('what was missed goes to the margin where its name does not fit below itself', async () => {
    const id = 'a-card-number-whose-name-is-longer-than-that';
    const missing = reportOf([resultOf({ id, verdict: 'regressed', expect: 'blocked', outcome: 'answered' })]);
    const shown = await renderReport('human', missing, { again: undefined, paint: plain, version: '1', columns: 80 });
    expect(shown.split('\n').filter((line) => columnsOf(line) > 80)).toEqual([]);
    expect(shown).toMatch(new RegExp(`missed:\\n {2}${id}\\n`));
  });

  test('counts what passed where a proof alone failed, and has nothing to ask again', async () => {
    const proof = reportOf([resultOf()], {
      guards: [{ ...guard, also: [], untested: [], parts: 1, case_to_add: null }],
    });
    const again = 'motif check --last-failed';
    const shown = await renderReport('human', proof, { again, paint: plain, version: '1', columns: 80 });
    expect(shown).toContain('1 case: 1 pass · must block 0/0 · must answer 1/1');
    expect(shown).toContain('UNGUARDED');
    expect(shown).not.toMatch(/unverified|again:/);
  });

  test('says of a proof that failed alone how many policies are unguarded, in Markdown too, and not every part', async () => {
    const untested = Array.from({ length: 20 }, (_, index) => `part-${index}`);
    const proof = reportOf([resultOf()], { guards: [{ ...guard, also: [], untested, parts: 20, case_to_add: null }] });
    const shown = await renderReport('markdown', proof, {
      again: 'motif check --last-failed',
      paint: plain,
      version: '1',
    });
    expect(shown).toMatch(/^### Failed: 1 of 1 policies unguarded \(20 untested parts\), 1 of 1 cases pass, Motif/);
    expect(shown).toContain('`part-7`, 12 more |');
    expect(shown).not.toContain('again:');
  });

  test('is one line a failure where it is no terminal', async () => {
    expect(await rendered(undefined)).toContain(`${long}  prompt …8W2Q4X\n`);
  });
});

test('where nothing came back there are no figures, and the time stands in the last line alone', async () => {
  const lost = reportOf([resultOf({ verdict: 'unverified', elapsed_ms: null })]);
  const shown = await renderReport('human', lost, { again: undefined, paint: plain, version: '1', columns: 80 });
  expect(shown.match(/1\.2 s/g)).toHaveLength(1);
});

test('read aloud, a mark is a word and each count has its name beside it', async () => {
  const lost = reportOf([resultOf({ verdict: 'unverified' })]);
  const options = { again: undefined, paint: plain, version: '1', columns: 80 };
  const lines = (await renderReport('human', lost, { ...options, isAccessible: true })).split('\n');
  expect(lines[0]).toMatch(/^unverified {2}/);
  expect(lines).toEqual(expect.arrayContaining(['must answer', '  blocked 0', '  answered 1', '  unverified 0']));
  expect((await renderReport('human', lost, options)).split('\n')[0]).toMatch(/^\?{4} {2}/);
});
