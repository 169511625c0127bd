import { tenantHeader } from '../wire/request.ts';
import type { Caller } from './access/access.ts';
import type { GatewayParts, GatewayRequest, ReadyMotif, Trace } from './contract.ts';
import { Refusal } from './refusal.ts';

/** Judges who asks whom, in the order of the contract: 404, 405, 401, 403. The trace has the caller of a 403, too. */
export function admit(request: GatewayRequest, trace: Trace, { access }: GatewayParts): Caller {
  const motifId = motifIdOf(request.path);
  if (motifId === undefined) throw new Refusal('not_found');
  if (request.method !== 'POST') throw new Refusal('method_not_allowed');
  const { headers, lastToken } = request;
  const { authorization, [tenantHeader]: tenant } = headers;
  const admitted = access.admit({ motifId, authorization, tenant, lastToken });
  if (admitted instanceof Refusal) throw admitted;
  const { caller, refusal } = admitted;
  trace.caller = caller;
  if (headers.origin !== undefined) throw new Refusal('origin_forbidden');
  if (refusal !== undefined) throw refusal;
  return caller;
}

/** Milliseconds from which on a request took long. */
const longMs = 1_000;

/** Refuses a caller whose token was revoked or came to its end since: a body may take a minute, a webhook seconds. */
export function admitAgain(request: GatewayRequest, trace: Trace, parts: GatewayParts): void {
  const access = parts.newestAccess?.() ?? parts.access;
  const wasLong = parts.monotonic() - trace.startedAt > longMs;
  if (access !== parts.access || wasLong) admit(request, trace, { ...parts, access });
}

/** Judges what remains before the body is read: 415, and 503 for a Motif of which a part cannot be read. */
export function findMotif({ motifId }: Caller, { headers }: GatewayRequest, { motifs }: GatewayParts): ReadyMotif {
  const message = mediaFault(headers);
  if (message !== undefined) throw new Refusal('unsupported_media_type', { message });
  const motif = motifs.get(motifId);
  if (motif === undefined) throw new Refusal('motif_unavailable');
  return motif;
}

const promptPath = /^\/api\/v1\/apps\/([^/?#]+)\/prompts(?:\?.*)?$/s;

function motifIdOf(path: string): string | undefined {
  const [, encoded] = promptPath.exec(path) ?? [];
  if (encoded === undefined || !encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

const jsonType = /^application\/json *(; *charset="?utf-8"? *)?$/i;

/** The header that does not fit, in words; undefined where the body is said to be JSON as it is. */
function mediaFault(headers: GatewayRequest['headers']): string | undefined {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = headers;
  if (type === undefined) return 'the header content-type is missing: it has to be application/json';
  if (type !== 'application/json' && !jsonType.test(type))
    return 'the header content-type has to be application/json, in UTF-8 where it names a charset';
  if (encoding.toLowerCase() === 'identity') return undefined;
  return 'the body is not taken compressed or encoded: leave out the header content-encoding';
}
