import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WrappedLine } from '../../src/terminal/wrapped-line.ts';
import { columnsOf } from '../../src/text/width.ts';
import { runs } from '../support/runs.ts';

const pieces = [
  'a',
  'b ',
  '日',
  'e\u0301',
  '\u0301',
  '👩\u200d👩\u200d👧',
  '👍🏽',
  '🇩🇪',
  '🇩',
  '\t',
  '\u001b',
  '\u202e',
  '\u1160',
  'ن\u200c',
  '\u200d',
  'x'.repeat(30),
];
const line = fc.array(fc.constantFrom(...pieces), { maxLength: 200 }).map((parts) => parts.join(''));
const columns = fc.constantFrom(1, 2, 3, 7, 20, 80);

function rowsOf(wrapped: WrappedLine): string[] {
  return Array.from({ length: wrapped.rowCount() }, (_, index) => wrapped.row(index));
}

test('what is known of a line before an edit leads to the same rows as starting anew', () => {
  fc.assert(
    fc.property(line, line, fc.nat(600), fc.nat(20), columns, fc.nat(80), (text, added, at, removed, width, seen) => {
      const before = new WrappedLine(text, width);
      before.rowCount(seen);
      const edited = text.slice(0, at) + added + text.slice(at + removed);
      expect(rowsOf(new WrappedLine(edited, width, before))).toEqual(rowsOf(new WrappedLine(edited, width)));
    }),
    runs(1000),
  );
});

test('no row is wider than it may be, and every place of a line is on one of its rows', () => {
  fc.assert(
    fc.property(line, columns, fc.nat(1000), (text, width, at) => {
      const wrapped = new WrappedLine(text, width);
      expect(rowsOf(wrapped).filter((row) => columnsOf(row) > width)).toEqual([]);
      const { row, column } = wrapped.find(Math.min(at, text.length));
      expect(row).toBeLessThan(wrapped.rowCount());
      expect(column).toBeLessThanOrEqual(columnsOf(wrapped.row(row)));
    }),
    runs(1000),
  );
});

test('each character of a line has the width that it has alone', () => {
  const odd: number[] = [];
  for (let code = 0x20; code <= 0xffff; code += 1) {
    const text = String.fromCharCode(code);
    const [alone, more] = [new WrappedLine(text, 80), new WrappedLine(`${text}aa`, 80)];
    const isRight = alone.find(1).column === columnsOf(alone.row(0)) && more.find(3).column === columnsOf(more.row(0));
    if (!isRight) odd.push(code);
  }
  expect(odd).toEqual([]);
});
