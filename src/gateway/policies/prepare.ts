import { packedTexts, unescaped, withoutGaps, withoutLeet, withoutRot13 } from './decode.ts';
import { normalised, skeleton } from './normalise.ts';
import { type View, viewAsSent, viewInside } from './view.ts';

/** A text made ready once, for every policy that looks at it. */
export interface PreparedText {
  readonly sent: string;
  /** The first is the text as sent; the others exist only where they differ from those before. */
  readonly views: readonly View[];
}

/** How often something encoded may be encoded again; each layer of base64 costs its author a third more text. */
const depthMax = 3;
/** How much is decoded of one text at most, as a multiple of its length; one layer of anything fits several times. */
const decodedTimesMax = 2;

export function prepare(sent: string): PreparedText {
  const budget = { characters: decodedTimesMax * sent.length };
  return { sent, views: viewsOf(sent, 0, budget) };
}

function viewsOf(text: string, depth: number, budget: { characters: number }): View[] {
  const asSent = viewAsSent(text);
  const views = [asSent];
  const add = (view: View | undefined) => {
    if (view !== undefined) views.push(view);
    return view;
  };
  const clean = add(normalised(asSent)) ?? asSent;
  const plain = add(unescaped(clean)) ?? clean;
  const look = add(skeleton(plain)) ?? plain;
  add(withoutLeet(look));
  add(withoutRot13(look));
  add(withoutGaps(look));
  return depth === depthMax ? views : [...views, ...insides(look, depth, budget)];
}

function insides(parent: View, depth: number, budget: { characters: number }): View[] {
  return packedTexts(parent.text).flatMap(({ text, how, carrier }) => {
    budget.characters -= text.length;
    if (budget.characters < 0) return [];
    return viewsOf(text, depth + 1, budget).map((inner) => viewInside(parent, inner.text, how, carrier, inner));
  });
}
