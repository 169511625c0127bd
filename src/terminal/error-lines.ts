import type { MotifError } from '../errors.ts';
import { defuse } from '../text/defuse.ts';
import type { Output } from '../world/world.ts';
import { fitLines } from './lines.ts';

/** What happened, why or where, and what to type next: a line each. */
export function errorLines(
  { message, notes, hints, said }: MotifError,
  stderr: Pick<Output, 'isTerminal' | 'columns'>,
): string {
  const lines = [
    ...(said ? [] : [`motif: ${message}`]),
    ...notes.map((note) => `  ${note}`),
    ...hints.map((hint) => `  ${hint}`),
  ];
  return lines.map((line) => `${fitLines(defuse(line), stderr)}\n`).join('');
}
