import { forgetScannedTexts } from '../../../text/patterns/scanned-text.ts';
import type { Finding } from '../../vocabulary.ts';
import type { SeenFinding } from '../../policies/policy.ts';
import type { PreparedText } from '../../policies/readings/prepare.ts';
import type { View } from '../../policies/readings/view.ts';

/** A place that a policy looked at twice and then let pass; `why` never quotes what stands there. */
export interface NearMiss extends SeenFinding {
  readonly why: string;
}

/** Targets of one policy in a text, for the person who asks why it found nothing. */
export interface Look {
  /** In words that follow the policy's name: `for 3 patterns`. */
  readonly sought: string;
  /** Words for where nothing of it was found, and nothing like it. */
  readonly absent: string;
  readonly near: readonly NearMiss[];
}

/** Takes the options that the policy was made with, so they are known to be right, and the rules that it leaves out. */
export type Explainer = (options: unknown, text: PreparedText, leftOut: ReadonlySet<string>) => Look;

type Tell = (candidate: Finding, why: string | undefined) => void;

/** The most near misses of one text; the first ones tell enough. */
export const nearMax = 1_000;

/** Near misses of every reading, at their places in the text as sent; of several readings the plainest is kept. */
export function nearIn(
  { views }: PreparedText,
  weigh: (view: View, tell: Tell) => void,
  wants: (view: View) => boolean = (view) => !view.isLetters,
): NearMiss[] {
  const near = new Map<string, NearMiss>();
  for (const view of views.filter(wants)) {
    weigh(view, ({ rule, start, length }, why) => {
      if (why === undefined || near.size === nearMax) return;
      const place = view.toSent({ start, end: start + length });
      const miss = { rule, start: place.start, length: place.end - place.start, seen: view.seen, why };
      const key = `${rule} ${miss.start} ${miss.length}`;
      if (!near.has(key)) near.set(key, miss);
    });
  }
  forgetScannedTexts();
  return [...near.values()];
}
