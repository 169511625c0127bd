import { expect, test } from 'vitest';
import { batch, batchService, blockedReply } from '../../support/rooms/batch.ts';
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
  expect(seen).toContain('1 of 2 · 0.3/s · 3.3 s left · 0 blocked · 0 errors · 1 at once · 7 tokens');
  expect(seen.at(-1)).toMatch(/^2 rows · 6 s\n/);
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
