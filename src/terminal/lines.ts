import type { MotifError } from '../errors.ts';
import { defuse } from '../text/defuse.ts';
import { fold } from '../text/width.ts';
import type { Output } from '../world/world.ts';
import type { Style } from './style.ts';

/** Lines for people, broken between words where a terminal shows them; a pipe gets them as they are. */
export function fitLines(text: string, { isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>): string {
  if (!isTerminal) return text;
  const hanging = (line: string) => `${/^ */.exec(line)?.[0]}  `;
  return text
    .split('\n')
    .map((line) => fold(line, columns, hanging(line)))
    .join('\n');
}

/** An error as lines: what happened, why or where, and what to type next. */
export function errorLines(
  { message, notes, hints, isPrinted }: MotifError,
  stderr: Pick<Output, 'isTerminal' | 'columns'>,
  style?: Style,
): string {
  const lines = [
    ...(isPrinted ? [] : [`motif: ${message}`]),
    ...notes.map((note) => `  ${note}`),
    ...hints.map((hint) => `  ${hint}`),
  ];
  const text = lines.map((line) => `${fitLines(defuse(line), stderr)}\n`).join('');
  return style === undefined || isPrinted ? text : text.replace(/^motif:/, style.bold(style.red('motif:')));
}
