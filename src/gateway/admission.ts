import { tenantHeader } from '../wire/request.ts';
import type { Caller } from './access/access.ts';
import type { GatewayParts, GatewayRequest, ReadyMotif } from './contract.ts';
import { Refusal } from './refusal.ts';

/** Judges who asks whom, in the order of the contract: 404, 405, 401, 403. */
export function admit(request: GatewayRequest, { access }: GatewayParts): Caller {
  const motifId = motifIdOf(request.path);
  if (motifId === undefined) throw new Refusal('not_found');
  if (request.method !== 'POST') throw new Refusal('method_not_allowed');
  const { headers } = request;
  const admitted = access.admit({ motifId, authorization: headers.authorization, tenant: headers[tenantHeader] });
  const isUnauthorized = admitted instanceof Refusal && admitted.code === 'unauthorized';
  if (headers.origin !== undefined && !isUnauthorized) throw new Refusal('origin_forbidden');
  if (admitted instanceof Refusal) throw admitted;
  return admitted;
}

/** Judges what remains before the body is read: 415, and 503 for a Motif of which a part cannot be read. */
export function findMotif({ motifId }: Caller, { headers }: GatewayRequest, { motifs }: GatewayParts): ReadyMotif {
  if (!isJson(headers)) throw new Refusal('unsupported_media_type');
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

function isJson({ 'content-type': type, 'content-encoding': encoding }: GatewayRequest['headers']): boolean {
  return type !== undefined && jsonType.test(type) && (encoding === undefined || encoding.toLowerCase() === 'identity');
}
