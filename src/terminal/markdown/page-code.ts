import { columnsOf, fold } from '../../text/width.ts';

interface CodeLine {
  readonly code: string;
  readonly comment: string | undefined;
}

/**
 * Code of a page in so many columns: comments behind it move together or, where that is not enough, onto a line above.
 * A transcript is broken as a terminal shows it: a row of a table below its last column.
 */
export function fitCode(lines: readonly string[], columns: number, isTranscript: boolean): readonly string[] {
  const isFit = (line: string): boolean => columnsOf(line) <= columns;
  if (lines.every(isFit)) return lines;
  if (isTranscript) return lines.flatMap((line) => fold(line, columns, below(line, columns)).split('\n'));
  const split = lines.map(splitComment);
  const width = Math.max(...split.map(({ code, comment }) => (comment === undefined ? 0 : columnsOf(code))));
  const aligned = split.map(({ code, comment }) =>
    comment === undefined ? code : `${code}${' '.repeat(width - columnsOf(code))}  # ${comment}`,
  );
  if (aligned.every(isFit)) return aligned;
  return split.flatMap(({ code, comment }) =>
    comment === undefined ? [code] : [`${indentOf(code)}# ${comment}`, code],
  );
}

function splitComment(line: string): CodeLine {
  const [, code = line, comment] = /^(.*\S) +# (.*)$/.exec(line) ?? [];
  return { code, comment };
}

/** The last column is never narrower than this. */
const lastColumnMin = 16;
/** Blanks at the start of a line that are empty columns, and no indent. */
const emptyColumnsMin = 8;

/** The blanks before what goes on below a line of a transcript. */
function below(line: string, columns: number): string {
  const starts = [...line.matchAll(/ {2,}(?=\S)/g)]
    .filter(({ index, 0: blanks }) => index > 0 || blanks.length >= emptyColumnsMin)
    .map(({ index, 0: blanks }) => columnsOf(line.slice(0, index)) + blanks.length);
  const start = starts.findLast((each) => columns - each >= lastColumnMin);
  return start === undefined ? `${indentOf(line)}  ` : ' '.repeat(start);
}

function indentOf(line: string): string {
  return /^ */.exec(line)?.[0] ?? '';
}
