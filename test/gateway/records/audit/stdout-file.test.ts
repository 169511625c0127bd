import { expect, test } from 'vitest';
import { createStdoutFile } from '../../../../src/gateway/records/audit/stdout-file.ts';

const line = (size: number) => `${'x'.repeat(size - 1)}\n`;

test('lines go out whole, in pieces that a pipe keeps together', async () => {
  const written: string[] = [];
  const file = createStdoutFile(async (text) => void written.push(text));
  await file.write(line(3000) + line(1000) + line(500) + line(9000) + line(10));
  expect(written.map(({ length }) => length)).toEqual([4000, 500, 9000, 10]);
});

test('a pipe that nobody reads is a fault, until it is read', async () => {
  const waiting: (() => void)[] = [];
  const file = createStdoutFile(() => new Promise((resolve) => waiting.push(resolve)), 5);
  await expect(file.write('{"line":1}\n')).rejects.toMatchObject({ written: 11 });
  await expect(file.write('{"line":2}\n')).rejects.toThrow('nobody reads');
  expect(waiting).toHaveLength(1);
  waiting.pop()?.();
  await new Promise((turn) => setImmediate(turn));
  const next = file.write('{"line":3}\n');
  waiting.pop()?.();
  await next;
});
