import type { CsvError, Info, Options } from 'csv-parse';
import { formatSize } from '../text/sizes.ts';
import { type LineOptions, rowBytesMax, rowFault } from './lines.ts';
import type { RowSource } from './source.ts';

/** One record of a table, its line, and its values in the order of the columns. */
interface CsvRecord {
  readonly line: number;
  readonly values: readonly string[];
}

export const columnsMax = 10_000;

/**
 * The records of a CSV or TSV source by RFC 4180, the header first: quoted newlines stay, no value is trimmed or taken
 * for a number, blank lines are left out. A faulty record is a usage error with file and line.
 */
export async function* readCsvRecords(
  source: RowSource,
  delimiter: ',' | '\t',
  { bytesMax = rowBytesMax }: LineOptions = {},
): AsyncGenerator<CsvRecord> {
  const [{ parse }, { Readable }, { pipeline }] = await Promise.all([
    import('csv-parse'),
    import('node:stream'),
    import('node:stream/promises'),
  ]);
  const options: Options = {
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: bytesMax,
  };
  const parser = parse(options);
  const checked = checkText(source, () => parser.info.lines);
  // The pipeline ends the parser with whatever went wrong before it, which the loop then throws.
  pipeline(Readable.from(checked), parser).catch(() => undefined);
  let nextLine = 1;
  try {
    for await (const { info, record } of parser as AsyncIterable<{ info: Info; record: string[] }>) {
      yield { line: nextLine, values: record };
      nextLine = info.lines + 1;
    }
  } catch (error) {
    throw isParserFault(error) ? toRowFault(error, source.name, bytesMax) : error;
  }
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

interface ParserFault extends CsvError {
  readonly lines?: number;
}

const openingQuote = 'a quote stands inside a value that does not begin with one; quote the whole value';

const wordsByCode: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted value that begins here or before has no closing quote',
  CSV_INVALID_CLOSING_QUOTE: 'text stands after the closing quote of a value; a quote inside one is written twice',
  CSV_MAX_RECORD_SIZE: 'the row is longer than',
  INVALID_OPENING_QUOTE: openingQuote,
  CSV_INVALID_OPENING_QUOTE: openingQuote,
};

function isParserFault(error: unknown): error is ParserFault {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code in wordsByCode;
}

function toRowFault({ code, lines = 1 }: ParserFault, name: string, bytesMax: number): Error {
  const size = code === 'CSV_MAX_RECORD_SIZE' ? ` ${formatSize(bytesMax)}; is a closing quote missing?` : '';
  return rowFault(name, lines, `${wordsByCode[code]}${size}`);
}
