import { type RowSource, TornGzip } from '../../../../rows/source.ts';
import { defuseLine } from '../../../../text/defuse.ts';
import type { Notice } from '../../../shared/notices.ts';

/** The same source, whose gzip data may be torn: it ends with a line that counts as torn, and nothing fails. */
export function wholeOrTorn(source: RowSource, sayTorn: (fault: TornGzip) => void): RowSource {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let isTorn = false;
    yield* readableChunks(source, (fault) => {
      isTorn = true;
      sayTorn(fault);
    });
    if (isTorn) yield tornEnd;
  }
  return { name: source.name, chunks };
}

const tornEnd = Buffer.from('\0');

/** All bytes that can be read of a source; torn gzip data is told and ends them. */
async function* readableChunks(source: RowSource, sayTorn: (fault: TornGzip) => void): AsyncGenerator<Uint8Array> {
  let done = 0;
  try {
    for await (const chunk of source.chunks()) {
      yield chunk;
      done += chunk.length;
    }
  } catch (error) {
    if (!(error instanceof TornGzip)) throw error;
    sayTorn(error);
    for await (const chunk of source.salvage?.() ?? []) {
      if (done < chunk.length) yield chunk.subarray(done);
      done = Math.max(0, done - chunk.length);
    }
  }
}

/**
 * Names of the files that are not read: of `audit.jsonl.1` and the `audit.jsonl.1.gz` that is made of it, as long as a
 * rotation packs it, or of which it is made, as long as somebody unpacks it, the one that holds less. Two that begin
 * with different times are no twins.
 */
export async function packedTwins(
  inputs: readonly RowSource[],
  times: ReadonlyMap<string, string>,
  notice: Notice,
): Promise<ReadonlySet<string>> {
  const leftOut = new Set<string>();
  for (const packed of inputs.filter(({ name }) => name.endsWith('.gz'))) {
    const plain = inputs.find(({ name }) => `${name}.gz` === packed.name);
    const twins = plain && (await compareTwins(plain, packed));
    if (twins === undefined || (twins === 'different' && times.get(plain!.name) !== times.get(packed.name))) continue;
    const [less, more] = twins === 'packed' ? [plain!, packed] : [packed, plain!];
    leftOut.add(less.name);
    notice(`${defuseLine(less.name)} is left out: ${twinWords(twins, defuseLine(more.name))}`);
  }
  return leftOut;
}

/** Two files with the same bytes, the one that goes on where the other ends, or neither. */
type Twins = 'same' | 'plain' | 'packed' | 'different';

function twinWords(twins: Twins, kept: string): string {
  if (twins === 'packed') return `${kept} begins with the same bytes, and goes on`;
  return twins === 'different'
    ? `${kept} stands there unpacked, and is not the same`
    : 'the same file stands there unpacked';
}

async function compareTwins(plain: RowSource, packed: RowSource): Promise<Twins> {
  const plainBytes = new ByteReader(plain);
  const packedBytes = new ByteReader(packed);
  try {
    for (;;) {
      const [one, other] = [await plainBytes.next(), await packedBytes.next()];
      const length = Math.min(one.length, other.length);
      if (length === 0) return one.length === other.length ? 'same' : one.length > 0 ? 'plain' : 'packed';
      if (Buffer.compare(one.subarray(0, length), other.subarray(0, length)) !== 0) return 'different';
      plainBytes.skip(length);
      packedBytes.skip(length);
    }
  } finally {
    await Promise.all([plainBytes.close(), packedBytes.close()]);
  }
}

const noBytes = new Uint8Array();

/** Bytes of a source, as many at once as come together. */
class ByteReader {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #rest: Uint8Array = noBytes;

  constructor(source: RowSource) {
    this.#chunks = readableChunks(source, () => undefined);
  }

  /** The next bytes; none at the end. */
  async next(): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) break;
      this.#rest = next.value;
    }
    return this.#rest;
  }

  skip(count: number): void {
    this.#rest = this.#rest.subarray(count);
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }
}
