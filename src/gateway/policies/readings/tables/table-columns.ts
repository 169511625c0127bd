import { matchesOf } from '../../../../text/patterns/matches.ts';
import { type Span, lastAtMost } from '../view.ts';

/** A cell that stands further behind the start of its row is not looked for. */
const rowCharactersMax = 1_000;
const rowsKeptMax = 16;

/** Signs between cells where each row of a table is a line. */
const signs = [
  { sign: '\t', cell: /\t/g },
  { sign: ';', cell: /;/g },
  { sign: '|', cell: /\|/g },
  { sign: ',', cell: /,/g },
];

/** Tables with marks of their own: what begins a row, what parts its cells, and what a table begins with. */
const marked = [
  { needs: '<td', row: /<tr\b/gi, cell: /<t[dh]\b[^>]{0,80}>/gi, begin: /<table\b/gi },
  { needs: 'VALUES', row: /\(/g, cell: /,/g, begin: /\binsert\s+into\b/gi },
];

/** Rows of the tables of one sort, by their starts. */
interface Rows {
  readonly cell: RegExp;
  /** Start of the row with a place in it; undefined where that is too far away. */
  readonly startOf: (at: number) => number | undefined;
  /** Start of the first row of its table. */
  readonly headOf: (start: number) => number;
  readonly textOf: (start: number) => string;
}

/** Tells of a place in a text the cells that stand above it in the first rows of tables it may be part of. */
export function createColumns(text: string): (at: number) => readonly Span[] {
  const lines = signs.filter(({ sign }) => text.includes(sign)).map((form) => linesOf(text, form));
  const others = marked.filter(({ needs }) => text.includes(needs)).map((form) => markedRows(text, form));
  const lookUps = [...lines, ...others].map(createLookUp);
  return (at) => lookUps.flatMap((headerOver) => headerOver(at) ?? []);
}

/** A row without a cell ends the table before it. */
function linesOf(text: string, { sign, cell }: (typeof signs)[number]): Rows {
  const heads = new Map<number, number>();
  const rowBefore = (start: number) => text.lastIndexOf('\n', start - 2) + 1;
  function textOf(start: number): string {
    const most = text.slice(start, start + rowCharactersMax);
    const end = most.indexOf('\n');
    return end === -1 ? most : most.slice(0, end + 1);
  }
  return {
    cell,
    textOf,
    startOf(at) {
      const near = text.slice(Math.max(0, at - rowCharactersMax - 1), at);
      const found = near.lastIndexOf('\n');
      return found === -1 && near.length < at ? undefined : at - near.length + found + 1;
    },
    headOf(row) {
      const path: number[] = [];
      let head = row;
      for (let known = heads.get(head); known === undefined; known = heads.get(head)) {
        path.push(head);
        const before = head === 0 ? head : rowBefore(head);
        if (before === head || !textOf(before).includes(sign)) break;
        head = before;
      }
      head = heads.get(head) ?? head;
      for (const one of path) heads.set(one, head);
      return head;
    },
  };
}

function markedRows(text: string, { row, cell, begin }: (typeof marked)[number]): Rows {
  const starts = [0, ...Array.from(matchesOf(text, row), ({ index }) => index + 1)];
  const begins = Array.from(matchesOf(text, begin), ({ index }) => index);
  const heads = new Int32Array(starts.length);
  for (let index = 1; index < starts.length; index++) {
    const last = begins[lastAtMost(begins, starts[index]!)] ?? 0;
    heads[index] = last < starts[index - 1]! ? heads[index - 1]! : index;
  }
  return {
    cell,
    startOf: (at) => starts[lastAtMost(starts, at)],
    headOf: (start) => starts[heads[lastAtMost(starts, start)]!]!,
    textOf(start) {
      const end = starts[lastAtMost(starts, start) + 1] ?? text.length;
      return text.slice(start, Math.min(end, start + rowCharactersMax));
    },
  };
}

function createLookUp({ cell, startOf, headOf, textOf }: Rows): (at: number) => Span | undefined {
  /** Ends of the cells of rows that were asked for last. */
  const known = new Map<number, readonly number[]>();
  function cellEnds(start: number): readonly number[] {
    let ends = known.get(start);
    if (ends === undefined) {
      if (known.size > rowsKeptMax) known.clear();
      const part = textOf(start);
      known.set(start, (ends = [...partsBefore(part, cell), part.length]));
    }
    return ends;
  }

  return function headerOver(at) {
    const row = startOf(at);
    if (row === undefined || at - row > rowCharactersMax) return undefined;
    const head = headOf(row);
    if (head === row) return undefined;
    const ends = cellEnds(row);
    const inRow = at - row;
    const column = inRow < ends[0]! ? 0 : lastAtMost(ends, inRow) + 1;
    const headEnds = cellEnds(head);
    const end = headEnds[column];
    return end === undefined
      ? undefined
      : { start: head + (column === 0 ? 0 : headEnds[column - 1]!), end: head + end };
  };
}

/** The places of the signs between cells, but for those in quotation marks. */
export function partsBefore(part: string, cell: RegExp): number[] {
  const places: number[] = [];
  let quotes = 0;
  let read = 0;
  for (const { index } of matchesOf(part, cell)) {
    for (; read < index; read++) if (part.charCodeAt(read) === 0x22) quotes++;
    if (quotes % 2 === 0) places.push(index);
  }
  return places;
}
