import { expect, test } from 'vitest';
import { judgeNow } from '../../../../src/gateway/policies/judging.ts';
import { WorkBudget } from '../../../../src/gateway/policies/readings/work-budget.ts';
import { policy } from '../../../support/rooms/policies.ts';

const operation = (sign: string) => ({
  type: 'object',
  properties: { left: { $ref: '#' }, op: { const: sign } },
});

test.each(['anyOf', 'oneOf'])(
  'an answer whose depth doubles the work of a schema by its %s is judged within the budget',
  (either) => {
    const terms = policy('schema', { schema: { [either]: [operation('+'), operation('-'), { type: 'number' }] } });
    const nested = (depth: number) => `${'{"left":'.repeat(depth)}1${',"op":"-"}'.repeat(depth)}`;
    const judged = (depth: number) => {
      const budget = new WorkBudget(1_000_000);
      return { ...judgeNow([terms], 'inference', [nested(depth)], budget), isExceeded: budget.isExceeded };
    };
    expect(judged(8)).toMatchObject({ decision: 'pass', hits: [], isExceeded: false });
    expect(judged(60)).toMatchObject({ decision: 'block', hits: [{ rule: 'policy_failed' }], isExceeded: true });
  },
);
