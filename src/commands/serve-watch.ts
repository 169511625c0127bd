import type { World } from '../world/world.ts';
import type { GatewaySource } from './gateway-source.ts';

/** Twice this, and a token that was revoked in the file is revoked. */
const pollMs = 300;
/** A pattern has to be looked for in a whole folder, so its new files are found less soon. */
const patternEvery = 10;

/** How each file, and the matches of each pattern, looked last. */
type Marks = ReadonlyMap<string, string>;

/**
 * Calls `changed` each time the files are other ones than before. They are looked at, not listened to: that also works
 * on network file systems and where a link is turned to another folder. One that is being written is left to settle.
 */
export async function watchFiles(
  { seen }: GatewaySource,
  world: Pick<World, 'files' | 'sleep'>,
  { changed, signal }: { readonly changed: () => Promise<unknown>; readonly signal: AbortSignal },
): Promise<void> {
  const matches = new Map<string, string>();
  let known: Marks = new Map();
  let last: Marks = known;
  for (let round = 0; ; round++) {
    if (round % patternEvery === 0) await look(matches, seen.patterns, (pattern) => matchesOf(pattern, world));
    const now = new Map(matches);
    await look(now, seen.files, (path) => markOf(path, world));
    const isSettled = differ(known, now) && !differ(last, now);
    last = now;
    // What was not known is no change: it has just been read for the first time.
    known = isSettled ? now : new Map([...now, ...known]);
    if (isSettled) await changed();
    await world.sleep(pollMs, signal).catch(() => undefined);
    if (signal.aborted) return;
  }
}

async function look(
  marks: Map<string, string>,
  names: ReadonlySet<string>,
  mark: (name: string) => Promise<string>,
): Promise<void> {
  for (const name of names) marks.set(name, await mark(name));
}

function differ(before: Marks, now: Marks): boolean {
  return [...now].some(([name, mark]) => before.has(name) && before.get(name) !== mark);
}

async function matchesOf(pattern: string, { files }: Pick<World, 'files'>): Promise<string> {
  return (await files.glob(pattern).catch(() => [])).join('\n');
}

async function markOf(path: string, { files }: Pick<World, 'files'>): Promise<string> {
  const info = await files.info(path);
  return info === undefined ? '' : `${info.identity} ${info.size} ${info.modifiedAt}`;
}
