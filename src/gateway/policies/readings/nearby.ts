import { UnitSort } from './unit-sort.ts';
import { betweenPieces, Rewrite, type View } from './view.ts';

/** A text this short is read as a whole, for to cut it saves nothing. */
const cutCharactersMin = 1_000;
const wordCharactersMax = 40;
const blanks = new UnitSort((character) => /\s/.test(character));

/**
 * The text around some places of it, in their order, without what is further from all of them: in a long text, a
 * reading that changes a few words is looked at where it does. The text itself where that is most of it.
 */
export function nearby(parent: View, places: Iterable<{ readonly index: number }>, reach: number): View {
  const { text } = parent;
  if (text.length < cutCharactersMin) return parent;
  const result = new Rewrite(parent);
  let done = 0;
  let left = 0;
  /** Ends of the reach of the last place, before its word is looked for: most places stand close together. */
  let reached = -1;
  for (const { index } of places) {
    if (index - reach > reached) {
      if (reached !== -1) done = edgeOf(text, reached, 1);
      const start = edgeOf(text, index - reach, -1);
      if (start > done + betweenPieces.length) {
        result.replace(done, start, betweenPieces);
        left += start - done;
      }
    }
    reached = index + reach;
  }
  if (reached !== -1) done = edgeOf(text, reached, 1);
  if (done < text.length) {
    result.replace(done, text.length, '');
    left += text.length - done;
  }
  return 2 * left < text.length ? parent : (result.finish('') ?? parent);
}

/** The edge of the word at a place, so that no word is cut. */
function edgeOf(text: string, at: number, step: 1 | -1): number {
  let edge = Math.min(text.length, Math.max(0, at));
  for (let left = wordCharactersMax; left > 0 && edge > 0 && edge < text.length; left--) {
    if (blanks.isAt(text, edge)) break;
    edge += step;
  }
  return edge;
}
