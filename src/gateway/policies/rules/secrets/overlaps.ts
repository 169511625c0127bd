import type { SecretRule } from './rule.ts';

interface Place {
  readonly start: number;
  readonly length: number;
}

interface Found<P extends Place> {
  readonly finding: P;
  readonly rule: number;
}

/** Fewer characters beside a key are a word or a sign before it. */
const restMin = 8;

/**
 * Of two that overlap, the one of the rule that comes first in the table. What the other one has on either side of it
 * stays found where that is a secret by itself: `secret=3f2a...:AKIA...` has two.
 */
export function bestOf<P extends Place>(found: readonly Found<P>[], rules: readonly SecretRule[], text: string): P[] {
  const kept: Found<P>[] = [];
  const partOf = ({ finding, rule }: Found<P>, start: number, end: number): Found<P>[] => {
    const { fault } = rules[rule]!;
    const isSecret = end - start >= restMin && fault !== undefined && fault(text.slice(start, end)) === undefined;
    return isSecret ? [{ finding: { ...finding, start, length: end - start }, rule }] : [];
  };
  const inOrder = (a: Found<P>, b: Found<P>): number => a.finding.start - b.finding.start || a.rule - b.rule;
  const all = found.toSorted(inOrder);
  /** Rests of some behind others, which may overlap with more; never many: a value has 256 characters at most. */
  const rests: Found<P>[] = [];
  for (let at = 0; at < all.length || rests.length > 0;) {
    const isRest = rests.length > 0 && (at === all.length || inOrder(rests[0]!, all[at]!) < 0);
    const one = isRest ? rests.shift()! : all[at++]!;
    const last = kept.at(-1);
    const lastEnd = last === undefined ? 0 : endOf(last);
    if (last === undefined || one.finding.start >= lastEnd) kept.push(one);
    else if (one.rule < last.rule) {
      kept.splice(-1, 1, ...partOf(last, last.finding.start, one.finding.start), one);
      rests.push(...partOf(last, endOf(one), lastEnd));
    } else rests.push(...partOf(one, lastEnd, endOf(one)));
    rests.sort(inOrder);
  }
  return kept.map(({ finding }) => finding);
}

function endOf({ finding }: Found<Place>): number {
  return finding.start + finding.length;
}
