import type { GatewayConfig, PolicyConfig } from '../../gateway/config.ts';
import { createExceptions } from '../../gateway/policies/exceptions.ts';
import { policyKinds } from '../../gateway/policies/index.ts';
import type { GuardedPolicy, PolicyChange } from '../../suites/gateway-inside.ts';
import { atOnce } from '../../text/turns.ts';
import { sampleOfPart, sampleOfPolicy } from './samples.ts';

/** Options that list what a policy looks for; each entry is a part that a suite can leave untested. */
const partLists = ['entities', 'words', 'patterns'] as const;

type PartOptions = Readonly<Partial<Record<(typeof partLists)[number], readonly string[]>>>;

/** The policies of a Motif, those among them that are not asked too. */
export function guardedPolicies(
  names: readonly string[],
  config: GatewayConfig,
  placeOf: (policy: string) => ReturnType<GuardedPolicy['place']>,
  now: () => number,
): readonly GuardedPolicy[] {
  const outside = [...config.policies.values()].filter(({ kind }) => !isPureKind(kind)).map(({ name }) => name);
  return [...new Set([...names, ...outside])].flatMap((name) => {
    const policy = config.policies.get(name);
    if (policy === undefined) return [];
    const { kind, action } = policy;
    const looksFor = looksForOf(policy);
    const isOnPrompt = policy.on.has('prompt');
    // A single part is the policy itself.
    const parts = looksFor.length > 1 ? looksFor : [];
    const sample = sampleOfPolicy(policy, isOnPrompt);
    const partSample = (part: string) => sampleOfPart(policy, part, isOnPrompt);
    const place = () => placeOf(name);
    const isPure = isPureKind(kind);
    const isExcepted = (text: string): boolean => isFreed(text, policy, now);
    return [{ policy: name, place, kind, action, isPure, isOnPrompt, looksFor, parts, isExcepted, sample, partSample }];
  });
}

function isFreed(text: string, { except }: PolicyConfig, now: () => number): boolean {
  const exceptionFor = createExceptions(except, now);
  return exceptionFor !== undefined && atOnce(exceptionFor(text)) !== undefined;
}

/** Undefined is a policy that the file does not have, which is told elsewhere. */
function isPureKind(kind: string | undefined): boolean {
  return kind === undefined || policyKinds[kind]?.isPure === true;
}

function looksForOf({ options }: PolicyConfig): readonly string[] {
  return partLists.flatMap((list) => (options as PartOptions)[list] ?? []);
}

const weaker = { block: 'redact', redact: 'warn', warn: 'warn' } as const;

/** The configuration of a Motif with one of its policies changed; the file itself is never touched. */
export function withChange(config: GatewayConfig, motifId: string, { policy, change }: PolicyChange): GatewayConfig {
  const motif = config.motifs.get(motifId)!;
  const found = config.policies.get(policy)!;
  const names = change === 'off' ? motif.policies.filter((name) => name !== policy) : motif.policies;
  const changed = change === 'off' ? found : change === 'weakened' ? weakened(found) : withoutPart(found, change.part);
  return {
    ...config,
    policies: new Map(
      [...config.policies].flatMap(([name, each]) => policyEntry(name, name === policy ? changed : each, names)),
    ),
    // A text that stays as it is need not be read again.
    knowledge: new Map(),
    motifs: new Map([[motifId, { ...motif, policies: names, knowledge: [] }]]),
  };
}

function policyEntry(name: string, policy: PolicyConfig, used: readonly string[]): readonly [string, PolicyConfig][] {
  return used.includes(name) ? [[name, policy]] : [];
}

function weakened(policy: PolicyConfig): PolicyConfig {
  return { ...policy, action: weaker[policy.action] };
}

function withoutPart(policy: PolicyConfig, part: string): PolicyConfig {
  const options = policy.options as PartOptions;
  const left = partLists.flatMap((list) => {
    const entries = options[list];
    return entries === undefined ? [] : [[list, entries.filter((entry) => entry !== part)] as const];
  });
  return { ...policy, options: { ...options, ...Object.fromEntries(left) } };
}
