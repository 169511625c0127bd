import { MotifError } from '../../errors.ts';
import { formatDuration } from '../../text/durations.ts';
import { promptBytesMax } from '../../text/limits.ts';
import { counted, formatSize } from '../../text/sizes.ts';
import { decodeUtf8, Utf8Fault } from '../../text/utf8.ts';
import type { World } from '../../world/world.ts';
import type { Notice } from './notices.ts';

const noticeAfterMs = 3000;
/** The time after the first byte at which a pipe that has not ended is spoken of: a slow command often ends before. */
const unendedAfterMs = 10_000;
/** Wait for the first byte of a command that has no flag for it. */
export const stdinTimeoutMs = 300_000;

/**
 * Reads stdin to its end, however slow. It is the first byte that tells a slow producer from a pipe that nobody will
 * ever write to (cron, agents, IDE consoles): a wait for it is announced, and ends with the timeout.
 */
export async function readStdin(world: World, timeoutMs: number, notice: Notice): Promise<string> {
  const abort = new AbortController();
  let lines = 0;
  const sayUnended = (): void => {
    if (!abort.signal.aborted)
      notice(
        `still reading stdin (${counted(lines, 'line')} so far): it is sent once it ends, which tail -f never does; tail -n 200 does`,
      );
  };
  const chunks = world.stdin.chunks(AbortSignal.any([abort.signal, world.interrupted]))[Symbol.asyncIterator]();
  try {
    let next = await waitForFirst(chunks.next(), world, timeoutMs, notice);
    world.sleep(unendedAfterMs, abort.signal).then(sayUnended, () => undefined);
    const parts: Uint8Array[] = [];
    for (let size = 0; !next.done; next = await chunks.next()) {
      size += next.value.length;
      if (size > promptBytesMax) throw tooLarge('stdin');
      parts.push(next.value);
      lines += linesIn(next.value);
    }
    return decodeText(Buffer.concat(parts), 'stdin');
  } finally {
    abort.abort();
  }
}

function linesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}

const newline = 0x0a;

async function waitForFirst<T>(first: Promise<T>, world: World, timeoutMs: number, notice: Notice): Promise<T> {
  const timers = new AbortController();
  const wait = (ms: number) => world.sleep(ms, timers.signal).then(() => 'late' as const);
  const noticeMs = Math.min(noticeAfterMs, timeoutMs);
  try {
    const early = await Promise.race([first, wait(noticeMs)]);
    if (early !== 'late') return early;
    if (timeoutMs > noticeMs)
      notice('waiting for stdin, which is a pipe; --no-stdin (or MOTIF_NO_STDIN=1) does not read it');
    const late = await Promise.race([first, wait(timeoutMs - noticeMs)]);
    if (late !== 'late') return late;
  } finally {
    timers.abort();
  }
  throw new MotifError(
    'timeout',
    `stdin is a pipe that sent nothing for ${formatDuration(timeoutMs)}; nothing was sent`,
    {
      hint: 'close it (< /dev/null), or do not read it: --no-stdin or MOTIF_NO_STDIN=1; motif help scripts',
    },
  );
}

export function tooLarge(name: string): MotifError {
  return new MotifError('usage', `${name} is larger than ${formatSize(promptBytesMax)}, the most that motif sends`);
}

/** A prompt is text: what is no UTF-8 is refused rather than sent with replacement characters. */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return decodeUtf8(bytes);
  } catch (error) {
    if (!(error instanceof Utf8Fault)) throw error;
    const { encoding } = error;
    throw new MotifError('usage', `${name} ${error.message}`, {
      hint: [
        `a prompt is UTF-8 text: iconv -f ${encoding ?? 'latin1'} -t utf-8 FILE converts ${encoding === undefined ? 'other text' : 'it'}`,
        ...(encoding === undefined
          ? ['of a PDF or an office file, send its text: pdftotext FILE - | motif prompt "Sum this up"']
          : []),
      ],
      cause: error,
    });
  }
}
