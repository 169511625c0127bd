import { MotifError, StdoutClosed } from '../../src/errors.ts';
import type { Output } from '../../src/world/world.ts';

export interface OutputSetup {
  /** The width of the terminal; absent: not a terminal. */
  readonly columns?: number;
  /** True for a pipe that a person may look at; absent: a file, where it is no terminal. */
  readonly isPipe?: boolean;
  /** Its height; absent: 24. */
  readonly rows?: number;
  /** Called once `bytes` bytes, by default none, have been taken. */
  readonly fails?: 'closed' | 'full';
  readonly bytes?: number;
}

/** An Output that keeps what was written. As with the real ones, nothing more arrives after a fault. */
export interface FakeOutput extends Output {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Text to be written at the end of the process. */
  readonly undo: string;
  resize(columns: number, rows: number): void;
}

/** Write errors of standard error are ignored, as the real one does. */
export function createFakeOutput(fd: 1 | 2, setup: OutputSetup = {}): FakeOutput {
  const { fails, bytes: bytesMax = 0 } = setup;
  let { columns, rows = 24 } = setup;
  let undo = '';
  const listeners = new Set<() => void>();
  let bytes = Buffer.alloc(0);
  let hasFailed = false;
  return {
    isTerminal: columns !== undefined,
    isSeen: columns !== undefined || setup.isPipe === true,
    isDiscarded: false,
    get columns() {
      return columns !== undefined && columns > 0 ? columns : 80;
    },
    get rows() {
      return rows > 0 ? rows : 24;
    },
    onResize(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    resize(newColumns, newRows) {
      columns = newColumns;
      rows = newRows;
      for (const listener of listeners) listener();
    },
    undoAtEnd: (text) => void (undo = text),
    get undo() {
      return undo;
    },
    get bytes() {
      return bytes;
    },
    get text() {
      return bytes.toString('utf8');
    },
    async write(text) {
      const all = hasFailed ? bytes : Buffer.concat([bytes, Buffer.from(text)]);
      hasFailed ||= fails !== undefined && all.length > bytesMax;
      bytes = hasFailed ? all.subarray(0, bytesMax) : all;
      if (hasFailed && fd === 1) throw faultOf(fails);
    },
  };
}

function faultOf(fails: OutputSetup['fails']): Error {
  if (fails === 'closed') return new StdoutClosed();
  return new MotifError('io', 'stdout could not be written: the disk is full');
}
