import { expect, test } from 'vitest';
import { explain, type PolicyLook } from '../../../../src/gateway/explanation/explain.ts';
import type { Case } from '../../../fixtures/corpus/case.ts';
import { type Disguise, disguised, disguises } from '../../../fixtures/corpus/disguises.ts';
import { corpus, corpusOptions, heldOut } from '../../../fixtures/corpus/index.ts';
import { motif } from '../../../support/motif.ts';
import { optionsOf, plain, policy, verdict } from '../../../support/rooms/policies.ts';

const policies = Object.fromEntries(
  Object.entries(corpusOptions).map(([kind, options]) => [kind, policy(kind, options)]),
);

/** A gateway file whose only policy is of this kind, with the options that the corpus is judged with. */
function fileOf(kind: string): string {
  const options = JSON.stringify({ kind, ...corpusOptions[kind] });
  return `providers: { mock: { kind: mock } }\npolicies: { it: ${options} }\nmotifs: { bot: { provider: mock, policies: [it] } }\n`;
}

const positives = corpus().filter(({ isPositive }) => isPositive);
const others = heldOut().filter(({ isPositive }) => isPositive);

const missed = new Map<string, readonly Case[]>();

/** The texts that nobody objects to under a disguise; judged once for all tests below. */
function missedUnder(way: Disguise): readonly Case[] {
  const known = missed.get(way.name);
  if (known !== undefined) return known;
  const some = [...positives, ...others].filter((one) => {
    if (way.not?.includes(one.kind)) return false;
    const { hits } = verdict([policies[one.kind]!], disguised(one, way));
    return one.kind === 'pii' ? hits.every(({ rule }) => rule !== one.rule) : hits.length === 0;
  });
  missed.set(way.name, some);
  return some;
}

/** Share of the texts of a kind, those that were held out aside, that a disguise hides. */
function shareMissed(way: Disguise, kind: string): number {
  const hidden = missedUnder(way).filter((one) => one.kind === kind && !others.includes(one));
  return hidden.length / positives.filter((one) => one.kind === kind).length;
}

/** Misses allowed of each kind under each disguise: a phrase that is too short to be seen as base64, mostly. */
const missedMax = 0.15;

test.each(disguises.filter(({ not }) => not === undefined))('$name hides little', (way) => {
  for (const kind of ['pii', 'secrets', 'injection', 'words', 'regex', 'urls']) {
    expect(shareMissed(way, kind), kind).toBeLessThan(missedMax);
  }
});

test.each(disguises.filter(({ not }) => not !== undefined))('$name hides few attempts to take over', (way) => {
  expect(shareMissed(way, 'injection')).toBeLessThan(0.3);
});

const near = /^near +it \/ \w+ +message 1, characters (\d+)-(\d+)(?:, seen [^:]+)?: \S.+$/;
/** Words for the targets, and for the readings of the text. */
const looked = /^looked +it +for .+: \S.+$/;
const read = /^read +message 1(?:, characters (\d+)-(\d+))? +\S.+$/;

function expectExplained(text: string, stdout: string): void {
  const [first, ...lines] = stdout.trimEnd().split('\n');
  expect(first).toBe('pass    nothing found by it');
  expect(lines.filter((line) => !near.test(line) && !looked.test(line) && !read.test(line))).toEqual([]);
  expect(lines.some((line) => near.test(line) || looked.test(line))).toBe(true);
  expect(lines.some((line) => read.test(line))).toBe(true);
  for (const line of lines) {
    const [, start = '1', end = start] = near.exec(line) ?? read.exec(line) ?? [];
    expect(Number(start)).toBeGreaterThanOrEqual(1);
    expect(Number(end)).toBeLessThanOrEqual(text.length);
  }
}

/** Under a disguise the first of each kind are tried by the command; the others are explained by the same function. */
const triedMax = 3;

test.each(disguises)(
  'admin try explains what is missed of the corpus: $name',
  async (way) => {
    const all = missedUnder(way);
    expect(all.length).toBeGreaterThan(0);
    const tried = new Map<string, number>();
    for (const one of all) {
      const text = disguised(one, way);
      const count = (tried.get(one.kind) ?? 0) + 1;
      tried.set(one.kind, count);
      if (way.name !== 'plain' && count > triedMax) continue;
      const files = { 'gateway.yaml': fileOf(one.kind) };
      const run = await motif(['admin', 'try', '-'], { env: {}, stdin: text, files });
      expect(run).toMatchObject({ exitCode: 0 });
      expectExplained(text, run.stdout);
    }
  },
  30_000,
);

test.each(disguises)('each miss has its reason or a plain word that there is none: $name', (way) => {
  const all = missedUnder(way).map((one) => ({ one, look: lookAt(one, disguised(one, way)) }));
  for (const { look } of all) {
    expect(`${look.sought}: ${look.absent}`).toMatch(/^(?:for|at) \S.+: \S.+$/);
    expect(look.near.filter(({ why }) => why.length < 10)).toEqual([]);
  }
  // Half of the few attempts that are missed are made of words that are known, in another order.
  const attempts = all.filter(({ one }) => one.kind === 'injection');
  const named = attempts.filter(({ look }) => look.near.length > 0);
  expect(named.length / attempts.length).toBeGreaterThan(way.not === undefined ? 0.5 : 0.25);
});

function lookAt({ kind }: Case, text: string): PolicyLook {
  const config = { ...plain, name: 'it', kind, on: new Set(['prompt'] as const), action: 'block' as const };
  return explain(text, [{ ...config, options: optionsOf(kind, corpusOptions[kind]) }], []).looks[0]!;
}
