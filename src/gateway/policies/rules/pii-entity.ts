/** One kind of personal data: where it may stand, and what makes it more than figures that look like it. */
export interface Entity {
  readonly name: string;
  /** Global and linear. Group 1 is the number itself, where more than it is matched. */
  readonly pattern: RegExp;
  /** What a text is tested for first: without it nothing of this kind is in it, so that most are not searched at all. */
  readonly needs: { test(text: string): boolean };
  /** What is wrong with a candidate, in words that never quote it; undefined where nothing is. */
  readonly fault?: (found: string) => string | undefined;
  /** The arithmetic that every number of this kind satisfies, where there is one. */
  readonly checksum?: string;
  /** Words of which one must stand near by; given a function, only for those forms that it names. */
  readonly context?: RegExp;
  /** What is wrong where none does. */
  readonly withoutContext?: string;
  readonly needsContext?: (found: string) => boolean;
  /** What right before it says that it is something else. */
  readonly notAfter?: RegExp;
}

export const digit = /\d/;
