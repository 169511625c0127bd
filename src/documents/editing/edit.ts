import type { Path } from '../fault.ts';

/** Changes of a document that a person wrote. */
export interface YamlEdit {
  /** Sets the value of a key, which may be a new one. */
  set(path: Path, value: unknown): void;
  /**
   * Adds to a list, which is made if there is none; an item is one line; with `isAlike` it has a
   * line for each key, unless the other items are one line each.
   */
  append(path: Path, item: unknown, layout?: { readonly isAlike: boolean }): void;
  remove(path: Path): void;
  /** True for a part that is another one by its alias, and changes with that. */
  isShared(path: Path): boolean;
}
