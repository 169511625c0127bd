import { expect, test } from 'vitest';
import { entities } from '../../../src/gateway/policies/rules/pii/entities.ts';
import { found, policy } from '../../support/policies.ts';

test.each(entities.map(({ name, sample, lookAlike }) => ({ name, sample, lookAlike })))(
  '$name: $sample is one, $lookAlike is none',
  ({ name, sample, lookAlike }) => {
    const only = policy('pii', { entities: [name] });
    expect(found(only, sample)).toHaveLength(1);
    expect(found(only, lookAlike)).toEqual([]);
  },
);

test('each entity names who gives it out', () => {
  expect(entities.filter(({ authority }) => authority.length < 8)).toEqual([]);
});
