import { clip } from '../text/width.ts';
import type { Output } from '../world/world.ts';

/** One line at the foot of a terminal that is drawn again and again, until it is cleared. */
interface StatusLine {
  /** Columns that it can take. */
  readonly columns: number;
  draw(text: string): void;
  /** Wipes the line; other text may be written then. */
  clear(): void;
}

/** Some terminals wrap at the last column, and `^C` is written in the two before it. */
const columnsLeftFree = 3;

export function createStatusLine(stderr: Pick<Output, 'columns' | 'write'>): StatusLine {
  let isDrawn = false;
  return {
    get columns() {
      return Math.max(1, stderr.columns - columnsLeftFree);
    },
    draw(text) {
      isDrawn = true;
      void stderr.write(`\r${clip(text, this.columns)}\u001b[K`);
    },
    clear() {
      if (isDrawn) void stderr.write('\r\u001b[K');
      isDrawn = false;
    },
  };
}
