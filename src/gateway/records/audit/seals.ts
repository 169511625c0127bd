import { createHash, type Hash } from 'node:crypto';

/**
 * The statement of one writer about its lines since the seal before: their numbers, and a SHA-256 over all their bytes
 * and the seal before. A writer is one process of the gateway from its start to its end.
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

/** Returns a function to the end of every line: who wrote it, and its number in that writer's chain. */
export function lineEndOf(writer: string): (number: number) => string {
  const head = `,"writer":"${writer}","line":`;
  return (number) => `${head}${number}}\n`;
}

export function sealLine({ writer, first, last, before, sha256 }: Seal, time: string, isFinal: boolean): string {
  const chain = `"first":${first},"last":${last},"before":${before === null ? 'null' : `"${before}"`}`;
  const final = isFinal ? ',"final":true' : '';
  return `{"event":"seal","time":"${time}","writer":"${writer}",${chain},"sha256":"${sha256}"${final}}\n`;
}

/** The lines of one writer since its last seal; the same for who writes them and for who checks them. */
export class SealChain {
  readonly writer: string;
  before: string | null;
  /** Both 0 while no line has come since the last seal. */
  first = 0;
  last = 0;
  #hash: Hash | undefined;

  constructor(writer: string, before: string | null = null) {
    this.writer = writer;
    this.before = before;
  }

  get isEmpty(): boolean {
    return this.#hash === undefined;
  }

  /** Adds whole lines, numbered from `first` to `last`. */
  add(lines: string | Uint8Array, first: number, last: number): void {
    if (this.#hash === undefined) this.first = first;
    this.#hash = (this.#hash ?? createHash('sha256')).update(lines);
    this.last = last;
  }

  /** The seal of the lines so far. It changes nothing, because its line may not get written. */
  seal(): Seal {
    if (this.#hash === undefined) throw new Error('there is no line to seal');
    const { writer, first, last, before } = this;
    // The seal before comes last, because who checks a file alone learns it from this seal.
    const sha256 = this.#hash
      .copy()
      .update(`${before ?? writer}\n${first}\n`)
      .digest('hex');
    return { writer, first, last, before, sha256 };
  }

  /** Begins anew after a seal that stands in the file. */
  follow(sha256: string): void {
    this.before = sha256;
    this.first = 0;
    this.last = 0;
    this.#hash = undefined;
  }
}
