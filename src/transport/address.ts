/** Address of a request, taken apart. */
export interface RequestAddress {
  readonly url: URL;
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

const keptMax = 100;

/** The same few addresses are asked again and again, and to parse one takes longer than to write a small request. */
export class Addresses {
  readonly #kept = new Map<string, RequestAddress>();

  of(text: string): RequestAddress {
    return this.#kept.get(text) ?? this.#parse(text);
  }

  #parse(text: string): RequestAddress {
    const url = new URL(text);
    const address = { url, origin: url.origin, path: url.pathname + url.search };
    if (this.#kept.size >= keptMax) this.#kept.clear();
    this.#kept.set(text, address);
    return address;
  }
}
