import { createGunzip, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RowSource, stdinSource, TornGzip } from '../../src/rows/source.ts';
import { runs } from '../support/runs.ts';

/** All that Node can unpack of damaged data: what comes of each byte is taken before the next one is given. */
async function unpackedByteByByte(packed: Uint8Array): Promise<Buffer> {
  const gunzip = createGunzip();
  const found: Buffer[] = [];
  let isOver = false;
  gunzip.on('data', (chunk: Buffer) => found.push(chunk));
  const over = new Promise<void>((resolve) => {
    gunzip.on('end', resolve).on('error', () => resolve());
  }).then(() => {
    isOver = true;
  });
  for (let at = 0; at < packed.length && !isOver; at++) {
    const written = new Promise<void>((resolve) => gunzip.write(packed.subarray(at, at + 1), () => resolve()));
    await Promise.race([over, written]);
    await new Promise((turn) => setImmediate(turn));
  }
  return Buffer.concat(found);
}

async function readAll(source: RowSource): Promise<{ readonly text: Buffer; readonly fault: unknown }> {
  const found: Uint8Array[] = [];
  try {
    for await (const chunk of source.chunks()) found.push(chunk);
  } catch (fault) {
    return { text: Buffer.concat(found), fault };
  }
  return { text: Buffer.concat(found), fault: undefined };
}

/** A pipe whose writer hands over pieces of any size. */
function pipeOf(bytes: Uint8Array, sizes: readonly number[]): RowSource {
  async function* chunks() {
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const end = at + sizes[turn % sizes.length]!;
      yield bytes.subarray(at, end);
      at = end;
    }
  }
  return stdinSource({ chunks });
}

/** Lines of which gzip makes little, some, or hardly anything less. */
function linesOf(count: number, letters: number, seed: number): Buffer {
  let state = seed;
  const next = (): number => (state = (state * 1103515245 + 12345) % 2147483648);
  const line = (): string =>
    Array.from({ length: 60 }, () => String.fromCharCode(97 + ((next() >> 16) % letters))).join('');
  return Buffer.from(Array.from({ length: count }, (_, at) => `${at} ${line()}\n`).join(''));
}

const text = fc.tuple(fc.nat(800), fc.constantFrom(1, 4, 26), fc.nat(9)).map((drawn) => linesOf(...drawn));

test('of gzip data all that stands before a damage is read, in whatever pieces it comes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 2 }),
      fc.constantFrom('whole', 'cut', 'changed', 'garbage behind', 'zeros behind'),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 5 }),
      async (members, damage, share, sizes) => {
        const packed = Buffer.concat(members.map((member) => gzipSync(member)));
        const at = Math.min(packed.length - 1, Math.floor(packed.length * share));
        const behind = damage === 'zeros behind' ? Buffer.alloc(700) : Buffer.from('\x1f\x8bgarbage', 'latin1');
        const bytes = damage.endsWith('behind') ? Buffer.concat([packed, behind]) : Buffer.from(packed);
        if (damage === 'changed') bytes[at] = bytes[at]! ^ 0x55;
        const given = damage === 'cut' ? bytes.subarray(0, at) : bytes;
        fc.pre(given[0] === 0x1f && given[1] === 0x8b);
        const { text: found, fault } = await readAll(pipeOf(given, sizes));
        expect(found.equals(await unpackedByteByByte(given))).toBe(true);
        if (fault !== undefined) expect(fault).toBeInstanceOf(TornGzip);
        if (damage === 'whole' || damage === 'zeros behind') expect(found.equals(Buffer.concat(members))).toBe(true);
      },
    ),
    runs(60),
  );
});
