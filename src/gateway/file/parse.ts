import { createHash } from 'node:crypto';
import type { DocumentFault, Path, FilePlace } from '../../documents/fault.ts';
import { keysOf } from '../../documents/keys.ts';
import { Spot } from '../../documents/spot.ts';
import { readInPieces } from '../../documents/shape.ts';
import { loadYaml } from '../../documents/load-yaml.ts';
import { type Fields, isFields } from '../../text/json/json.ts';
import { inTurns, type Piecework } from '../../text/turns.ts';
import type { GatewayConfig, MotifConfig, PolicyConfig, UsageLimits } from '../config.ts';
import { checkGateway } from './checks.ts';
import { policySecrets, toPolicies } from './policies.ts';
import { providerCertificates, providerSecrets, toProviders } from './providers.ts';
import { fallbackCausesDefault } from '../providers/fallback.ts';
import { namedIn, type Sources } from './secrets.ts';
import { type GatewayFile, gatewayShape, type UsageLimitsFile } from './shape.ts';

export interface GatewayFileParts extends Sources {
  /** The name of the file in faults. */
  readonly file: string;
  /** The moment for which what has an end is judged. */
  readonly now: number;
  /** Policies of the version before: one whose entry and file are the same stays. */
  readonly before?: ReadonlyMap<string, PolicyConfig> | undefined;
  /** A mock stands in for every provider, so that their secrets are neither needed nor looked for. */
  readonly areProvidersReplaced?: boolean;
}

export interface ParsedGateway {
  /** Undefined where there are faults. */
  readonly config: GatewayConfig | undefined;
  readonly faults: readonly DocumentFault[];
  /** Faults of files that it names; the policies and providers that need one of those are not in `config`. */
  readonly namedFaults: readonly DocumentFault[];
  /** Warnings of what works and may not be meant. */
  readonly warnings: readonly DocumentFault[];
  /** Variables and files that are not there: nothing can be served, but the file may be right. */
  readonly missingSecrets: readonly DocumentFault[];
  /** A place of the file, for faults that are found later. */
  readonly at: (path: Path) => FilePlace;
}

/** Room for 10,000 Motifs with a few tokens each. */
export const gatewayFileBytesMax = 16 * 1024 * 1024;

/** Reads a gateway file whole: everything that is wrong with it is found at once, and nothing of it is used before. */
export async function parseGatewayFile(text: string, parts: GatewayFileParts): Promise<ParsedGateway> {
  const { at, ...yaml } = placedAsMeant(await loadYaml(text, parts.file, { bytesMax: gatewayFileBytesMax }));
  const top = Spot.top({ file: parts.file, at });
  const { spot: warn, faults: warnings } = Spot.top({ file: parts.file, at });
  const { spot: missing, faults: missingSecrets } = Spot.top({ file: parts.file, at });
  const { spot: named, faults: namedFaults } = Spot.top({ file: parts.file, at });
  const told = { namedFaults, warnings, missingSecrets, at };
  const fail = (faults: readonly DocumentFault[]) => ({ config: undefined, faults, ...told });
  if (yaml.value === undefined || yaml.value === null) {
    return fail(yaml.faults.length > 0 ? yaml.faults : [emptyFault(parts.file)]);
  }
  const file = (await inTurns(readInPieces(gatewayShape, yaml.value, top.spot))) ?? (await inTurns(restOf(yaml.value)));
  if (file === undefined) return fail(inOrder([...yaml.faults, ...top.faults]));
  const spots = { spot: top.spot, named, warn, missing };
  const providers = await toProviders(file.providers, parts, spots);
  const policies = await toPolicies(file.policies, parts, spots);
  const secrets = secretsOf(file);
  const motifs = await inTurns(toMotifs(file.motifs));
  const config: GatewayConfig = { ...settingsOf(file, hashOf(text)), ...secrets, providers, policies, motifs };
  await inTurns(checkGateway(config, yaml.value as Fields, spots));
  const faults = inOrder([...yaml.faults, ...top.faults]);
  return faults.length > 0 ? fail(faults) : { config, faults, ...told };
}

function secretsOf({
  listen,
  providers,
  policies,
}: GatewayFile): Pick<GatewayConfig, 'secretVariables' | 'secretFiles'> {
  const { variables, files } = namedIn([...providerSecrets(providers), ...policySecrets(policies)]);
  const { cert, key } = listen?.tls ?? {};
  const certificates = [...providerCertificates(providers), cert, key].filter((name) => name !== undefined);
  return { secretVariables: new Set(variables), secretFiles: [...files, ...certificates] };
}

/** The first 16 hex digits of the SHA-256 of the file. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function emptyFault(file: string): DocumentFault {
  return { file, line: 1, column: 1, path: '', expected: 'the file is empty: it needs providers and motifs' };
}

function inOrder(faults: readonly DocumentFault[]): readonly DocumentFault[] {
  return [...faults].sort((one, other) => one.line - other.line || one.column - other.column);
}

/** The file with its required sections empty where they are missing or no maps, so that the others are still judged. */
function* restOf(value: unknown): Piecework<GatewayFile | undefined> {
  if (!isFields(value)) return undefined;
  const keys = keysOf(value, ['providers', 'motifs']);
  const sectionOf = (name: string) => (isFields(value[keys.get(name) ?? name]) ? value[keys.get(name) ?? name] : {});
  const rest = { ...value, providers: sectionOf('providers'), motifs: sectionOf('motifs') };
  return yield* readInPieces(gatewayShape, rest, Spot.silent());
}

/** The same document, in which a section is found where its name is misspelt. */
function placedAsMeant({
  at,
  value,
  faults,
}: Awaited<ReturnType<typeof loadYaml>>): Awaited<ReturnType<typeof loadYaml>> {
  if (!isFields(value)) return { at, value, faults };
  const keys = keysOf(value, Object.keys(gatewayShape.fields ?? {}));
  return {
    value,
    faults,
    at: ([section, ...rest]) => at(section === undefined ? [] : [keys.get(String(section)) ?? section, ...rest]),
  };
}

function settingsOf(
  file: GatewayFile,
  hash: string,
): Omit<GatewayConfig, 'secretVariables' | 'secretFiles' | 'providers' | 'policies' | 'motifs'> {
  const { listen, limits, audit, admin } = file;
  return {
    hash,
    tenant: file.tenant,
    listen: {
      host: listen?.host ?? '127.0.0.1',
      port: listen?.port ?? 8080,
      workers: listen?.workers ?? 1,
      publicUrl: listen?.public_url?.replace(/\/+$/, ''),
      allowHttp: listen?.allow_http ?? false,
      tls: listen?.tls,
    },
    limits: {
      bodyBytes: limits?.body ?? 1024 * 1024,
      messages: limits?.messages ?? 256,
      providerTimeoutMs: limits?.provider_timeout ?? 120_000,
      inFlight: limits?.in_flight ?? 512,
      policyWork: limits?.policy_work,
    },
    audit: audit && { file: audit.file, text: audit.text ?? false, whenFull: audit.when_full ?? 'refuse' },
    admin: admin && { host: admin.host ?? '127.0.0.1', port: admin.port ?? 9464 },
    groups: mapped(file.groups, (users) => new Set(users)),
    knowledge: mapped(file.knowledge, ({ files, top }, name) => ({ name, files, top: top ?? 4 })),
  };
}

function* toMotifs(entries: GatewayFile['motifs']): Piecework<ReadonlyMap<string, MotifConfig>> {
  const motifs = new Map<string, MotifConfig>();
  for (const [id, motif] of entries) {
    motifs.set(id, toMotif(motif, id));
    yield;
  }
  return motifs;
}

function toMotif(
  motif: GatewayFile['motifs'] extends ReadonlyMap<string, infer M> ? M : never,
  id: string,
): MotifConfig {
  return {
    id,
    name: motif.name ?? id,
    provider: motif.provider,
    fallback: motif.fallback && {
      provider: motif.fallback.provider,
      model: motif.fallback.model,
      on: motif.fallback.on === undefined ? fallbackCausesDefault : new Set(motif.fallback.on),
    },
    model: motif.model,
    params: Object.fromEntries(motif.params ?? []),
    system: motif.system,
    team: motif.team,
    users: new Set(motif.users),
    groups: new Set(motif.groups),
    policies: motif.policies ?? [],
    knowledge: motif.knowledge ?? [],
    limits: toLimits(motif.limits),
    tokens: (motif.tokens ?? []).map(
      ({ id: tokenId, sha256, user, team, created, expires, replaced_by: replacedBy, limits }) => ({
        id: tokenId,
        sha256,
        user,
        team,
        createdAt: created,
        expiresAt: expires,
        replacedBy,
        limits: toLimits(limits),
      }),
    ),
  };
}

function toLimits(limits: UsageLimitsFile | undefined): UsageLimits {
  return { rpm: limits?.rpm, tokensPerDay: limits?.tokens_per_day, inFlight: limits?.in_flight };
}

function mapped<T, U>(
  entries: ReadonlyMap<string, T> | undefined,
  make: (value: T, name: string) => U,
): ReadonlyMap<string, U> {
  return new Map([...(entries ?? [])].map(([name, value]) => [name, make(value, name)]));
}
