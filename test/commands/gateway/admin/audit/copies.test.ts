import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { motif } from '../../../../support/motif.ts';
import { twoMinutes, textOf } from '../../../../support/rooms/audit/memory-audit.ts';

const { lines } = await twoMinutes();
const [first, second] = [textOf(lines.slice(0, 5)), textOf(lines.slice(5))];
const files = { 'audit.jsonl.1': first, 'audit.jsonl': second };
const all = ['audit.jsonl.1', 'audit.jsonl'];

test.each([
  {
    name: 'of a whole file',
    copy: { 'audit.jsonl.7': first },
    says: 'audit.jsonl.7 is left out: audit.jsonl.1 holds the same lines',
  },
  {
    name: 'that was packed',
    copy: { 'audit.jsonl.7.gz': gzipSync(first) },
    says: 'audit.jsonl.7.gz is left out: audit.jsonl.1 holds the same lines',
  },
  {
    name: 'of a file that went on',
    copy: { 'audit.jsonl-20261121': textOf(lines.slice(5, 7)) },
    says: 'audit.jsonl-20261121 is left out: audit.jsonl holds 4 lines of it, not 2',
  },
  {
    name: 'that is the same file, named twice',
    copy: { 'audit.jsonl.1': first },
    says: 'audit.jsonl.1 is left out: audit.jsonl.1 holds the same lines',
  },
])('a copy is read once, and nobody is accused of it: $name', async ({ copy, says }) => {
  const words = [...all, ...Object.keys(copy)];
  const setup = { env: {}, files: { ...files, ...copy } };
  const verified = await motif(['admin', 'audit', 'verify', ...words], setup);
  expect(verified.stderr).toBe(`motif: ${says}\n`);
  expect(verified).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('OK 7 lines sealed') as string });
  const stats = await motif(['admin', 'audit', 'stats', '--json', ...words], setup);
  expect(JSON.parse(stats.stdout)).toMatchObject({ files: 2, total: { prompts: 7 }, seals: 'seals intact' });
});

test.each([
  { name: 'with a changed line', copy: first.replace('"status":200', '"status":503') },
  { name: 'without its first line', copy: textOf(lines.slice(1, 5)) },
  { name: 'with a line more', copy: textOf([...lines.slice(0, 5), lines[2]!]) },
])('a file that is no copy, $name, is read', async ({ copy }) => {
  const words = ['admin', 'audit', 'verify', ...all, 'audit.jsonl.7'];
  const { exitCode, stdout } = await motif(words, { env: {}, files: { ...files, 'audit.jsonl.7': copy } });
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('FAILED') as string });
});
