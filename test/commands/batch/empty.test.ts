import { describe, expect, test } from 'vitest';
import { motif } from '../../support/motif.ts';
import { batch, batchService, fileOf, rowsOf } from '../../support/rooms/batch.ts';

const table = 'prompt,n\na,1\n,2\nc,3\n" ",4\n';
const setup = { files: { 'in.csv': table } };

describe('a row whose prompt is empty', () => {
  test.each([
    { name: 'to stdout', argv: ['in.csv'] },
    { name: 'to a file', argv: ['in.csv', '-o', 'out.jsonl'] },
    { name: 'from a pipe', argv: ['--format', 'csv'] },
  ])('is an error of its own, named with its line, and the others are asked: $name', async ({ name, argv }) => {
    const service = batchService();
    const run = await batch(argv, name === 'from a pipe' ? { stdin: table } : setup, service);
    expect(run.exitCode).toBe(1);
    expect(service.asked).toEqual(['a', 'c']);
    expect(run.stderr).toContain('answered 2 · blocked 0 · error 2 (2 empty: lines 3, 5)\n');
    expect(run.stderr).toContain('ended in error\n  fill in the prompt of those rows, or take them out\n');
    const rows = rowsOf(run.stdout + fileOf(run, 'out.jsonl'));
    expect(rows.map(({ index, response, attempts }) => [index, response, attempts])).toEqual([
      [0, 're: a', 1],
      [1, null, 0],
      [2, 're: c', 1],
      [3, null, 0],
    ]);
    const where = name === 'from a pipe' ? 'stdin' : 'in.csv';
    expect(rows[1]?.error).toMatchObject({ kind: 'usage', message: `${where}:3: its field "prompt" is empty` });
  });

  test.each([
    { failing: ['a'], resume: 'the same command asks the other one again; fill in the empty 2' },
    { failing: ['a', 'c'], resume: 'the same command asks the other 2 again; fill in the empty 2' },
  ])('is not among those that are asked again: beside $failing', async ({ failing, resume }) => {
    const service = batchService((prompt) => (failing.includes(prompt) ? { status: 422, body: {} } : undefined));
    const { world, stderr } = await batch(['in.csv', '-o', 'out.jsonl'], setup, service);
    expect(stderr).toContain(`rows ended in error\n  ${resume}\n`);
    const again = await batch(['in.csv', '-o', 'out.jsonl', '--json'], { after: world }, service);
    expect(JSON.parse(again.stdout)).toMatchObject({ resume });
    expect(service.asked).toHaveLength(2 + failing.length);
  });

  test('has used nothing, so that a run of such rows alone says no word of tokens', async () => {
    const { world } = await batch(['in.csv', '-o', 'out.jsonl'], setup);
    const { stderr } = await batch(['in.csv', '-o', 'out.jsonl'], { after: world });
    expect(stderr).toContain('2 were there already');
    expect(stderr).not.toContain('token');
    expect(stderr).not.toContain('this run');
  });

  test.each([
    { name: 'alone', failing: [], hints: [] },
    { name: 'beside another in error', failing: ['a'], hints: ['run its command again, then merge again'] },
  ])(
    'is to be filled in after a merge too, which names its line and what it wrote: $name',
    async ({ failing, hints }) => {
      const service = batchService((prompt) =>
        failing.some((each) => each === prompt) ? { status: 422, body: {} } : undefined,
      );
      const { world } = await batch(['in.csv', '-o', 'out.jsonl'], setup, service);
      const merged = await motif(['batch', 'merge', 'out.jsonl', '-o', 'all.csv'], { after: world });
      expect(merged.exitCode).toBe(1);
      expect(merged.stderr).toBe(
        [
          'motif: 4 rows, each once; written: all.csv',
          `motif: ${2 + failing.length} of 4 rows ended in error`,
          ...[...hints, 'fill in the prompt of those rows (lines 3, 5), or take them out'].map((hint) => `  ${hint}`),
          '',
        ].join('\n'),
      );
      expect(fileOf(merged, 'all.csv')).toContain('error');
    },
  );

  test('is asked once it is filled in, and leaves no line behind', async () => {
    const { world } = await batch(['in.csv', '-o', 'out.jsonl'], setup);
    const filled = { files: { 'in.csv': 'prompt,n\na,1\nb,2\nc,3\nd,4\n' }, after: world };
    const service = batchService();
    const run = await batch(['in.csv', '-o', 'out.jsonl'], filled, service);
    expect(run.exitCode).toBe(0);
    expect(service.asked.toSorted()).toEqual(['b', 'd']);
    expect(rowsOf(fileOf(run, 'out.jsonl')).map(({ index, response }) => [index, response])).toEqual([
      [0, 're: a'],
      [1, 're: b'],
      [2, 're: c'],
      [3, 're: d'],
    ]);
  });

  test('is left out of what --dry-run counts, which names it', async () => {
    const { stdout } = await batch(['in.csv', '--dry-run'], setup);
    expect(stdout).toMatch(/^4 rows, 2 to be sent, about 1 prompt token\n2 rows without a prompt: lines 3, 5\n/);
  });

  test('counts for --max-errors', async () => {
    const run = await batch(['in.csv', '-j', '1', '--max-errors', '0'], setup);
    expect(run.exitCode).toBe(11);
    expect(run.stderr).toContain('halted: 1 row ended in error (--max-errors 0)');
  });

  test('is no sign that a service is back', async () => {
    const input = `prompt,n\n${'x,1\n'.repeat(2)}${',2\n'.repeat(3)}${'x,3\n'.repeat(2)}`;
    const away = batchService(() => ({ status: 500, body: {} }));
    const run = await batch(['in.csv', '-j', '1', '-o', 'o.jsonl'], { files: { 'in.csv': input } }, away);
    expect(run.stderr).toContain('held: gw.example has answered 500 since');
    expect(run.stderr).not.toContain('is back');
    expect(run.stderr).toContain('3 empty');
  });
});
