import { constants, fstat, fstatSync, openSync, statSync } from 'node:fs';
import { MotifError, StdoutClosed } from '../errors.ts';
import { errorCode, faultWords } from './fault-words.ts';
import { outliveTerminals, undoAtEnd } from './terminal-mode.ts';
import type { Output, World } from './world.ts';
import { createLineWriter, writeAll } from './writing.ts';

const { O_NONBLOCK, O_WRONLY } = constants;
const columnsUnknown = 80;
const rowsUnknown = 24;
/** Time that a reader has after an interruption to take what is already on its way. */
const graceMs = 250;

/** Standard output and standard error. Terminals take turns, or one would cut a line of the other. */
export function createOutputs(
  interrupted: AbortSignal,
): Pick<World, 'stdout' | 'stderr' | 'writeFreely' | 'writeRecord'> {
  const turns: Turns = { last: Promise.resolve() };
  const interruption = new Interruption(interrupted);
  const stdout = createOutput(1, interruption, turns);
  const stderr = createOutput(2, interruption, turns);
  const areTaken = (ms: number): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false)));
    const taken = Promise.allSettled([stdout.taken(), stderr.taken()]).then(() => true);
    return Promise.race([taken, late]).finally(() => clearTimeout(timer));
  };
  return {
    stdout,
    stderr,
    writeRecord: (lines) => stdout.writeRecord(lines),
    writeFreely() {
      for (const output of [stdout, stderr]) output.writeFreely();
      // Makes the threads that write: Node ends a process that the system gives none at its first line.
      fstat(1, () => undefined);
      return async (ms) => {
        if (await areTaken(ms)) return true;
        for (const output of [stdout, stderr]) output.giveUp();
        return await areTaken(graceMs);
      };
    },
  };
}

/** The end of what was written to a terminal before; it never rejects. */
interface Turns {
  last: Promise<unknown>;
}

interface OwnOutput extends Output {
  /** Resolves once all that was written is handed over. */
  taken(): Promise<void>;
  writeFreely(): void;
  giveUp(): void;
  writeRecord(lines: string): Promise<void>;
}

/**
 * Standard output, or standard error, whose faults are nobody's: there is no place left to tell of them. Bytes go to
 * the descriptor itself, because Node's own stream cuts a file short on a full disk and crashes on a closed pipe.
 * After the first fault nothing more is written to stdout, so that what arrived has no hole; but for records, whose
 * lines tell themselves what is missing. Standard error goes on: a disk that was full must not end a gateway's log.
 */
function createOutput(fd: 1 | 2, interruption: Interruption, turns: Turns): OwnOutput {
  let last = Promise.resolve();
  let target: number = fd;
  let isGivenUp = false;
  let isTerminal: boolean | undefined;
  let sized: NodeJS.WriteStream | undefined;
  const writeLines = createLineWriter();
  const inTurn = (isTerminal: boolean, work: () => Promise<void>): Promise<void> => {
    const before = isTerminal ? turns.last : undefined;
    const done = last.then(() => before).then(work);
    if (before !== undefined) turns.last = done.catch(() => undefined);
    return done;
  };
  const fail = (error: unknown): void => {
    if (fd === 1) throw toStdoutFault(error);
  };
  const stream = (): NodeJS.WriteStream => (sized ??= heard(fd === 1 ? process.stdout : process.stderr));
  return {
    get isTerminal() {
      isTerminal ??= isTerminalAt(fd);
      return isTerminal;
    },
    get isSeen() {
      return this.isTerminal || isPipeAt(fd);
    },
    get isDiscarded() {
      return isNullAt(fd);
    },
    get columns() {
      const columns = this.isTerminal ? stream().columns : 0;
      return columns > 0 ? columns : columnsUnknown;
    },
    get rows() {
      const rows = this.isTerminal ? stream().rows : 0;
      return rows > 0 ? rows : rowsUnknown;
    },
    onResize(listener) {
      if (!this.isTerminal) return () => {};
      stream().on('resize', listener);
      return () => void stream().off('resize', listener);
    },
    undoAtEnd: (text) => undoAtEnd(fd, text),
    taken: () => last,
    writeFreely: () => void (target = waitlessPipe(fd) ?? fd),
    giveUp: () => void (isGivenUp = true),
    write(text, stop) {
      const { isTerminal } = this;
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      const isStopped = (): boolean => isGivenUp || stop?.aborted === true;
      const writing = fd === 1 ? writeAll : writeLines;
      const done = inTurn(isTerminal, () => writing(target, bytes, { isTerminal, isStopped }));
      last = fd === 1 ? done : done.catch(() => undefined);
      return interruption.endWait(done).catch(fail);
    },
    writeRecord(lines) {
      const { isTerminal } = this;
      const before = last;
      const bytes = Buffer.from(lines);
      const done = inTurn(isTerminal, () => writeLines(target, bytes, { isTerminal, isStopped: () => isGivenUp }));
      last = done.catch(() => before);
      last.catch(() => undefined);
      return done.catch(fail);
    },
  };
}

/**
 * Another descriptor of a pipe, with which no write waits: a thread that waits for a reader keeps the process from its
 * end. The pipe stays as it is for those who share it. Undefined where the system has no such way, or it is no pipe.
 */
function waitlessPipe(fd: number): number | undefined {
  try {
    return fstatSync(fd).isFIFO() ? openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps an error of Node's stream from ending motif: only its size is asked, and a terminal that has gone has none. */
function heard(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.on('error', () => {});
}

/** The waits for writes, which Ctrl-C ends. They share one listener, because a signal compares each with all it has. */
class Interruption {
  readonly #signal: AbortSignal;
  readonly #waits = new Set<() => void>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => {
      for (const giveUp of this.#waits) giveUp();
    });
  }

  /** Ends the wait for a write after Ctrl-C, for its reader may have stopped. */
  endWait(work: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let onAbort = (): void => {};
    const givenUp = new Promise<never>((_, reject) => {
      onAbort = () => {
        timer = setTimeout(() => reject(this.#signal.reason as Error), graceMs);
      };
      this.#waits.add(onAbort);
      if (this.#signal.aborted) onAbort();
    });
    return Promise.race([work, givenUp]).finally(() => {
      clearTimeout(timer);
      this.#waits.delete(onAbort);
    });
  }
}

/**
 * True where a terminal is open. A pipe, a file and `/dev/null` are told apart by what the system says of them: asking
 * Node for a terminal loads its whole network room.
 */
export function isTerminalAt(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    if (!stats.isCharacterDevice() || isMemoryDevice(stats.rdev) || !process.getBuiltinModule('node:tty').isatty(fd)) {
      return false;
    }
  } catch {
    return false;
  }
  outliveTerminals();
  return true;
}

function isPipeAt(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

function isNullAt(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isCharacterDevice() && stats.rdev === statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

/** True for `/dev/null`, `/dev/full` and their like on Linux, which have a major number of their own. */
function isMemoryDevice(rdev: number): boolean {
  return process.platform === 'linux' && ((rdev >> 8) & 0xfff) === 1;
}

function toStdoutFault(error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  const fault =
    code === 'EPIPE' || code === 'ECONNRESET'
      ? new StdoutClosed()
      : new MotifError('io', `stdout could not be written: ${faultWords(code)}`, { cause: error });
  return Object.assign(fault, { written: (error as { readonly written?: number }).written });
}
