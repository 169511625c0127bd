import { tenantHeader } from '../wire/request.ts';
import type { Caller } from './access/access.ts';
import type { GatewayParts, GatewayRequest, ReadyMotif, Trace } from './contract.ts';
import { Refusal } from './refusal.ts';

/** An authenticated caller, and its Motif with all that belongs to it. */
export interface Admitted {
  readonly caller: Caller;
  readonly motif: ReadyMotif;
}

/** Judges what needs no body, in the order of the contract: 404, 405, 401, 403, 429, 415. */
export async function admit(request: GatewayRequest, trace: Trace, parts: GatewayParts): Promise<Admitted> {
  const motifId = motifIdOf(request.path);
  if (motifId === undefined) throw new Refusal('not_found');
  if (request.method !== 'POST') throw new Refusal('method_not_allowed');
  const { headers } = request;
  const admitted = parts.access.admit({ motifId, authorization: headers.authorization, tenant: headers[tenantHeader] });
  const isUnauthorized = admitted instanceof Refusal && admitted.code === 'unauthorized';
  if (headers.origin !== undefined && !isUnauthorized) throw new Refusal('origin_forbidden');
  if (admitted instanceof Refusal) throw admitted;
  trace.caller = admitted;
  const limited = await parts.access.takePrompt(admitted);
  if (limited !== undefined) throw limited;
  if (!isJson(headers)) throw new Refusal('unsupported_media_type');
  const motif = parts.motifs.get(motifId);
  if (motif === undefined) throw new Refusal('motif_unavailable');
  return { caller: admitted, motif };
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
