import { object } from '../../../documents/shape.ts';
import { createLiteralScan } from '../../../text/literals.ts';
import type { Finding } from '../../vocabulary.ts';
import { type Detector, findIn, policyKind } from '../policy.ts';
import { cloudRules } from '../rules/secrets-cloud.ts';
import { generalRules } from '../rules/secrets-general.ts';
import { vendorRules } from '../rules/secrets-vendors.ts';
import type { SecretRule } from '../rules/secret-rule.ts';
import type { View } from '../readings/view.ts';

/** In the order of who names a finding: what one vendor marked comes before what only looks like a secret. */
export const secretRules: readonly SecretRule[] = [...cloudRules, ...vendorRules, ...generalRules];

/** Keys, tokens and passwords, each by the form that its maker gives it. */
export const secrets = policyKind({
  isPure: true,
  messageSeparator: '',
  options: object({}, {}),
  rules: secretRules.map(({ name }) => name),
  create: (_options, _parts, without) => ({
    detect: createDetector(secretRules.filter(({ name }) => !without.has(name))),
  }),
});

function createDetector(rules: readonly SecretRule[]): Detector {
  const keys = rules.flatMap(({ keys: some }, rule) => some.map((text) => ({ rule, text })));
  const scan = createLiteralScan(keys.map(({ text }) => text));

  function search({ text }: View, spend: (characters: number) => void): Finding[] {
    const applicable = new Set<number>();
    scan.scan(text, (key) => applicable.add(keys[key]!.rule));
    spend(text.length * applicable.size);
    const found = [...applicable].flatMap((rule) =>
      findingsOf(rules[rule]!, text).map((finding) => ({ finding, rule })),
    );
    return found.length < 2 ? found.map(({ finding }) => finding) : bestOf(found);
  }

  return (text) => findIn(text, (view) => search(view, (characters) => text.spend(characters)));
}

function findingsOf(rule: SecretRule, text: string): Finding[] {
  const found: Finding[] = [];
  weigh(rule, text, (finding, fault) => {
    if (fault === undefined) found.push(finding);
  });
  return found;
}

/** Tells of each candidate what is wrong with it, in words that never quote it; undefined: nothing, it is found. */
export function weigh(
  { name, pattern, fault, endOf }: SecretRule,
  text: string,
  tell: (candidate: Finding, fault: string | undefined) => void,
): void {
  for (const match of text.matchAll(pattern)) {
    if (endOf !== undefined) {
      const end = endOf(text, match.index, match.index + match[0].length);
      if (end !== undefined) tell({ rule: name, start: match.index, length: end - match.index }, undefined);
      continue;
    }
    const secret = match.slice(1).find((group) => group !== undefined) ?? match[0];
    const start = match.index + match[0].lastIndexOf(secret);
    tell({ rule: name, start, length: secret.length }, fault?.(secret));
  }
}

/** Of two that overlap, the one of the rule that comes first in the table. */
function bestOf(found: readonly { readonly finding: Finding; readonly rule: number }[]): Finding[] {
  const kept: { readonly finding: Finding; readonly rule: number }[] = [];
  for (const one of found.toSorted((a, b) => a.finding.start - b.finding.start || a.rule - b.rule)) {
    const last = kept.at(-1);
    const isApart = last === undefined || one.finding.start >= last.finding.start + last.finding.length;
    if (isApart) kept.push(one);
    else if (one.rule < last.rule) kept[kept.length - 1] = one;
  }
  return kept.map(({ finding }) => finding);
}
