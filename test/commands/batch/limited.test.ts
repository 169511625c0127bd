import { describe, expect, test } from 'vitest';
import { batch, batchService, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import type { FakeWorld } from '../../support/world.ts';

function run(lines: readonly string[], { after, limit }: { after?: FakeWorld; limit?: number } = {}) {
  const service = batchService();
  const setup = { files: { 'in.txt': `${lines.join('\n')}\n` }, ...(after === undefined ? {} : { after }) };
  const argv = ['in.txt', '-o', 'out.jsonl', ...(limit === undefined ? [] : ['--limit', String(limit)])];
  return batch(argv, setup, service).then((done) => ({ ...done, asked: service.asked }));
}

const answers = (text: string) => rowsOf(text).map(({ index, response }) => [index, response]);

const rowTexts = (done: Parameters<typeof fileOf>[0]) =>
  rowsOf(fileOf(done, 'out.jsonl')).map(({ index, response }) => `${index} ${response?.slice('re: '.length)}`);

describe('--limit on a finished file asks nothing', () => {
  const finished = () => run(['a', 'b', 'c', 'd']);
  const gone = (count: number) =>
    `${count} row${count === 1 ? '' : 's'} that the input no longer has ${count === 1 ? 'stands' : 'stand'} at the end of out.jsonl, with index null\n`;

  test.each([
    {
      name: 'rows beyond it keep their index',
      lines: ['a', 'b', 'c', 'd'],
      rows: ['0 a', '1 b', '2 c', '3 d'],
      says: ['2 rows beyond --limit stand at the end of out.jsonl\n'],
    },
    {
      name: 'a row that moved has the index at which it stands now',
      lines: ['b', 'c', 'x', 'd', 'a'],
      rows: ['0 b', '1 c', '3 d', '4 a'],
      says: ['2 rows beyond --limit stand at the end of out.jsonl\n'],
    },
    {
      name: 'one that the input no longer has has none',
      lines: ['b', 'c', 'a'],
      rows: ['0 b', '1 c', '2 a', 'null d'],
      says: ['1 row beyond --limit stands at the end of out.jsonl\n', gone(1)],
    },
    {
      name: 'nor has one behind an input that ends with the limit',
      lines: ['a', 'b'],
      rows: ['0 a', '1 b', 'null c', 'null d'],
      says: [gone(2)],
    },
    {
      name: 'nor one behind an input that ends before it',
      lines: ['a'],
      rows: ['0 a', 'null b', 'null c', 'null d'],
      says: [gone(3)],
    },
  ])('$name', async ({ lines, rows, says }) => {
    const limited = await run(lines, { after: (await finished()).world, limit: 2 });
    expect(limited.asked).toEqual([]);
    expect(rowTexts(limited)).toEqual(rows);
    expect(limited.stderr.split('\n').filter((line) => line.includes(' at the end of '))).toEqual(
      says.map((line) => line.trimEnd()),
    );
  });

  test('an input that changes behind the limit is looked at again by the same command', async () => {
    const { world } = await run(['a', 'b', 'c', 'd'], { after: (await finished()).world, limit: 2 });
    const again = await run(['a', 'b', 'new', 'c', 'd'], { after: world, limit: 2 });
    expect(again.asked).toEqual([]);
    expect(rowTexts(again)).toEqual(['0 a', '1 b', '3 c', '4 d']);
  });

  test('equal rows are told apart by their occurrence', async () => {
    const { world } = await run(['a', 'a', 'b', 'a']);
    const again = await run(['a', 'b', 'a', 'a'], { after: world, limit: 1 });
    expect(rowTexts(again)).toEqual(['0 a', '1 b', '2 a', '3 a']);
  });

  test('a row behind it that cannot be read is no fault, but the rows behind that one are not known', async () => {
    const argv = ['in.jsonl', '-o', 'out.jsonl'];
    const files = (...rows: readonly string[]) => ({ 'in.jsonl': `${rows.join('\n')}\n` });
    const [a, b, c] = ['a', 'b', 'c'].map((prompt) => JSON.stringify({ prompt }));
    const { world } = await batch(argv, { files: files(a!, b!, c!) });
    const limited = await batch([...argv, '--limit', '1'], { files: files(a!, '{"broken', b!, c!), after: world });
    expect(limited.exitCode).toBe(0);
    expect(rowTexts(limited)).toEqual(['0 a', 'null b', 'null c']);
    expect(limited.stderr).toContain('2 rows beyond --limit, or that the input no longer has stand at the end');
  });

  test('of a pipe nothing is known beyond it', async () => {
    const { world } = await finished();
    const argv = ['-o', 'out.jsonl', '--limit', '2'];
    const limited = await batch(argv, { stdin: 'a\nb\nc\nd\n', after: world });
    expect(rowTexts(limited)).toEqual(['0 a', '1 b', 'null c', 'null d']);
    expect(limited.stderr).toContain('2 rows beyond --limit, or that the input no longer has stand at the end');
  });

  test('a run without it makes the file whole again', async () => {
    const { world } = await run(['a', 'b', 'c', 'd'], { after: (await finished()).world, limit: 2 });
    const whole = await run(['a', 'b', 'c', 'd'], { after: world });
    expect(whole.asked).toEqual([]);
    expect(whole.stderr).not.toContain('stand');
    expect(answers(fileOf(whole, 'out.jsonl')).map(([index]) => index)).toEqual([0, 1, 2, 3]);
  });
});

describe('rows that wait behind --limit', () => {
  const fiveRows = ['a', 'b', 'c', 'd', 'e'];
  const goOn = '; the same command without --limit goes on\n';
  const summaryOf = async (setup: Parameters<typeof batch>[1], ...argv: readonly string[]) => {
    const { stdout } = await batch([...argv, '-o', 'out.jsonl', '--json'], setup);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  test.each([
    { name: 'are counted', rows: fiveRows, limit: 2, says: `\n3 more rows beyond --limit${goOn}` },
    { name: 'one of them', rows: fiveRows, limit: 4, says: `\n1 more row beyond --limit${goOn}` },
    { name: 'none where it is as large as the input', rows: fiveRows, limit: 5, says: '' },
    { name: 'none where it is larger', rows: fiveRows, limit: 6, says: '' },
  ])('$name', async ({ rows, limit, says }) => {
    const first = await run(rows, { limit });
    const again = await run(rows, { limit, after: first.world });
    expect(again.stderr).toMatch(/^motif: out.jsonl was finished /);
    expect([first, again].map(({ stderr }) => /\n.* beyond --limit.*\n/.exec(stderr)?.[0] ?? '')).toEqual([says, says]);
    expect([first, again].map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  });

  test.each([
    {
      name: 'a file',
      setup: { files: { 'in.txt': 'a\nb\nc\n' } },
      argv: ['in.txt', '--limit', '1'],
      says: [
        2,
        'the same command without --limit goes on',
        '1 answered, 0 blocked, 0 in error, 0 left, 2 beyond --limit',
      ],
    },
    {
      name: 'a file with a faulty row there',
      setup: { files: { 'in.jsonl': '{"prompt":"a"}\n{"broken\n' } },
      argv: ['in.jsonl', '--limit', '1'],
      says: [
        null,
        'the same command without --limit goes on',
        '1 answered, 0 blocked, 0 in error, 0 left, perhaps more beyond --limit',
      ],
    },
    {
      name: 'a pipe',
      setup: { stdin: 'a\n' },
      argv: ['--limit', '1'],
      says: [
        null,
        'the same command without --limit goes on',
        '1 answered, 0 blocked, 0 in error, 0 left, perhaps more beyond --limit',
      ],
    },
    {
      name: 'a pipe that ends before it',
      setup: { stdin: 'a\n' },
      argv: ['--limit', '2'],
      says: [0, null, '1 answered, 0 blocked, 0 in error, 0 left'],
    },
    {
      name: 'a file without a limit',
      setup: { files: { 'in.txt': 'a\n' } },
      argv: ['in.txt'],
      says: [0, null, '1 answered, 0 blocked, 0 in error, 0 left'],
    },
  ])('stand in the document: $name', async ({ setup, argv, says }) => {
    const { rows, resume, summary } = await summaryOf(setup, ...argv);
    expect([(rows as { beyond_limit: unknown }).beyond_limit, resume, String(summary).replace(/^[^:]*: /, '')]).toEqual(
      says,
    );
  });

  test('on stdout they are counted, too', async () => {
    const limited = await batch(['in.txt', '--limit', '2'], { files: { 'in.txt': 'a\nb\nc\n' } });
    expect(limited.stderr).toMatch(/\n1 more row beyond --limit\n$/);
  });

  describe('a merge', () => {
    const argv = ['in.csv', '-o', 'out.jsonl', '--column', 'text'];
    const sample = (count: number) =>
      batch([...argv, '--limit', String(count)], { files: { 'in.csv': 'text\na\nb\nc\n' } });

    test('does not take such a file for a whole', async () => {
      const { world } = await sample(2);
      const merged = await batch(['merge', 'out.jsonl'], { after: world });
      expect(merged).toMatchObject({ exitCode: 2, stdout: '' });
      expect(merged.stderr).toBe(
        [
          'motif: out.jsonl has not all rows of its input: it was made with --limit 2',
          '  run its command again without --limit: it asks only what is left',
          '  or merge those rows alone: --limit 2',
          '',
        ].join('\n'),
      );
      const whole = await batch(argv, { after: world });
      expect((await batch(['merge', 'out.jsonl'], { after: whole.world })).exitCode).toBe(0);
    });

    test('makes a table of the sample by the command that its run names', async () => {
      const { world, stderr } = await sample(2);
      expect(stderr).toContain('\nas CSV: motif batch merge out.jsonl -o out.csv --limit 2\n');
      const merged = await batch(['merge', 'out.jsonl', '-o', 'out.csv', '--limit', '2'], { after: world });
      expect(merged).toMatchObject({ exitCode: 0, stderr: 'motif: the first 2 rows, each once; written: out.csv\n' });
      expect(fileOf(merged, 'out.csv')).toBe('text,outcome,answer\r\na,answered,re: a\r\nb,answered,re: b\r\n');
    });

    test.each([
      {
        name: 'fewer rows than the sample has',
        sampled: 2,
        limit: 1,
        exitCode: 0,
        rows: 1,
        isWhole: false,
        says: 'motif: the first row, each once\n',
      },
      {
        name: 'the first rows of a whole file',
        sampled: 3,
        limit: 2,
        exitCode: 0,
        rows: 2,
        isWhole: false,
        says: 'motif: the first 2 rows, each once\n',
      },
      {
        name: 'more rows than a whole file has: it stays whole',
        sampled: 3,
        limit: 9,
        exitCode: 0,
        rows: 3,
        isWhole: true,
        says: 'motif: 3 rows, each once\n',
      },
      {
        name: 'more rows than the sample has: refused',
        sampled: 1,
        limit: 2,
        exitCode: 2,
        rows: 0,
        isWhole: true,
        says: '--limit',
      },
    ])('with --limit: $name', async ({ sampled, limit, exitCode, rows, isWhole, says }) => {
      const { world } = await sample(sampled);
      const merged = await batch(['merge', 'out.jsonl', '--limit', String(limit)], { after: world });
      expect(merged.exitCode).toBe(exitCode);
      expect(rowsOf(merged.stdout)).toHaveLength(rows);
      expect(merged.stdout.includes(`"limit":${limit}`)).toBe(!isWhole);
      expect(merged.stderr).toContain(says);
    });

    test('of parts of a sample takes all of them', async () => {
      const files = { 'in.txt': 'a\nb\nc\nd\ne\nf\n' };
      const part = (index: number) => ['in.txt', '-o', `out-${index}.jsonl`, '--shard', `${index}/2`, '--limit', '4'];
      const { world, stderr } = await batch(part(1), { files });
      expect(stderr).toContain(`2 more rows beyond --limit, of all parts${goOn}`);
      expect(stderr).toContain(
        'once both parts are there: motif batch merge out-1.jsonl out-2.jsonl -o all.jsonl --limit 4\n',
      );
      await batch(part(2), { after: world });
      const merged = await batch(['merge', 'out-1.jsonl', 'out-2.jsonl', '--limit', '4'], { after: world });
      expect(answers(merged.stdout).map(([index]) => index)).toEqual([0, 1, 2, 3]);
    });
  });
});
