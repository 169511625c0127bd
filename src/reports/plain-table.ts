import { columnsOf, columnsOfAll } from '../text/width.ts';

interface PlainTable {
  readonly rows: readonly (readonly string[])[];
  /** One a column: `right` for numbers; the left where nothing is said. */
  readonly align?: readonly ('left' | 'right')[];
  readonly gap?: string;
  /** Colours a cell, whose blanks stay outside of it. */
  readonly paint?: (cell: string, column: number, row: number) => string;
}

/** Lines of cells in columns, as wide as their widest cell; without blanks at the end of a line. */
export function plainTable({ rows, align = [], gap = '  ', paint }: PlainTable): readonly string[] {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const widths = Array.from({ length: columns }, (_, at) => columnsOfAll(rows.map((row) => row[at] ?? '')));
  return rows.map((row, number) =>
    row
      .map((cell, at) => padded(cell, paint?.(cell, at, number) ?? cell, widths[at]!, align[at]))
      .join(gap)
      .trimEnd(),
  );
}

/** Rows as they are read aloud: first the cells that name them, then each cell behind its column. */
export function spokenRows(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  named: number,
): readonly string[] {
  const isTold = (cell: string | undefined): boolean => cell !== undefined && cell !== '';
  return rows.map((row) => {
    const name = row.slice(0, named).filter(isTold).join(', ');
    const told = head.flatMap((column, at) =>
      at < named || !isTold(row[at]) ? [] : [`${column} ${row[at]}`.trimStart()],
    );
    return `${name}${name === '' ? '' : ': '}${told.join(', ')}`;
  });
}

function padded(cell: string, painted: string, width: number, side: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - columnsOf(cell)));
  return side === 'right' ? blanks + painted : painted + blanks;
}

interface VerdictPaint {
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
}

/** A sentence whose first word is a verdict; that word alone has the colour, which not every background shows well. */
export function paintVerdict(sentence: string, paint: VerdictPaint): string {
  const colours: Readonly<Record<string, keyof VerdictPaint>> = { FAILED: 'red', UNVERIFIED: 'yellow' };
  return sentence.replace(/^[A-Z]+/, (word) => {
    const colour = colours[word];
    return paint.bold(colour === undefined ? word : paint[colour](word));
  });
}
