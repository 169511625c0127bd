import { createHash } from 'node:crypto';
import { createPause } from '../../../text/turns.ts';
import type { World } from '../../../world/world.ts';
import { type FileLook, type GatewaySource, markOf, markOfMatches, namedFileBytesMax } from '../source.ts';

/** Twice this, and a token that was revoked in the file is revoked. */
const pollMs = 300;
/** Looks that find a file as the one before did, until it counts as whole: it was put in its place by a rename. */
const looksAtReplaced = 1;
/** The same for one that is written in place, by somebody who may pause: 2.4 s. */
const looksAtWritten = 8;
/** The same for one that another replaces at each look, as by a loop: the newest one is read every so often. */
const looksAtReplacements = 8;
/** A file that nobody has written to for so long has settled, though nobody has looked at it meanwhile. */
const settledMs = looksAtWritten * pollMs;
/** A file that is written without a pause for so many looks, 10 s, is told of: it is not in force. */
const looksUntilTold = 33;
/** A pattern has to be looked for in a whole folder, so its new files are found less soon. */
const patternEvery = 10;
/** A file that could not be read for a reason that passes is tried again less soon: each time is told in the log. */
const unreadEvery = 10;

/** The last state of each file, and the last matches of each pattern. */
type Marks = ReadonlyMap<string, string>;

interface Watcher {
  readonly changed: () => Promise<unknown>;
  /** Hears of files that have changed long ago and cannot be read yet, for somebody goes on writing. */
  readonly unsettled?: (names: readonly string[]) => void;
  readonly signal: AbortSignal;
}

/**
 * Calls `changed` each time the files are other ones than before. They are looked at, not listened to: that also works
 * on network file systems and where a link is turned to another folder. One that is being written is left to settle;
 * meanwhile only the gateway file keeps others waiting.
 */
export async function watchFiles(
  source: GatewaySource,
  world: Pick<World, 'files' | 'sleep'>,
  { changed, unsettled, signal }: Watcher,
): Promise<void> {
  const { seen, unread, looks } = source;
  const matches = new Map<string, string>();
  let known: Marks = new Map();
  let read: Marks = known;
  let waited = 0;
  for (let round = 0; ; round++) {
    // A file or pattern that was not looked at before is as it was when it was read.
    const reread = readSince(read, seen);
    const noted = new Map([...seen.patterns, ...seen.files]);
    known = new Map([...noted].map(([name, mark]) => [name, reread.get(name) ?? known.get(name) ?? mark]));
    for (const [pattern, names] of reread) if (seen.patterns.has(pattern)) matches.set(pattern, names);
    for (const pattern of matches.keys()) if (!seen.patterns.has(pattern)) matches.delete(pattern);
    read = noted;
    if (round % patternEvery === 0) await look(matches, seen.patterns, (pattern) => matchesOf(pattern, world));
    const now = new Map(matches);
    await look(now, seen.files, async (path) => markOf(await world.files.info(path)));
    const settledNames = await settled(now, known, source, world.files);
    const written = [...now.keys()].filter((name) => hasChanged(name, known, now) && !settledNames.includes(name));
    source.unsettled.clear();
    for (const name of written) if (looks.get(name)?.isWritten === true) source.unsettled.add(name);
    const isReadable = !hasChanged(source.name, known, now) || settledNames.includes(source.name);
    const isOwed = unread.size > 0 && round % unreadEvery === 0;
    // Every reload reads the gateway file, so the others wait for it.
    if ((settledNames.length > 0 || isOwed) && isReadable) {
      known = new Map([...now].map(([name, mark]) => [name, source.unsettled.has(name) ? known.get(name)! : mark]));
      await changed();
    }
    waited = written.length === 0 ? 0 : waited + 1;
    if (waited === looksUntilTold) unsettled?.(written);
    await world.sleep(pollMs, signal).catch(() => undefined);
    if (signal.aborted) return;
  }
}

/** Names of what has changed and settled; notes what was seen. */
async function settled(
  now: Marks,
  known: Marks,
  source: GatewaySource,
  files: World['files'],
): Promise<readonly string[]> {
  const { looks } = source;
  const names: string[] = [];
  for (const [name, mark] of now) {
    const last = looks.get(name) ?? { mark: known.get(name) ?? mark, alike: 0, isWritten: false, replaced: 0 };
    const look =
      last.mark === mark
        ? { ...last, alike: last.alike + 1, replaced: 0 }
        : await lookAnew(name, last, mark, source, files);
    looks.set(name, look);
    if (look.replaced >= looksAtReplacements) {
      looks.set(name, { ...look, replaced: 0 });
      names.push(name);
      continue;
    }
    if (!hasChanged(name, known, now) || look.alike < looksAtReplaced) continue;
    const isSettled = look.alike >= looksAtWritten || !(await isWritten(name, known.get(name)!, mark, source));
    if (isSettled) names.push(name);
  }
  return names;
}

/**
 * The look at a file that is another one than at the last look. One in which the same is written again and again, as by
 * a loop that copies it, settles as if nobody did: it would never be read.
 */
async function lookAnew(
  name: string,
  last: FileLook,
  mark: string,
  { mayBeWritten }: GatewaySource,
  files: World['files'],
): Promise<FileLook> {
  const isWritten = await mayBeWritten(name, last.mark, mark);
  const replaced = isWritten || mark === '' ? 0 : last.replaced + 1;
  if (!isWritten || !last.isWritten) return { mark, alike: 0, isWritten, replaced };
  const hash = await hashOf(name, files);
  return { mark, alike: hash !== undefined && hash === last.hash ? last.alike + 1 : 0, isWritten, replaced, hash };
}

/** A hash of what stands in a file; undefined where it cannot be read. */
async function hashOf(name: string, files: World['files']): Promise<string | undefined> {
  return await files.read(name, { bytesMax: namedFileBytesMax }).then(
    ({ bytes }) => createHash('sha256').update(bytes).digest('hex'),
    () => undefined,
  );
}

/** True where a file may be written on: since it was read, or since it was put in its place. */
async function isWritten(
  name: string,
  read: string,
  mark: string,
  { looks, mayBeWritten }: Pick<GatewaySource, 'looks' | 'mayBeWritten'>,
): Promise<boolean> {
  const last = looks.get(name);
  if (last?.mark === mark && last.isWritten) return true;
  return (await mayBeWritten(name, read, mark)) || (last !== undefined && (await mayBeWritten(name, last.mark, mark)));
}

function hasChanged(name: string, known: Marks, now: Marks): boolean {
  const before = known.get(name);
  return before !== undefined && before !== now.get(name);
}

/** The most times that a file which is being written is waited for. */
const settleWaitsMax = 3;

/**
 * Returns a function that tells whether the gateway file is another one than was read last, and has settled: a part of
 * one that is being written may be valid, and have no policies yet. One that was just written in place is left to the
 * watch, which has the time to see it settle, unless a process comes `late`, which read long or stood still: then the
 * time of the file counts, though the clock of a file server may be behind. All who ask meanwhile share one look.
 */
export function createChangeCheck(
  source: GatewaySource,
  { files, sleep, now }: Pick<World, 'files' | 'sleep' | 'now'>,
): (asked?: { readonly late: boolean }) => Promise<boolean> {
  const { name, seen } = source;
  const check = async (isLate: boolean): Promise<boolean> => {
    if (!(await source.hasChanged())) return false;
    for (let waits = 0; waits < settleWaitsMax; waits++) {
      const info = await files.info(name);
      const before = markOf(info);
      const hasSettled = isLate && info !== undefined && now() - info.modifiedAt >= settledMs;
      if (!hasSettled && (await isWritten(name, seen.files.get(name) ?? '', before, source))) return false;
      await sleep(pollMs);
      if (markOf(await files.info(name)) === before) return await source.hasChanged();
    }
    return false;
  };
  const checking = new Map<boolean, Promise<boolean>>();
  return ({ late } = { late: false }) => {
    const under = checking.get(late) ?? check(late).finally(() => checking.delete(late));
    checking.set(late, under);
    return under;
  };
}

async function look(
  marks: Map<string, string>,
  names: ReadonlyMap<string, string>,
  mark: (name: string) => Promise<string>,
): Promise<void> {
  const pause = createPause();
  for (const name of names.keys()) {
    marks.set(name, await mark(name));
    await pause();
  }
}

/** The files and patterns that a reload, whoever asked for it, has read meanwhile: they are no change any more. */
function readSince(before: Marks, { patterns, files }: GatewaySource['seen']): Marks {
  return new Map([...patterns, ...files].filter(([name, mark]) => before.has(name) && before.get(name) !== mark));
}

async function matchesOf(pattern: string, { files }: Pick<World, 'files'>): Promise<string> {
  return markOfMatches(await files.glob(pattern).catch(() => []));
}
