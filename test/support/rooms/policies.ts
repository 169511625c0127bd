import type { Action, Side, Verdict } from '../../../src/gateway/vocabulary.ts';
import { FetchedSecret, FetchedText } from '../../../src/documents/fetched.ts';
import { Spot } from '../../../src/documents/spot.ts';
import { createPolicy, policyKinds } from '../../../src/gateway/policies/index.ts';
import { Secret } from '../../../src/text/secret.ts';
import { judgeNow } from '../../../src/gateway/policies/judging.ts';
import type { Policy, PolicyParts } from '../../../src/gateway/policies/policy.ts';

const both: ReadonlySet<Side> = new Set(['prompt', 'inference']);

/** A policy that leaves nothing out. */
export const plain = { except: [], without: [] };

/** The options of a kind as its shape reads them; throws with all that is wrong with them, each fault with its path. */
export function optionsOf(kind: string, written: Readonly<Record<string, unknown>> = {}): unknown {
  const { spot, faults } = Spot.top({ file: '', at: () => ({ line: 1, column: 1 }) });
  const fetched = Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      if (name === 'file' && typeof value === 'string') return [name, new FetchedText(value, spot.at(name))];
      return [name, value instanceof Secret ? new FetchedSecret(value, spot.at(name)) : value];
    }),
  );
  const options = policyKinds[kind]!.options.read(fetched, spot);
  if (faults.length > 0) throw new Error(faults.map(({ path, expected }) => `${path} ${expected}`.trim()).join('\n'));
  return options;
}

/** A policy named like its kind. */
export function policy(
  kind: string,
  options: Readonly<Record<string, unknown>> = {},
  action: Action = 'block',
  parts: PolicyParts = {},
): Policy {
  return createPolicy({ ...plain, name: kind, kind, on: both, action, options: optionsOf(kind, options) }, parts);
}

export function verdict(policies: readonly Policy[], ...texts: readonly string[]): Verdict {
  return judgeNow(policies, 'prompt', texts);
}

/** The parts of a text that a policy objects to, each with its rule. */
export function found(one: Policy, text: string): string[] {
  return verdict([one], text).hits.map(({ rule, start, length }) => `${rule}: ${text.slice(start, start + length)}`);
}

/** The texts of a list, one a line. */
export function rows(text: string): string[] {
  return text.trim().split('\n');
}
