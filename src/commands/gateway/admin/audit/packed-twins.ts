import { createHash } from 'node:crypto';
import { readAuditLines } from '../../../../gateway/records/audit/reading.ts';
import { type RowSource, TornGzip } from '../../../../rows/source.ts';
import { defuseLine } from '../../../../text/defuse.ts';
import { counted } from '../../../../text/sizes.ts';
import type { Notice } from '../../../shared/notices.ts';

/** The same source, whose gzip data may be torn: it ends with a line that counts as torn, and nothing fails. */
export function wholeOrTorn(source: RowSource, sayTorn: (fault: TornGzip) => void): RowSource {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* source.chunks();
    } catch (error) {
      if (!(error instanceof TornGzip)) throw error;
      sayTorn(error);
      yield tornEnd;
    }
  }
  return { name: source.name, chunks };
}

const tornEnd = Buffer.from('\0');

/**
 * Names of the files that are not read: of `audit.jsonl.1` and the `audit.jsonl.1.gz` that is made of it, as long as a
 * rotation packs it, or of which it is made, as long as somebody unpacks it, the one that holds fewer whole lines. Two
 * that have hardly a line in common are no twins.
 */
export async function packedTwins(inputs: readonly RowSource[], notice: Notice): Promise<ReadonlySet<string>> {
  const leftOut = new Set<string>();
  for (const packed of inputs.filter(({ name }) => name.endsWith('.gz'))) {
    const plain = inputs.find(({ name }) => `${name}.gz` === packed.name);
    if (plain === undefined) continue;
    const [ofPlain, ofPacked] = await surveyTwins(plain, packed);
    if (!ofPlain.isTwin && !ofPacked.isTwin) continue;
    const isPackedMore = ofPacked.count > ofPlain.count;
    const [less, more] = isPackedMore ? [plain.name, packed.name] : [packed.name, plain.name];
    leftOut.add(less);
    notice(`${defuseLine(less)} is left out: ${defuseLine(more)} ${twinWords(ofPlain, ofPacked)}`);
  }
  return leftOut;
}

/** The number of whole lines, and the SHA-256 over them. */
export interface HashedLines {
  readonly count: number;
  readonly sha256: string;
}

/** The whole lines of a file. */
interface WholeLines extends HashedLines {
  /** True where half of the first whole lines of the other file are among them, or that has none. */
  readonly isTwin: boolean;
}

export function twinWords(one: HashedLines, other: HashedLines): string {
  if (one.sha256 === other.sha256) return 'holds the same lines';
  const [less, more] = [Math.min(one.count, other.count), Math.max(one.count, other.count)];
  return less === more ? 'holds as many lines, but not the same' : `holds ${counted(more, 'line')} of it, not ${less}`;
}

async function surveyTwins(one: RowSource, other: RowSource): Promise<[WholeLines, WholeLines]> {
  const firsts = [await firstLines(one), await firstLines(other)] as const;
  return [await survey(one, firsts[1]), await survey(other, firsts[0])];
}

/** As many as came together; some may have been changed, and a line alone may stand on both sides of a rotation. */
async function firstLines(source: RowSource): Promise<ReadonlySet<string>> {
  for await (const lines of wholeLines(source)) {
    if (lines.length > 0) return new Set(lines.slice(0, firstLinesMax));
  }
  return new Set();
}

const firstLinesMax = 100;

async function survey(source: RowSource, firstOfOther: ReadonlySet<string>): Promise<WholeLines> {
  const hash = createHash('sha256');
  let count = 0;
  const found = new Set<string>();
  for await (const lines of wholeLines(source)) {
    count += lines.length;
    for (const line of lines) {
      hash.update(line, 'latin1');
      if (firstOfOther.has(line)) found.add(line);
    }
  }
  return { count, sha256: hash.digest('hex'), isTwin: 2 * found.size >= firstOfOther.size };
}

/** Lines that are of an audit, a character a byte; torn and foreign ones are left out. */
export async function* wholeLines(source: RowSource): AsyncGenerator<readonly string[]> {
  for await (const lines of readAuditLines(wholeOrTorn(source, () => undefined).chunks())) {
    yield lines
      .filter(({ kind }) => kind !== 'torn' && kind !== 'foreign')
      .map(({ bytes }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
  }
}
