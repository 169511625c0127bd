/** A fault of a tag expression, in words that follow "--tags: ". */
export class TagsFault extends Error {
  override readonly name = 'TagsFault';
}

/** The tags of a text that has blanks or commas between them. */
export function splitTags(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '');
}

export type TagFilter = (tags: ReadonlySet<string>) => boolean;

const levelsMax = 50;

/** Reads `pii and not (slow or flaky)`: `not` binds closest, then `and`, then `or`. A comma means `or`. */
export function parseTags(text: string): TagFilter {
  const tokens = text.match(/[(),]|[^\s(),]+/g) ?? [];
  const reader = new TagReader(tokens);
  const filter = reader.either(0);
  reader.end();
  return filter;
}

class TagReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  either(level: number): TagFilter {
    const filters = [this.#both(level)];
    while (this.#takes('or') || this.#takes(',')) filters.push(this.#both(level));
    return filters.length === 1 ? filters[0]! : (tags) => filters.some((filter) => filter(tags));
  }

  end(): void {
    const left = this.#tokens[this.#at];
    if (left !== undefined) throw new TagsFault(`${JSON.stringify(left)} stands where and, or or the end was expected`);
  }

  #both(level: number): TagFilter {
    const filters = [this.#one(level)];
    while (this.#takes('and')) filters.push(this.#one(level));
    return filters.length === 1 ? filters[0]! : (tags) => filters.every((filter) => filter(tags));
  }

  #one(level: number): TagFilter {
    if (level > levelsMax) throw new TagsFault('too many brackets and nots inside each other');
    if (this.#takes('not')) {
      const inner = this.#one(level + 1);
      return (tags) => !inner(tags);
    }
    if (this.#takes('(')) {
      const inner = this.either(level + 1);
      if (!this.#takes(')')) throw new TagsFault('a bracket is not closed');
      return inner;
    }
    const tag = this.#tokens[this.#at];
    if (tag === undefined || ['and', 'or', ')', ','].includes(tag))
      throw new TagsFault(`a tag was expected ${tag === undefined ? 'at the end' : `before ${JSON.stringify(tag)}`}`);
    this.#at += 1;
    return (tags) => tags.has(tag);
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }
}
