import { clip, columnsOf } from '../../text/width.ts';
import { defuseLine } from '../../text/defuse.ts';

export interface DraftCompletion {
  /** In UTF-16 units, as the cursor. */
  readonly start: number;
  /** The only one is put in, with a space behind it unless it ends in `/`; of several, what they have in common. */
  readonly candidates: readonly CompletionCandidate[];
}

export interface CompletionCandidate {
  readonly text: string;
  readonly note?: string;
}

/** The text that a completion puts in the place of `typed`, if it knows more than was typed. */
export function insertionOf({ candidates }: DraftCompletion, typed: string): string | undefined {
  const [first, ...others] = candidates.map(({ text }) => text);
  if (first === undefined) return undefined;
  if (others.length === 0) return first.endsWith('/') ? first : `${first} `;
  const common = commonStart(first, others);
  return common.length > typed.length ? common : undefined;
}

/** The candidates for people: with notes one a row, without them side by side. */
export function candidateRows(candidates: readonly CompletionCandidate[], columns: number, rowsMax: number): string[] {
  const rows = candidates.some(({ note }) => note !== undefined) ? noted(candidates) : columned(candidates, columns);
  const shown = rows.length > rowsMax ? [...rows.slice(0, rowsMax - 1), `… ${rows.length - rowsMax + 1} more`] : rows;
  return shown.map((row) => clip(row, columns));
}

function noted(candidates: readonly CompletionCandidate[]): string[] {
  const lines = candidates.map(({ text, note = '' }) => ({ text: defuseLine(text), note: defuseLine(note) }));
  const width = Math.min(32, Math.max(...lines.map(({ text }) => columnsOf(text))));
  return lines.map(({ text, note }) => `${padTo(text, width)}  ${note}`.trimEnd());
}

function columned(candidates: readonly CompletionCandidate[], columns: number): string[] {
  const texts = candidates.map(({ text }) => defuseLine(text));
  const width = Math.max(...texts.map(columnsOf)) + 2;
  const across = Math.max(1, Math.floor(columns / width));
  const count = Math.ceil(texts.length / across);
  return Array.from({ length: count }, (_, row) =>
    texts
      .filter((_, index) => index % count === row)
      .map((text) => padTo(text, width))
      .join('')
      .trimEnd(),
  );
}

function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columnsOf(text)));
}

/** In whole characters, so that none is put in by halves. */
function commonStart(first: string, others: readonly string[]): string {
  let common = '';
  for (const character of first) {
    if (!others.every((other) => other.startsWith(common + character))) return common;
    common += character;
  }
  return common;
}
