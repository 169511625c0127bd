import { isLoopback, parseProxyRoute, proxyExpected, type ProxyRoute } from '../../wire/http.ts';
import type { Secret } from '../../text/secret.ts';
import type { ProviderConfig } from '../config.ts';
import { certificateRemark, holdsCertificate, trustedCertificate } from './certificates.ts';
import { fileWords, resolveSecret, type Sources, spotsAt, type Spots } from './secrets.ts';
import type { GatewayFile } from './shape.ts';
import { checkBaseUrl } from '../providers/index.ts';

interface ProviderSources extends Sources {
  readonly now: number;
  readonly areProvidersReplaced?: boolean;
}

type ProviderEntry = GatewayFile['providers'] extends ReadonlyMap<string, infer P> ? P : never;
type UpstreamEntry = Exclude<ProviderEntry, { readonly kind: 'mock' }>;

/** The texts of providers that may name secrets. */
export function providerSecrets(entries: GatewayFile['providers']): readonly string[] {
  return upstreamsOf(entries)
    .flatMap(({ key, headers, proxy }) => [key, proxy, ...(headers?.values() ?? [])])
    .filter((text) => text !== undefined);
}

/** The files of certificates that providers name. */
export function providerCertificates(entries: GatewayFile['providers']): readonly string[] {
  return upstreamsOf(entries)
    .map(({ ca }) => ca)
    .filter((file) => file !== undefined);
}

function upstreamsOf(entries: GatewayFile['providers']): readonly UpstreamEntry[] {
  return [...entries.values()].filter((entry) => entry.kind !== 'mock');
}

export async function toProviders(
  entries: GatewayFile['providers'],
  parts: ProviderSources,
  spots: Spots,
): Promise<ReadonlyMap<string, ProviderConfig>> {
  const providers = new Map<string, ProviderConfig>();
  for (const [name, entry] of entries) {
    const at = spotsAt(spots, 'providers', name);
    const provider = entry.kind === 'mock' ? toMock(name, entry, at) : await toUpstream(name, entry, parts, at);
    if (provider !== undefined) providers.set(name, provider);
  }
  return providers;
}

const noUpstream = {
  baseUrl: undefined,
  key: undefined,
  headers: {},
  timeoutMs: undefined,
  retries: 0,
  retriesReused: false,
  proxy: undefined,
  ca: undefined,
  azure: undefined,
};

function toMock(
  name: string,
  entry: Extract<ProviderEntry, { readonly kind: 'mock' }>,
  { spot }: Spots,
): ProviderConfig {
  const { mode = 'echo', script = [] } = entry;
  if (mode === 'script' && script.length === 0) spot.fault('needs script, a list of answers, for mode script');
  const { latency: latencyMs = 0, fail_rate: failRate = 0, seed = 1, prices = new Map() } = entry;
  return { name, kind: 'mock', ...noUpstream, mock: { mode, script, latencyMs, failRate, seed }, prices };
}

const retriesDefault = 2;

async function toUpstream(
  name: string,
  entry: UpstreamEntry,
  parts: ProviderSources,
  spots: Spots,
): Promise<ProviderConfig | undefined> {
  checkAddress(entry, spots);
  const isReplaced = parts.areProvidersReplaced === true;
  const ca = isReplaced || entry.ca === undefined ? undefined : await readCa(entry.ca, parts, spotsAt(spots, 'ca'));
  // The rest is read all the same: its faults are told too, and no audit is written into its files.
  const upstream = {
    name,
    kind: entry.kind,
    baseUrl: entry.base_url,
    key: isReplaced || entry.key === undefined ? undefined : await secretOf(entry.key, parts, spotsAt(spots, 'key')),
    headers: isReplaced ? {} : await toHeaders(entry.headers, parts, spots),
    timeoutMs: entry.timeout,
    retries: entry.retries ?? retriesDefault,
    retriesReused: entry.retry_reused ?? true,
    proxy:
      isReplaced || entry.proxy === undefined ? undefined : await toProxy(entry.proxy, parts, spotsAt(spots, 'proxy')),
    ca,
    azure: entry.kind === 'azure' ? { deployment: entry.deployment, apiVersion: entry.api_version } : undefined,
    mock: undefined,
    prices: entry.prices ?? new Map(),
  };
  return ca === undefined && entry.ca !== undefined && !isReplaced ? undefined : upstream;
}

function checkAddress({ kind, base_url, key }: UpstreamEntry, { spot, warn }: Spots): void {
  const fault = checkBaseUrl(kind, base_url);
  const at = spot.at('base_url');
  if (fault !== undefined) return at.fault(`${fault}${at.found(base_url)}`);
  if (base_url === undefined || key === undefined) return;
  const { protocol, hostname } = new URL(base_url);
  if (protocol === 'http:' && !isLoopback(hostname))
    warn.at('base_url').fault('sends the key of this provider unencrypted');
}

async function secretOf(text: string, parts: ProviderSources, spots: Spots): Promise<Secret | undefined> {
  const resolved = await resolveSecret(text, parts, spots);
  if (resolved?.isPlain) spots.warn.fault('stands in the file itself; ${VARIABLE} or ${file:PATH} keeps it out');
  return resolved?.secret;
}

/** A header is a secret where it says so by ${...}, and a plain text otherwise. */
async function toHeaders(
  headers: ReadonlyMap<string, string> | undefined,
  parts: ProviderSources,
  spots: Spots,
): Promise<Record<string, string | Secret>> {
  const made: Record<string, string | Secret> = {};
  for (const [name, text] of headers ?? []) {
    const resolved = await resolveSecret(text, parts, spotsAt(spots, 'headers', name));
    if (resolved !== undefined) made[name.toLowerCase()] = resolved.isPlain ? text : resolved.secret;
  }
  return made;
}

/** A password in the address is a secret, which nothing shows. */
async function toProxy(text: string, parts: ProviderSources, spots: Spots): Promise<ProxyRoute | undefined> {
  const resolved = await resolveSecret(text, parts, spots);
  return resolved && (parseProxyRoute(resolved.secret.reveal()) ?? resolved.spot.fault(proxyExpected));
}

async function readCa(
  path: string,
  { readFile, now }: ProviderSources,
  { named, warn }: Spots,
): Promise<string | undefined> {
  try {
    const pem = await readFile(path);
    if (!holdsCertificate(pem)) return named.fault('must name a PEM file with certificates');
    const remark = certificateRemark(path, pem, now, trustedCertificate);
    if (remark !== undefined) warn.fault(remark);
    return pem;
  } catch (error) {
    return named.fault(`names ${fileWords(path, error)}`);
  }
}
