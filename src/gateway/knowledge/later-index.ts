import type { Passage } from './outline.ts';
import type { KnowledgeIndex } from './search.ts';

/**
 * The index of documents that have changed, which is made while the one before answers. Of several that wait for
 * their turn the newest alone is made, for documents may change more often than they can be indexed.
 */
export class LaterIndex<P extends Passage> implements KnowledgeIndex<P> {
  /** Resolves once this index answers, or leaves that to a newer one. */
  readonly made: Promise<void>;
  #answering: KnowledgeIndex<P>;
  #newer: LaterIndex<P> | undefined;
  #isBegun = false;

  constructor(before: KnowledgeIndex<P>, make: () => Promise<KnowledgeIndex<P>>) {
    this.#answering = before instanceof LaterIndex ? before.#succeededBy(this) : before;
    this.made = before.made.then(async () => {
      // The version of this one may be served for ever, where the newer one was refused for another fault.
      if (this.#newer !== undefined) this.#answering = this.#newer;
      else {
        this.#isBegun = true;
        this.#answering = await make();
      }
    });
  }

  #succeededBy(newer: LaterIndex<P>): KnowledgeIndex<P> {
    this.#newer = newer;
    return this.#isBegun ? this : this.#answering;
  }

  get size(): number {
    return this.#answering.size;
  }

  search(question: string, top: number): P[] {
    return this.#answering.search(question, top);
  }
}
