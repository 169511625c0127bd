import { appendFileSync, linkSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { batch, batchService, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import type { FakeWorld } from '../../support/world.ts';

const failing = (...prompts: readonly string[]) =>
  batchService((prompt) => (prompts.includes(prompt) ? { status: 422, body: { error: 'no' } } : undefined));

/** Runs on an input whose lines are given, in the folder of an earlier run. */
function run(lines: readonly string[], service = batchService(), after?: FakeWorld, argv: readonly string[] = []) {
  const setup = { files: { 'in.txt': `${lines.join('\n')}\n` }, ...(after === undefined ? {} : { after }) };
  return batch(['in.txt', '-o', 'out.jsonl', ...argv], setup, service);
}

const answers = (text: string) => rowsOf(text).map(({ index, response }) => [index, response]);

describe('the same command again', () => {
  test('asks only what ended in an error, and puts it in its place', async () => {
    const first = await run(['a', 'b', 'c'], failing('b'));
    expect(first).toMatchObject({ exitCode: 1, stdout: '' });
    expect(first.stderr).toContain('the same command asks it again');
    const service = batchService();
    const second = await run(['a', 'b', 'c'], service, first.world);
    expect(second.exitCode).toBe(0);
    expect(service.asked).toEqual(['b']);
    expect(first.stderr).toMatch(/^3 rows · [\d.]+ m?s$/m);
    expect(second.stderr).toMatch(/^3 rows · 2 were there already · [\d.]+ m?s$/m);
    expect(first.stderr).toMatch(/^tokens 6 \+ 8 = 14 · p50/m);
    expect(second.stderr).toMatch(/^this run: tokens 3 \+ 4 = 7 · p50/m);
    expect(answers(fileOf(second, 'out.jsonl'))).toEqual([
      [0, 're: a'],
      [1, 're: b'],
      [2, 're: c'],
    ]);
  });

  test('on a finished file says when it was finished, and asks and changes nothing', async () => {
    const first = await run(['a', 'b']);
    const before = fileOf(first, 'out.jsonl');
    const service = batchService();
    const second = await run(['a', 'b'], service, first.world);
    expect(second.exitCode).toBe(0);
    expect(service.asked).toEqual([]);
    expect(second.stderr).toMatch(/^motif: out\.jsonl was finished 20\d\d-.*Z, all 2 rows of it: nothing was asked/);
    expect(fileOf(second, 'out.jsonl')).toBe(before);
  });

  test.each([
    { name: 'the same rows', stdin: 'a\nb\n', says: /^motif: out\.jsonl was finished .*Z, all 2 rows of it: nothing/ },
    { name: 'in another order', stdin: 'b\na\n', says: /^2 rows · 2 were there already/ },
    { name: 'one less', stdin: 'a\n', says: /^1 row · 1 was there already/ },
  ])('on a finished file says so of a pipe too, once it was read: $name', async ({ stdin, says }) => {
    const argv = ['-o', 'out.jsonl'];
    const first = await batch(argv, { stdin: 'a\nb\n' });
    const before = fileOf(first, 'out.jsonl');
    const service = batchService();
    const prepare = (world: FakeWorld) => void (world.now = () => first.world.now() + 60_000);
    const second = await batch(argv, { stdin, after: first.world, prepare }, service);
    expect(service.asked).toEqual([]);
    expect(second.stderr).toMatch(says);
    expect(fileOf(second, 'out.jsonl') === before).toBe(stdin === 'a\nb\n');
  });

  test.each([
    { name: 'a line put in at the top', lines: ['new', 'a', 'b', 'c'], asks: ['new'] },
    { name: 'a line taken out', lines: ['a', 'c'], asks: [] },
    { name: 'lines in another order', lines: ['c', 'a', 'b'], asks: [] },
    { name: 'a line edited', lines: ['a', 'B', 'c'], asks: ['B'] },
    { name: 'a line doubled', lines: ['a', 'a', 'b', 'c'], asks: ['a'] },
  ])('after $name asks for $asks', async ({ lines, asks }) => {
    const first = await run(['a', 'b', 'c']);
    const service = batchService();
    const second = await run(lines, service, first.world);
    expect(second.exitCode).toBe(0);
    expect(service.asked).toEqual(asks);
    const rows = answers(fileOf(second, 'out.jsonl'));
    expect(rows.slice(0, lines.length)).toEqual(lines.map((line, index) => [index, `re: ${line}`]));
    const third = batchService();
    await run(['a', 'b', 'c'], third, second.world);
    expect(third.asked).toEqual([]);
  });

  test('keeps answers that the input no longer has at the end, without an index', async () => {
    const first = await run(['a', 'b', 'c']);
    const second = await run(['a', 'c'], batchService(), first.world);
    expect(answers(fileOf(second, 'out.jsonl'))).toEqual([
      [0, 're: a'],
      [1, 're: c'],
      [null, 're: b'],
    ]);
    expect(second.stderr).toContain('1 row that the input no longer has stands at the end of out.jsonl');
  });

  test('--limit takes the first rows, and a run without it goes on', async () => {
    const first = await run(['a', 'b', 'c'], batchService(), undefined, ['--limit', '1']);
    expect(answers(fileOf(first, 'out.jsonl'))).toEqual([[0, 're: a']]);
    const same = batchService();
    await run(['a', 'b', 'c'], same, first.world, ['--limit', '1']);
    expect(same.asked).toEqual([]);
    const service = batchService();
    await run(['a', 'b', 'c'], service, first.world);
    expect(service.asked).toEqual(['b', 'c']);
  });

  test('takes over what has changed in the fields that pass through, and asks nothing for it', async () => {
    const input = (note: string) => ({ 'in.jsonl': `{"prompt":"a","note":"${note}"}\n{"prompt":"b","note":1}\n` });
    const argv = ['in.jsonl', '-o', 'out.jsonl'];
    const first = await batch(argv, { files: input('old') });
    const service = batchService();
    const second = await batch(argv, { files: input('n\u00e9w'), after: first.world }, service);
    expect(service.asked).toEqual([]);
    expect(rowsOf(fileOf(second, 'out.jsonl')).map(({ note, response }) => [note, response])).toEqual([
      ['n\u00e9w', 're: a'],
      [1, 're: b'],
    ]);
  });

  test('--fresh asks all anew', async () => {
    const first = await run(['a', 'b']);
    const service = batchService();
    const second = await run(['b', 'z'], service, first.world, ['--fresh']);
    expect(second.exitCode).toBe(0);
    expect(service.asked.toSorted()).toEqual(['b', 'z']);
    expect(rowsOf(fileOf(second, 'out.jsonl'))).toHaveLength(2);
  });
});

describe('a file that is not ours to go on with', () => {
  test('one with two names, for two runs could write it', async () => {
    const first = await run(['a', 'b']);
    linkSync(join(first.world.folder, 'out.jsonl'), join(first.world.folder, 'other.jsonl'));
    const second = await batch(['in.txt', '-o', 'other.jsonl'], { after: first.world }, batchService());
    expect(second.exitCode).toBe(2);
    expect(second.stderr).toContain('-o: other.jsonl has another name as well (a hard link)');
  });

  test('another system message is refused with both requests named, and nothing is asked', async () => {
    const first = await run(['a', 'b']);
    const service = batchService();
    const second = await run(['a', 'b'], service, first.world, ['-s', 'Be brief']);
    expect(second.exitCode).toBe(2);
    expect(second.stderr).toContain(
      'out.jsonl holds rows of another request\n  the system message: then none, now "Be brief"\n',
    );
    expect(second.stderr).toContain('--fresh asks every row again');
    expect(service.asked).toEqual([]);
    expect(fileOf(second, 'out.jsonl')).toBe(fileOf(first, 'out.jsonl'));
  });

  test.each([
    { answer: 'y\n', exitCode: 0, asks: ['a', 'b'] },
    { answer: '\n', exitCode: 2, asks: [] },
  ])('on a terminal another request is a question, answered $answer', async ({ answer, exitCode, asks }) => {
    const first = await run(['a', 'b']);
    const service = batchService();
    const setup = {
      after: first.world,
      stdin: { typed: [answer] },
      stderr: { columns: 80 },
    };
    const second = await batch(['in.txt', '-o', 'out.jsonl', '-s', 'Be brief', '-j', '1'], setup, service);
    expect(second.exitCode).toBe(exitCode);
    expect(second.stderr.replace(/\s+/g, ' ')).toContain(
      'out.jsonl holds 2 rows of another request (the system message: then none, now "Be brief"). Ask every row again and replace them? [y/N]',
    );
    expect(service.asked).toEqual(asks);
  });

  test('another Motif is refused', async () => {
    const first = await run(['a']);
    const second = await run(['a'], batchService(), first.world, ['--motif', 'other']);
    expect(second.exitCode).toBe(2);
    expect(second.stderr).toContain('out.jsonl holds rows of another Motif');
  });

  test('another input is refused', async () => {
    const first = await run(['a', 'b']);
    const second = await run(['x', 'y'], batchService(), first.world);
    expect(second.exitCode).toBe(2);
    expect(second.stderr).toContain('none of the 2 rows of out.jsonl is in in.txt');
  });

  test('rows that stand behind the limit now are not said to be gone, nor to be replaced', async () => {
    const first = await run(['a', 'b']);
    const second = await run(['x', 'y', 'z', 'a', 'b'], batchService(), first.world, ['--limit', '3']);
    expect(second.exitCode).toBe(2);
    expect(second.stderr).toBe(
      'motif: none of the 2 rows of out.jsonl is among the first 3 rows of in.txt\n  take more rows (--limit) or all, or name another file with -o\n',
    );
    const whole = batchService();
    expect((await run(['x', 'y', 'z', 'a', 'b'], whole, first.world)).exitCode).toBe(0);
    expect(whole.asked).toHaveLength(3);
  });

  test.each([
    { name: 'other text', content: 'my notes\n', says: 'is not the output of a batch' },
    { name: 'other JSON lines', content: '{"index":0}\n', says: 'is not the output of a batch' },
  ])('$name is refused and stays as it was, with --fresh too', async ({ content, says }) => {
    for (const argv of [[], ['--fresh']]) {
      const refused = await batch(['in.txt', '-o', 'out.jsonl', ...argv], {
        files: { 'in.txt': 'a\n', 'out.jsonl': content },
      });
      expect(refused.exitCode).toBe(2);
      expect(refused.stderr).toContain(says);
      expect(fileOf(refused, 'out.jsonl')).toBe(content);
    }
  });

  test('a run that was killed in another container keeps nobody out for ever', async () => {
    const holder = { pid: 1, started: '7', host: 'pod-1', space: 'elsewhere' };
    const run = await batch(['in.txt', '-o', 'out.jsonl'], {
      files: { 'in.txt': 'a\n', 'out.jsonl.lock': JSON.stringify(holder) },
    });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('out.jsonl was being written on another machine or in another container');
  });

  test('a run that is under way keeps a second one out', async () => {
    const seen: number[] = [];
    const service = batchService();
    const slow = batchService(async (prompt) => {
      if (prompt === 'a') {
        const second = await run(['a', 'b'], service, world);
        seen.push(second.exitCode ?? -1);
        expect(second.stderr).toContain('another run writes out.jsonl');
      }
      return { body: { blocked: false, response: 'ok' } };
    });
    let world: FakeWorld | undefined;
    const first = await batch(['in.txt', '-o', 'out.jsonl', '-j', '1'], {
      files: { 'in.txt': 'a\nb\n' },
      send: slow.send,
      prepare: (made) => void (world = made),
    });
    expect(seen).toEqual([12]);
    expect(service.asked).toEqual([]);
    expect(first.exitCode).toBe(0);
  });

  test.each([
    { name: 'the input', argv: ['-o', 'in.txt'], says: 'is also an input' },
    { name: 'a folder', argv: ['-o', '.'], says: 'is no regular file' },
    { name: 'a folder that is not there', argv: ['-o', 'no/out.jsonl'], says: 'mkdir -p no' },
  ])('-o on $name is a usage error', async ({ argv, says }) => {
    const refused = await batch(['in.txt', ...argv], { files: { 'in.txt': 'a\n' } });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(says);
  });
});

describe('what a killed run leaves', () => {
  test('a torn last line is taken away, and its row asked again', async () => {
    const first = await run(['a', 'b', 'c']);
    const path = join(first.world.folder, 'out.jsonl');
    const whole = readFileSync(path);
    const second = rowsOf(whole.toString()).length;
    for (const cut of [1, 20, 200]) {
      writeFileSync(path, whole.subarray(0, whole.length - cut));
      const service = batchService();
      const resumed = await run(['a', 'b', 'c'], service, first.world);
      expect(resumed.exitCode).toBe(0);
      expect(service.asked).toEqual(['c']);
      expect(rowsOf(fileOf(resumed, 'out.jsonl'))).toHaveLength(second);
    }
  });

  test('a file of which only a piece of the first line is there begins anew', async () => {
    const resumed = await batch(['in.txt', '-o', 'out.jsonl'], {
      files: { 'in.txt': 'a\n', 'out.jsonl': '{"index":0,"id":nul' },
    });
    expect(resumed.exitCode).toBe(0);
    expect(rowsOf(fileOf(resumed, 'out.jsonl'))).toHaveLength(1);
  });

  test('damaged lines are left out and said', async () => {
    const first = await run(['a', 'b']);
    appendFileSync(join(first.world.folder, 'out.jsonl'), '\0\0\0\0\n');
    const resumed = await run(['a', 'b'], batchService(), first.world);
    expect(resumed.stderr).toContain('a damaged line is left out, and its row asked again');
    expect(answers(fileOf(resumed, 'out.jsonl'))).toHaveLength(2);
  });

  test('rows in the order they were finished are put into that of the input', async () => {
    const gates = new Map<string, () => void>();
    const service = batchService(async (prompt) => {
      if (prompt === 'a') await new Promise<void>((open) => gates.set('a', open));
      else gates.get('a')?.();
      return undefined as never;
    });
    const first = await run(['a', 'b'], service);
    expect(answers(fileOf(first, 'out.jsonl'))).toEqual([
      [0, 're: a'],
      [1, 're: b'],
    ]);
  });
});
