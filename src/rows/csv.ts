import type { CsvError, Options } from 'csv-parse';
import { charactersIn } from '../documents/places.ts';
import { formatSize } from '../text/sizes.ts';
import { type LineOptions, rowBytesMax, rowFault } from './lines.ts';
import type { RowSource } from './source.ts';

/** One record of a table, its line, and its values in the order of the columns. */
interface CsvRecord {
  readonly line: number;
  readonly values: readonly string[];
  /** The place of a value by its number; absent unless it was asked for. */
  readonly placeOf?: ((index: number) => CsvPlace) | undefined;
}

/** Line and column, both from 1. */
export interface CsvPlace {
  readonly line: number;
  readonly column: number;
}

export const columnsMax = 10_000;

/** Any of them ends any row: a file may have both, where a program has added to that of another. */
const rowEnds = ['\r\n', '\n', '\r'];

/**
 * The records of a CSV or TSV source by RFC 4180, the header first: quoted newlines stay, no value is trimmed or taken
 * for a number, blank lines are left out. A faulty record is a usage error with file and line.
 */
export async function* readCsvRecords(
  opened: RowSource,
  format: 'csv' | 'tsv',
  { bytesMax = rowBytesMax, withPlaces = false }: LineOptions & { readonly withPlaces?: boolean | undefined } = {},
): AsyncGenerator<CsvRecord> {
  const [{ parse }, { Readable }, { pipeline }] = await Promise.all([
    import('csv-parse'),
    import('node:stream'),
    import('node:stream/promises'),
  ]);
  const { source, delimiter } = format === 'tsv' ? { source: opened, delimiter: '\t' } : await findSeparator(opened);
  const counter = new LineCounter();
  const options: Options = {
    delimiter,
    record_delimiter: rowEnds,
    bom: true,
    info: true,
    raw: withPlaces,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: bytesMax,
    on_record: (parsed, { lines }) => {
      const each = parsed as unknown as CsvParsed;
      each.line = counter.add(lines, each.record);
      return parsed;
    },
  };
  const parser = parse(options);
  const checked = checkText(source, () => parser.info.lines);
  // The pipeline ends the parser with whatever went wrong before it, which the loop then throws.
  pipeline(Readable.from(checked), parser).catch(() => undefined);
  let columns: number | undefined;
  try {
    for await (const { line, record, raw } of parser as AsyncIterable<CsvParsed>) {
      // A line of blanks alone is as good as an empty one, but for a table of one column.
      columns ??= record.length;
      if (columns === 1 || record.length > 1 || record[0]?.trim() !== '') {
        const placeOf = raw === undefined ? undefined : (index: number) => placeIn(raw, { index, line, delimiter });
        yield { line, values: record, placeOf };
      }
    }
  } catch (error) {
    throw isParserFault(error) ? toRowFault(error, source.name, { bytesMax, counter }) : error;
  }
}

const headerCharactersMax = 65_536;

/**
 * The source with nothing read of it, and what separates its values: a comma, or else what the header has in its place.
 * Spreadsheets write a semicolon where a comma stands within numbers, and some a tab.
 */
async function findSeparator(source: RowSource): Promise<{ readonly source: RowSource; readonly delimiter: string }> {
  const chunks = source.chunks()[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  const read: IteratorResult<Uint8Array>[] = [];
  let text = '';
  let header: string | undefined;
  while (header === undefined && text.length < headerCharactersMax && read.at(-1)?.done !== true) {
    const next = await chunks.next();
    read.push(next);
    const more = next.done ? '\n' : decoder.decode(next.value, { stream: true });
    text += more;
    if (/[\r\n]/.test(more)) header = /^\s*(\S.*)[\r\n]/.exec(text.replace(/"(?:[^"]|"")*(?:"|$)/g, 'x'))?.[1];
  }
  async function* again(): AsyncGenerator<Uint8Array> {
    try {
      for (const { done, value } of read) if (!done) yield value;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  }
  const delimiter = [',', ';', '\t'].find((each) => header?.includes(each)) ?? ',';
  return { source: { ...source, chunks: again }, delimiter };
}

/** Lets only UTF-8 text through; the parser would replace what is none without a word. */
async function* checkText(source: RowSource, lineNow: () => number): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const check = (chunk?: Uint8Array): void => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw rowFault(source.name, lineNow(), 'the text from here on is not UTF-8', 'save it as UTF-8');
    }
    if (chunk?.includes(0) === true) throw rowFault(source.name, lineNow(), 'the text from here on is binary');
  };
  for await (const chunk of source.chunks()) {
    check(chunk);
    yield chunk;
  }
  check();
}

/** The place of a value in a record as it was written: quotes and line ends within them count. */
function placeIn(
  raw: string,
  { index, line, delimiter }: { readonly index: number; readonly line: number; readonly delimiter: string },
): CsvPlace {
  const text = raw.replace(/^[\r\n\ufeff]+/, '');
  let at = 0;
  let isQuoted = false;
  for (let left = index; left > 0 && at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === delimiter && !isQuoted) left -= 1;
  }
  const before = text.slice(0, at).split(/\r\n|[\r\n]/);
  return { line: line + before.length - 1, column: charactersIn(text, at - before.at(-1)!.length, at) + 1 };
}

interface CsvParsed {
  readonly record: string[];
  readonly raw?: string;
  line: number;
}

/** Counts the lines of a source by what the parser tells, which counts a CRLF within quotes twice. */
class LineCounter {
  #parserLines = 0;
  /** The line on which the next record begins, or a blank one before it. */
  next = 1;

  /** The line on which a record begins that ends on this line of the parser's count. */
  add(endsOn: number, values: readonly string[]): number {
    const lines = endsOn - this.#parserLines;
    this.#parserLines = endsOn;
    if (lines === 1) return this.next++;
    const text = values.join(' ');
    const blank = lines - 1 - text.split(/[\r\n]/).length + 1;
    const line = this.next + blank;
    this.next = line + text.split(/\r\n|[\r\n]/).length;
    return line;
  }

  /** The line of a place that the parser counts in its own way. */
  of(parserLine: number): number {
    return parserLine - this.#parserLines + this.next - 1;
  }
}

interface ParserFault extends CsvError {
  readonly lines?: number;
}

const openingQuote = 'a quote stands inside a value that does not begin with one; quote the whole value';

const wordsByCode: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted value in the row that begins here has no closing quote',
  CSV_INVALID_CLOSING_QUOTE: 'text stands after the closing quote of a value; a quote inside one is written twice',
  CSV_MAX_RECORD_SIZE: 'the row is longer than',
  INVALID_OPENING_QUOTE: openingQuote,
  CSV_INVALID_OPENING_QUOTE: openingQuote,
};

function isParserFault(error: unknown): error is ParserFault {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code in wordsByCode;
}

function toRowFault(
  { code, lines = 1 }: ParserFault,
  name: string,
  { bytesMax, counter }: { readonly bytesMax: number; readonly counter: LineCounter },
): Error {
  const isTooLong = code === 'CSV_MAX_RECORD_SIZE';
  const size = isTooLong ? ` ${formatSize(bytesMax)}; is a closing quote missing?` : '';
  // The parser is at the end of the file by then, or of what it takes of one row.
  const line = isTooLong || code === 'CSV_QUOTE_NOT_CLOSED' ? counter.next : counter.of(lines);
  return rowFault(name, line, `${wordsByCode[code]}${size}`);
}
