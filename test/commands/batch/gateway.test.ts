import { describe, expect, test } from 'vitest';
// Loaded here, for it takes longer than the tests, and would count for the first one.
import '../../../src/commands/gateway/embedded.ts';
import { batch, batchService, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import { loggedIn } from '../../support/rooms/login.ts';
import { testToken, testUrl } from '../../support/motif.ts';
import type { FakeWorld } from '../../support/world.ts';

const file = (limits: string) => `tenant: acme
providers: { mock: { kind: mock } }
motifs:
  bot: { provider: mock, limits: { ${limits} } }
`;
const input = Array.from({ length: 45 }, (_, index) => `row ${index}\n`).join('');
const run = (limits: string) =>
  batch(['in.txt', '--local', 'gateway.yaml', '-o', 'out.jsonl', '--json'], {
    files: { 'gateway.yaml': file(limits), 'in.txt': input },
  });

describe('the limits of a gateway', () => {
  test.each([
    { name: 'rpm', limits: 'rpm: 10', atLeastMs: ((45 - 10) / 10) * 60_000 },
    { name: 'in_flight', limits: 'in_flight: 1', atLeastMs: 1000 },
  ])('slow a batch down, and no row is in error: $name', async ({ limits, atLeastMs }) => {
    const done = await run(limits);
    expect(done.exitCode).toBe(0);
    const { rows, retries } = JSON.parse(done.stdout) as { rows: object; retries: number };
    expect(rows).toEqual({ total: 45, answered: 45, blocked: 0, error: 0, left: 0, beyond_limit: 0 });
    expect(retries).toBeGreaterThan(0);
    expect(done.world.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(atLeastMs);
  });

  test('of a day end it with 11 and the time to come back; what was answered is kept', async () => {
    const done = await run('tokens_per_day: 100');
    expect(done.exitCode).toBe(11);
    expect(done.stderr).toContain(
      'halted: the service takes no more before 2026-11-21 00:00 UTC; 20 of 45 rows are left',
    );
    const kept = rowsOf(fileOf(done, 'out.jsonl'));
    expect(kept.map(({ error }) => error)).toEqual(Array.from({ length: 25 }, () => null));
  });
});

test('Ctrl-C and the line of progress get their turns while a gateway in this process answers', async () => {
  let turns = 0;
  let timer: NodeJS.Immediate | undefined;
  const count = (): void => {
    turns += 1;
    timer = setImmediate(count);
  };
  // The counting begins with the first row, for loading the program takes turns too.
  const prepare = ({ files }: FakeWorld): void => {
    const open = files.openGrowing.bind(files);
    files.openGrowing = (path) => {
      count();
      return open(path);
    };
  };
  const rows = Array.from({ length: 400 }, (_, index) => `row ${index}\n`).join('');
  const done = await batch(['in.txt', '--demo', '-o', 'out.jsonl'], { files: { 'in.txt': rows }, prepare });
  clearImmediate(timer);
  expect(done.exitCode).toBe(0);
  expect(turns).toBeGreaterThan(400 / 8);
});

test('a profile is the same Motif as its address: the other run goes on', async () => {
  const service = batchService();
  const world = await loggedIn([testUrl, '-p', 'work']);
  const files = { 'in.txt': 'a\nb\n' };
  const setup = { env: {}, after: world, files };
  expect((await batch(['in.txt', '-o', 'out.jsonl', '-p', 'work', '--limit', '1'], setup, service)).exitCode).toBe(0);
  const other = { env: { MOTIF_TOKEN: testToken }, after: world, files };
  expect((await batch(['in.txt', '-o', 'out.jsonl', '--url', testUrl], other, service)).exitCode).toBe(0);
  expect(service.asked).toEqual(['a', 'b']);
});
