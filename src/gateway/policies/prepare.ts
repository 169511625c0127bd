import { mailDecoded, unescaped } from './escapes.ts';
import { withoutGaps, withoutLeet, withoutRot13 } from './letters.ts';
import { type Packed, packedTexts } from './packed.ts';
import { normalised, skeleton } from './normalise.ts';
import { smuggledTexts, spelledOut } from './smuggled.ts';
import { type View, viewAsSent, viewInside } from './view.ts';

/** A text made ready once, for every policy that looks at it. */
export interface PreparedText {
  readonly sent: string;
  /** The first is the text as sent; the others exist only where they differ from those before. */
  readonly views: readonly View[];
}

/**
 * How often something encoded may be encoded again. Each layer is shorter than the one around it, so that all of them
 * together are a few times the text at most.
 */
const depthMax = 3;
export function prepare(sent: string): PreparedText {
  return { sent, views: viewsOf(sent, 0) };
}

function viewsOf(text: string, depth: number): View[] {
  const asSent = viewAsSent(text);
  const spelled = spelledOut(asSent);
  const views = readingsOf(asSent, depth);
  return spelled === undefined
    ? views
    : [...views, ...readingsOf(spelled, depth), ...insides(asSent, smuggledTexts(text), depth)];
}

function readingsOf(start: View, depth: number): View[] {
  const views = [start];
  const add = (view: View | undefined) => {
    if (view !== undefined) views.push(view);
    return view;
  };
  const clean = add(normalised(start)) ?? start;
  const plain = add(unescaped(clean)) ?? clean;
  add(mailDecoded(clean));
  const look = add(skeleton(plain)) ?? plain;
  add(withoutLeet(look));
  add(withoutRot13(look));
  add(withoutGaps(look));
  return [...views, ...insides(look, packedTexts(look.text), depth)];
}

function insides(parent: View, packed: readonly Packed[], depth: number): View[] {
  if (depth === depthMax) return [];
  return packed.flatMap(({ text, how, carrier }) =>
    viewsOf(text, depth + 1).map((inner) => viewInside(parent, inner.text, how, carrier, inner)),
  );
}
