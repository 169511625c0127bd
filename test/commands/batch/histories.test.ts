import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batch, batchService, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import { BatchHistory } from '../../support/rooms/batch-history.ts';
import type { RunStep, Step } from '../../support/rooms/batch-steps.ts';
import { dieAt } from '../../support/rooms/dying-files.ts';
import { runs } from '../../support/runs.ts';
import { answered } from '../../support/service.ts';
import { fakeWorld, type FakeWorld } from '../../support/world.ts';

const often = (weight: number, value: boolean) => fc.oneof({ arbitrary: fc.constant(value), weight }, fc.boolean());

const anyEnd: fc.Arbitrary<RunStep['end']> = fc.oneof(
  fc.constant({ by: 'itself' as const }),
  fc.record({ by: fc.constant('kill' as const), at: fc.nat(24) }),
  fc.record({ by: fc.constantFrom('SIGTERM' as const, 'SIGINT' as const), at: fc.integer({ min: 1, max: 4 }) }),
);

const anyRun: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('run' as const),
  job: fc.oneof(
    { arbitrary: fc.constant('own' as const), weight: 6 },
    fc.constantFrom('other-input' as const, 'other-request' as const),
  ),
  isPiped: often(3, false),
  fresh: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 3 }),
  maxBlocked: fc.option(fc.nat(1), { nil: undefined, freq: 3 }),
  end: anyEnd,
  failing: fc.constantFrom(0, 0, 2, 3),
  blocking: fc.constantFrom(0, 0, 2, 5),
});

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: anyRun, weight: 5 },
  {
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      how: fc.constantFrom('add' as const, 'remove' as const, 'move' as const, 'double' as const, 'note' as const),
      at: fc.nat(9),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ kind: fc.constant('next' as const), at: fc.nat(1) }), weight: 3 },
  { arbitrary: fc.constant({ kind: 'merge' as const }), weight: 1 },
);

test('no history of an output loses an answer, pays for one twice, or takes a file of another job', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 2, maxLength: 8 }), async (steps) => {
      const history = new BatchHistory();
      try {
        for (const step of steps) await history.take(step);
      } catch (error) {
        expect.fail(`${error instanceof Error ? error.message : String(error)}\n${history.log.join('\n')}`);
      }
    }),
    runs(150),
  );
}, 300_000);

test('parts of a job that was edited, killed and limited meanwhile are merged to a whole, and ask nothing once they are', async () => {
  const anyPartStep = fc.oneof(
    fc.record({ kind: fc.constant('edit' as const), how: fc.constantFrom('add', 'remove', 'double'), at: fc.nat(9) }),
    fc.record({
      kind: fc.constant('run' as const),
      part: fc.constantFrom(1, 2, 3),
      flags: fc.constantFrom([], [], ['--fresh'], ['--limit', '3'], ['--limit', '5', '--fresh']),
      diesAt: fc.option(fc.nat(16), { nil: undefined }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyPartStep, { maxLength: 10 }), async (steps) => {
      const world = fakeWorld();
      const rows = ['row 1', 'row 2', 'row 3', 'row 4', 'row 5', 'row 6'];
      const run = (part: number, flags: readonly string[], diesAt?: number) => {
        const service = batchService((row) => ({ body: { ...answered, response: `re: ${row}` } }));
        const argv = ['in.txt', '-o', `out-${part}.jsonl`, '--shard', `${part}/3`, '-j', '2', ...flags];
        const prepare = (made: FakeWorld) => void (diesAt === undefined ? undefined : dieAt(made, diesAt));
        return batch(argv, { after: world, prepare, files: { 'in.txt': `${rows.join('\n')}\n` } }, service).then(
          (ended) => ({ ...ended, asked: service.asked }),
        );
      };
      for (const [number, step] of steps.entries()) {
        const place = step.kind === 'edit' ? step.at % rows.length : 0;
        if (step.kind === 'run') await run(step.part, step.flags, step.diesAt);
        else if (step.how === 'add') rows.splice(place, 0, `new ${number}`);
        else if (step.how === 'double') rows.push(rows[place]!);
        else if (rows.length > 1) rows.splice(place, 1);
      }
      for (const part of [1, 2, 3]) {
        const whole = await run(part, []);
        // None of the rows of a part that was asked may be in the input any more.
        if (whole.exitCode === 2) await run(part, ['--fresh']);
        expect((await run(part, [])).asked).toEqual([]);
      }
      const merged = await batch(['merge', 'out-1.jsonl', 'out-2.jsonl', 'out-3.jsonl'], { after: world });
      expect(merged.exitCode, merged.stderr).toBe(0);
      expect(rowsOf(merged.stdout).map(({ response }) => response)).toEqual(rows.map((row) => `re: ${row}`));
      for (const part of [1, 2, 3]) {
        const own = rowsOf(fileOf(merged, `out-${part}.jsonl`)).filter(({ index }) => index !== null);
        // A part that has no rows any more keeps what was there before.
        const names = readdirSync(world.folder).filter((name) => name.startsWith(`out-${part}.`));
        if (own.length > 0) expect(names).toEqual([`out-${part}.jsonl`]);
      }
    }),
    runs(50),
  );
}, 300_000);
