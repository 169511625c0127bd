import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isReplaced, type MotifConfig, type TokenConfig } from '../../src/gateway/config.ts';

/** Tokens of one Motif in short: `a>b 5` is replaced by `b` and ends at 5. */
function motifOf(tokens: readonly (readonly [id: string, by: string | undefined, end: number | undefined])[]) {
  return {
    tokens: tokens.map(([id, replacedBy, expiresAt]) => ({ id, replacedBy, expiresAt }) as TokenConfig),
  } as unknown as MotifConfig;
}

/** The same by the words: each token after the next, until one is accepted for longer. */
function isReplacedStepByStep(token: TokenConfig, { tokens }: MotifConfig): boolean {
  const seen = new Set([token.id]);
  for (let next = token.replacedBy; next !== undefined && !seen.has(next);) {
    seen.add(next);
    const found = tokens.find(({ id }) => id === next);
    if (found !== undefined && (found.expiresAt ?? Infinity) > (token.expiresAt ?? Infinity)) return true;
    next = found?.replacedBy;
  }
  return false;
}

test('a token is replaced if one that came in its place, at once or later, is accepted for longer', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const token = fc.tuple(fc.constantFrom(undefined, 'gone', ...ids), fc.constantFrom(undefined, 1, 2, 3, 4));
  fc.assert(
    fc.property(fc.array(token, { minLength: 1, maxLength: ids.length }), (facts) => {
      const motif = motifOf(facts.map(([by, end], at) => [ids[at]!, by, end]));
      expect(motif.tokens.map((each) => isReplaced(each, motif))).toEqual(
        motif.tokens.map((each) => isReplacedStepByStep(each, motif)),
      );
    }),
    { numRuns: 2000 },
  );
});

test.each([
  { name: 'each ends later', endOf: (at: number) => at, replaced: 99_999 },
  { name: 'all end at once', endOf: () => 1, replaced: 0 },
])('the replaced among 100,000 tokens in a row are found as soon as those among few, $name', ({ endOf, replaced }) => {
  const motif = motifOf(Array.from({ length: 100_000 }, (_, at) => [`t${at}`, `t${at + 1}`, endOf(at)] as const));
  expect(motif.tokens.filter((token) => isReplaced(token, motif))).toHaveLength(replaced);
});
