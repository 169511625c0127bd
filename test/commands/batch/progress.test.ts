import { describe, expect, test } from 'vitest';
import { batch, batchService, blockedReply, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import { progressText } from '../../../src/commands/batch/progress.ts';
import type { MotifSetup } from '../../support/motif.ts';
import type { FakeWorld } from '../../support/world.ts';

const intoFile = ['in.txt', '-o', 'out.jsonl', '-j', '1'];

/** Frames of the line of two rows whose answers take three seconds each. */
async function framesOfSlowRows(
  argv: readonly string[],
  setup: MotifSetup = {},
  during: (world: FakeWorld) => void = () => {},
) {
  let world: FakeWorld | undefined;
  const service = batchService(async () => {
    for (const ms of [300, 1000, 1700]) await world?.advance(ms);
    during(world!);
    return {};
  });
  const { stderr } = await batch(
    argv,
    {
      files: { 'in.txt': 'one\ntwo\n' },
      sleeps: 'held',
      stderr: { columns: 80 },
      prepare: (made) => void (world = made),
      ...setup,
    },
    service,
  );
  return stderr.split('\r').map((frame) => frame.replace('\u001b[K', ''));
}

test('on a terminal the line is there before a slow first row ends, and goes on while none does', async () => {
  const seen = await framesOfSlowRows(intoFile);
  expect(seen.slice(1, 4)).toEqual([
    '0 of 2 · 1 at once · 0.3 s elapsed',
    '0 of 2 · 1 at once · 1.3 s elapsed',
    '0 of 2 · 1 at once · 3 s elapsed',
  ]);
  expect(seen).toContain('1 of 2 · 0.3/s · 4 s left · 1 answered · 0 blocked · 0 errors · 7 tokens');
  expect(seen.at(-1)).toMatch(/^2 rows · 6 s\n/);
});

describe('a service that asks to wait', () => {
  /** A run of three rows, whose second prompt and all after it are told to come back 48 s later, until `later`. */
  const refusedRun = async (setup: MotifSetup, during: (world: FakeWorld) => Promise<void>) => {
    let world: FakeWorld | undefined;
    let isFull = true;
    const full = { status: 429, body: {}, headers: { 'retry-after': '48' } };
    const service = batchService((_, count) => (isFull && count > 1 ? full : {}));
    const held: MotifSetup = { files: { 'in.txt': 'one\ntwo\nthree\n' }, sleeps: 'held', ...setup };
    const run = batch(intoFile, { ...held, prepare: (made) => void (world = made) }, service);
    while (service.asked.length < 2) await new Promise(setImmediate);
    await new Promise(setImmediate);
    await during(world!);
    isFull = false;
    for (let second = 0; second < 60; second += 1) await world!.advance(1000);
    return { ...(await run), asked: service.asked };
  };

  test('is waited for in the line that moves, which then invents no time that is left', async () => {
    const { stderr, exitCode } = await refusedRun({ stderr: { columns: 80 } }, (world) => world.advance(1000));
    const frames = stderr.split('\r').map((frame) => frame.replace('\u001b[K', ''));
    expect(exitCode).toBe(0);
    expect(frames).toContain('1 of 3 · waiting 47 s (429) · 1 answered · 0 blocked · 0 errors · 7 tokens');
    expect(frames.filter((frame) => frame.includes('waiting') && frame.includes('left'))).toEqual([]);
  });

  test('is told at once where nothing can move', async () => {
    const { stderr } = await refusedRun({}, () => Promise.resolve());
    expect(stderr).toContain('motif: 1 of 3 · waiting 48 s (429) · 1 answered · 0 blocked · 0 errors');
  });

  test('Ctrl-C leaves the rows that only wait, and ends at once', async () => {
    const run = await refusedRun({}, async (world) => {
      world.interrupt();
      await new Promise(setImmediate);
    });
    expect(run).toMatchObject({ signal: 'SIGINT', asked: ['one', 'two'] });
    expect(run.stderr).toContain('motif: stopping: no new rows; 1 row that only waited to be sent again is left\n');
    expect(run.stderr).toContain('interrupted; 2 of 3 rows are left; the same command goes on');
    const rows = rowsOf(fileOf(run, 'out.jsonl'));
    expect(rows.map(({ error }) => error)).toEqual([null]);
  });
});

test('Ctrl-C while the last rows are under way ends a finished run, of which nothing goes on', async () => {
  let world: FakeWorld | undefined;
  const service = batchService(async (_, count) => {
    if (count < 3) return {};
    // By then the input was read to its end.
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    world!.interrupt();
    return {};
  });
  const setup = { files: { 'in.txt': 'one\ntwo\nthree\n' }, prepare: (made: FakeWorld) => void (world = made) };
  const run = await batch(['in.txt', '-o', 'out.jsonl'], setup, service);
  expect(run.signal).toBe('SIGINT');
  expect(run.stderr).toContain('interrupted; all rows were done\n');
});

test.each([
  {
    name: 'all of it',
    parts: '12 of 40 · 2/s · 14 s left · 11 answered · 1 blocked · 0 errors · 84 tokens',
    columns: 80,
    shown: '12 of 40 · 2/s · 14 s left · 11 answered · 1 blocked · 0 errors · 84 tokens',
  },
  {
    name: 'all but the rows at once',
    parts: '12 of 40 · 2/s · 14 s left · 11 answered · 1 blocked · 0 errors · 84 tokens · 8 at once',
    columns: 80,
    shown: '12 of 40 · 2/s · 14 s left · 11 answered · 1 blocked · 0 errors · 84 tokens',
  },
  {
    name: 'the count of blocks rather than that of no errors',
    parts: '21 of 400 · 12.3/s · 30.8 s left · 21 answered · 0 blocked · 0 errors · 147 tokens · 2 at once',
    columns: 80,
    shown: '21 of 400 · 12.3/s · 30.8 s left · 21 answered · 0 blocked · 147 tokens',
  },
  {
    name: 'tokens rather than counts of nothing',
    parts: '84,120 of 200,000 · 118/s · 16 m left · 84,120 answered · 0 blocked · 0 errors · 4.1 M tokens',
    columns: 80,
    shown: '84,120 of 200,000 · 118/s · 16 m left · 84,120 answered · 4.1 M tokens',
  },
  {
    name: 'counts rather than tokens',
    parts: '8,412 of 20,000 · 11.8/s · 16 m left · 8,379 answered · 31 blocked · 2 errors · 412 k tokens · 6 at once',
    columns: 80,
    shown: '8,412 of 20,000 · 11.8/s · 16 m left · 8,379 answered · 31 blocked · 2 errors',
  },
])('the line of progress in $columns columns: $name', ({ parts, columns, shown }) => {
  expect(shown.length).toBeLessThanOrEqual(columns);
  expect(progressText(parts.split(' · '), columns)).toBe(shown);
});

test('rows from a pipe have no total', async () => {
  const seen = await framesOfSlowRows(['-o', 'out.jsonl', '-j', '1'], { stdin: 'one\n' });
  expect(seen[1]).toBe('0 rows · 1 at once · 0.3 s elapsed');
});

test('what is said meanwhile stands above the line', async () => {
  let isTyped = false;
  const seen = await framesOfSlowRows(intoFile, {}, (world) => {
    if (!isTyped) world.interrupt();
    isTyped = true;
  });
  const notice = seen.findIndex((frame) => frame.includes('stopping: no new rows'));
  expect(seen[notice + 1]).toBe('0 of 2 · 1 at once · 3 s elapsed');
});

test('the summary has blocks yellow and bold, errors red and times dim on a terminal', async () => {
  const service = batchService((prompt) =>
    prompt === 'b' ? blockedReply : prompt === 'c' ? { status: 400, body: {} } : undefined,
  );
  const setup = { files: { 'in.txt': 'a\nb\nc\n' }, stderr: { columns: 80 } };
  const { stderr } = await batch(intoFile, setup, service);
  expect(stderr).toContain(
    'answered 1 · \u001b[1m\u001b[33mblocked 1\u001b[39m\u001b[22m · \u001b[31merror 1\u001b[39m (1 rejected: line 3)\n',
  );
  expect(stderr).toMatch(/\n.\[2mtokens .*p99.*.\[22m\n/);
});
