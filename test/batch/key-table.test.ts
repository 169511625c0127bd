import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { KeyTable } from '../../src/batch/key-table.ts';
import { RowOrder } from '../../src/batch/ordering.ts';

const keyOf = (index: number) => hash('sha256', String(index), 'hex').slice(0, 24);

test('finds each of many keys again, with what is known of it', () => {
  // More than one part of the table holds.
  const count = 70_000;
  const table = new KeyTable();
  const wrong: number[] = [];
  for (let index = 0; index < count; index++) {
    if (table.add(keyOf(index)) !== index) wrong.push(index);
    table.setLine(index, index * 2 ** 32, index);
    table.setExtra(index, count - index);
    table.setState(index, 'answered');
  }
  for (let index = 0; index < count; index++) {
    const { start, length } = table.lineOf(index);
    const isFound = table.add(keyOf(index)) === index && table.stateOf(index) === 'answered';
    const isWhole = start === index * 2 ** 32 && length === index && table.extraOf(index) === count - index;
    if (!isFound || !isWhole) wrong.push(index);
  }
  expect(wrong).toEqual([]);
  expect(table.count).toBe(count);
});

test('a row without a line has one of no length', () => {
  const table = new KeyTable();
  const row = table.add(keyOf(1));
  expect([table.lineOf(row), table.extraOf(row)]).toEqual([{ start: 0, length: 0 }, 0]);
});

test('counts the occurrences of each key, anew in each pass', () => {
  const table = new KeyTable();
  const row = table.add(keyOf(7));
  for (let pass = 0; pass < 2; pass++) {
    expect([1, 2, 3, 4].map(() => table.countOccurrence(row))).toEqual([0, 1, 2, 3]);
    table.forgetOccurrences();
  }
});

test('forgets everything when it is cleared', () => {
  const table = new KeyTable();
  table.setState(table.add(keyOf(1)), 'blocked');
  table.clear();
  expect(table.count).toBe(0);
  expect(table.stateOf(table.add(keyOf(2)))).toBe('unasked');
});

test('an order knows the index of each row of a shard, and one mark for the whole input', () => {
  const all = new RowOrder();
  const shard = new RowOrder();
  for (let index = 0; index < 3000; index++) {
    all.add(keyOf(index), index);
    shard.add(keyOf(index), index % 3 === 1 ? index : undefined);
  }
  expect([all.count, shard.count, shard.rows]).toEqual([3000, 1000, 3000]);
  expect([all.indexAt(1500), shard.indexAt(0), shard.indexAt(999)]).toEqual([1500, 1, 2998]);
  expect(shard.jobId()).toBe(all.jobId());
});
