import { isDeepStrictEqual } from 'node:util';
import { fileSource, type RowSource, stdinSource } from '../../../../rows/source.ts';
import type { GrownFile, World } from '../../../../world/world.ts';

/** Inputs whose files stay open until they are let go, wherever a rotation moves them meanwhile. */
interface HeldInputs {
  readonly sources: readonly RowSource[];
  /** True where all of them are files. */
  readonly areFiles: boolean;
  readonly close: () => void;
}

/** A rotation renames its files one after the other; after so many looks they are read as they are. */
const looksMax = 20;
const lookEveryMs = 50;

/**
 * Opens the files of an audit, all at a moment at which none was moved: each is read several times, and a rotation in
 * between would hide the lines of one file and show those of another twice.
 */
export async function holdInputs(list: () => Promise<readonly string[]>, world: World): Promise<HeldInputs> {
  for (let looks = 1; ; looks++) {
    const before = await survey(await list(), world);
    const opened = await Promise.all(before.map(async (seen) => await open(seen, world)));
    const close = (): void => opened.splice(0).forEach((file) => file?.close());
    // Years of files may be more than one process can have open.
    if (before.some(({ type }, index) => type === 'file' && opened[index] === undefined)) close();
    if (looks === looksMax || isDeepStrictEqual(await survey(await list(), world), before)) {
      const sources = before.map(({ name }, index) => sourceOf(name, opened[index], world));
      return { sources, areFiles: before.every(({ type }) => type === 'file'), close };
    }
    close();
    await world.sleep(lookEveryMs, world.interrupted);
  }
}

interface SeenInput {
  readonly name: string;
  readonly type: string | undefined;
  readonly identity: string | undefined;
}

async function survey(names: readonly string[], { files }: World): Promise<readonly SeenInput[]> {
  return await Promise.all(
    names.map(async (name) => {
      const info = name === '-' ? undefined : await files.info(name);
      return { name, type: info?.type, identity: info?.identity };
    }),
  );
}

/** Undefined where it cannot be opened, which is told once it is read. */
async function open({ name, type }: SeenInput, { files }: World): Promise<GrownFile | undefined> {
  if (type !== 'file') return undefined;
  files.keep(name);
  return await files.openGrown(name).catch(() => undefined);
}

function sourceOf(name: string, file: GrownFile | undefined, { files, stdin, interrupted }: World): RowSource {
  if (name === '-') return stdinSource(stdin, interrupted);
  const held = file && { chunks: () => chunksOf(file, interrupted) };
  return fileSource(held ?? files, name, interrupted);
}

const chunkBytes = 256 * 1024;

async function* chunksOf(file: GrownFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let start = 0; ;) {
    signal.throwIfAborted();
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const count = file.read(start, chunk);
    if (count === 0) return;
    yield chunk.subarray(0, count);
    start += count;
    // A signal gets its turn, however large the file is.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
