import { expect, test } from 'vitest';
import { LineBuffer } from '../../../../src/gateway/records/audit/line-buffer.ts';

test.each([
  { name: 'short ones', lines: Array.from({ length: 2000 }, (_, at) => `${at} ${'x'.repeat(at % 300)}\n`) },
  { name: 'letters of several bytes', lines: Array.from({ length: 900 }, (_, at) => `${'é€😀'.repeat(at % 50)}\n`) },
  { name: 'one longer than a page', lines: ['a\n', `${'€'.repeat(100_000)}\n`, 'b\n', `${'x'.repeat(70_000)}\n`] },
])('lines come out as they were added, and stay so when later ones are: $name', ({ lines }) => {
  const buffer = new LineBuffer();
  const taken: Buffer[] = [];
  for (const [at, line] of lines.entries()) {
    buffer.add(line);
    if (at % 3 !== 0) taken.push(buffer.take());
  }
  taken.push(buffer.take());
  expect(buffer.isEmpty).toBe(true);
  expect(taken.map(String).join('')).toBe(lines.join(''));
});
