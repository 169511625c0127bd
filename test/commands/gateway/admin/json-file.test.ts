import { expect, test } from 'vitest';
import { admin, fileIn } from '../../../support/rooms/admin.ts';

test.each([
  { name: 'of a file without Motifs', motifs: {} },
  { name: 'of a file with a place for them', motifs: { motifs: null } },
])('a JSON file $name stays JSON, in its own indentation', async ({ motifs }) => {
  const before = { tenant: 'acme', providers: { mock: { kind: 'mock' } }, ...motifs };
  const print = (value: unknown): string => `${JSON.stringify(value, null, 4)}\n`;
  const run = await admin(['create', 'first', '--user', 'ana'], print(before));
  expect(run).toMatchObject({ exitCode: 0 });
  const first = { provider: 'mock', users: ['ana'], tokens: [expect.objectContaining({ user: 'ana' })] };
  const value: unknown = JSON.parse(fileIn(run));
  expect(value).toEqual({ ...before, motifs: { first } });
  expect(fileIn(run)).toBe(print(value));
});
