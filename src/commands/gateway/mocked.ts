import type { GatewayConfig, ProviderConfig } from '../../gateway/config.ts';
import { policyKinds } from '../../gateway/policies/index.ts';

/** Each provider quotes the knowledge instead of asking a model; a mock of the file stays as it is. */
export function mocked(config: GatewayConfig): GatewayConfig {
  const mock = { mode: 'quote', script: [], latencyMs: 0, failRate: 0, seed: 0 } as const;
  const replace = (each: ProviderConfig): ProviderConfig =>
    each.kind === 'mock' ? each : { ...each, kind: 'mock', key: undefined, headers: {}, mock };
  return { ...config, providers: new Map([...config.providers].map(([name, each]) => [name, replace(each)])) };
}

/** The configuration without policies that ask somebody outside, and their names where the Motif has some. */
export function withoutOutside(
  config: GatewayConfig,
  motifId?: string,
): { readonly config: GatewayConfig; readonly notAsked: readonly string[] } {
  const isPureOrUnknown = (name: string): boolean =>
    policyKinds[config.policies.get(name)?.kind ?? '']?.isPure !== false;
  const notAsked = new Set<string>();
  const motifs = [...config.motifs].map(([id, motif]) => {
    if (motifId === undefined || id === motifId)
      for (const name of motif.policies) if (!isPureOrUnknown(name)) notAsked.add(name);
    return [id, { ...motif, policies: motif.policies.filter(isPureOrUnknown) }] as const;
  });
  return { config: { ...config, motifs: new Map(motifs) }, notAsked: [...notAsked] };
}
