import { createHash, type Hash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';

/**
 * The statement of one writer about its lines since the seal before. Its SHA-256 is over all their bytes, and over the
 * bytes of its own line that stand before it. A writer is one process of the gateway from its start to its end.
 */
export interface Seal {
  readonly writer: string;
  /** The numbers of the first and the last line. Numbers between two seals are of lines that could not be written. */
  readonly first: number;
  readonly last: number;
  /** The seal before; null for the first one of a writer. */
  readonly before: string | null;
  readonly sha256: string;
}

/** The machine and the whole path of an audit, by which the log of several gateways tells its seals from others. */
export function placeOf(file: string): string {
  return `${hostname()}:${resolve(file)}`;
}

/** Returns a function to the end of every line: who wrote it, and its number in that writer's chain. */
export function lineEndOf(writer: string): (number: number) => string {
  const head = `,"writer":"${writer}","line":`;
  return (number) => `${head}${number}}\n`;
}

/** The form of the seals that this version writes; those of the two forms before it name none. */
export const sealForm = 2;

interface SealedLines {
  readonly seal: Seal;
  readonly line: string;
}

const sealTail = /^[^]*,"sha256":"(?=[0-9a-f]{64}"\}\n$)/;

/** The bytes of a seal's line that its SHA-256 is over; undefined where it is of an earlier version, or changed. */
export function sealedBytes(line: Uint8Array): string | undefined {
  return sealTail.exec(Buffer.from(line.buffer, line.byteOffset, line.length).toString('latin1'))?.[0];
}

/** The most characters that wait to be hashed; together they take a fraction of a millisecond. */
const waitingTextMax = 64 * 1024;

/** The lines of one writer since its last seal; the same for who writes them and for who checks them. */
export class SealChain {
  readonly writer: string;
  before: string | null = null;
  /** Both 0 while no line has come since the last seal. */
  first = 0;
  last = 0;
  #hash: Hash | undefined;
  /** Lines that wait to be hashed together, because each call costs more than a line: as read, or as to be written. */
  #waiting: Uint8Array | undefined;
  #waitingEnd = 0;
  #waitingText = '';

  constructor(writer: string) {
    this.writer = writer;
  }

  get isEmpty(): boolean {
    return this.#hash === undefined;
  }

  /** Adds whole lines, numbered from `first` to `last`, whose bytes stay as they are: they are hashed later. */
  add(lines: Uint8Array, first: number, last: number): void {
    this.#count(first, last);
    const isNext = this.#waiting?.buffer === lines.buffer && this.#waitingEnd === lines.byteOffset;
    if (!isNext) this.#hashWaiting();
    this.#waiting ??= lines;
    this.#waitingEnd = lines.byteOffset + lines.length;
  }

  /** The same of lines that are written, from the text of which the system made the bytes. */
  addText(lines: string, first: number, last: number): void {
    this.#count(first, last);
    this.#waitingText += lines;
    if (this.#waitingText.length >= waitingTextMax) this.#hashWaiting();
  }

  #count(first: number, last: number): void {
    if (this.#hash === undefined) this.first = first;
    this.#hash ??= createHash('sha256');
    this.last = last;
  }

  #hashWaiting(): void {
    if (this.#waiting !== undefined) {
      const { buffer, byteOffset } = this.#waiting;
      this.#hash?.update(new Uint8Array(buffer, byteOffset, this.#waitingEnd - byteOffset));
    }
    this.#hash?.update(this.#waitingText);
    this.#waiting = undefined;
    this.#waitingText = '';
  }

  /** The seal of the lines so far. It changes nothing, because its line may not get written. */
  seal(time: string, isFinal: boolean): SealedLines {
    const { writer, first, last, before } = this;
    const head =
      `{"event":"seal","form":${sealForm},"time":"${time}","writer":"${writer}","first":${first},"last":${last},` +
      `"before":${before === null ? 'null' : `"${before}"`}${isFinal ? ',"final":true' : ''},"sha256":"`;
    const sha256 = this.hashWith(head);
    return { seal: { writer, first, last, before, sha256 }, line: `${head}${sha256}"}\n` };
  }

  /** The SHA-256 of the lines so far and these bytes. */
  hashWith(bytes: string): string {
    if (this.#hash === undefined) throw new Error('there is no line to seal');
    this.#hashWaiting();
    return this.#hash.copy().update(bytes, 'latin1').digest('hex');
  }

  /** Begins anew after a seal that stands in the file. */
  follow(sha256: string): void {
    this.before = sha256;
    this.first = 0;
    this.last = 0;
    this.#hash = undefined;
    this.#waiting = undefined;
    this.#waitingText = '';
  }
}
