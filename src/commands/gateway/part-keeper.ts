import type { DocumentFault } from '../../documents/fault.ts';
import { MotifError } from '../../errors.ts';
import { pathText, type PathStep } from '../../text/json/json.ts';

/**
 * Keeps parts of a gateway file as they were while what the file names for them cannot be read: documents,
 * certificates, word lists, secrets. Tokens and limits must not wait for those.
 */
export class PartKeeper {
  /** Why each part cannot be read, by its path in the gateway file. */
  readonly faulty = new Map<string, string>();
  readonly #faults: readonly DocumentFault[];
  readonly #isStrict: boolean;

  /** `isStrict`: nothing is served yet, so that every fault is thrown. */
  constructor(faults: readonly DocumentFault[], { isStrict }: { readonly isStrict: boolean }) {
    this.#faults = faults;
    this.#isStrict = isStrict;
    for (const { path, expected } of faults) this.faulty.set(path, expected);
  }

  /** The entries of a section; one with a fault is as it was last, or is left out. */
  keep<T>(
    section: 'providers' | 'policies',
    read: ReadonlyMap<string, T>,
    last: ReadonlyMap<string, T> | undefined,
  ): ReadonlyMap<string, T> {
    const kept = new Map(read);
    for (const name of new Set([...read.keys(), ...(last?.keys() ?? [])])) {
      if (!this.#faults.some(({ path }) => isWithin(path, [section, name]))) continue;
      const earlier = last?.get(name);
      if (earlier === undefined) kept.delete(name);
      else kept.set(name, earlier);
    }
    return kept;
  }

  /** The part that `work` reads, or as it was last; undefined: it never was. */
  async read<T>(path: readonly PathStep[], last: T | undefined, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (this.#isStrict || !(error instanceof MotifError)) throw error;
      this.faulty.set(pathText(path), error.message);
      return last;
    }
  }
}

/** True for a path in words that leads to a part of the file, or to something in it. */
export function isWithin(path: string, part: readonly PathStep[]): boolean {
  const own = pathText(part);
  return path === own || (path.startsWith(own) && /[.[]/.test(path.charAt(own.length)));
}
