import { defuseLine } from '../text/defuse.ts';
import { pathText, type PathStep } from '../text/json.ts';
import { closest } from '../text/similar.ts';
import { type DocumentFault, faultsMax, type Path, type Place } from './fault.ts';

export interface SpotParts {
  readonly file: string;
  readonly at: (path: Path) => Place;
}

/** A place in a document while it is read, and the way to say what is wrong there. */
export class Spot {
  readonly #step: PathStep | undefined;
  readonly #parent: Spot | undefined;
  readonly #note: (path: Path, expected: string) => void;

  private constructor(note: (path: Path, expected: string) => void, parent?: Spot, step?: PathStep) {
    this.#note = note;
    this.#parent = parent;
    this.#step = step;
  }

  /** The top of a document, and the faults that its spots will have noted, in the order in which they were found. */
  static top({ file, at }: SpotParts): { readonly spot: Spot; readonly faults: readonly DocumentFault[] } {
    const faults: DocumentFault[] = [];
    const spot = new Spot((path, expected) => {
      if (faults.length < faultsMax) faults.push({ file, ...at(path), path: pathText(path), expected });
    });
    return { spot, faults };
  }

  at(...steps: readonly PathStep[]): Spot {
    return steps.reduce<Spot>((spot, step) => new Spot(spot.#note, spot, step), this);
  }

  get path(): Path {
    return this.#parent === undefined ? [] : [...this.#parent.path, this.#step!];
  }

  /** Words that follow the path; never a value, which may be a secret. */
  fault(expected: string): undefined {
    this.#note(this.path, expected);
  }
}

/** Names what was probably meant, else what there is. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = closest(word, known);
  if (near !== undefined) return `did you mean ${near}?`;
  if (known.length === 0) return 'there is none yet';
  return `there ${known.length === 1 ? 'is' : 'are'} ${defuseLine(known.slice(0, 20).join(', '))}`;
}
