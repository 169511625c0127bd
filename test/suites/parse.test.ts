import { describe, expect, test } from 'vitest';
import { faultLine } from '../../src/documents/fault.ts';
import { promptBytesMax } from '../../src/text/limits.ts';
import { parseRows } from '../../src/suites/rows-suite.ts';
import { parsed, rowsOf, suiteFiles, suiteOf } from '../support/rooms/suites.ts';

describe('a suite', () => {
  test('is read with its defaults, and each case knows its line', async () => {
    const suite = await suiteOf(`name: Smoke
defaults: { expect: blocked, timeout: 5s, system: Be kind, tags: [all] }
cases:
  - id: greets
    prompt: Hi
    expect: answered
    tags: [one]
  - { id: card, prompt: Card 4111 }
`);
    expect(suite).toMatchObject({ name: 'Smoke', file: 's.motif.yaml' });
    const [greets, card] = suite.cases;
    expect(greets).toMatchObject({ id: 'greets', line: 4, tags: ['all', 'one'], timeoutMs: 5000, repeat: 1 });
    expect(greets?.turns[0]?.messages).toEqual([
      { role: 'system', content: 'Be kind' },
      { role: 'user', content: 'Hi' },
    ]);
    expect(greets?.turns[0]?.expected.expect).toBe('answered');
    expect(card).toMatchObject({ line: 8 });
    expect(card?.turns[0]?.expected.expect).toBe('blocked');
  });

  test('has a case without a name counted, and turns sent one after the other', async () => {
    const suite = await suiteOf(`cases:
  - turns:
      - { prompt: My order is 1042. }
      - { prompt: Which one?, answer: { contains: "1042" } }
`);
    expect(suite.cases[0]?.id).toBe('case-1');
    expect(suite.cases[0]?.turns.map(({ messages }) => messages.length)).toEqual([1, 1]);
  });

  test('fills each row into its case once; what a value holds is never looked at again', async () => {
    const row = { line: 41, values: { id: 'a', prompt: 'say ${id} ${HOME}', expect: 'blocked' } };
    const text = 'cases:\n  - { each: c.csv, id: "${id}", prompt: "<${prompt}>", expect: "${expect}" }\n';
    const suite = await suiteOf(text, { rows: { 'c.csv': [row] } });
    expect(suite.cases[0]).toMatchObject({ id: 'a', file: 'c.csv', line: 41 });
    expect(suite.cases[0]?.turns[0]?.messages[0]?.content).toBe('<say ${id} ${HOME}>');
  });

  test('takes an outcome with the capital of a spreadsheet', async () => {
    const rows = [{ line: 2, values: { prompt: 'a', expect: 'Blocked ' } }];
    const suite = await suiteOf('cases:\n  - { each: c.csv, prompt: "${prompt}", expect: "${expect}" }\n', {
      rows: { 'c.csv': rows },
    });
    expect(suite.cases[0]?.turns[0]?.expected).toMatchObject({ expect: 'blocked' });
  });

  test('fills in columns whatever their names', async () => {
    const row = { line: 2, values: { 'Ticket No': 'T-1', 'Customer text': 'Hi', 'Q (x)': 'answered' } };
    const text =
      'cases:\n  - { each: c.csv, id: "${Ticket No}", prompt: "${Customer text} ${x:-y}", expect: "${Q (x)}" }\n';
    const suite = await suiteOf(text, { rows: { 'c.csv': [row] } });
    expect(suite.cases[0]).toMatchObject({ id: 'T-1' });
    expect(suite.cases[0]?.turns[0]).toMatchObject({
      messages: [{ content: 'Hi ${x:-y}' }],
      expected: { expect: 'answered' },
    });
  });

  test('reads a prompt from a file below its folder', async () => {
    const suite = await suiteOf('cases:\n  - { file: texts/long.txt }\n', { texts: { 'texts/long.txt': 'Long' } });
    expect(suite.cases[0]?.turns[0]?.messages[0]?.content).toBe('Long');
  });

  test.each([
    {
      name: 'a misspelled key',
      text: 'cases:\n  - { promt: Hi }',
      says: ':2:14: cases[0].promt is not a known key; did you mean prompt?',
    },
    {
      name: 'an expectation of the answer beside it',
      text: 'cases:\n  - { prompt: Hi, contains: refund }',
      says: 'cases[0].contains is not a known key; did you mean answer: { contains }?',
    },
    {
      name: 'the same in a turn',
      text: 'cases:\n  - { turns: [{ prompt: Hi, not_contains: a }] }',
      says: 'turns[0].not_contains is not a known key; did you mean answer: { not_contains }?',
    },
    {
      name: 'a wrong word',
      text: 'cases:\n  - prompt: Hi\n    expect: answerd',
      says: ':3:13: cases[0].expect must be one of answered, blocked',
    },
    {
      name: 'two ways to ask',
      text: 'cases:\n  - { prompt: a, file: b }',
      says: 'cases[0] has prompt and file, but a case has one of them',
    },
    { name: 'nothing to ask', text: 'cases:\n  - { id: a }', says: 'cases[0] needs prompt, messages, file or turns' },
    {
      name: 'the same id twice',
      text: 'cases:\n  - { id: a, prompt: x }\n  - { id: a, prompt: y }',
      says: 'cases[1].id stands in line 2 already',
    },
    {
      name: 'a file outside the folder',
      text: 'cases:\n  - { file: ../secret }',
      says: "cases[0].file must stay below the suite's folder",
    },
    {
      name: 'rows outside the folder',
      text: 'cases:\n  - { each: /etc/passwd, prompt: x }',
      says: "cases[0].each must stay below the suite's folder",
    },
    {
      name: 'more passes than tries',
      text: 'cases:\n  - { prompt: x, repeat: 2, min_pass: 3 }',
      says: 'cases[0].min_pass is more than the 2 times',
    },
    {
      name: 'a pattern that is not linear',
      text: "cases:\n  - { prompt: x, answer: { matches: '(a)\\1' } }",
      says: 'matches uses a back-reference',
    },
    {
      name: 'a day that is none',
      text: 'cases:\n  - { prompt: x, known: { why: y, until: 2026-02-30 } }',
      says: 'until must be a day like',
    },
    {
      name: 'a turn after a block',
      text: 'cases:\n  - turns: [{ prompt: a, expect: blocked }, { prompt: b }]',
      says: 'go on after one that must be blocked',
    },
    {
      name: 'a reserved tag',
      text: 'cases:\n  - { prompt: a, tags: [not] }',
      says: 'tags[0] must be a word without blanks',
    },
    {
      name: 'an address as Motif',
      text: 'motif: https://x\ncases:\n  - { prompt: a }',
      says: 'motif must be a Motif ID, not an address',
    },
    {
      name: 'a schema outside the folder',
      text: 'cases:\n  - { prompt: a, answer: { schema: ../s.json } }',
      says: "schema must stay below the suite's folder",
    },
    {
      name: 'a schema that is not there',
      text: 'cases:\n  - { prompt: a, answer: { schema: s.json } }',
      says: 'schema names no file of JSON',
    },
    { name: 'no cases', text: 'cases: []', says: 'cases must be a list that is not empty' },
    { name: 'nothing', text: '', says: 'the file is empty: it needs cases' },
  ])('is refused with its place: $name', async ({ text, says }) => {
    const { suite, faults } = await parsed(text);
    expect(suite).toBeUndefined();
    expect(faults.map(faultLine).join('\n')).toContain(says);
  });

  test('tells the row whose values do not fit, once', async () => {
    const rows = [1, 2, 3].map((line) => ({ line, values: { p: 'x', e: 'nope' } }));
    const { faults } = await parsed('cases:\n  - { each: c.csv, prompt: "${p}", expect: "${e}" }', {
      rows: { 'c.csv': rows },
    });
    expect(faults.map(faultLine)).toEqual([
      's.motif.yaml:2:5: cases[0].expect must be one of answered, blocked; found "nope" (row c.csv:1)',
    ]);
    const missing = await parsed('cases:\n  - { each: c.csv, prompt: "${q}" }', { rows: { 'c.csv': rows } });
    expect(missing.faults[0]?.expected).toContain('there is no value for ${q} (row c.csv:1)');
    const misspelt = await parsed('cases:\n  - { each: c.csv, prompt: "${Ticket_No}" }', {
      rows: { 'c.csv': [{ line: 2, values: { 'Ticket No': '1' } }] },
    });
    expect(misspelt.faults[0]?.expected).toBe(
      'there is no value for ${Ticket_No}; did you mean ${Ticket No}? (row c.csv:2)',
    );
  });
});

describe('a file of rows is a suite by itself', () => {
  const parse = (...values: readonly Readonly<Record<string, unknown>>[]) =>
    parseRows('c.csv', rowsOf(values.map((each, index) => ({ line: index + 2, values: each }))), suiteFiles());

  test('by its columns; an empty cell is as good as none', async () => {
    const { suite } = await parse({ id: '', prompt: 'Hi', expect: 'answered', contains: 'x', tags: 'a, b', note: 'z' });
    expect(suite?.cases[0]).toMatchObject({ id: 'case-1', line: 2, tags: ['a', 'b'] });
    expect(suite?.cases[0]?.turns[0]?.expected).toMatchObject({ expect: 'answered', answer: { contains: ['x'] } });
  });

  test.each([
    { name: 'no prompt', row: { text: 'x', expect: 'blocked' }, says: 'there is no column prompt' },
    { name: 'no expect', row: { prompt: 'x' }, says: 'there is no column expect' },
    { name: 'a misspelled column', row: { prompt: 'x', expct: 'blocked' }, says: 'did you mean expect?' },
  ])('is refused: $name', async ({ row, says }) => {
    await expect(parse(row)).rejects.toThrow(says);
  });

  test('tells the line of a row that does not fit', async () => {
    const { faults } = await parse({ prompt: 'a', expect: 'answered' }, { prompt: 'b', expect: 'maybe' });
    expect(faults.map(faultLine)).toEqual(['c.csv:3:1: expect must be one of answered, blocked; found "maybe"']);
  });

  test('tells the line of a prompt that is too large to be sent', async () => {
    const row = (characters: number) => ({ prompt: 'x'.repeat(characters), expect: 'answered' });
    const { suite, faults } = await parse(row(promptBytesMax), row(promptBytesMax + 1));
    expect(suite).toBeUndefined();
    expect(faults.map(faultLine)).toEqual(['c.csv:3:1: is a prompt larger than 16 MiB, the most that is sent']);
  });
});
