import { clip } from '../text/width.ts';
import type { Output } from '../world/world.ts';

/** One line at the foot of a terminal that is drawn again and again, until it is cleared. */
interface StatusLine {
  draw(text: string): void;
  /** Wipes the line; other text may be written then. */
  clear(): void;
}

/** The last column stays free, for some terminals wrap at it. */
export function createStatusLine(stderr: Pick<Output, 'columns' | 'write'>): StatusLine {
  let isDrawn = false;
  return {
    draw(text) {
      isDrawn = true;
      void stderr.write(`\r${clip(text, stderr.columns - 1)}\u001b[K`);
    },
    clear() {
      if (isDrawn) void stderr.write('\r\u001b[K');
      isDrawn = false;
    },
  };
}
