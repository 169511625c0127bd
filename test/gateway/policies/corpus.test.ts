import { describe, expect, test } from 'vitest';
import { entityNames } from '../../../src/gateway/policies/pii.ts';
import { secretRules } from '../../../src/gateway/policies/secrets.ts';
import { type Case, textOf } from '../../fixtures/corpus/case.ts';
import { disguised, disguises } from '../../fixtures/corpus/disguises.ts';
import { corpus, corpusOptions } from '../../fixtures/corpus/index.ts';
import { policy, verdict } from '../../support/policies.ts';

const cases = corpus();
const policies = Object.fromEntries(
  Object.entries(corpusOptions).map(([kind, options]) => [kind, policy(kind, options)]),
);

function of(kind: string, isPositive: boolean): Case[] {
  return cases.filter((one) => one.kind === kind && one.isPositive === isPositive);
}

function isFound(one: Case, text: string): boolean {
  const { hits } = verdict([policies[one.kind]!], text);
  return one.kind === 'pii' ? hits.some(({ rule }) => rule === one.rule) : hits.length > 0;
}

test('the corpus is as large as the goal asks', () => {
  for (const entity of entityNames) {
    for (const isPositive of [true, false]) {
      expect(new Set(of('pii', isPositive).filter(({ rule }) => rule === entity)).size, entity).toBeGreaterThanOrEqual(
        100,
      );
    }
  }
  expect(secretRules.length).toBeGreaterThanOrEqual(60);
  for (const { name } of secretRules) {
    for (const isPositive of [true, false]) {
      expect(of('secrets', isPositive).filter(({ rule }) => rule === name).length, name).toBeGreaterThanOrEqual(5);
    }
  }
  expect(disguises.length).toBeGreaterThan(12);
});

describe.each(Object.keys(corpusOptions))('%s', (kind) => {
  test('finds what it should', () => {
    expect(
      of(kind, true)
        .filter((one) => !isFound(one, textOf(one)))
        .map(textOf),
    ).toEqual([]);
  });

  test('leaves look-alikes alone', () => {
    expect(
      of(kind, false)
        .filter((one) => isFound(one, textOf(one)))
        .map(textOf),
    ).toEqual([]);
  });
});

/** What may be missed of each kind under each disguise: a phrase that is too short to be seen as base64, mostly. */
const missedMax = 0.1;

test.each(disguises.filter(({ not }) => not === undefined))('fault 157: $name hides little', (way) => {
  for (const kind of ['pii', 'secrets', 'injection', 'words', 'regex', 'urls']) {
    const positives = of(kind, true);
    const missed = positives.filter((one) => !isFound(one, disguised(one, way)));
    expect(missed.length / positives.length, kind).toBeLessThan(missedMax);
  }
});

test.each(disguises.filter(({ not }) => not !== undefined))(
  'fault 157: $name hides few attempts to take over',
  (way) => {
    const attempts = of('injection', true);
    const seen = attempts.filter((one) => isFound(one, disguised(one, way)));
    expect(seen.length / attempts.length).toBeGreaterThan(0.7);
  },
);
