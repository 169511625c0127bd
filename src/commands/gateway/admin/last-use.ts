import type { GatewayConfig } from '../../../gateway/config.ts';
import { readAuditLines } from '../../../gateway/records/audit/reading.ts';
import type { World } from '../../../world/world.ts';
import { auditPath, type GatewaySource } from '../source.ts';

/** The last prompts of tokens, as far as the audit file tells. */
export interface LastUses {
  /** The time of the newest prompt that a token was let in for. */
  readonly of: (motifId: string, tokenId: string) => string | undefined;
  /** The first prompt that was looked at, where older ones were not. */
  readonly since: string | undefined;
}

/** The part at the end of an audit that is searched; a token that is in use stands there. */
const tailBytesMax = 32 * 1024 * 1024;

/** Reads the end of the audit file; undefined where there is none to be read. */
export async function readLastUses(
  { audit }: GatewayConfig,
  source: GatewaySource,
  { files }: Pick<World, 'files'>,
): Promise<LastUses | undefined> {
  if (audit === undefined || audit.file === '-') return undefined;
  const path = auditPath(audit.file, source);
  const info = await files.info(path);
  if (info === undefined) return undefined;
  const start = Math.max(0, info.size - tailBytesMax);
  const part = await files.readPart(path, start, tailBytesMax).catch(() => undefined);
  if (part === undefined) return undefined;
  const times = new Map<string, string>();
  let first: string | undefined;
  for await (const lines of readAuditLines(once(part.bytes))) {
    for (const { kind, record } of lines) {
      const { time, motif, token_id: tokenId } = record;
      if (kind !== 'prompt' || typeof time !== 'string') continue;
      first ??= time;
      times.set(`${String(motif)} ${String(tokenId)}`, time);
    }
  }
  return { of: (motifId, tokenId) => times.get(`${motifId} ${tokenId}`), since: start > 0 ? first : undefined };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
