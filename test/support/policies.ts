import type { Action, Side, Verdict } from '../../src/gateway/vocabulary.ts';
import { createPolicy } from '../../src/gateway/policies/index.ts';
import { judgeNow } from '../../src/gateway/policies/judging.ts';
import type { Policy, PolicyParts } from '../../src/gateway/policies/policy.ts';

const both: ReadonlySet<Side> = new Set(['prompt', 'inference']);

/** A policy named like its kind. */
export function policy(
  kind: string,
  options: Readonly<Record<string, unknown>> = {},
  action: Action = 'block',
  parts: PolicyParts = {},
): Policy {
  return createPolicy({ name: kind, kind, on: both, action, options }, parts);
}

export function verdict(policies: readonly Policy[], ...texts: readonly string[]): Verdict {
  return judgeNow(policies, 'prompt', texts);
}

/** The parts of a text that a policy objects to, each with its rule. */
export function found(one: Policy, text: string): string[] {
  return verdict([one], text).hits.map(({ rule, start, length }) => `${rule}: ${text.slice(start, start + length)}`);
}
