import { expect, test } from 'vitest';
import { LineWriter } from '../../src/batch/line-writer.ts';

const many = Array.from({ length: 5000 }, (_, index) => `{"index":${index},"response":"grüße 🙂 ${index}"}\n`);

test.each([
  { name: 'none', lines: [] },
  { name: 'one that is longer than any buffer', lines: [`${'🙂'.repeat(300_000)}\n`] },
  {
    name: 'long ones between short ones',
    lines: ['a\n', `${'ü'.repeat(70_000)}\n`, 'b\n', `${'x'.repeat(600_000)}\n`],
  },
  { name: 'many', lines: many },
])('$name: all lines arrive whole and in order, where the sink keeps bytes until it is done', async ({ lines }) => {
  let arrived = '';
  const writer = new LineWriter(
    async (bytes) => {
      for (let turns = 0; turns < 50; turns++) await Promise.resolve();
      arrived += Buffer.from(bytes).toString();
    },
    { sleep: async () => {} },
  );
  for (const line of lines) await writer.write(line);
  await writer.finish();
  expect(arrived).toBe(lines.join(''));
});

test('a sink that fails ends the writing with its reason', async () => {
  const writer = new LineWriter(() => Promise.reject(new Error('gone')), { sleep: async () => {} });
  void writer.write('a\n');
  await expect(writer.finish()).rejects.toThrow('gone');
});
