import { type Clue, clues } from './injection-lexicon.ts';
import type { Span } from '../readings/view.ts';

/** The clues of a text added up: those that stand near each other, by the weights of their groups. */

export const sensitivities = ['normal', 'high'] as const;
export type Sensitivity = (typeof sensitivities)[number];

/** The sum of weights from which clues are an attempt. */
export const clueSums: Readonly<Record<Sensitivity, number>> = { normal: 3.5, high: 2.25 };
/** Roles, stories and rules alone are what people play and write with. */
const coreMin: Readonly<Record<Sensitivity, number>> = { normal: 1.5, high: 0 };
/** Clues that are further apart belong to different things. */
const clueCharacters = 4_000;
/** More phrases of one group tell little more than two. */
const cluesOfGroupMax = 2;

export interface CluePlace extends Span {
  readonly clue: Clue;
  /** Which phrase of the group it is: the same said again tells nothing new. */
  readonly phrase: number;
}

interface ClueSum extends Span {
  readonly sum: number;
  readonly groups: ReadonlySet<Clue>;
}

/** The part of a text where clues weigh most together; undefined where none count. */
export function sumClues(places: readonly CluePlace[], sensitivity: Sensitivity): ClueSum | undefined {
  if (places.length === 0) return undefined;
  const leastCore = coreMin[sensitivity];
  let heaviest: ClueSum | undefined;
  const inside = new Map<number, number>();
  const ofGroup = new Map<Clue, number>();
  let sum = 0;
  let first = 0;
  const change = ({ phrase, clue }: CluePlace, by: 1 | -1) => {
    const times = (inside.get(phrase) ?? 0) + by;
    inside.set(phrase, times);
    if (times !== (by === 1 ? 1 : 0)) return;
    const before = ofGroup.get(clue) ?? 0;
    ofGroup.set(clue, before + by);
    sum += clues[clue].weight * (Math.min(cluesOfGroupMax, before + by) - Math.min(cluesOfGroupMax, before));
  };
  const weightOf = (those: (typeof clues)[Clue]['weighs']) => {
    let weight = 0;
    for (const [clue, count] of ofGroup)
      if (clues[clue].weighs === those) weight += clues[clue].weight * Math.min(cluesOfGroupMax, count);
    return weight;
  };
  for (const place of places) {
    change(place, 1);
    while (place.end - places[first]!.start > clueCharacters) change(places[first++]!, -1);
    if (sum <= (heaviest?.sum ?? 0)) continue;
    const core = weightOf('core');
    const hasRole = core + weightOf('always') > 0;
    const counted = core > 0 ? sum : hasRole ? sum - weightOf('beside core') : 0;
    if (counted > (heaviest?.sum ?? 0) && core >= leastCore) {
      const groups = new Set([...ofGroup].filter(([, count]) => count > 0).map(([clue]) => clue));
      heaviest = { sum: counted, groups, start: places[first]!.start, end: place.end };
    }
  }
  return heaviest;
}
