import { formatDuration } from '../../text/durations.ts';
import { grouped } from '../../text/sizes.ts';

/** The rate is that of so many samples before. */
const samplesMax = 60;

interface Sample {
  readonly at: number;
  readonly finished: number;
}

/** Speed of a run of many items, by samples that are taken so many milliseconds apart. */
export class Pace {
  readonly #samples: Sample[];
  readonly #everyMs: number;

  constructor(startedAt: number, everyMs: number) {
    this.#samples = [{ at: startedAt, finished: 0 }];
    this.#everyMs = everyMs;
  }

  /** Takes a sample; false where the last one is too young. */
  sample(at: number, finished: number): boolean {
    if (at - this.#samples.at(-1)!.at < this.#everyMs) return false;
    this.#samples.push({ at, finished });
    if (this.#samples.length > samplesMax) this.#samples.shift();
    return true;
  }

  /** Forgets how fast it was before. */
  restart(at: number, finished: number): void {
    this.#samples.splice(0, Infinity, { at, finished });
  }

  /** The start of a line of progress: how many of how many, how fast, and the time that is left. */
  text(finished: number, total: number | undefined): readonly string[] {
    const rate = Math.round(this.#perSecond() * 10) / 10;
    const left = total === undefined || rate <= 0 ? undefined : ((total - finished) / rate) * 1000;
    return [
      finishedText(finished, total),
      ...(rate > 0 ? [`${rate < 100 ? rate : grouped(Math.round(rate))}/s`] : []),
      ...(left === undefined || left < 1000 ? [] : [`${formatDuration(Math.ceil(left / 1000) * 1000)} left`]),
    ];
  }

  #perSecond(): number {
    const [first, last] = [this.#samples[0]!, this.#samples.at(-1)!];
    return last.at === first.at ? 0 : ((last.finished - first.finished) * 1000) / (last.at - first.at);
  }
}

/** Finished items of all, where their number is known: `3 of 9`. */
export function finishedText(finished: number, total: number | undefined): string {
  return total === undefined ? `${grouped(finished)} rows` : `${grouped(finished)} of ${grouped(total)}`;
}

/** One line of the parts; the last ones are left out where they do not fit. */
export function fittingParts(parts: readonly string[], columns = Infinity): string {
  const text = parts.join(' · ');
  return text.length <= columns || parts.length === 1 ? text : fittingParts(parts.slice(0, -1), columns);
}
