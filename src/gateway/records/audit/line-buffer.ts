/** The size of a page; longer lines get one of their own. */
const pageBytes = 64 * 1024;
/** The most bytes that one UTF-16 code unit becomes in UTF-8. */
const bytesPerUnitMax = 3;

/** Lines as bytes, one behind the other in a page, so that each is put into bytes once, for the file and its seal. */
export class LineBuffer {
  #page = Buffer.alloc(0);
  /** The lines that nobody has taken. */
  #start = 0;
  #end = 0;

  get isEmpty(): boolean {
    return this.#start === this.#end;
  }

  add(line: string): void {
    const most = line.length * bytesPerUnitMax;
    if (most > this.#page.length - this.#end) this.#turnPage(most > pageBytes ? Buffer.byteLength(line) : most);
    this.#end += this.#page.write(line, this.#end);
  }

  /** Takes out the lines that were added. Their bytes stay as they are for as long as somebody has them. */
  take(): Buffer {
    const lines = this.#page.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return lines;
  }

  #turnPage(bytes: number): void {
    const left = this.take();
    this.#page = Buffer.allocUnsafeSlow(Math.max(pageBytes, 2 * left.length + bytes));
    this.#start = 0;
    this.#end = left.copy(this.#page);
  }
}
