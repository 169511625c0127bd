import type { PolicyConfig } from '../config.ts';
import { injection } from './kinds/injection.ts';
import { invisible } from './kinds/invisible.ts';
import { length } from './kinds/length.ts';
import { pii } from './kinds/pii.ts';
import { type Policy, PolicyFault, type PolicyKind, type PolicyParts } from './policy.ts';
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

/** Throws a PolicyFault that names the path of what is wrong, from `policies.` on. */
export function createPolicy({ name, kind, on, action, options }: PolicyConfig, parts: PolicyParts = {}): Policy {
  const at = `policies.${name}`;
  const found = Object.hasOwn(policyKinds, kind) ? policyKinds[kind] : undefined;
  if (found === undefined) throw new PolicyFault(`${at}.kind must be one of ${Object.keys(policyKinds).join(', ')}`);
  const { sides, seam } = found;
  const meant = new Set([...on].filter((side) => sides?.includes(side) ?? true));
  if (meant.size === 0)
    throw new PolicyFault(`${at}.on must be ${sides?.join(' or ')}: a ${kind} policy has no meaning elsewhere`);
  return { name, kind, on: meant, action, ...(seam !== undefined && { seam }), ...found.create(options, at, parts) };
}
