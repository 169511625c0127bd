import { suggestion } from '../../documents/spot.ts';
import { defuseLine } from '../../text/defuse.ts';
import { isLoopback } from '../../wire/http.ts';
import type { GatewayConfig, MotifConfig } from '../config.ts';
import { spotsAt, type Spots } from './secrets.ts';
import { checkParams, isModelRequired, refusedParams } from '../providers/index.ts';

/** Names of a section as they stand in the file. */
export type NamesIn = Readonly<Record<'providers' | 'policies' | 'knowledge' | 'groups', ReadonlySet<string>>>;

/** Checks what concerns several values: names that are used, and rules across keys. */
export function checkGateway(config: GatewayConfig, namesIn: NamesIn, spots: Spots): void {
  checkListen(config, spots);
  for (const motif of config.motifs.values()) {
    const at = spotsAt(spots, 'motifs', motif.id);
    checkNames(motif, namesIn, at);
    checkProvider(motif, config, at);
    checkTokens(motif, at);
    if (motif.policies.length === 0) at.warn.fault('has no policies: its prompts and answers are not checked');
  }
  checkUsed(config, namesIn, spots);
}

/** A policy that was written and forgotten in the Motifs looks like a guard, and is none. */
function checkUsed({ motifs }: GatewayConfig, { policies }: NamesIn, { warn }: Spots): void {
  const used = new Set([...motifs.values()].flatMap((motif) => motif.policies));
  for (const name of motifs.size === 0 ? [] : policies) {
    if (!used.has(name)) warn.at('policies', name).fault('judges nothing: no Motif has it among its policies');
  }
}

function checkListen({ listen }: GatewayConfig, { spot }: Spots): void {
  if (isLoopback(listen.host) || listen.tls !== undefined || listen.allowHttp) return;
  const way = 'needs tls, for other machines can reach it';
  spot
    .at('listen', 'host')
    .fault(`${way}; or listen.allow_http: true where TLS ends in front of the gateway (motif help tls)`);
}

function checkNames(motif: MotifConfig, namesIn: NamesIn, { spot }: Spots): void {
  const check = (section: keyof NamesIn, name: string, ...path: readonly (string | number)[]): void => {
    const known = namesIn[section];
    if (known.has(name)) return;
    const words = `names ${defuseLine(name, 60)}, which is not in ${section}; ${suggestion(name, [...known])}`;
    spot.at(...path).fault(words);
  };
  check('providers', motif.provider, 'provider');
  if (motif.fallback !== undefined) check('providers', motif.fallback.provider, 'fallback');
  if (motif.fallback?.provider === motif.provider && motif.fallback.model === undefined)
    spot.at('fallback').fault('must be another provider, or another model of this one');
  motif.policies.forEach((name, index) => check('policies', name, 'policies', index));
  motif.knowledge.forEach((name, index) => check('knowledge', name, 'knowledge', index));
  [...motif.groups].forEach((name, index) => check('groups', name, 'groups', index));
}

/** The fallback takes what it knows of the parameters, so they are judged by the provider that is asked first. */
function checkProvider(motif: MotifConfig, { providers }: GatewayConfig, { spot, warn }: Spots): void {
  const provider = providers.get(motif.provider);
  if (provider === undefined) return;
  if (motif.model === undefined && isModelRequired(provider.kind))
    spot.fault(`needs model, for a provider of kind ${provider.kind}`);
  for (const { name, expected } of checkParams(provider.kind, motif.params)) {
    spot.at('params', name).fault(expected);
  }
  for (const name of refusedParams(provider.kind, motif.model, motif.params)) {
    warn.at('params', name).fault(`is refused by models like ${motif.model}`);
  }
}

function checkTokens({ tokens }: MotifConfig, { spot }: Spots): void {
  const ids = new Set<string>();
  const digests = new Set<string>();
  tokens.forEach(({ id, sha256 }, index) => {
    const at = spot.at('tokens', index);
    if (ids.has(id)) at.at('id').fault('is the ID of an earlier token of this Motif');
    if (digests.has(sha256)) at.at('sha256').fault('is the hash of an earlier token of this Motif');
    ids.add(id);
    digests.add(sha256);
  });
}
