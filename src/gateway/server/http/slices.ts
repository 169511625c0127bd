import type { Socket } from 'node:net';

/** The bytes of a slice. The largest may hold 150 requests, each of which takes memory. */
export const sliceBytesMin = 256;
export const sliceBytesMax = 4096;

/** A reader between a connection and Node's parser. */
export interface SliceReader {
  /** The connection that Node's server has, once there is one. */
  readonly above: Socket | undefined;
  /** False while it has asked for no more. */
  readonly isWanted: boolean;
  /** True while it keeps what it was given, and hands on nothing before it has more. */
  readonly isKeeping: boolean;
  /** The length of what it may be given at once of the bytes from there on. */
  sliceLength(bytes: Buffer, at: number, bytesMax: number): number;
}

/** The way in which a connection is read. */
export interface ReadingWay {
  /** True where slices begin with its first byte: it needs no speed, or Node would read it in a round that is over. */
  readonly inSlices?: boolean;
  /** The work of 2 KiB of which the parser tells nothing: they may hold pieces of a body which nobody asked for yet. */
  readonly untold?: number;
  readonly sliceBytes?: number;
  readonly reader?: SliceReader;
}

/** The reader of the slices of a connection, their work where it tells none, and the size of the next one. */
export interface Slicing {
  readonly parse: (slice: Buffer) => void;
  readonly untold: number;
  readonly reader: SliceReader | undefined;
  readonly bytesMin: number;
  bytes: number;
  /** Given to a reader that has yet to hand them on. */
  bytesKept: number;
  /** The work of turns that took much, less that of brief turns since. */
  debt: number;
  /** True where the last turn of it ended in a body that is wanted, so that the next bytes belong to that as well. */
  isUpload: boolean;
  /** True while the system reads no more of the connection, although Node wants it to. */
  isStopped: boolean;
}

/** The bytes whose work `untold` is. */
const untoldBytes = 2048;

/**
 * The work of what a reader was given and has told nothing of, `elapsed` at most. The clock alone counts what other
 * programs do as well, and a body that is merely kept takes next to nothing.
 */
export function untoldOf(slicing: Slicing, elapsed: number): number {
  const parts = slicing.bytesKept / untoldBytes;
  slicing.bytesKept = 0;
  return Math.max(0, Math.min(slicing.untold * parts, elapsed) - parts);
}
