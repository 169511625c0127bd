import { type DocumentFault, faultsMax, type FilePlace, type Path } from '../documents/fault.ts';
import { Spot } from '../documents/spot.ts';
import type { MotifError } from '../errors.ts';
import { rowFault } from '../rows/lines.ts';
import { formatOfName, separatorHint } from '../rows/rows.ts';
import { closest } from '../text/similar.ts';
import type { Case } from './case.ts';
import { type CaseFiles, toCase } from './cases.ts';
import { type CaseRow, casesMax, noteId, type ParsedSuite, tooMany, toOutcome } from './parsing.ts';
import { caseShape, columnNames } from './suite-shape.ts';
import { splitTags } from './tags.ts';

/** Reads a file of rows as a suite by itself: its columns are the keys of a case. */
export async function parseRows(file: string, rows: AsyncIterable<CaseRow>, files: CaseFiles): Promise<ParsedSuite> {
  const cases: Case[] = [];
  const faults: DocumentFault[] = [];
  const ids = new Map<string, number>();
  for await (const row of rows) {
    if (cases.length === 0 && faults.length === 0) checkColumns(file, row);
    const top = Spot.top({ file, at: (path) => placeIn(row, path) });
    const written = caseShape.read(rowCase(row.values), top.spot);
    const place = { file, line: row.line, number: cases.length + 1 };
    const made = written && (await toCase(written, {}, place, { spot: top.spot, files }));
    if (made !== undefined && top.faults.length === 0) noteId(made, ids, top.spot);
    faults.push(...top.faults);
    if (faults.length >= faultsMax) break;
    if (made !== undefined) cases.push(made);
    if (cases.length > casesMax) throw tooMany(file);
  }
  if (cases.length === 0 && faults.length === 0)
    faults.push({ file, line: 1, column: 1, path: '', expected: 'the file has no rows' });
  return faults.length > 0 ? { suite: undefined, faults } : { suite: { name: file, file, cases }, faults };
}

/** The cell that a fault is about, or the start of its row. */
function placeIn({ line, values, placeOf }: CaseRow, path: Path): FilePlace {
  const column = path.findLast((step) => typeof step === 'string' && Object.hasOwn(values, step));
  return (column !== undefined && placeOf?.(String(column))) || { line, column: 1 };
}

const foundShownMax = 12;

/** A misspelled column would make every case expect less than it says. */
function checkColumns(file: string, { values, line }: CaseRow): void {
  const names = Object.keys(values);
  const known: readonly string[] = columnNames;
  const isTable = ['csv', 'tsv'].includes(formatOfName(file) ?? '');
  const columns = `columns are ${columnNames.join(', ')}; others are left out`;
  const fault = (message: string, hint = columns): MotifError => rowFault(file, isTable ? 1 : line, message, hint);
  const required = (name: string, what: string): void => {
    if (names.includes(name)) return;
    const separator = separatorHint(names, formatOfName(file));
    const meant = names.find((each) => each.trim().toLowerCase() === name) ?? closest(name, names);
    const guess = meant === undefined || separator !== undefined ? '' : `; rename ${JSON.stringify(meant)} to ${name}`;
    const found = names.slice(0, foundShownMax).map((each) => JSON.stringify(each.slice(0, 80)));
    const more = names.length > found.length ? ', ...' : '';
    throw fault(`there is no column ${what}, only ${found.join(', ')}${more}${guess}`, separator ?? columns);
  };
  if (!names.includes('messages')) required('prompt', 'prompt');
  const odd = names.find((name) => !known.includes(name) && closest(name, known) !== undefined);
  if (odd !== undefined && !names.includes(closest(odd, known)!))
    throw fault(`the column ${JSON.stringify(odd)} is unknown; did you mean ${closest(odd, known)!}?`);
  required('expect', 'expect (answered or blocked)');
}

/** The columns of a row as the keys of a case; an empty cell is as good as none. */
function rowCase(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const filled = Object.fromEntries(
    columnNames.map((name) => [name, values[name]]).filter(([, value]) => value !== ''),
  );
  const { contains, not_contains, tags, expect, ...rest } = filled as Readonly<Record<string, unknown>>;
  const answer = withoutAbsent({ contains, not_contains });
  const words = typeof tags === 'string' ? splitTags(tags) : tags;
  return withoutAbsent({
    ...rest,
    expect: toOutcome(expect),
    answer: Object.keys(answer).length > 0 ? answer : undefined,
    tags: words,
  });
}

function withoutAbsent(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
