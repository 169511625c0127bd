import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { batch, batchService, blockedReply, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import { motif } from '../../support/motif.ts';
import type { FakeWorld } from '../../support/world.ts';

const input = `id,text,n\n${Array.from({ length: 30 }, (_, index) => `${index},"row ${index}, quoted",${index}.50`).join('\n')}\n`;
const service = () => batchService((prompt) => (prompt.startsWith('row 7,') ? blockedReply : undefined));
const shardRun = (index: number, after?: FakeWorld, argv: readonly string[] = []) =>
  batch(
    ['in.csv', '--column', 'text', '--shard', `${index}/3`, '-o', `out-${index}.jsonl`, '-q', ...argv],
    after === undefined ? { files: { 'in.csv': input } } : { after },
    service(),
  );

async function threeShards(): Promise<FakeWorld> {
  const { world } = await shardRun(1);
  for (const index of [2, 3]) expect((await shardRun(index, world)).exitCode).toBe(0);
  return world;
}

const merge = (world: FakeWorld, ...argv: readonly string[]) => motif(['batch', 'merge', ...argv], { after: world });
const parts = ['out-1.jsonl', 'out-2.jsonl', 'out-3.jsonl'];

test.each([
  { input: 'in.csv', table: 'out.csv' },
  { input: 'out.csv', table: 'out-answers.csv' },
  { input: './out.csv', table: 'out-answers.csv' },
])('the table of $input is to be called $table, so that no input is replaced', async ({ input: name, table }) => {
  const files = { 'in.csv': input, 'out.csv': input };
  const run = await batch([name, '--column', 'text', '-o', 'out.jsonl'], { files }, service());
  expect(run.stderr).toContain(`as CSV: motif batch merge out.jsonl -o ${table}\n`);
});

test.each([
  { output: 'res.csv', says: '-o res.jsonl, then: motif batch merge res.jsonl -o res.csv' },
  { output: 'res.TSV', says: '-o res.jsonl, then: motif batch merge res.jsonl -o res.csv' },
])('a table is no output of a batch, which asks nothing: $output', async ({ output, says }) => {
  const asked = service();
  const run = await batch(['in.csv', '--column', 'text', '-o', output], { files: { 'in.csv': input } }, asked);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(says);
  expect(asked.asked).toEqual([]);
});

test('an output that was begun under the name of a table is gone on with, and is never to replace itself', async () => {
  const begun = await batch(['in.csv', '--column', 'text', '-o', 'a.jsonl', '--limit', '3'], {
    files: { 'in.csv': input },
  });
  renameSync(join(begun.world.folder, 'a.jsonl'), join(begun.world.folder, 'a.csv'));
  const run = await batch(['in.csv', '--column', 'text', '-o', 'a.csv'], { after: begun.world });
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('as CSV: motif batch merge a.csv -o a-answers.csv\n');
});

describe('three shards of a job', () => {
  test('have each row once, and merge into what one run would have written', async () => {
    const world = await threeShards();
    const merged = await merge(world, ...parts, '-o', 'all.jsonl');
    expect(merged).toMatchObject({ exitCode: 0, stdout: '' });
    expect(merged.stderr).toContain('30 rows of 3 parts, each once');
    expect(rowsOf(fileOf(merged, 'all.jsonl')).map(({ index }) => index)).toEqual([...Array(30).keys()]);
    const again = batchService();
    const run = await batch(['in.csv', '--column', 'text', '-o', 'all.jsonl'], { after: world }, again);
    expect(run.stderr).toContain('all.jsonl was finished');
    expect(again.asked).toEqual([]);
  });

  test('as CSV: the columns of the input, outcome and answer', async () => {
    const world = await threeShards();
    const merged = await merge(world, ...parts, '-o', 'all.csv');
    const lines = fileOf(merged, 'all.csv').split('\r\n');
    expect(lines[0]).toBe('id,text,n,outcome,answer');
    expect(lines[1]).toBe('0,"row 0, quoted",0.50,answered,"re: row 0, quoted"');
    expect(lines[8]).toBe('7,"row 7, quoted",7.50,blocked,');
    expect(lines).toHaveLength(32);
  });

  test.each([
    { name: 'first', table: 'id,text,n\n7,a,0\n', columns: 'id,text,n,outcome,answer' },
    { name: 'in the middle', table: 'text,id,n\na,7,0\n', columns: 'text,id,n,outcome,answer' },
    { name: 'last', table: 'text,n,id\na,0,7\n', columns: 'text,n,id,outcome,answer' },
    { name: 'nowhere', table: 'text,n\na,0\n', columns: 'text,n,outcome,answer' },
  ])('as CSV, by way of JSON lines, with the column id where it was: $name', async ({ table, columns }) => {
    let world: FakeWorld | undefined;
    for (const index of [1, 2]) {
      const argv = ['in.csv', '--column', 'text', '--shard', `${index}/2`, '-o', `${index}.jsonl`];
      const setup = world === undefined ? { files: { 'in.csv': table } } : { after: world };
      ({ world } = await batch(argv, setup));
    }
    await merge(world!, '1.jsonl', '2.jsonl', '-o', 'all.jsonl');
    const run = await merge(world!, 'all.jsonl', '-o', 'all.csv');
    expect(fileOf(run, 'all.csv').split('\r\n')[0]).toBe(columns);
  });

  test('to stdout', async () => {
    const world = await threeShards();
    const merged = await merge(world, ...parts);
    expect(rowsOf(merged.stdout)).toHaveLength(30);
  });
});

describe('what does not prove to be whole is a usage error, and nothing is written', () => {
  test.each([
    { name: 'a missing part', argv: ['out-1.jsonl', 'out-3.jsonl'], says: 'no row of shard 2/3 is here' },
    {
      name: 'a part twice',
      argv: [...parts, 'out-2.jsonl'],
      says: 'is there twice: out-2.jsonl and out-2.jsonl\n  name each part once',
    },
    {
      name: 'a part with one row twice',
      prepare: (folder: string) => {
        const path = join(folder, 'out-2.jsonl');
        const [first = ''] = readFileSync(path, 'utf8').split('\n');
        writeFileSync(path, `${first}\n${readFileSync(path, 'utf8')}`);
      },
      says: 'is there twice: out-2.jsonl\n  put out-2.jsonl right: the command that wrote it, with --fresh\n',
    },
    {
      name: 'a part that is not finished',
      prepare: (folder: string) => {
        const path = join(folder, 'out-2.jsonl');
        writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/,"job":\{[^}]*\}/g, ''));
      },
      says: 'out-2.jsonl:1: the run that writes it has not finished',
    },
    {
      name: 'an empty file for a part that has rows',
      prepare: (folder: string) => writeFileSync(join(folder, 'out-2.jsonl'), ''),
      says: 'no row of shard 2/3 is here',
    },
    {
      name: 'a line too many',
      prepare: (folder: string) => appendFileSync(join(folder, 'out-2.jsonl'), '{"x":1}\n'),
      says: 'the run that writes it has not finished',
    },
    {
      name: 'another file',
      argv: ['in.csv', ...parts],
      says: 'in.csv:1: not a line of the output of a batch',
    },
  ] as { name: string; argv?: string[]; prepare?: (folder: string) => void; says: string }[])(
    '$name',
    async ({ argv = parts, prepare, says }) => {
      const world = await threeShards();
      prepare?.(world.folder);
      const merged = await merge(world, ...argv, '-o', 'all.jsonl');
      expect(merged.exitCode).toBe(2);
      expect(merged.stderr).toContain(says);
      expect(fileOf(merged, 'all.jsonl')).toBe('');
    },
  );

  test('the name of a table of another form than is written', async () => {
    const merged = await merge(await threeShards(), ...parts, '-o', 'all.tsv');
    expect(merged.exitCode).toBe(2);
    expect(merged.stderr).toContain('-o: all.tsv: a merge writes a table as .csv, and else JSON lines\n  -o all.csv\n');
  });

  test.each([
    { name: 'more rows', edited: `${input}30,new,30\n31,newer,31\n32,newest,32\n` },
    { name: 'another value in a column that passes through', edited: input.replaceAll('.50', '.75') },
  ])('a part of another state of the input: $name', async ({ edited }) => {
    const world = await threeShards();
    writeFileSync(join(world.folder, 'in.csv'), edited);
    await shardRun(2, world);
    const merged = await merge(world, ...parts);
    expect(merged.exitCode).toBe(2);
    expect(merged.stderr).toContain('were made from different states of the input');
    for (const index of [1, 3]) await shardRun(index, world);
    expect(await merge(world, ...parts)).toMatchObject({ exitCode: 0 });
  });

  test('a part of another request', async () => {
    const world = await threeShards();
    await shardRun(2, world, ['--fresh', '-s', 'Be brief']);
    const merged = await merge(world, ...parts);
    expect(merged.stderr).toContain('are of different requests or Motifs');
  });
});

test('a shard that no row falls to has an empty file, and the others prove that none is missing', async () => {
  let { world } = await batch(['in.txt', '--shard', '1/3', '-o', 'out-1.jsonl'], { files: { 'in.txt': 'a\n' } });
  for (const index of [2, 3]) {
    const shard = ['in.txt', '--shard', `${index}/3`, '-o', `out-${index}.jsonl`];
    ({ world } = await batch(shard, { after: world }));
  }
  const sizes = parts.map((name) => readFileSync(join(world.folder, name)).length);
  expect(sizes.filter((size) => size === 0)).toHaveLength(2);
  expect(await merge(world, ...parts)).toMatchObject({ exitCode: 0, stderr: 'motif: 1 row of 3 parts, each once\n' });
  const empty = parts.filter((_, index) => sizes[index] === 0);
  expect(await merge(world, ...empty)).toMatchObject({ exitCode: 2, stdout: '' });
});

test('a file of one part is not gone on with as another, whose rows would be paid for twice', async () => {
  const { world } = await shardRun(2);
  const before = readFileSync(join(world.folder, 'out-2.jsonl'), 'utf8');
  const asked = service();
  const argv = ['in.csv', '--column', 'text', '--shard', '1/3', '-o', 'out-2.jsonl'];
  const run = await batch(argv, { after: world }, asked);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toBe(
    'motif: out-2.jsonl holds another part of in.csv than 1/3\n  name the part that it is of, with --shard i/n, or another file with -o\n',
  );
  expect(asked.asked).toEqual([]);
  expect(fileOf(run, 'out-2.jsonl')).toBe(before);
});

describe('a job without rows', () => {
  /** Two shards of an input that has a header alone. */
  async function withoutRows() {
    let { world } = await batch(['in.csv', '--shard', '1/2', '-o', 'out-1.jsonl'], { files: { 'in.csv': 'text\n' } });
    ({ world } = await batch(['in.csv', '--shard', '2/2', '-o', 'out-2.jsonl'], { after: world }));
    return world;
  }

  test.each([
    { output: 'all.jsonl', text: '' },
    { output: 'all.csv', text: 'outcome,answer\r\n' },
  ])('is merged to $output, whose parts say that it has none', async ({ output, text }) => {
    const merged = await merge(await withoutRows(), 'out-1.jsonl', 'out-2.jsonl', '-o', output);
    expect(merged).toMatchObject({ exitCode: 0, stderr: `motif: 0 rows of 2 parts, each once; written: ${output}\n` });
    expect(fileOf(merged, output)).toBe(text);
  });

  test('leaves an empty file where it is not cut into parts, for readers of lines take a blank one for a row', async () => {
    const setup = { files: { 'in.csv': 'text\n' } };
    const run = await batch(['in.csv', '-o', 'out.jsonl'], setup);
    expect(run).toMatchObject({ exitCode: 0, stderr: 'motif: in.csv has no rows: nothing was asked\n' });
    expect(fileOf(run, 'out.jsonl')).toBe('');
    const again = await batch(['in.csv', '-o', 'out.jsonl'], { after: run.world });
    expect({ exitCode: again.exitCode, text: fileOf(again, 'out.jsonl') }).toEqual({ exitCode: 0, text: '' });
  });

  test('is not proven by an empty file, which a killed run may have left', async () => {
    const world = await withoutRows();
    writeFileSync(join(world.folder, 'out-2.jsonl'), '');
    const merged = await merge(world, 'out-1.jsonl', 'out-2.jsonl', '-o', 'all.jsonl');
    expect(merged.exitCode).toBe(2);
    expect(merged.stderr).toContain(
      'out-2.jsonl is empty: its input has no rows, or the run that writes it has not finished',
    );
  });

  test('goes on with the rows that come later', async () => {
    let world = await withoutRows();
    appendFileSync(join(world.folder, 'in.csv'), 'one\ntwo\nthree\n');
    for (const index of [1, 2]) {
      const shard = ['in.csv', '--shard', `${index}/2`, '-o', `out-${index}.jsonl`];
      ({ world } = await batch(shard, { after: world }));
    }
    const merged = await merge(world, 'out-1.jsonl', 'out-2.jsonl', '-o', 'all.jsonl');
    expect(merged.exitCode).toBe(0);
    expect(rowsOf(fileOf(merged, 'all.jsonl')).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  });
});

test('rows in error are written, and make the exit code 1', async () => {
  const failing = batchService((prompt) => (prompt === 'b' ? { status: 422, body: {} } : undefined));
  const { world } = await batch(['in.txt', '-o', 'out.jsonl'], { files: { 'in.txt': 'a\nb\n' } }, failing);
  const merged = await merge(world, 'out.jsonl', '-o', 'out.csv', '--json');
  expect(merged.exitCode).toBe(1);
  expect(JSON.parse(merged.stdout)).toMatchObject({
    ok: false,
    exit_code: 1,
    rows: { total: 2, error: 1 },
    error: null,
  });
  expect(fileOf(merged, 'out.csv')).toBe('outcome,answer\r\nanswered,re: a\r\nerror,\r\n');
});
