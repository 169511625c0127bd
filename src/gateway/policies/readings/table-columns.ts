import { type Span, lastAtMost } from './view.ts';

/** One way to write a table: what begins a row, what parts its cells, and what a table of this sort begins with. */
interface TableForm {
  readonly needs: string;
  readonly row: RegExp;
  readonly cell: RegExp;
  /** A row without a cell ends the table before it; where this is given, it begins a new one instead. */
  readonly begin?: RegExp;
}

const forms: readonly TableForm[] = [
  { needs: '\t', row: /\n/g, cell: /\t/g },
  { needs: ';', row: /\n/g, cell: /;/g },
  { needs: '|', row: /\n/g, cell: /\|/g },
  { needs: ',', row: /\n/g, cell: /,/g },
  { needs: '<td', row: /<tr\b/gi, cell: /<t[dh]\b[^>]{0,80}>/gi, begin: /<table\b/gi },
  { needs: 'VALUES', row: /\(/g, cell: /,/g, begin: /\binsert\s+into\b/gi },
];

/** A cell that stands further behind the start of its row is not looked for. */
const rowCharactersMax = 1_000;
const rowsKeptMax = 16;

/** The cells that stand above a place of a text in the first rows of tables it may be part of. */
export function createColumns(text: string): (at: number) => readonly Span[] {
  const tables = forms.filter(({ needs }) => text.includes(needs)).map((form) => createTables(text, form));
  return (at) => tables.flatMap((headerOver) => headerOver(at) ?? []);
}

function createTables(text: string, { row, cell, begin }: TableForm): (at: number) => Span | undefined {
  const rows = [0, ...Array.from(text.matchAll(row), ({ index }) => index + 1)];
  const begins = begin === undefined ? undefined : Array.from(text.matchAll(begin), ({ index }) => index);
  const heads = new Int32Array(rows.length);
  for (let index = 1; index < rows.length; index++) heads[index] = isSameTable(index) ? heads[index - 1]! : index;

  function isSameTable(index: number): boolean {
    if (begins !== undefined) {
      const last = begins[lastAtMost(begins, rows[index]!)] ?? 0;
      return last <= rows[index - 1]!;
    }
    cell.lastIndex = 0;
    return cell.test(rowOf(index - 1));
  }

  function rowOf(index: number): string {
    const end = rows[index + 1] ?? text.length;
    return text.slice(rows[index], Math.min(end, rows[index]! + rowCharactersMax));
  }

  /** Ends of the cells of a row; of the row that was asked for last, and of the first of its table. */
  const known = new Map<number, readonly number[]>();
  function cellEnds(index: number): readonly number[] {
    let ends = known.get(index);
    if (ends === undefined) {
      if (known.size > rowsKeptMax) known.clear();
      const part = rowOf(index);
      known.set(index, (ends = [...partsBefore(part, cell), part.length]));
    }
    return ends;
  }

  return function headerOver(at) {
    const index = lastAtMost(rows, at);
    const head = heads[index]!;
    const inRow = at - rows[index]!;
    if (head === index || inRow > rowCharactersMax) return undefined;
    const ends = cellEnds(index);
    const column = inRow < ends[0]! ? 0 : lastAtMost(ends, inRow) + 1;
    const headEnds = cellEnds(head);
    const end = headEnds[column];
    return end === undefined
      ? undefined
      : { start: rows[head]! + (column === 0 ? 0 : headEnds[column - 1]!), end: rows[head]! + end };
  };
}

/** The places of the signs between cells, but for those in quotation marks. */
function partsBefore(part: string, cell: RegExp): number[] {
  const places: number[] = [];
  let quotes = 0;
  let read = 0;
  for (const { index } of part.matchAll(cell)) {
    for (; read < index; read++) if (part.charCodeAt(read) === 0x22) quotes++;
    if (quotes % 2 === 0) places.push(index);
  }
  return places;
}
