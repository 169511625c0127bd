/**
 * The file of what was typed: JSON strings, a line each, so that a text of several lines is one and a torn line is known.
 * Chats add to it, and what is deleted is taken out of it.
 */
export function toTypedLine(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

/** Undefined for a line that is torn, or that something else wrote. */
export function parseTypedLine(line: string): string | undefined {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

export const typedLockWaitMs = 2000;
const lockPollMs = 20;

interface LockWorld {
  readonly files: { lock(path: string): Promise<(() => void) | undefined> };
  sleep(ms: number): Promise<void>;
}

/** What releases it; undefined where another motif has held it all the time. */
export async function lockTyped(path: string, world: LockWorld): Promise<(() => void) | undefined> {
  for (let waitedMs = 0; ; waitedMs += lockPollMs) {
    const release = await world.files.lock(path);
    if (release !== undefined || waitedMs >= typedLockWaitMs) return release;
    await world.sleep(lockPollMs);
  }
}
