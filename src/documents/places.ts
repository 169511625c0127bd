import type { PathStep } from '../text/json/json.ts';
import type { Path, FilePlace } from './fault.ts';

/** For each map and list, where its values stand, or the keys of those that are no simple values. */
export type Places = Map<object, Placing>;

/** Builds a map or a list whose values have places. A map has no prototype, so that every key is one like any other. */
export class Placing {
  readonly value: unknown[] | Record<PathStep, unknown>;
  /** In the order of the text; a step and its offset have the same index. Ten thousand Motifs are too many for maps. */
  readonly #steps: PathStep[] = [];
  readonly #offsets: number[] = [];
  /** Made when the first place is asked for: all of ten thousand Motifs may have a fault. */
  #offsetOf: ReadonlyMap<PathStep, number> | undefined;

  constructor(places: Places, kind: 'map' | 'list') {
    this.value = kind === 'list' ? [] : (Object.create(null) as Record<string, unknown>);
    places.set(this.value, this);
  }

  get size(): number {
    return this.#steps.length;
  }

  has(step: PathStep): boolean {
    return step in this.value;
  }

  add(step: PathStep, child: unknown, offset: number): void {
    this.#steps.push(step);
    this.#offsets.push(offset);
    (this.value as Record<PathStep, unknown>)[step] = child;
  }

  /** The offset of a value; of a key that stands there twice, the second one. */
  offsetOf(step: PathStep): number | undefined {
    this.#offsetOf ??= new Map(this.#steps.map((each, at) => [each, this.#offsets[at]!]));
    return this.#offsetOf.get(step);
  }
}

/** The offset of what a path leads to, or of the nearest thing around it that is there. */
export function offsetAt(places: Places, top: unknown, path: Path): number {
  let value = top;
  let offset = 0;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return offset;
    const found = places.get(value)?.offsetOf(step);
    if (found === undefined) return offset;
    offset = found;
    value = (value as Record<PathStep, unknown>)[step];
  }
  return offset;
}

/**
 * Turns offsets into places. The lines are found once, when the first place is asked for, and characters are counted
 * from the place before on, for a file of many faults may be one line.
 */
export function createPlacer(text: string): (offset: number) => FilePlace {
  let starts: readonly number[] | undefined;
  let last = { line: 0, offset: 0, characters: 0 };
  return function place(offset) {
    starts ??= lineStartsOf(text);
    let line = 0;
    for (let above = starts.length; above - line > 1;) {
      const middle = (line + above) >> 1;
      if (starts[middle]! <= offset) line = middle;
      else above = middle;
    }
    if (last.line !== line || last.offset > offset) last = { line, offset: starts[line]!, characters: 0 };
    last = { line, offset, characters: last.characters + charactersIn(text, last.offset, offset) };
    return { line: line + 1, column: last.characters + 1 };
  };
}

/** Counted one by one, because a file may be one line of megabytes. */
export function charactersIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; count++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return count;
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
