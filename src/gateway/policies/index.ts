import type { PolicyConfig } from '../config.ts';
import { createExceptions } from './exceptions.ts';
import { injection } from './kinds/injection.ts';
import { invisible } from './kinds/invisible.ts';
import { length } from './kinds/length.ts';
import { pii } from './kinds/pii.ts';
import type { Policy, PolicyKind, PolicyParts } from './policy.ts';
import { regex } from './kinds/regex.ts';
import { schema } from './kinds/schema.ts';
import { secrets } from './kinds/secrets.ts';
import { urls } from './kinds/urls.ts';
import { webhook } from './kinds/webhook.ts';
import { words } from './kinds/words.ts';

/** Every kind of policy, by the name that a gateway file has for it. */
export const policyKinds: Readonly<Record<string, PolicyKind>> = {
  words,
  regex,
  pii,
  secrets,
  injection,
  invisible,
  length,
  urls,
  schema,
  webhook,
};

/** Of policies that ask nobody, what was made of their options: versions of the file that share one share this too. */
const madeOf = new WeakMap<PolicyConfig, ReturnType<PolicyKind['create']>>();

/** The policy of a configuration; on the sides alone that its kind can judge. */
export function createPolicy(config: PolicyConfig, parts: PolicyParts = {}): Policy {
  const { name, kind, on, action, except, without, options } = config;
  const ofKind = policyKinds[kind]!;
  const { sides, messageSeparators, readsNameBefore = false, findsListed = false } = ofKind;
  const leftOut = new Set(without);
  const made = madeOf.get(config) ?? ofKind.create(options, parts, leftOut);
  if (ofKind.isPure) madeOf.set(config, made);
  const judged = new Set([...on].filter((side) => sides?.includes(side) ?? true));
  return {
    name,
    kind,
    on: judged,
    action,
    ...(messageSeparators !== undefined && { messageSeparators }),
    readsNameBefore,
    findsListed,
    exceptionFor: createExceptions(except, parts.now ?? Date.now),
    without: without.length === 0 ? undefined : leftOut,
    ...made,
  };
}
