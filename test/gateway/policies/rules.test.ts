import { expect, test } from 'vitest';
import { secretRules } from '../../../src/gateway/policies/kinds/secrets.ts';
import { entities } from '../../../src/gateway/policies/rules/pii/entities.ts';
import { createPolicy } from '../../../src/gateway/policies/index.ts';
import { found, optionsOf, plain, policy } from '../../support/policies.ts';
import { filled } from '../../support/samples.ts';

test.each(entities.map(({ name, sample, lookAlike }) => ({ name, sample, lookAlike })))(
  '$name: $sample is found, $lookAlike is not',
  ({ name, sample, lookAlike }) => {
    const only = policy('pii', { entities: [name] });
    expect(found(only, sample)).toHaveLength(1);
    expect(found(only, lookAlike)).toEqual([]);
  },
);

test('each entity names who gives it out', () => {
  expect(entities.filter(({ authority }) => authority.length < 8)).toEqual([]);
});

const names = [...new Set(secretRules.map(({ name }) => name))];

/** The policy with the rules of one name alone. */
function onlySecrets(name: string) {
  return createPolicy({
    ...plain,
    name: 'secrets',
    kind: 'secrets',
    on: new Set(['prompt'] as const),
    action: 'block',
    without: names.filter((other) => other !== name),
    options: optionsOf('secrets'),
  });
}

test.each(secretRules.map(({ name, sample, lookAlike }) => ({ name, sample, lookAlike })))(
  '$name: $sample is found, $lookAlike is not',
  ({ name, sample, lookAlike }) => {
    const only = onlySecrets(name);
    expect(found(only, `it is ${filled(sample)} now`)).toHaveLength(1);
    expect(found(only, `it is ${filled(lookAlike)} now`)).toEqual([]);
  },
);
