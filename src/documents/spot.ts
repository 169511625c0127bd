import { defuseLine } from '../text/defuse.ts';
import { pathText, type PathStep } from '../text/json/json.ts';
import { foundAnyWords, foundWords, mayHoldSecret } from '../text/secret.ts';
import { closest } from '../text/similar.ts';
import { type DocumentFault, faultsMax, type Path, type FilePlace } from './fault.ts';

interface SpotParts {
  readonly file: string;
  readonly at: (path: Path) => FilePlace;
}

interface Notes {
  count: number;
  readonly add: (path: Path, expected: string) => void;
}

/** A place in a document while it is read, and the way to say what is wrong there. */
export class Spot {
  readonly #step: PathStep | undefined;
  readonly #parent: Spot | undefined;
  readonly #notes: Notes;

  private constructor(notes: Notes, parent?: Spot, step?: PathStep) {
    this.#notes = notes;
    this.#parent = parent;
    this.#step = step;
  }

  /** The top of a document, and the faults that its spots will have noted, in the order in which they were found. */
  static top({ file, at }: SpotParts): { readonly spot: Spot; readonly faults: readonly DocumentFault[] } {
    const faults: DocumentFault[] = [];
    const notes: Notes = {
      count: 0,
      add(path, expected) {
        if (faults.length < faultsMax) faults.push({ file, ...at(path), path: pathText(path), expected });
      },
    };
    return { spot: new Spot(notes), faults };
  }

  /** A spot whose faults nobody hears of, to find out whether a value would fit. */
  static silent(): Spot {
    return new Spot({ count: 0, add: () => undefined });
  }

  at(...steps: readonly PathStep[]): Spot {
    return steps.reduce<Spot>((spot, step) => new Spot(spot.#notes, spot, step), this);
  }

  get path(): Path {
    return this.#parent === undefined ? [] : [...this.#parent.path, this.#step!];
  }

  /** Words that follow the path; never a value that may be a secret. */
  fault(expected: string): undefined {
    this.#notes.count += 1;
    this.#notes.add(this.path, expected);
  }

  /** Words for the value that stands here instead, as the end of a fault; none where a secret belongs. */
  found(value: unknown): string {
    return mayHoldSecret(this.path) ? '' : foundWords(value);
  }

  /** The same where a word or a quantity is expected. */
  foundAny(value: unknown): string {
    return mayHoldSecret(this.path) ? '' : foundAnyWords(value);
  }

  /** The same where a map or a list is expected: a text in its place may be anything. */
  foundInstead(value: unknown): string {
    return typeof value === 'string' && value !== '' ? '; found a text' : this.found(value);
  }

  /** The number of faults that the whole document has so far. */
  get faultsNoted(): number {
    return this.#notes.count;
  }
}

/** Names what was probably meant, else what there is. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = closest(word, known);
  if (near !== undefined) return `did you mean ${near}?`;
  if (known.length === 0) return 'there is none yet';
  return `there ${known.length === 1 ? 'is' : 'are'} ${defuseLine(known.slice(0, 20).join(', '))}`;
}
