import type { AuditEntry } from './line.ts';

/** The most lines a minute of refused prompts, of one token and reason; a token must not fill the disk. */
export const refusedLinesMax = 60;
const minuteMs = 60_000;

interface RefusedMinute {
  readonly since: number;
  lines: number;
  /** Prompts without a line of their own, and the last of them. */
  counted: number;
  last: AuditEntry | undefined;
}

/** The refused prompts of each token in this minute; those beyond the most share one line with their number. */
export class RefusedLines {
  readonly #minutes = new Map<string, RefusedMinute>();

  /** True for an entry that gets a line of its own; any other is counted. */
  take(entry: AuditEntry, now: number): boolean {
    if (!isRefusedUnread(entry)) return true;
    const key = `${entry.status} ${entry.reason} ${entry.motif} ${entry.tokenId} ${entry.isEmpty === true}`;
    let minute = this.#minutes.get(key);
    if (minute === undefined) this.#minutes.set(key, (minute = { since: now, lines: 0, counted: 0, last: undefined }));
    if (minute.lines < refusedLinesMax) {
      minute.lines += 1;
      return true;
    }
    minute.counted += 1;
    minute.last = entry;
    return false;
  }

  /** Takes out the entries for the minutes that are over at this moment; a clock that was set back ends them too. */
  takeCounted(now: number): readonly AuditEntry[] {
    const entries: AuditEntry[] = [];
    for (const [key, { since, counted, last }] of this.#minutes) {
      if (Math.abs(now - since) < minuteMs) continue;
      this.#minutes.delete(key);
      if (last !== undefined) entries.push({ ...last, refused: counted });
    }
    return entries;
  }
}

/** True for a prompt that was refused before a policy found anything in it, and before a provider was asked. */
function isRefusedUnread({ decision, provider, hits }: AuditEntry): boolean {
  return decision === 'refused' && (provider ?? undefined) === undefined && hits.length === 0;
}
