import { describe, expect, test } from 'vitest';
import { makers } from '../../fixtures/corpus/pii-positives.ts';
import { secretRules } from '../../../src/gateway/policies/kinds/secrets.ts';
import { type Case, textOf } from '../../fixtures/corpus/case.ts';
import { disguises } from '../../fixtures/corpus/disguises.ts';
import { corpus, corpusOptions, heldOut } from '../../fixtures/corpus/index.ts';
import { policy, verdict } from '../../support/rooms/policies.ts';

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
  for (const entity of Object.keys(makers)) {
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

/** All kinds but one are exact. Attempts to take over a model can be worded in endless ways, and some look harmless. */
const exact = Object.keys(corpusOptions).filter((kind) => kind !== 'injection');

describe.each(exact)('%s', (kind) => {
  test('finds what it should', () => {
    const missed = of(kind, true).filter((one) => !isFound(one, textOf(one)));
    expect(missed.map(textOf)).toEqual([]);
  });

  test('leaves look-alikes alone', () => {
    const flagged = of(kind, false).filter((one) => isFound(one, textOf(one)));
    expect(flagged.map(textOf)).toEqual([]);
  });
});

test.each([
  {
    name: 'that rules were made for',
    some: corpus().filter(({ kind }) => kind === 'injection'),
    recall: 0.9,
    flagged: 0.02,
  },
  { name: 'that no rule was made for', some: heldOut(), recall: 0.7, flagged: 0.1 },
])('attempts to take over $name are found as often as the README says', ({ some, recall, flagged }) => {
  const positives = some.filter(({ isPositive }) => isPositive);
  const negatives = some.filter(({ isPositive }) => !isPositive);
  const share = (cases: readonly Case[]) => cases.filter((one) => isFound(one, textOf(one))).length / cases.length;
  expect(share(positives)).toBeGreaterThan(recall);
  expect(share(negatives)).toBeLessThan(flagged);
});
