import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileFault } from '../../../src/world/world.ts';
import { batch, batchService, blockedReply, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import type { FakeWorld } from '../../support/world.ts';

const input = (...lines: readonly string[]) => ({ 'in.txt': `${lines.join('\n')}\n` });
const intoFile = ['in.txt', '-o', 'out.jsonl'];
const filesIn = ({ folder }: FakeWorld) => readdirSync(folder).toSorted();

describe('--fresh', () => {
  const interruptedAt = (count: number, signal: 'SIGINT' | 'SIGTERM') => {
    let world: FakeWorld | undefined;
    const service = batchService((_, asked) => {
      if (asked === count) world?.interrupt(signal);
      return undefined;
    });
    return { service, setup: { prepare: (made: FakeWorld) => void (world = made) } };
  };
  const lines = Array.from({ length: 20 }, (_, index) => `row ${index}`);

  test('keeps the old answers beside until the new ones are all there', async () => {
    const first = await batch(intoFile, { files: input(...lines) });
    const before = fileOf(first, 'out.jsonl');
    const { service, setup } = interruptedAt(5, 'SIGTERM');
    const argv = [...intoFile, '-j', '1', '--fresh'];
    const cut = await batch(argv, { ...setup, after: first.world }, service);
    expect(cut.signal).toBe('SIGTERM');
    expect(cut.stderr).toContain(
      'motif: what out.jsonl holds is kept in out.jsonl.before-fresh until all rows have an answer again',
    );
    expect(fileOf(cut, 'out.jsonl.before-fresh')).toBe(before);
    expect(rowsOf(fileOf(cut, 'out.jsonl')).length).toBeLessThan(6);
    const begun = fileOf(cut, 'out.jsonl');
    const more = interruptedAt(3, 'SIGTERM');
    const again = await batch(argv, { ...more.setup, after: cut.world }, more.service);
    expect(fileOf(again, 'out.jsonl.before-fresh')).toBe(before + begun);
    expect(rowsOf(fileOf(again, 'out.jsonl')).length).toBeLessThan(4);
    expect(filesIn(again.world)).toEqual(['in.txt', 'out.jsonl', 'out.jsonl.before-fresh']);
    const whole = await batch(intoFile, { after: again.world });
    expect(whole.exitCode).toBe(0);
    expect(rowsOf(fileOf(whole, 'out.jsonl'))).toHaveLength(20);
    expect(filesIn(whole.world)).toEqual(['in.txt', 'out.jsonl']);
  });

  test('keeps once what a run that was killed before its first row has kept already', async () => {
    const first = await batch(intoFile, { files: input(...lines) });
    const before = fileOf(first, 'out.jsonl');
    writeFileSync(join(first.world.folder, 'out.jsonl.before-fresh'), before);
    const { service, setup } = interruptedAt(5, 'SIGTERM');
    const cut = await batch([...intoFile, '-j', '1', '--fresh'], { ...setup, after: first.world }, service);
    expect(fileOf(cut, 'out.jsonl.before-fresh')).toBe(before);
  });

  test.each(['', '{"index":0,"id":nu'])(
    'a copy that was killed at its start (%j) goes with the next whole run',
    async (left) => {
      const first = await batch(intoFile, { files: { ...input('a'), 'out.jsonl.before-fresh': left } });
      expect(first.exitCode).toBe(0);
      expect(filesIn(first.world)).toEqual(['in.txt', 'out.jsonl']);
    },
  );

  test('a dry run counts on what is kept, and changes no file', async () => {
    const first = await batch(intoFile, { files: input(...lines) });
    const { folder } = first.world;
    renameSync(join(folder, 'out.jsonl'), join(folder, 'out.jsonl.before-fresh'));
    writeFileSync(join(folder, 'out.jsonl.ordering'), 'x');
    const dry = await batch([...intoFile, '--dry-run'], { after: first.world });
    expect(dry.stdout).toContain('20 rows, 0 to be sent');
    expect(filesIn(dry.world)).toEqual(['in.txt', 'out.jsonl.before-fresh', 'out.jsonl.ordering']);
  });

  test('a second time destroys nothing before a row of it has ended', async () => {
    const first = await batch(intoFile, { files: input(...lines) });
    const { service, setup } = interruptedAt(5, 'SIGTERM');
    const argv = [...intoFile, '-j', '1', '--fresh'];
    const cut = await batch(argv, { ...setup, after: first.world }, service);
    const [before, begun] = [fileOf(cut, 'out.jsonl.before-fresh'), fileOf(cut, 'out.jsonl')];
    const none = interruptedAt(1, 'SIGTERM');
    const silent = {
      ...none.service,
      send: (...args: Parameters<typeof none.service.send>) => {
        void none.service.send(...args);
        return new Promise<never>(() => {});
      },
    };
    const again = await batch(argv, { ...none.setup, after: cut.world }, silent);
    expect(again.signal).toBe('SIGTERM');
    expect([fileOf(again, 'out.jsonl.before-fresh'), fileOf(again, 'out.jsonl')]).toEqual([before, begun]);
  });

  test('rows that a run with --limit does not ask keep the old answers, which a whole file has no more', async () => {
    const first = await batch(intoFile, { files: input('a', 'b') });
    const before = fileOf(first, 'out.jsonl');
    const some = await batch([...intoFile, '--fresh', '--limit', '1'], { after: first.world });
    expect(some.stderr).toContain(
      'not all rows have an answer: what was there before stays in out.jsonl.before-fresh\n',
    );
    expect(fileOf(some, 'out.jsonl.before-fresh')).toBe(before);
    const all = await batch(intoFile, { after: some.world });
    expect(filesIn(all.world)).toEqual(['in.txt', 'out.jsonl']);
    writeFileSync(join(all.world.folder, 'out.jsonl.before-fresh'), before);
    const again = await batch(intoFile, { after: all.world });
    expect(again.stderr).toContain('out.jsonl was finished');
    expect(filesIn(again.world)).toEqual(['in.txt', 'out.jsonl']);
  });

  test('with an input that has no rows destroys nothing', async () => {
    const first = await batch(intoFile, { files: input('a') });
    const before = fileOf(first, 'out.jsonl');
    const run = await batch([...intoFile, '--fresh'], { files: { 'in.txt': '' }, after: first.world });
    expect(run.exitCode).toBe(0);
    expect(fileOf(run, 'out.jsonl.before-fresh')).toBe(before);
  });

  test('something else under the name of the old answers is refused, and no other run touches it', async () => {
    const first = await batch(intoFile, { files: input('a') });
    const files = { 'out.jsonl.before-fresh': 'mine\n' };
    const service = batchService();
    const run = await batch([...intoFile, '--fresh'], { files, after: first.world }, service);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toBe(
      'motif: out.jsonl.before-fresh is no output of a batch, and what out.jsonl holds is to be kept there\n  move it away\n',
    );
    expect(service.asked).toEqual([]);
    const plain = await batch(intoFile, { files: { ...files, ...input('a', 'b') }, after: run.world });
    expect(plain.exitCode).toBe(0);
    expect(fileOf(plain, 'out.jsonl.before-fresh')).toBe('mine\n');
  });

  test.each([
    { name: 'has lost its first row to a kill', left: '' },
    { name: 'has a torn first row', left: '{"index":0,"id":nu' },
    { name: 'was removed', left: undefined },
  ])('an output that $name holds again what was kept beside it, which no other job takes', async ({ left }) => {
    const first = await batch(intoFile, { files: input('a', 'b') });
    const before = fileOf(first, 'out.jsonl');
    const { folder, files } = first.world;
    await files.rename('out.jsonl', 'out.jsonl.before-fresh');
    if (left !== undefined) writeFileSync(join(folder, 'out.jsonl'), left);
    const other = batchService();
    const foreign = await batch(
      ['other.txt', '-o', 'out.jsonl'],
      { files: { 'other.txt': 'x\n' }, after: first.world },
      other,
    );
    expect(foreign.exitCode).toBe(2);
    expect(foreign.stderr).toContain(
      'motif: out.jsonl has no row: it holds again what was kept in out.jsonl.before-fresh\nmotif: none of the 2 rows of out.jsonl is in other.txt\n',
    );
    expect(other.asked).toEqual([]);
    expect(fileOf(foreign, 'out.jsonl')).toBe(before);
    expect((await batch(intoFile, { after: foreign.world }, other)).stderr).toContain('out.jsonl was finished');
    expect(other.asked).toEqual([]);
  });

  test('names the limit to raise, and itself to leave out', async () => {
    const first = await batch(intoFile, { files: input(...lines) });
    const argv = [...intoFile, '--max-blocked', '0', '-j', '1'];
    const halted = await batch(
      [...argv, '--fresh'],
      { after: first.world },
      batchService(() => blockedReply),
    );
    expect(halted.exitCode).toBe(11);
    expect(halted.stderr).toContain('\n  raise --max-blocked and leave out --fresh to go on\n');
  });

  test('with rows without a prompt names the command that asks no other row', async () => {
    const files = { 'in.jsonl': '{"prompt":"a"}\n{"prompt":""}\n' };
    const argv = ['in.jsonl', '-o', 'out.jsonl'];
    const first = await batch(argv, { files });
    const fresh = await batch([...argv, '--fresh'], { after: first.world });
    expect(fresh.stderr).toContain(
      '\n  fill in the prompt of that row, or take it out; then the same command without --fresh\n',
    );
  });

  test('leaves the old file where the new one cannot be made', async () => {
    const first = await batch(intoFile, { files: input('a') });
    const before = fileOf(first, 'out.jsonl');
    const prepare = ({ files }: FakeWorld): void => {
      files.openGrowing = (path) => Promise.reject(new FileFault(path, 'EDQUOT', 'the quota is used up'));
    };
    const run = await batch([...intoFile, '--fresh'], { after: first.world, prepare });
    expect(run.exitCode).toBe(12);
    expect(fileOf(run, 'out.jsonl')).toBe(before);
    expect(filesIn(run.world)).toEqual(['in.txt', 'out.jsonl']);
  });

  test('names the command that goes on, without it', async () => {
    const first = await batch(intoFile, { files: input(...lines) });
    const { service, setup } = interruptedAt(5, 'SIGINT');
    const argv = [...intoFile, '-j', '1', '--fresh', '--json'];
    const cut = await batch(argv, { ...setup, after: first.world }, service);
    expect(JSON.parse(cut.stdout)).toMatchObject({ resume: 'the same command without --fresh goes on' });
    const rest = batchService();
    expect((await batch(intoFile, { after: cut.world }, rest)).exitCode).toBe(0);
    expect(rest.asked).toHaveLength(15);
  });

  test('that ends before its first row leaves the old file, and is what is to be typed again', async () => {
    const first = await batch(intoFile, { files: input(...lines) });
    const before = fileOf(first, 'out.jsonl');
    let world: FakeWorld | undefined;
    const service = batchService(() => {
      world?.interrupt('SIGTERM');
      return new Promise(() => {});
    });
    const argv = [...intoFile, '-j', '1', '--fresh'];
    const prepare = (made: FakeWorld) => void (world = made);
    const cut = await batch(argv, { prepare, after: first.world }, service);
    expect(cut.signal).toBe('SIGTERM');
    expect(fileOf(cut, 'out.jsonl')).toBe(before);
    expect(filesIn(cut.world)).not.toContain('out.jsonl.before-fresh');
    expect(cut.stderr).toContain('motif: no row has ended: out.jsonl holds what it held before\n');
    expect(cut.stderr).toContain('20 of 20 rows are left; the same command with --fresh goes on\n');
    const again = batchService();
    expect((await batch(argv, { after: cut.world }, again)).exitCode).toBe(0);
    expect(again.asked).toHaveLength(20);
  });

  test.each([
    { name: 'rows in error', reply: { status: 500, body: {} }, rows: ['a', 'b'], exit: 1, keeps: true },
    { name: 'a row without a prompt alone', reply: {}, rows: ['a', ''], exit: 1, keeps: false },
    { name: 'all rows answered', reply: {}, rows: ['a', 'b'], exit: 0, keeps: false },
  ])('with $name keeps the old answers: $keeps', async ({ reply, rows, exit, keeps }) => {
    const files = { 'in.jsonl': rows.map((prompt) => `${JSON.stringify({ prompt })}\n`).join('') };
    const argv = ['in.jsonl', '-o', 'out.jsonl', '--retries', '0'];
    const first = await batch(argv, { files });
    const before = fileOf(first, 'out.jsonl');
    const run = await batch(
      [...argv, '--fresh', '--max-errors', '100'],
      { after: first.world },
      batchService(() => reply),
    );
    expect(run.exitCode).toBe(exit);
    expect(filesIn(run.world).includes('out.jsonl.before-fresh')).toBe(keeps);
    expect(run.stderr.includes('what was there before stays in out.jsonl.before-fresh\n')).toBe(keeps);
    expect(!keeps || fileOf(run, 'out.jsonl.before-fresh') === before).toBe(true);
  });

  test('leaves the bits of the file as they were', async () => {
    const first = await batch(intoFile, { files: input('a') });
    writeFileSync(join(first.world.folder, 'out.jsonl'), fileOf(first, 'out.jsonl'));
    await first.world.files.setMode('out.jsonl', 0o640);
    const run = await batch([...intoFile, '--fresh'], { after: first.world });
    expect(((await run.world.files.info('out.jsonl'))?.mode ?? 0) & 0o777).toBe(0o640);
  });
});
