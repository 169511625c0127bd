import { isFields, JsonFault, parseJson } from '../text/json/json.ts';
import { columnsMax, type CsvPlace, readCsvRecords } from './csv.ts';
import { type LineOptions, readLineGroups, rowFault, type TextLine } from './lines.ts';
import { type RawMember, rawMembers } from './members.ts';
import type { RowSource } from './source.ts';

export const rowFormats = ['jsonl', 'lines', 'csv', 'tsv'] as const;
export type RowFormat = (typeof rowFormats)[number];

/** The name of the one field that a row of plain lines has. */
export const lineField = 'prompt';

export interface Row {
  /** From 0, over the whole input. */
  readonly index: number;
  /** The line of the source on which the row begins, from 1. */
  readonly line: number;
  /** Its values by name: as parsed from JSON; texts of CSV; of a plain line one text, `prompt`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The place of a value of CSV, where it was asked for. */
  readonly placeOf?: ((name: string) => CsvPlace) | undefined;
  /** All its fields in order, each value as JSON text; of JSONL byte for byte, so that numbers keep every digit. */
  members(): readonly RawMember[];
}

export interface RowOptions extends LineOptions {
  /** Absent: told by the name, and for another name by the first line, where `{` or an array means JSON. */
  readonly format?: RowFormat;
  /** Only so many rows from the start. */
  readonly limit?: number;
  /** Each row of CSV tells where its values are, for which its text is kept. */
  readonly withPlaces?: boolean;
}

/**
 * The rows of a source, streaming, in their order; blank lines are left out. A row that cannot be read is a usage error
 * with file and line, and ends the reading.
 *
 *     for await (const { values, line } of readRows(fileSource(world.files, 'cases.csv'))) ...
 */
export async function* readRows(source: RowSource, options: RowOptions = {}): AsyncGenerator<Row> {
  for await (const group of readRowGroups(source, options)) yield* group;
}

/** The same rows, those of a chunk at once: each group is to be read to its end before the next is asked for. */
export function readRowGroups(source: RowSource, options: RowOptions = {}): AsyncGenerator<Iterable<Row>> {
  const format = options.format ?? formatOfName(source.name);
  if (format === 'csv' || format === 'tsv') return csvRows(source, format, options);
  return lineRows(source, format === undefined ? options : { ...options, format });
}

/** The format that a file's name stands for, with or without `.gz`; undefined for a name that says nothing. */
export function formatOfName(name: string): RowFormat | undefined {
  const ending = /\.([a-z]+)(\.gz)?$/i.exec(name)?.[1]?.toLowerCase();
  if (ending === 'jsonl' || ending === 'ndjson') return 'jsonl';
  if (ending === 'txt') return 'lines';
  return ending === 'csv' || ending === 'tsv' ? ending : undefined;
}

async function* lineRows(source: RowSource, options: RowOptions): AsyncGenerator<Iterable<Row>> {
  let { format } = options;
  let index = 0;
  function* rowsOf(lines: Iterable<TextLine>): Generator<Row> {
    for (const line of lines) {
      if (line.text.trim() === '') continue;
      format ??= jsonStart.test(line.text) ? 'jsonl' : 'lines';
      yield format === 'jsonl' ? jsonRow(line, index, source.name) : plainRow(line, index);
      index += 1;
      if (index === options.limit) return;
    }
  }
  for await (const lines of readLineGroups(source, options)) {
    yield rowsOf(lines);
    if (index === options.limit) return;
  }
}

function plainRow({ number, text }: TextLine, index: number): Row {
  const values = { [lineField]: text };
  return { index, line: number, values, members: () => toMembers([lineField], [text]) };
}

/** The beginning of an object, or of an array of them, which nobody means as a prompt. */
const jsonStart = /^(\{|\[\s*($|[{"]))/;

function jsonRow({ number, text }: TextLine, index: number, name: string): Row {
  const start = text.trim();
  const values = start === '{' || start.startsWith('[') ? undefined : parseJsonLine(text, number, name);
  if (!isFields(values)) throw rowFault(name, number, 'a row of JSONL is one object on one line', jsonHint(start));
  return { index, line: number, values, members: () => rawMembers(text) };
}

function jsonHint(start: string): string {
  if (start === '{') return 'of a document on several lines makes a row: jq -c .';
  const plainHint = 'plain text: --format lines';
  return start.startsWith('[') ? `of an array makes rows: jq -c ".[]"; ${plainHint}` : plainHint;
}

function parseJsonLine(text: string, number: number, name: string): unknown {
  try {
    return parseJson(text, { takesHugeNumbers: true });
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw rowFault(name, number, `column ${error.column}: ${error.message}`);
  }
}

async function* csvRows(source: RowSource, format: 'csv' | 'tsv', options: RowOptions): AsyncGenerator<Iterable<Row>> {
  let columns: readonly string[] | undefined;
  let index = 0;
  for await (const { line, values, placeOf } of readCsvRecords(source, format, options)) {
    if (columns === undefined) columns = checkHeader(values, source.name, line);
    else {
      const names = columns;
      const row = csvRow(columns, values, { index, line, name: source.name });
      yield [placeOf === undefined ? row : { placeOf: (name) => placeOf(names.indexOf(name)), ...row }];
      index += 1;
      if (index === options.limit) return;
    }
  }
}

function checkHeader(columns: readonly string[], name: string, line: number): readonly string[] {
  if (columns.length > columnsMax) throw rowFault(name, line, `more than ${columnsMax} columns`);
  const named = columns.map((column, index) => (column === '' ? `column${index + 1}` : column));
  const seen = new Set<string>();
  const twice = named.find((column) => seen.size === seen.add(column).size);
  if (twice !== undefined) throw rowFault(name, line, `the header has ${JSON.stringify(twice)} twice`);
  return named;
}

function csvRow(
  columns: readonly string[],
  texts: readonly string[],
  { index, line, name }: { readonly index: number; readonly line: number; readonly name: string },
): Row {
  if (texts.length !== columns.length) {
    const message = `the header names ${columns.length} columns, this row has ${texts.length}`;
    const quoting = 'a value that holds the separator or a newline has to be quoted';
    throw rowFault(name, line, message, separatorHint(columns, formatOfName(name)) ?? quoting);
  }
  const values: Record<string, string> = Object.create(null);
  for (const [at, column] of columns.entries()) values[column] = texts[at]!;
  return { index, line, values, members: () => toMembers(columns, texts) };
}

/** Words about a table whose one column seems to be several behind another separator; undefined for any other. */
export function separatorHint(columns: readonly string[], format: RowFormat | undefined): string | undefined {
  const [only, second] = columns;
  if (only === undefined || second !== undefined) return undefined;
  if (format !== 'csv' && format !== 'tsv') return undefined;
  const other = ['|', ...(format === 'tsv' ? [';', ','] : [])].find((each) => only.includes(each));
  const wanted = format === 'csv' ? 'commas' : 'tabs';
  return other && `${JSON.stringify(other)} seems to separate its columns: save it with ${wanted}`;
}

/** From the columns rather than the values, for an object puts names that are numbers first. */
function toMembers(columns: readonly string[], texts: readonly string[]): readonly RawMember[] {
  return columns.map((name, at) => ({ name, nameJson: JSON.stringify(name), json: JSON.stringify(texts[at]) }));
}
