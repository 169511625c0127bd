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

/**
 * Rules without a mark that take an ending for a part of the value or the name: `s.` begins a property in programs, what is
 * assigned may be the name of a file, and stars say that it is masked.
 */
const putOff: Readonly<Record<string, readonly string[]>> = {
  '.js': ['vault_legacy_token', 'assigned_secret'],
  '.png': ['vault_legacy_token', 'assigned_secret'],
  '****': ['assigned_secret', 'assigned_key', 'told_password', 'pgpass_password'],
  '-x': ['vault_legacy_token'],
};

test.each(Object.keys(putOff))('no rule of secrets with a mark is put off by %s behind a sample', (ending) => {
  const missed = secretRules.filter(
    ({ name, sample }) =>
      found(onlySecrets(name), `see https://x.example/ ${filled(sample)}${ending} now`).length === 0,
  );
  expect(missed.map(({ name }) => name)).toEqual(putOff[ending]);
});

const assignments = [
  'password = "tr0ub4dor&3"',
  `api key: ${filled('{w32}')}`,
  `session_token = ${filled('{w32}')}`,
  `client_secret: "${filled('{w24}')}"`,
];
const wordsBefore =
  'invalid fake dummy mock bogus non nonmatching csrf xsrf authenticity test old wrong sample public unreal'.split(' ');

test.each(wordsBefore)('the word "%s" before an assignment never frees it', (word) => {
  const ways = [
    `${word} `,
    `${word}. `,
    `${word}: `,
    `${word} user. My `,
    `${word}-protected `,
    `${word}-prod `,
    `${word}\n`,
  ];
  const texts = ways.flatMap((before) => assignments.map((assignment) => `${before}${assignment}`));
  expect(texts.filter((text) => found(policy('secrets'), text).length === 0)).toEqual([]);
});

test.each([
  { text: `csrf_token = "${filled('{w32}')}"`, count: 0 },
  { text: `XSRF-TOKEN: ${filled('{w32}')}`, count: 0 },
  { text: `<input name="authenticity_token" value="${filled('{w32}')}">`, count: 0 },
  { text: 'fake_password = "tr0ub4dor&3"', count: 0 },
  { text: `dummy_client_secret: ${filled('{w24}')}`, count: 0 },
  { text: `CSRF_SECRET=${filled('{w32}')}`, count: 1 },
  { text: `invalid_token = "${filled('{w32}')}"`, count: 1 },
  { text: 'prod.fake.db_password = "tr0ub4dor&3"', count: 1 },
  { text: 'secret = abcdefgh12345678Zq9X', count: 1 },
  { text: 'secret = abcdef123456', count: 0 },
])('$text: $count found', ({ text, count }) => {
  expect(found(policy('secrets'), text)).toHaveLength(count);
});
