import type { PathStep } from '../text/json.ts';
import type { Path, Place } from './fault.ts';

/** For each map and list, at which offset its values stand, or the keys of those that are no simple values. */
export type Places = Map<object, Map<PathStep, number>>;

export interface Placing {
  readonly value: unknown;
  readonly size: number;
  has(step: PathStep): boolean;
  add(step: PathStep, value: unknown, offset: number): void;
}

/** Builds a map or a list whose values have places. A map has no prototype, so that every key is one like any other. */
export function placing(places: Places, empty: [] | Record<string, never>): Placing {
  const value: unknown[] | Record<PathStep, unknown> = Array.isArray(empty)
    ? []
    : (Object.create(null) as Record<string, unknown>);
  const offsets = new Map<PathStep, number>();
  places.set(value, offsets);
  return {
    value,
    get size() {
      return offsets.size;
    },
    has: (step) => offsets.has(step),
    add(step, child, offset) {
      offsets.set(step, offset);
      (value as Record<PathStep, unknown>)[step] = child;
    },
  };
}

/** The offset of what a path leads to, or of the nearest thing around it that is there. */
export function offsetAt(places: Places, top: unknown, path: Path): number {
  let value = top;
  let offset = 0;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return offset;
    const found = places.get(value)?.get(step);
    if (found === undefined) return offset;
    offset = found;
    value = (value as Record<PathStep, unknown>)[step];
  }
  return offset;
}

/** Turns offsets into places. The lines are found once, when the first place is asked for. */
export function createPlacer(text: string): (offset: number) => Place {
  let starts: readonly number[] | undefined;
  return function place(offset) {
    starts ??= lineStartsOf(text);
    let line = 0;
    for (let above = starts.length; above - line > 1;) {
      const middle = (line + above) >> 1;
      if (starts[middle]! <= offset) line = middle;
      else above = middle;
    }
    return { line: line + 1, column: Array.from(text.slice(starts[line], offset)).length + 1 };
  };
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
