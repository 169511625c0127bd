import { expect, test } from 'vitest';
import { judge, judgeNow } from '../../../src/gateway/policies/judging.ts';
import type { Policy } from '../../../src/gateway/policies/policy.ts';
import { policy } from '../../support/rooms/policies.ts';

test('texts of which nothing is hidden are the same list, which a thread need not send back', () => {
  const texts = [`my key AKIA${'IOSFODNN7EXAMPLE'}`];
  const { hits, texts: left } = judgeNow([policy('secrets', {}, 'warn')], 'prompt', texts);
  expect(hits).toHaveLength(1);
  expect(left).toBe(texts);
});

test('a verdict on what a service told is made in turn', async () => {
  const made: unknown[] = [];
  const inTurn = <T>(part: () => T | Promise<T>) => (made.push(part()), made.at(-1) as T);
  const asking: Policy = {
    name: 'odd',
    kind: 'custom',
    on: new Set(['prompt']),
    action: 'warn',
    ask: async () => [[{ rule: 'topic', start: 0, length: 1 }]],
  };
  expect(made).toContain(await judge([asking], 'prompt', ['hi'], { deadlineAt: 1_000, inTurn }));
});
