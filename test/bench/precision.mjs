/**
 * How well policies tell what they look for from what only looks like it, on the corpus of test/fixtures/corpus: found
 * and missed, wrongly flagged, precision and recall; then the share that is still found under each disguise. Rules and
 * corpus were written side by side; only the row "held out" is about texts that no rule was made for.
 * `--misses` names what was missed and what was wrongly flagged.
 */
import { fileURLToPath } from 'node:url';
import { built } from './built.mjs';

const top = fileURLToPath(new URL('../..', import.meta.url));
const { support, court, texts, ways } = await built({
  support: `${top}test/support/policies.ts`,
  court: `${top}src/gateway/policies/judging.ts`,
  texts: `${top}test/fixtures/corpus/index.ts`,
  ways: `${top}test/fixtures/corpus/disguises.ts`,
});
const showsMisses = process.argv.includes('--misses');
const cases = texts.corpus();
const policies = Object.fromEntries(
  Object.entries(texts.corpusOptions).map(([kind, options]) => [kind, support.policy(kind, options)]),
);
const [plain, ...others] = ways.disguises;

const byRule = new Map();
for (const one of cases) {
  const key = one.kind === 'pii' ? `pii: ${one.rule}` : one.kind;
  byRule.set(key, [...(byRule.get(key) ?? []), one]);
}
console.log(
  ['kind'.padEnd(20), 'positives', 'found', 'negatives', 'flagged', 'precision', 'recall']
    .map((head) => head.padStart(10))
    .join(' '),
);
for (const [key, some] of byRule) console.log(row(key, some));
console.log(row('all', cases));
console.log(row('injection, held out', texts.heldOut()));

const kinds = [...new Set(cases.map(({ kind }) => kind))].filter((kind) => kind !== 'invisible');
console.log(`\n${'recall under'.padEnd(20)}${kinds.map((kind) => kind.padStart(11)).join('')}`);
for (const way of others) {
  const shares = kinds.map((kind) => (way.not?.includes(kind) ? '-' : percent(foundShare(kind, way))));
  console.log(way.name.padEnd(20) + shares.map((share) => share.padStart(11)).join(''));
}

/** Of a national number, only its own entity counts; a secret may be named by another rule that knows it too. */
function isFound(one, way) {
  const { hits } = court.judgeNow([policies[one.kind]], 'prompt', [ways.disguised(one, way)]);
  return one.kind === 'pii' ? hits.some(({ rule }) => rule === one.rule) : hits.length > 0;
}

function row(key, some) {
  const positives = some.filter(({ isPositive }) => isPositive);
  const negatives = some.filter(({ isPositive }) => !isPositive);
  const missed = positives.filter((one) => !isFound(one, plain));
  const flagged = negatives.filter((one) => isFound(one, plain));
  if (showsMisses && key !== 'all')
    for (const one of [...missed, ...flagged])
      console.log(one.isPositive ? 'missed ' : 'flagged', one.rule, JSON.stringify(ways.disguised(one, plain)));
  const found = positives.length - missed.length;
  const counts = [
    positives.length,
    found,
    negatives.length,
    flagged.length,
    percent(found / (found + flagged.length)),
    percent(found / positives.length),
  ];
  return key.padEnd(20) + counts.map((count) => String(count).padStart(10)).join(' ');
}

function foundShare(kind, way) {
  const positives = cases.filter((one) => one.kind === kind && one.isPositive);
  const missed = positives.filter((one) => !isFound(one, way));
  if (showsMisses)
    for (const one of missed.slice(0, 5))
      console.log('missed', way.name, one.rule, JSON.stringify(ways.disguised(one, way)).slice(0, 300));
  return 1 - missed.length / positives.length;
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}
