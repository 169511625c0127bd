import { expect, test } from 'vitest';
import { createStdoutFile } from '../../../../src/gateway/records/audit/stdout-file.ts';

const line = (size: number) => `${'x'.repeat(size - 1)}\n`;

test('lines go out whole, in pieces that a pipe keeps together', async () => {
  const written: string[] = [];
  const file = createStdoutFile(async (text) => void written.push(text));
  await file.write(line(3000) + line(1000) + line(500) + line(9000) + line(10));
  expect(written.map(({ length }) => length)).toEqual([4000, 500, 9000, 10]);
});

test.each(['\u2028', '\u2029', '\r'])(
  'a line with %j, which ends no line of a record, goes out whole',
  async (sign) => {
    const written: string[] = [];
    const file = createStdoutFile(async (text) => void written.push(text));
    await file.write(`{"text":"one${sign}two"}\n`);
    expect(written.join('')).toBe(`{"text":"one${sign}two"}\n`);
  },
);

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

test('at the end a reader that stopped is waited for no longer than a moment, also by a write that is under way', async () => {
  const hourMs = 3_600_000;
  const file = createStdoutFile(() => new Promise(() => undefined), hourMs, 5);
  const underWay = file.write('{"line":1}\n');
  file.hurry?.();
  await expect(underWay).rejects.toThrow('nobody has read stdout for 5 ms');
  const other = createStdoutFile(() => new Promise(() => undefined), hourMs, 5);
  other.hurry?.();
  await expect(other.write('{"line":1}\n')).rejects.toThrow('nobody has read stdout for 5 ms');
});

test('once a pipe counts as unread nothing goes on to wait that would keep the process, whatever is taken then', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const waiting: (() => void)[] = [];
  const file = createStdoutFile(() => new Promise((resolve) => waiting.push(resolve)), 5);
  const before = timers();
  await expect(file.write('{"line":1}\n')).rejects.toThrow('nobody has read');
  waiting.pop()?.();
  await new Promise((turn) => setImmediate(turn));
  expect(timers()).toBeLessThanOrEqual(before);
});

test('a pipe that is read slowly is none that nobody reads, however many lines are written together', async () => {
  const written: string[] = [];
  const file = createStdoutFile(async (text) => {
    await new Promise((read) => setTimeout(read, 20));
    written.push(text);
  }, 80);
  await file.write(line(5000).repeat(8));
  expect(written).toHaveLength(8);
});

test('of lines that no prompt waits for a slow pipe takes what it can in time: the rest would wait without end', async () => {
  const written: string[] = [];
  const file = createStdoutFile(async (text) => {
    await new Promise((read) => setTimeout(read, 5));
    written.push(text);
  }, 1000);
  const all = line(5000).repeat(1000);
  const fault = await Promise.resolve(file.write(all, true)).catch((error: unknown) => error);
  expect(fault).toMatchObject({
    message: 'stdout is read more slowly than lines come',
    written: written.length * 5000,
  });
  expect(written.length).toBeGreaterThan(0);
  await file.write(line(10), true);
  expect(written.at(-1)).toBe(line(10));
});

test('a slow pipe that stops gets all lines of which that was said, once it is read on', async () => {
  const waiting: (() => void)[] = [];
  const written: string[] = [];
  const file = createStdoutFile((text) => new Promise((read) => waiting.push(() => read(void written.push(text)))), 80);
  const all = line(5000).repeat(3);
  const fault = Promise.resolve(file.write(all, true)).catch((error: unknown) => error);
  await new Promise((wait) => setTimeout(wait, 50));
  waiting.pop()?.();
  expect(await fault).toMatchObject({ written: all.length });
  while (written.length < 3) {
    waiting.pop()?.();
    await new Promise((turn) => setImmediate(turn));
  }
  expect(written.join('')).toBe(all);
});

test('a fault says how many bytes were written, those of the pieces before among them', async () => {
  let pieces = 0;
  const file = createStdoutFile(async () => {
    if ((pieces += 1) === 2) throw Object.assign(new Error('the disk is full'), { written: 7 });
  });
  await expect(file.write(line(3000) + line(2000))).rejects.toMatchObject({ written: 3007 });
});

test('a pipe that was not read for long and then failed is written to again', async () => {
  const waiting: ((fault: Error) => void)[] = [];
  const file = createStdoutFile(() => new Promise((_, reject) => waiting.push(reject)), 5);
  await expect(file.write('{"line":1}\n')).rejects.toThrow('nobody has read');
  waiting.pop()?.(new Error('the disk is full'));
  await new Promise((turn) => setImmediate(turn));
  const next = file.write('{"line":2}\n');
  waiting.pop()?.(new Error('it is full still'));
  await expect(next).rejects.toThrow('it is full still');
});
