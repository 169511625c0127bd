import { expect, test } from 'vitest';
import { createPlanner } from '../../src/batch/plan.ts';
import { PlannedRows } from '../../src/batch/planned-rows.ts';
import type { PlannedRow } from '../../src/batch/row.ts';

const small = '{"prompt":"first","id":1}\n{"prompt":"second","id":2}\n';
const manyRows = '{"prompt":"a"}\n'.repeat(66_000);
const longTexts = `{"prompt":"${'long '.repeat(200_000)}"}\n`.repeat(10);

const cases = [
  { name: 'a small file is read once', text: small, isRereadable: true, readings: 1 },
  { name: 'of a pipe nothing is kept', text: small, isRereadable: false, readings: 2 },
  { name: 'a file of many rows is read again', text: manyRows, isRereadable: true, readings: 2 },
  { name: 'a file of long texts is read again', text: longTexts, isRereadable: true, readings: 2 },
];

test.each(cases)('$name, and each pass has the same rows', async ({ text, isRereadable, readings }) => {
  const { rows, source } = rowsOf(text, isRereadable);
  const first = await allOf(rows);
  expect(first).toHaveLength(text.split('\n').length - 1);
  expect(await allOf(rows)).toEqual(first);
  expect(source.readings).toBe(readings);
});

test('a pass that is left early keeps no part of the rows for all of them', async () => {
  const { rows, source } = rowsOf(small, true);
  for await (const [row] of rows.groups()) {
    expect(row?.id).toBe('1');
    break;
  }
  expect((await allOf(rows)).map(({ id }) => id)).toEqual(['1', '2']);
  expect(source.readings).toBe(2);
});

function rowsOf(text: string, isRereadable: boolean) {
  const source = {
    name: 'rows.jsonl',
    readings: 0,
    async *chunks() {
      source.readings += 1;
      yield Buffer.from(text);
    },
  };
  const plan = createPlanner({ inputName: 'rows.jsonl', motif: '', variables: new Map(), files: [], table: undefined });
  return { rows: new PlannedRows({ source, plan, isRereadable }), source };
}

async function allOf(rows: PlannedRows): Promise<PlannedRow[]> {
  const all: PlannedRow[] = [];
  for await (const group of rows.groups()) all.push(...group);
  return all;
}
