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

describe('--limit on a finished file asks nothing', () => {
  const finished = () => run(['a', 'b', 'c', 'd']);

  test.each([
    {
      name: 'rows beyond it keep their index',
      lines: ['a', 'b', 'c', 'd'],
      indexes: [0, 1, 2, 3],
      says: '2 rows beyond --limit stand at the end of out.jsonl\n',
    },
    {
      name: 'a row that is no longer among the first ones has none',
      lines: ['b', 'c', 'a', 'd'],
      indexes: [0, 1, null, 3],
      says: '1 row beyond --limit, or that the input no longer has stands at the end of out.jsonl, with index null\n',
    },
    {
      name: 'nor has one behind an input that ends before the limit',
      lines: ['a'],
      indexes: [0, null, null, null],
      says: '3 rows beyond --limit, or that the input no longer has stand at the end of out.jsonl, with index null\n',
    },
  ])('$name', async ({ lines, indexes, says }) => {
    const limited = await run(lines, { after: (await finished()).world, limit: 2 });
    expect(limited.asked).toEqual([]);
    expect(rowsOf(fileOf(limited, 'out.jsonl')).map(({ index }) => index)).toEqual(indexes);
    expect(limited.stderr).toContain(says);
  });

  test('its merge has the rows of the limit, and a run without it makes the file whole again', async () => {
    const { world } = await run(['a', 'b', 'c', 'd'], { after: (await finished()).world, limit: 2 });
    const merged = await batch(['merge', 'out.jsonl'], { after: world });
    expect(answers(merged.stdout)).toEqual([
      [0, 're: a'],
      [1, 're: b'],
    ]);
    const whole = await run(['a', 'b', 'c', 'd'], { after: world });
    expect(whole.asked).toEqual([]);
    expect(whole.stderr).not.toContain('stand');
    expect(answers(fileOf(whole, 'out.jsonl')).map(([index]) => index)).toEqual([0, 1, 2, 3]);
  });
});
