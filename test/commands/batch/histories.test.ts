import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BatchHistory } from '../../support/rooms/batch-history.ts';
import type { RunStep, Step } from '../../support/rooms/batch-steps.ts';
import { runs } from '../../support/runs.ts';

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
