import { isIP } from 'node:net';
import { counted } from '../../text/sizes.ts';
import { dayMs, formatDuration, toDay } from '../../text/durations.ts';
import { type CertificateFacts, isLoopback } from '../../wire/http.ts';
import type { Examined } from './examination.ts';

/** The words of a layer that works. */
export interface LayerWords {
  readonly message: string;
  readonly isWarning?: boolean;
  /** True where nothing could be told, which is no fault and no proof. */
  readonly isUnknown?: boolean;
  readonly notes?: readonly string[];
  readonly hints?: readonly string[];
}

/** A certificate that ends within this time should have a successor already. */
const expiryWarningMs = 14 * dayMs;

export function describeProxy({ proxyChoice, target }: Examined): LayerWords | undefined {
  if (proxyChoice === undefined || target === undefined) return undefined;
  const { hostname } = new URL(target.baseUrl);
  if (proxyChoice.proxy !== undefined) {
    const { url, from, credentials } = proxyChoice.proxy;
    return { message: `through ${url}${credentials ? ' with name and password' : ''}, which ${from} names` };
  }
  if (isLoopback(hostname)) return { message: 'direct: loopback never uses a proxy' };
  return { message: proxyChoice.isExempt ? `direct, for NO_PROXY names ${hostname}` : 'direct, for no proxy is set' };
}

export function describeDns(facts: Examined): LayerWords | undefined {
  const { reach } = facts;
  const host = nearestHost(facts);
  if (reach === undefined || host === undefined) return undefined;
  if (isIP(host) !== 0) return { message: `${host} is an address, no name has to be looked up` };
  if (reach.addresses.length === 0) return undefined;
  return { message: `${host} is ${reach.addresses.join(', ')}${after(reach.dnsMs)}` };
}

export function describeConnect(facts: Examined): LayerWords | undefined {
  const { reach, proxyChoice } = facts;
  if (reach === undefined || reach.address === null) return undefined;
  const proxy = proxyChoice?.proxy === undefined ? '' : 'the proxy at ';
  return { message: `connected to ${proxy}${reach.address}${after(reach.connectMs)}` };
}

/** The host whose name is looked up here: the proxy where there is one, which looks up the other. */
function nearestHost({ proxyChoice, target }: Examined): string | undefined {
  const url = proxyChoice?.proxy?.url ?? target?.baseUrl;
  return url === undefined ? undefined : new URL(url).hostname.replace(/^\[|\]$/g, '');
}

export function describeTls({ reach, target, now }: Examined): LayerWords | undefined {
  if (reach === undefined || target === undefined) return undefined;
  if (target.baseUrl.startsWith('http:')) {
    return reach.failure === null ? { message: 'not used: the address is plain http' } : undefined;
  }
  if (reach.tls === null) return undefined;
  const { protocol, chain } = reach.tls;
  const ending = chain.find(({ validTo }) => validTo - now < expiryWarningMs);
  const notes = chain.map((certificate) => certificateLine(certificate, now));
  if (ending === undefined || reach.failure !== null)
    return { message: `${protocol ?? 'TLS'}${after(reach.tlsMs)}`, notes };
  const hints = ['tell the administrator of the service that it has to be renewed'];
  return { message: `the certificate ${ending.subject} ${endOf(ending, now)}`, isWarning: true, notes, hints };
}

function certificateLine(certificate: CertificateFacts, now: number): string {
  const { subject, issuer, validFrom } = certificate;
  const early = validFrom > now ? `valid from ${toDay(validFrom)}, ` : '';
  return `certificate ${subject}, issued by ${issuer}: ${early}${endOf(certificate, now)}`;
}

function endOf({ validTo }: CertificateFacts, now: number): string {
  if (Number.isNaN(validTo)) return 'it does not say when it ends';
  const days = Math.floor(Math.abs(validTo - now) / dayMs);
  const span = counted(days, 'day');
  return validTo < now ? `expired on ${toDay(validTo)}, ${span} ago` : `expires on ${toDay(validTo)}, in ${span}`;
}

/** The time of a step, for the end of its line. */
export function after(ms: number | null): string {
  return ms === null ? '' : `, ${formatDuration(ms)}`;
}
