import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KeyTable, type RowState } from '../../../src/batch/ledger/key-table.ts';
import { RowOrder } from '../../../src/batch/ordering.ts';
import { rowsWithoutDisk, ScratchSpace } from '../../../src/batch/ledger/scratch.ts';
import { createFiles } from '../../../src/world/files/files.ts';
import { FileFault } from '../../../src/world/world.ts';

const keyOf = (index: number) => hash('sha256', String(index), 'hex').slice(0, 24);
const size = { recentRows: 256, recordFrames: 4 };
/** Many times what memory holds, and a rest. */
const manyRows = 6100;

let folder: string;
let space: ScratchSpace;
let opened: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'motif-keys-'));
  space = onDisk();
  opened = 0;
});

afterEach(() => {
  space.close();
  rmSync(folder, { recursive: true });
});

function onDisk(): ScratchSpace {
  const files = createFiles(folder);
  const openScratch: typeof files.openScratch = (beside) => {
    opened += 1;
    return files.openScratch(beside);
  };
  return new ScratchSpace({ ...files, openScratch }, 'out.jsonl');
}

/** No file can be made there. */
function onReadOnlyDisk(): ScratchSpace {
  const openScratch = (path: string) => {
    throw new FileFault(path, 'EROFS', 'the file system is read-only');
  };
  return new ScratchSpace({ ...createFiles(folder), openScratch }, 'out.jsonl');
}

/** The disk is full after so many writes; the last of them is torn. */
function onFullDisk(writes: number): ScratchSpace {
  const files = createFiles(folder);
  const openScratch: typeof files.openScratch = (path) => {
    const file = files.openScratch(path);
    return {
      ...file,
      write(start, bytes) {
        writes -= 1;
        if (writes >= 0) return file.write(start, bytes);
        file.write(start, bytes.subarray(0, bytes.length / 2));
        throw new FileFault(path, 'ENOSPC', 'the disk is full');
      },
    };
  };
  return new ScratchSpace({ ...files, openScratch }, 'out.jsonl');
}

describe.each([
  { name: 'on disk', space: onDisk },
  { name: 'on a disk that is full at once', space: () => onFullDisk(0) },
  { name: 'on a disk that is full while its pages are written', space: () => onFullDisk(7) },
  { name: 'on a disk that is full while its keys are merged', space: () => onFullDisk(97) },
  { name: 'where no file can be made', space: onReadOnlyDisk },
])('a table $name', ({ space: createSpace }) => {
  test.each([
    { order: 'in their order', next: (index: number) => index },
    { order: 'in another order', next: (index: number) => (index * 7919) % manyRows },
  ])('finds each of many keys again $order, with what is known of it', ({ next }) => {
    const table = new KeyTable((space = createSpace()), size);
    const wrong: number[] = [];
    for (let index = 0; index < manyRows; index++) {
      if (table.add(keyOf(index)) !== index) wrong.push(index);
      table.setLine(index, index * 2 ** 32, index);
      table.setExtra(index, manyRows - index);
      table.setState(index, 'answered');
    }
    for (let step = 0; step < manyRows; step++) {
      const index = next(step);
      const { start, length } = table.lineOf(index);
      const isFound = table.add(keyOf(index)) === index && table.stateOf(index) === 'answered';
      const isWhole = start === index * 2 ** 32 && length === index && table.extraOf(index) === manyRows - index;
      if (!isFound || !isWhole) wrong.push(index);
    }
    expect(wrong).toEqual([]);
    expect(table.count).toBe(manyRows);
  });
});

test('few rows touch no disk, and many leave no file behind', () => {
  const table = new KeyTable(space);
  for (let index = 0; index < rowsWithoutDisk - 1; index++) table.add(keyOf(index));
  expect(opened).toBe(0);
  for (let index = 0; index < 10; index++) table.add(keyOf(-1 - index));
  expect(opened).toBeGreaterThan(0);
  expect(readdirSync(folder)).toEqual([]);
});

test('tells keys apart whose first digits are the same', () => {
  const table = new KeyTable(space, size);
  const alike = [1, 2, 3].map((index) => `00c0ffee${keyOf(index).slice(8)}`);
  expect(alike.map((key) => table.add(key))).toEqual([0, 1, 2]);
  for (let index = 0; index < size.recentRows; index++) table.add(keyOf(index));
  expect(alike.map((key) => table.add(key))).toEqual([0, 1, 2]);
});

describe('of stored lines with one key', () => {
  const load = (table: KeyTable, key: string, state: RowState, start: number) =>
    table.load(key, { start, length: 10, extra: start, state });

  test.each([
    { lines: ['failed', 'answered'], counts: 1, between: 0 },
    { lines: ['answered', 'failed'], counts: 0, between: 0 },
    { lines: ['failed', 'failed', 'blocked'], counts: 2, between: 0 },
    { lines: ['answered', 'answered'], counts: 1, between: 0 },
    { lines: ['failed', 'answered'], counts: 1, between: size.recentRows },
    { lines: ['answered', 'failed'], counts: 0, between: size.recentRows },
    { lines: ['failed', 'failed', 'answered'], counts: 2, between: size.recentRows },
    { lines: ['failed', 'answered'], counts: 1, between: size.recentRows - 2 },
  ] as const)('$lines with $between others in between, number $counts counts', ({ lines, counts, between }) => {
    const table = new KeyTable(space, size);
    for (const [at, state] of lines.entries()) {
      load(table, keyOf(-1), state, at + 1);
      for (let index = 0; index < between; index++) load(table, keyOf(at * between + index), 'answered', 100);
    }
    table.endLoading();
    const row = table.add(keyOf(-1));
    expect([table.stateOf(row), table.lineOf(row).start, table.extraOf(row)]).toEqual([
      lines[counts],
      counts + 1,
      counts + 1,
    ]);
    const withLines = Array.from({ length: table.count }, (_, each) => table.lineOf(each).length).filter(Boolean);
    expect(withLines).toHaveLength(1 + lines.length * between);
  });
});

test('a row without a line has one of no length', () => {
  const table = new KeyTable(space, size);
  const row = table.add(keyOf(1));
  expect([table.lineOf(row), table.extraOf(row)]).toEqual([{ start: 0, length: 0 }, 0]);
});

test('counts the occurrences of each key, anew in each pass', () => {
  const table = new KeyTable(space, size);
  const row = table.add(keyOf(7));
  for (let pass = 0; pass < 3; pass++) {
    table.beginPass();
    expect([1, 2, 3, 4].map(() => table.countOccurrence(row))).toEqual([0, 1, 2, 3]);
  }
});

test('puts each row in order once', () => {
  const table = new KeyTable(space, size);
  const row = table.add(keyOf(7));
  table.setState(row, 'blocked');
  expect([table.placeInOrder(row), table.placeInOrder(row), table.stateOf(row)]).toEqual([true, false, 'blocked']);
});

test('forgets everything when it is cleared', () => {
  const table = new KeyTable(space, size);
  for (let index = 0; index < manyRows; index++) table.setState(table.add(keyOf(index)), 'blocked');
  table.clear();
  expect(table.count).toBe(0);
  expect(table.stateOf(table.add(keyOf(2)))).toBe('unasked');
});

test('an order knows the index of each row of a shard, and one mark for the whole input', () => {
  const all = new RowOrder(space);
  const shard = new RowOrder(space);
  const rows = 90_000;
  for (let pass = 0; pass < 2; pass++) {
    all.restart();
    shard.restart();
    for (let index = 0; index < rows; index++) {
      all.add(keyOf(index), index);
      shard.add(keyOf(index), index % 2 === 1 || index < 1000 ? index : undefined);
    }
    expect([all.count, shard.count, shard.rows]).toEqual([rows, rows / 2 + 500, rows]);
    expect([all.indexAt(1500), shard.indexAt(0), shard.indexAt(1000)]).toEqual([1500, 0, 1001]);
    expect([shard.indexAt(shard.count - 1), shard.entryAt(2000)]).toEqual([rows - 1, 3001]);
    expect(shard.jobFacts()).toEqual(all.jobFacts());
  }
});

test.each([
  { name: 'few rows', rows: rowsWithoutDisk, free: 0, isRefused: false },
  { name: 'a disk that does not tell', rows: 1_000_000, free: undefined, isRefused: false },
  { name: 'room enough', rows: 1_000_000, free: 64_000_000, isRefused: false },
  { name: 'too little room', rows: 1_000_000, free: 63_999_999, isRefused: true },
])('$name: refused before anything is asked: $isRefused', async ({ rows, free, isRefused }) => {
  const files = { ...createFiles(folder), freeBytes: async () => free };
  const asked = new ScratchSpace(files, 'data/out.jsonl').needRoom(rows).then(
    () => 'begins',
    (error: Error) => error.message,
  );
  expect(await asked).toBe(
    isRefused
      ? 'the list of 1,000,000 rows needs 61 MiB of free disk space in data, and only 61 MiB are free'
      : 'begins',
  );
});
