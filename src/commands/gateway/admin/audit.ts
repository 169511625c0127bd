import { MotifError } from '../../../errors.ts';
import { parseJson } from '../../../text/json.ts';
import type { World } from '../../../world/world.ts';
import { type AdminFlags, readGateway, sourceOf, throwIo } from './file.ts';
import { printDocument, printLines } from '../../../terminal/output.ts';
import { countOf, parsePlace, placeWords } from './places.ts';
import { createNotice } from '../../shared/notices.ts';
import { printRows } from '../../shared/table.ts';

type Entry = Readonly<Record<string, unknown>>;

const chunkBytes = 1024 * 1024;
/** An audit line holds places and, where it is asked for, texts of one prompt. */
const lineBytesMax = 64 * 1024 * 1024;

/** From a complaint to the rule: finds what was decided of a prompt, by the newest line that names it. */
export async function runAdminAudit(world: World, promptId: string, flags: AdminFlags): Promise<void> {
  if (!/^[0-9A-HJKMNP-TV-Z]{26}$/i.test(promptId)) {
    throw new MotifError('usage', 'a prompt ID has 26 letters and digits', {
      hint: 'a block names it, and --json as prompt_id',
    });
  }
  const source = sourceOf(flags, world);
  const { config } = await readGateway(source, world);
  if (config.audit === undefined) {
    throw new MotifError('usage', `${source.name} has no audit, so nothing is kept of any prompt`, {
      hint: 'audit: { file: audit.jsonl } in the gateway file begins one',
    });
  }
  const path = source.resolve(config.audit.file);
  if ((await world.files.info(path)) === undefined) {
    throw new MotifError('io', `${path}: no such file: no prompt was asked of this gateway yet`, {
      hint: `motif serve -c ${source.name} writes it with the first one; --demo and --local never do`,
    });
  }
  const entry = await findEntry(path, promptId.toUpperCase(), world);
  if (entry === undefined) {
    throw new MotifError('usage', `${path} has no prompt ${promptId.toUpperCase()}`, {
      hint: 'the file may have been rotated, or another gateway may have answered',
    });
  }
  const isChanged = entry.config !== config.hash;
  if (flags.json) return await printDocument({ ok: true, entry, config_changed: isChanged, error: null }, flags, world);
  await showEntry(entry, world);
  if (isChanged) createNotice(world, flags)(`${source.name} has changed since that prompt`);
}

/** From the end on, where a complaint is about; memory holds one piece of the file, and a line that begins before it. */
async function findEntry(path: string, promptId: string, world: World): Promise<Entry | undefined> {
  const needle = Buffer.from(`"prompt_id":"${promptId}"`);
  let end = (await world.files.readPart(path, 0, 0).catch(throwIo)).info.size;
  let rest = Buffer.alloc(0);
  while (end > 0) {
    const start = Math.max(0, end - chunkBytes);
    const { bytes } = await world.files.readPart(path, start, end - start).catch(throwIo);
    const piece = Buffer.concat([bytes, rest]);
    const firstLineAt = start === 0 ? 0 : piece.indexOf('\n') + 1 || piece.length;
    const lines = piece.subarray(firstLineAt);
    const foundAt = lines.lastIndexOf(needle);
    const entry = foundAt === -1 ? undefined : readLineAt(lines, foundAt);
    if (entry !== undefined) return entry;
    rest = piece.subarray(0, firstLineAt);
    if (rest.length > lineBytesMax) rest = Buffer.alloc(0);
    end = start;
  }
  return undefined;
}

/** A line that a full disk cut short is none. */
function readLineAt(piece: Buffer, at: number): Entry | undefined {
  const start = piece.lastIndexOf('\n', at) + 1;
  const end = piece.indexOf('\n', at);
  try {
    return parseJson(piece.subarray(start, end === -1 ? piece.length : end).toString('utf8')) as Entry;
  } catch {
    return undefined;
  }
}

async function showEntry(entry: Entry, world: World): Promise<void> {
  const usage = entry.usage as { readonly total_tokens?: number } | null | undefined;
  const rows = [
    ['time', entry.time],
    ['Motif', entry.motif],
    ['token', entry.token_id],
    ['user', entry.user],
    ['tenant', entry.tenant],
    ['status', entry.status],
    ['decision', entry.decision],
    ['tokens', usage?.total_tokens],
  ];
  await printRows(
    rows.flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[String(name), String(value)]] : [],
    ),
    world,
  );
  const rules = Array.isArray(entry.rules) ? (entry.rules as readonly Entry[]) : [];
  await printLines(rules.length === 0 ? '\nno policy found anything' : '\n', world);
  await printRows(rules.map(ruleRow), world);
}

function ruleRow({ action, policy, rule, on, message, start, length, place }: Entry): string[] {
  const words = placeWords({
    on: String(on),
    message: countOf(message) ?? null,
    place: parsePlace(place),
    start: countOf(start) ?? 0,
    length: countOf(length) ?? 0,
  });
  return [String(action), `${String(policy)} / ${String(rule)}`, words];
}
