import type { PolicyConfig } from '../../config.ts';
import { createPolicy } from '../../policies/index.ts';
import { judgeNow } from '../../policies/judging.ts';
import type { NearMiss } from './miss.ts';

/** Places that a policy would have found, had it not left the rule out. */
export function findingsLeftOut(sent: string, policy: PolicyConfig): NearMiss[] {
  const { without, on } = policy;
  const [side] = on;
  if (without.length === 0 || side === undefined) return [];
  const { hits } = judgeNow([createPolicy({ ...policy, without: [], except: [] })], side, [sent]);
  return hits
    .filter(({ rule }) => without.includes(rule))
    .map(({ rule, start, length, seen = '' }) => ({
      rule,
      start,
      length,
      seen,
      why: 'the policy leaves this rule out',
    }));
}
