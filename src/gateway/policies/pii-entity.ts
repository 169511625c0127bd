/** One kind of personal data: where it may stand, and what makes it more than figures that look like it. */
export interface Entity {
  readonly name: string;
  /** Global and linear. Group 1 is the number itself, where more than it is matched. */
  readonly pattern: RegExp;
  /** A character or sign without which the pattern cannot match, so that most texts are not searched at all. */
  readonly needs: RegExp;
  /** The check by arithmetic. */
  readonly isValid?: (found: string) => boolean;
  /** Words of which one must stand near by; given a function, only for those forms that it names. */
  readonly context?: RegExp;
  readonly needsContext?: (found: string) => boolean;
  /** What right before it says that it is something else. */
  readonly notAfter?: RegExp;
}

export const digit = /\d/;
