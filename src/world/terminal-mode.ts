import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';

/** The terminal's mode outlives and belongs to the whole process, and so do these notes of it. */
let isRaw = false;
const undoing = new Map<number, string>();
let isWatching = false;
let isOutliving = false;

/** The longest line that a terminal takes while it edits itself. */
const earlyLineBytes = 4096;
const earlyLinesMax = 64;
const lineFeed = 10;
const carriageReturn = 13;

/** Off: the terminal as it was found. */
export function setRaw(on: boolean): void {
  if (on === isRaw) return;
  const early = on ? readEarlyLines() : Buffer.alloc(0);
  process.stdin.setRawMode(on);
  isRaw = on;
  if (early.length > 0) process.stdin.unshift(early);
  watchTheEnd();
}

/**
 * The lines that were typed before raw mode, with Enter as the last key. The terminal made a line feed of each Enter,
 * which in raw mode would be Ctrl-J; several lines are one paste, so the others stay.
 */
function readEarlyLines(): Buffer {
  const lines: Buffer[] = [];
  quietly(() => {
    const fd = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      while (lines.length < earlyLinesMax) {
        const line = Buffer.alloc(earlyLineBytes);
        const count = readSync(fd, line);
        if (count === 0) break;
        lines.push(line.subarray(0, count));
      }
    } finally {
      closeSync(fd);
    }
  });
  const typed = Buffer.concat(lines);
  if (typed.at(-1) === lineFeed) typed[typed.length - 1] = carriageReturn;
  return typed;
}

/** Text that undoes, on this descriptor's terminal, what was written there; empty for nothing. */
export function undoAtEnd(fd: number, text: string): void {
  if (text === '') undoing.delete(fd);
  else undoing.set(fd, text);
  watchTheEnd();
}

/** Puts the terminal back as it was found; safe at any moment, also when it has gone. */
export function restoreTerminal(): void {
  for (const [fd, text] of undoing) quietly(() => writeSync(fd, text));
  undoing.clear();
  if (isRaw) quietly(() => process.stdin.setRawMode(false));
  isRaw = false;
  watchTheEnd();
}

/**
 * Node ends a program with an abort, which may leave all its memory in a core dump, if a terminal that it started with
 * has gone by then; a descriptor that was closed it passes over.
 */
export function outliveTerminals(): void {
  if (!isOutliving) process.on('exit', leaveLostTerminals);
  isOutliving = true;
}

/** Any other device among them is of no use to a program that ends. */
function leaveLostTerminals(): void {
  for (const fd of [0, 1, 2]) if (!process.getBuiltinModule('node:tty').isatty(fd)) quietly(() => closeLost(fd));
}

function closeLost(fd: number): void {
  if (fstatSync(fd).isCharacterDevice()) closeSync(fd);
}

/** SIGQUIT ends a program without asking it, so it is heard for as long as there is something to put back. */
function watchTheEnd(): void {
  const isNeeded = isRaw || undoing.size > 0;
  if (isNeeded === isWatching) return;
  isWatching = isNeeded;
  if (isNeeded) process.on('exit', restoreTerminal).on('SIGQUIT', quit);
  else process.off('exit', restoreTerminal).off('SIGQUIT', quit);
}

function quit(): void {
  restoreTerminal();
  process.kill(process.pid, 'SIGQUIT');
}

function quietly(work: () => unknown): void {
  try {
    work();
  } catch {
    // A terminal that has gone needs nothing put back, and one that has nothing typed has nothing to read.
  }
}
