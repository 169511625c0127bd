import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsvRecords } from '../../src/rows/csv.ts';

const value = fc.constantFrom('a', 'x y', '', 'q\nr', 'q\r\nr', 'q\rr', 'x,y');
const end = fc.constantFrom('\r\n', '\n', '\r');
const row = fc.record({ value, end, blank: fc.option(end, { nil: '', freq: 4 }) });

test('any end of a line ends any row of a table, wherever the text is cut', async () => {
  const check = async (rows: readonly Row[], size: number): Promise<void> => {
    const { text, records } = tableOf(rows);
    expect(await readInPieces(text, size)).toEqual(records);
  };
  await fc.assert(fc.asyncProperty(fc.array(row, { maxLength: 8 }), fc.integer({ min: 1, max: 9 }), check), {
    numRuns: 500,
  });
});

interface Row {
  readonly value: string;
  readonly end: string;
  readonly blank: string;
}

/** Rows behind each other, some with a blank line between them, and what is to be read of them. */
function tableOf(rows: readonly Row[]) {
  let text = '';
  const records = rows.map((each, at) => {
    const line = text.split(/\r\n|\r|\n/).length;
    const quoted = /[\r\n,]/.test(each.value) ? `"${each.value}"` : each.value;
    text += `${quoted},v${at}${each.end}${each.blank}`;
    return { line, values: [each.value, `v${at}`] };
  });
  return { text, records };
}

async function readInPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const read: unknown[] = [];
  for await (const { line, values } of readCsvRecords({ name: 'in.csv', chunks }, 'csv')) read.push({ line, values });
  return read;
}
