import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

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
  if (!isOutliving) process.on('exit', leaveTerminals);
  isOutliving = true;
}

/**
 * Closes what Node must not touch at the end. It would set a terminal to the mode that it began with: for a job in the
 * background that is most likely the mode of the shell's line editor, without echo, whatever runs there by then. Any
 * other device is of no use to a program that ends.
 */
export function leaveTerminals(): void {
  const isOther = isInBackground();
  for (const fd of [0, 1, 2]) {
    const isThere = process.getBuiltinModule('node:tty').isatty(fd);
    if (isOther && isThere) quietly(() => closeSync(fd));
    else if (!isThere) quietly(() => closeLost(fd));
  }
}

/** True where another job has the terminal, as far as the system says it: Linux does. */
function isInBackground(): boolean {
  let text = '';
  quietly(() => (text = readFileSync('/proc/self/stat', 'latin1')));
  // Behind the name, which may hold anything: state, parent, group, session, terminal, and the group that has that.
  const [, , group, , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(foreground) > 0 && foreground !== group;
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
