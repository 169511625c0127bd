import type { GatewayConfig } from '../../../gateway/config.ts';
import { readAuditLines } from '../../../gateway/records/audit/reading.ts';
import { fileSource, type RowSource } from '../../../rows/source.ts';
import { toMoment } from '../../../text/durations.ts';
import type { FileInfo, World } from '../../../world/world.ts';
import { auditPath, type GatewaySource } from '../source.ts';
import { inOrderOfHeads } from './audit/file-order.ts';
import { withRotated } from './audit/inputs.ts';

/** The last prompts of tokens, as far as the files of the audit tell. */
export interface LastUses {
  /** The time of the newest prompt that a token was let in for. */
  readonly of: (motifId: string, tokenId: string) => string | undefined;
  /** The time from which on prompts were looked at, where older ones were not. */
  readonly since: string | undefined;
}

/** The bytes that are searched, newest first: a token that is in use stands there. */
const searchedBytesMax = 32 * 1024 * 1024;

interface AuditFile {
  readonly path: string;
  readonly info: FileInfo;
}

/** Reads the newest part of the audit, rotated files too; undefined where there is none to be read. */
export async function readLastUses(
  { audit, motifs }: GatewayConfig,
  source: GatewaySource,
  world: Pick<World, 'files'>,
): Promise<LastUses | undefined> {
  if (audit === undefined || audit.file === '-') return undefined;
  const files = await newestFirst(auditPath(audit.file, source), world);
  if (files.length === 0) return undefined;
  const wanted = [...motifs.values()].flatMap(({ id, tokens }) => tokens.map((token) => keyOf(id, token.id)));
  const times = new Map<string, string>();
  let since: string | undefined;
  let searchedFrom: string | undefined;
  let bytesLeft = searchedBytesMax;
  for (const file of files) {
    const part = await searchFile(file, bytesLeft, world);
    for (const [key, time] of part.times) if (time > (times.get(key) ?? '')) times.set(key, time);
    bytesLeft = Math.max(0, bytesLeft - part.bytes);
    // No line is younger than its file, nor than those of the files behind it.
    if (part.isCut) since ??= part.first ?? searchedFrom ?? toMoment(file.info.modifiedAt);
    searchedFrom = part.first ?? searchedFrom;
    if (wanted.every((key) => times.has(key))) break;
  }
  return { of: (motifId, tokenId) => times.get(keyOf(motifId, tokenId)), since };
}

const keyOf = (motifId: string, tokenId: string): string => `${motifId} ${tokenId}`;

/** The regular files of an audit by what stands in them, for copying one gives it another time. */
async function newestFirst(path: string, world: Pick<World, 'files'>): Promise<readonly AuditFile[]> {
  const found = new Map<string, AuditFile>();
  for (const each of await withRotated(path, world)) {
    const info = await world.files.info(each);
    if (info?.type === 'file') found.set(each, { path: each, info });
  }
  const ordered = await inOrderOfHeads([...found.keys()].map((name) => readableSource(name, world)));
  return ordered.toReversed().flatMap(({ name }) => found.get(name) ?? []);
}

/** A file as far as it can be read; what keeps it from being read is told by the search. */
function readableSource(path: string, { files }: Pick<World, 'files'>): RowSource {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* fileSource(files, path).chunks();
    } catch {
      return;
    }
  }
  return { name: path, chunks };
}

/** The part of one file that was searched. */
interface Part {
  readonly times: Map<string, string>;
  bytes: number;
  /** True where older prompts of this file, or all of them, were not looked at. */
  isCut: boolean;
  first: string | undefined;
}

/** Searches the end of a file. A packed one, whose end comes last, is searched as a whole or not at all. */
async function searchFile({ path, info }: AuditFile, bytesMax: number, { files }: Pick<World, 'files'>): Promise<Part> {
  const isPacked = path.endsWith('.gz');
  const start = isPacked ? 0 : Math.max(0, info.size - bytesMax);
  const nothing = { times: new Map<string, string>(), bytes: 0, isCut: true, first: undefined };
  const part: Part = { ...nothing, times: new Map(), isCut: start > 0 };
  let isAudit = info.size === 0;
  try {
    const chunks = isPacked
      ? fileSource(files, path).chunks()
      : once((await files.readPart(path, start, bytesMax)).bytes);
    for await (const lines of readAuditLines(chunks)) {
      for (const { kind, record, bytes } of lines) {
        part.bytes += bytes.length;
        if (kind === 'torn' || kind === 'foreign') continue;
        isAudit = true;
        const { time, motif, token_id: tokenId } = record;
        if (kind !== 'prompt' || typeof time !== 'string') continue;
        part.first ??= time;
        part.times.set(keyOf(String(motif), String(tokenId)), time);
      }
      if (isPacked && part.bytes > bytesMax) return nothing;
    }
  } catch {
    // A file that cannot be read, or not to its end, is searched as far as it goes.
    return { ...part, isCut: true, first: undefined };
  }
  return isAudit ? part : nothing;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
