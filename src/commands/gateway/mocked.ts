import type { GatewayConfig, ProviderConfig } from '../../gateway/config.ts';
import { policyKinds } from '../../gateway/policies/index.ts';

/**
 * A mock for each provider instead of a model; a mock of the file stays as it is. It quotes the knowledge of the Motif,
 * and says back what it was asked where the Motif has none. An audit names it `mock`.
 */
export function mocked(config: GatewayConfig): GatewayConfig {
  const replaced = [...config.providers].filter(([, { kind }]) => kind !== 'mock');
  const providers = new Map(config.providers);
  for (const [name, each] of replaced) {
    providers.set(name, standIn(each, 'quote'));
    providers.set(sayingName(name), standIn(each, 'say'));
  }
  const answering = (name: string): string => (providers.has(sayingName(name)) ? sayingName(name) : name);
  const motifs = [...config.motifs].map(([id, motif]) => {
    const { provider, fallback, knowledge } = motif;
    if (knowledge.length > 0) return [id, motif] as const;
    const other = fallback && { ...fallback, provider: answering(fallback.provider) };
    return [id, { ...motif, provider: answering(provider), fallback: other }] as const;
  });
  return { ...config, providers, motifs: new Map(motifs) };
}

/** The provider of a Motif in whose place a mock answers; undefined where a mock of the file answers anyway. */
export function replacedProvider({ motifs, providers }: GatewayConfig, motifId: string): string | undefined {
  const provider = motifs.get(motifId)?.provider ?? '';
  return providers.get(provider)?.kind === 'mock' ? undefined : provider;
}

/** A name that no gateway file can give. */
function sayingName(name: string): string {
  return `${name} (said)`;
}

function standIn(provider: ProviderConfig, mode: 'quote' | 'say'): ProviderConfig {
  const mock = { mode, script: [], latencyMs: 0, failRate: 0, seed: 0 };
  return { ...provider, name: 'mock', kind: 'mock', key: undefined, headers: {}, mock };
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
