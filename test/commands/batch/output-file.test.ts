import { chmodSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileFault } from '../../../src/world/world.ts';
import { batch, batchService, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import type { FakeWorld } from '../../support/world.ts';

const input = (...lines: readonly string[]) => ({ 'in.txt': `${lines.join('\n')}\n` });
const intoFile = ['in.txt', '-o', 'out.jsonl'];
const filesIn = ({ folder }: FakeWorld) => readdirSync(folder).toSorted();

describe('the disk that the ordering needs is checked before a row is asked', () => {
  const withFree = (bytes: number) => ({
    prepare: ({ files }: FakeWorld) => void (files.freeBytes = async () => bytes),
  });

  test('a run that can never be put in order is refused, and nothing is asked', async () => {
    const service = batchService();
    const run = await batch(intoFile, { files: input('a', 'b', 'c'), ...withFree(1000) }, service);
    expect(run.exitCode).toBe(12);
    expect(service.asked).toEqual([]);
    expect(run.stderr).toBe(
      'motif: out.jsonl: to ask 3 rows and put all in order needs about 1.8 KiB of free disk space, and only 1,000 bytes are free; nothing was asked\n' +
        '  make room, name a file on another disk with -o, or take fewer rows: --limit, --shard\n',
    );
    expect(filesIn(run.world)).toEqual(['in.txt']);
  });

  test.each([
    { name: 'of one more row the lines that are there count', free: 1300, exitCode: 12, asks: [] },
    { name: 'with room for both it runs', free: 4000, exitCode: 0, asks: ['d'] },
  ])('$name', async ({ free, exitCode, asks }) => {
    const first = await batch(intoFile, { files: input('a', 'b', 'c') });
    const service = batchService();
    const setup = { files: input('a', 'b', 'c', 'd'), after: first.world, ...withFree(free) };
    const run = await batch(intoFile, setup, service);
    expect(run.exitCode).toBe(exitCode);
    expect(service.asked).toEqual(asks);
  });

  test('a finished file needs none', async () => {
    const first = await batch(intoFile, { files: input('a') });
    expect((await batch(intoFile, { after: first.world, ...withFree(0) })).exitCode).toBe(0);
  });

  test('of a pipe the rows that are there count', async () => {
    const first = await batch(intoFile, { files: input('a', 'b') });
    const service = batchService();
    const setup = { stdin: 'a\nb\nc\n', after: first.world, ...withFree(500) };
    const run = await batch(['-o', 'out.jsonl'], setup, service);
    expect(run.exitCode).toBe(12);
    expect(run.stderr).toContain('out.jsonl: to put its rows in order needs about');
    expect(service.asked).toEqual([]);
  });

  test('--dry-run says it', async () => {
    const run = await batch([...intoFile, '--dry-run'], { files: input('a', 'b', 'c') });
    expect(run.stdout).toContain('out.jsonl needs at least about 1.8 KiB of free disk space until all is in order\n');
    const json = await batch([...intoFile, '--dry-run', '--json'], { files: input('a', 'b', 'c') });
    expect(JSON.parse(json.stdout)).toMatchObject({ estimated_disk_bytes: 1860 });
  });
});

describe('a file on a disk that takes no writing', () => {
  const readOnly = ({ files }: FakeWorld): void => {
    const refuse = (path: string) => Promise.reject(new FileFault(path, 'EROFS', 'the file system is read-only'));
    files.lock = refuse;
    files.openGrowing = refuse;
  };

  test.each([
    { rows: ['a', 'b'], says: 'all 2 rows of it' },
    { rows: ['a'], says: 'its one row' },
  ])('says when it was finished, and asks nothing: $rows', async ({ rows, says }) => {
    const first = await batch(intoFile, { files: input(...rows) });
    const service = batchService();
    const run = await batch(intoFile, { after: first.world, prepare: readOnly }, service);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(new RegExp(`^motif: out\\.jsonl was finished 20.*Z, ${says}: nothing was asked`));
    expect(service.asked).toEqual([]);
  });

  test.each([
    { name: 'with a row that is left', argv: [] },
    { name: 'with --fresh', argv: ['--fresh'] },
  ])('$name is refused, and nothing is asked', async ({ argv }) => {
    const first = await batch(intoFile, { files: input('a', 'b') });
    const service = batchService();
    const setup = { files: input('a', 'b', 'c'), after: first.world, prepare: readOnly };
    const run = await batch([...intoFile, ...argv], setup, service);
    expect(run.exitCode).toBe(12);
    expect(run.stderr).toContain('out.jsonl.lock: the file system is read-only');
    expect(service.asked).toEqual([]);
  });
});

describe('a run that writes no row leaves all as it was', () => {
  const doubled = '{"prompt":"a","prompt":"b"}\n';

  test.each([
    { name: 'a faulty file', argv: ['in.jsonl'], setup: {} },
    { name: 'a faulty pipe', argv: ['-'], setup: { stdin: doubled } },
  ])('no output of $name', async ({ argv, setup }) => {
    const run = await batch([...argv, '-o', 'out.jsonl'], { files: { 'in.jsonl': doubled }, ...setup });
    expect(run.exitCode).toBe(2);
    expect(filesIn(run.world)).toEqual(['in.jsonl']);
  });

  test.each([
    { name: 'a faulty file', argv: ['in.jsonl'], setup: {} },
    { name: 'a faulty pipe', argv: ['-'], setup: { stdin: doubled } },
  ])('--fresh with $name destroys nothing', async ({ argv, setup }) => {
    const first = await batch(['in.jsonl', '-o', 'out.jsonl'], { files: { 'in.jsonl': '{"prompt":"a"}\n' } });
    const before = fileOf(first, 'out.jsonl');
    const files = { 'in.jsonl': doubled };
    const run = await batch([...argv, '-o', 'out.jsonl', '--fresh'], { files, ...setup, after: first.world });
    expect(run.exitCode).toBe(2);
    expect(fileOf(run, 'out.jsonl')).toBe(before);
    expect(filesIn(run.world)).toEqual(['in.jsonl', 'out.jsonl']);
  });
});

describe.each([
  { signal: 'SIGTERM' as const, exit: 143, says: 'ended by SIGTERM' },
  { signal: 'SIGHUP' as const, exit: 129, says: 'ended by SIGHUP' },
  { signal: 'SIGINT' as const, exit: 130, says: 'interrupted' },
])('$signal in the middle of a row', ({ signal, exit, says }) => {
  const cutShort = async (argv: readonly string[]) => {
    let world: FakeWorld | undefined;
    const service = batchService(async (_, count) => {
      if (count < 3) return {};
      world?.interrupt(signal);
      if (signal === 'SIGINT') setImmediate(() => world?.interrupt(signal));
      return new Promise(() => {});
    });
    const prepare = (made: FakeWorld) => void (world = made);
    return batch([...argv, '-j', '1'], { files: input('a', 'b', 'c', 'd'), prepare }, service);
  };

  test('tells what was done and the command that goes on, and ends by the signal', async () => {
    const run = await cutShort(intoFile);
    expect(run).toMatchObject({ signal, exitCode: undefined, stdout: '' });
    expect(run.stderr).toMatch(/^2 of 4 rows · /m);
    expect(run.stderr).toContain(`\n${says}; 2 of 4 rows are left; the same command goes on\n`);
    const rest = batchService();
    expect((await batch(intoFile, { after: run.world }, rest)).exitCode).toBe(0);
    expect(rest.asked).toEqual(['c', 'd']);
  });

  test('--json is the document', async () => {
    const run = await cutShort([...intoFile, '--json']);
    expect(run.signal).toBe(signal);
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: false,
      exit_code: exit,
      summary: 'in.txt: 2 answered, 0 blocked, 0 in error, 2 left; interrupted',
      rows: { total: 4, answered: 2, left: 2 },
      resume: 'the same command goes on',
      error: null,
    });
  });
});

describe('a part of an input that an output holds as a whole', () => {
  const whole = () => batch(['in.txt', '-o', 'w'], { files: input('a', 'b', 'c', 'd') });
  const parts = ['1/5', '2/5', '3/5', '4/5', '5/5'];

  test.each(parts)('%s asks nothing, also where it has no row', async (shard) => {
    const { world } = await whole();
    const service = batchService();
    const run = await batch(['in.txt', '-o', 'w', '--shard', shard], { after: world }, service);
    expect(run.exitCode).toBe(0);
    expect(service.asked).toEqual([]);
  });

  test('an output of another part is refused by one without a row, too', async () => {
    const files = input('a', 'b', 'c', 'd');
    const runs = await Promise.all(parts.map((shard) => batch(['in.txt', '-o', 'w', '--shard', shard], { files })));
    const counts = runs.map((run) => rowsOf(fileOf(run, 'w')).length);
    const [empty, full] = [parts[counts.indexOf(0)]!, runs.find((_, at) => counts[at]! > 0)!];
    const run = await batch(['in.txt', '-o', 'w', '--shard', empty], { after: full.world });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(`w holds another part of in.txt than ${empty}, which has no rows`);
  });
});

describe('an output that another program moves, removes or replaces while it is written', () => {
  const theirs = 'the file of another program\n';
  const takes = [
    { name: 'replaced', take: (path: string) => (rmSync(path), writeFileSync(path, theirs)), left: theirs },
    { name: 'moved', take: (path: string) => renameSync(path, `${path}.elsewhere`), left: '' },
    { name: 'removed', take: (path: string) => rmSync(path), left: '' },
  ];
  const ends = [
    { end: 'in a whole run', flags: [], replies: ['answered', 'answered', 'answered'] },
    { end: 'in one that a limit ends', flags: ['--max-errors', '0', '-j', '1'], replies: ['answered', 'failed'] },
  ];

  test.each(takes.flatMap((taken) => ends.map((end) => ({ ...taken, ...end }))))(
    '$name $end: what is there stays, and the same command goes on with the rows beside it',
    async ({ take, left, flags, replies }) => {
      let folder = '';
      const prepare = (world: FakeWorld) => void (folder = world.folder);
      const path = () => join(folder, 'out.jsonl');
      const service = batchService((_, count) => {
        if (count === 2) take(path());
        return replies[count - 1] === 'failed' ? { status: 422, body: {} } : undefined;
      });
      const run = await batch([...intoFile, '-j', '1', ...flags], { files: input('a', 'b', 'c'), prepare }, service);
      expect(run.exitCode).toBe(12);
      expect(run.stderr).toContain(
        'motif: out.jsonl was moved, removed or replaced by another program while it was written\n' +
          '  all its rows are in out.jsonl.rows\n' +
          '  move what is there now away, then: mv out.jsonl.rows out.jsonl; the same command goes on\n',
      );
      expect(fileOf(run, 'out.jsonl')).toBe(left);
      rmSync(path(), { force: true });
      renameSync(join(folder, 'out.jsonl.rows'), path());
      const later = batchService();
      const again = await batch(intoFile, { after: run.world }, later);
      expect(again.exitCode).toBe(0);
      expect(later.asked).toEqual(['a', 'b', 'c'].filter((_, at) => replies[at] !== 'answered'));
      expect(rowsOf(fileOf(again, 'out.jsonl')).map(({ index }) => index)).toEqual([0, 1, 2]);
    },
  );

  test('a run without a row leaves the file of the other alone', async () => {
    let folder = '';
    const service = batchService(() => {
      rmSync(join(folder, 'out.jsonl'));
      writeFileSync(join(folder, 'out.jsonl'), theirs);
      return { status: 401, body: {} };
    });
    const prepare = (world: FakeWorld) => void (folder = world.folder);
    const run = await batch(intoFile, { files: input('a'), prepare }, service);
    expect(run.exitCode).toBe(8);
    expect(fileOf(run, 'out.jsonl')).toBe(theirs);
  });
});

test('a file that another user laid in a folder of all is no output', async () => {
  const run = await batch(['in.txt', '-o', 'all/out.jsonl'], {
    files: { 'in.txt': 'a\n', 'all/out.jsonl': '' },
    uid: 4242,
    prepare: ({ folder }) => chmodSync(join(folder, 'all'), 0o1777),
  });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/-o: all\/out\.jsonl is a file of another user \(\d+\) in a folder of all\n/);
});
