import { promptBytesMax } from '../text/limits.ts';

export const pasteStart = '[200~';
const pasteEnd = '\u001b[201~';

export interface Paste {
  /** Takes more input; returns what follows the paste's end, or undefined while it goes on. */
  feed(text: string): string | undefined;
  /** The paste so far; its line breaks, which a terminal sends as CR, are LF. */
  result(): { readonly text: string; readonly isTooLong: boolean };
}

/** A reader of what a terminal sends between its markers, however often and wherever that is cut. */
export function createPaste(unitsMax = promptBytesMax): Paste {
  const parts: string[] = [];
  let units = 0;
  /** The start of an end marker, perhaps. */
  let tail = '';

  function add(part: string): void {
    units += part.length;
    if (units > unitsMax) parts.length = 0;
    else parts.push(part);
  }

  return {
    feed(text) {
      const all = tail + text;
      const end = all.indexOf(pasteEnd);
      tail = end === -1 ? endStart(all) : '';
      add(all.slice(0, end === -1 ? all.length - tail.length : end));
      return end === -1 ? undefined : all.slice(end + pasteEnd.length);
    },
    result() {
      const isTooLong = units > unitsMax;
      return { text: isTooLong ? '' : parts.join('').replace(/\r\n?/g, '\n'), isTooLong };
    },
  };
}

/** The longest end of a text that could go on as an end marker. */
function endStart(text: string): string {
  for (let length = Math.min(pasteEnd.length - 1, text.length); length > 0; length -= 1) {
    const tail = text.slice(-length);
    if (pasteEnd.startsWith(tail)) return tail;
  }
  return '';
}
