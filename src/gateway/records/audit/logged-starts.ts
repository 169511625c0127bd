import type { Seal } from './seals.ts';

/** A seal as the log of the gateway names it. */
export type LoggedSeal = Pick<Seal, 'writer' | 'first' | 'last' | 'sha256'> & {
  /** Absent where the log does not tell. */
  readonly before?: string | null;
  /** ISO; undefined where the log does not tell. */
  readonly time?: string | undefined;
  /** The machine and path of the audit; undefined in the log of an earlier version. */
  readonly place?: string | undefined;
};

/** The start of a writer as the log names it, before its first line; an earlier version logged none. */
export interface LoggedStart {
  readonly writer: string;
  readonly time: string;
  readonly place: string;
}

/** Times at which a log names every process that begins to write an audit. */
export class LoggedStarts {
  readonly #named: ReadonlySet<string>;
  readonly #spans: readonly { readonly first: string; readonly last: string }[];

  /** With all starts and seals of the log, of which those at the places of the audit count. */
  constructor(starts: readonly LoggedStart[], seals: Iterable<LoggedSeal>, places: ReadonlySet<string | undefined>) {
    const following = new Map<string, LoggedSeal>();
    const named = new Set(starts.map(({ writer }) => writer));
    for (const seal of seals) {
      following.set(`${seal.writer} ${seal.before ?? ''}`, seal);
      named.add(seal.writer);
    }
    this.#named = named;
    this.#spans = starts
      .filter(({ place }) => places.has(place))
      .map(({ writer, time: first }) => ({ first, last: endOf(writer, following) ?? first }));
  }

  /** True for a writer that the log would name, had the gateway of the log begun it at that time. */
  lacks(writer: string, firstTime: string): boolean {
    if (this.#named.has(writer)) return false;
    return this.#spans.some(({ first, last }) => first <= firstTime && firstTime <= last);
  }
}

/** The time up to which the log has each seal of a writer: a part that it lacks would lack some of them. */
function endOf(writer: string, following: ReadonlyMap<string, LoggedSeal>): string | undefined {
  let time: string | undefined;
  const done = new Set<LoggedSeal>();
  for (let seal = following.get(`${writer} `); seal !== undefined && !done.has(seal);) {
    done.add(seal);
    time = seal.time ?? time;
    seal = following.get(`${writer} ${seal.sha256}`);
  }
  return time;
}
