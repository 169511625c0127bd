import { hash } from 'node:crypto';
import { MotifError } from '../errors.ts';
import { composeMessages, isPromptEmpty, type NamedText } from '../messages/compose.ts';
import { type FilledTemplate, fillTemplate, MissingValue } from '../messages/template.ts';
import type { RawMember } from '../rows/members.ts';
import { rowFault } from '../rows/lines.ts';
import { lineField, type Row, separatorHint } from '../rows/rows.ts';
import { promptBytesMax } from '../text/limits.ts';
import { formatSize } from '../text/sizes.ts';
import { type Message, MessagesFault, parseMessages } from '../wire/request.ts';
import { storedParts } from './request-parts.ts';
import { keyCharacters, markCharacters, ownKeys, type PlannedRow, type RequestMarks } from './row.ts';

/** Parts that are sent with every row, and from which of its fields the prompt comes. */
export interface BatchPlan {
  /** The name of the input in messages. */
  readonly inputName: string;
  /** The address and ID of the Motif, or what stands for the gateway in this process. */
  readonly motif: string;
  readonly system?: string | undefined;
  readonly template?: NamedText | undefined;
  /** Values for the template where a row has none of that name. */
  readonly variables: ReadonlyMap<string, string>;
  readonly files: readonly NamedText[];
  /** The field that holds the prompt. Absent: `prompt`, or the only column of a table. */
  readonly column?: string | undefined;
  /** Set for a table: all its columns pass through. JSONL keeps `prompt` and `messages` to itself. */
  readonly table: 'csv' | 'tsv' | undefined;
}

/** The marks of all keys that this plan makes. */
export function requestMarks(plan: BatchPlan, isSecret: (text: string) => boolean): RequestMarks {
  const { system = null, template, variables, files, column = null } = plan;
  const request = JSON.stringify([system, template?.text ?? null, [...variables], files, column]);
  const names = files.map(({ name }) => name).join(', ');
  const contents = [
    ...(system === null ? [] : [{ name: 'system', content: system, text: system }]),
    ...(template === undefined ? [] : [{ name: 'template', content: template.text, text: template.text }]),
    ...[...variables].map(([name, content]) => ({ name: `var ${name}`, content })),
    ...(files.length === 0 ? [] : [{ name: 'files', content: JSON.stringify(files), text: names }]),
    ...(column === null ? [] : [{ name: 'column', content: column, text: column }]),
  ];
  return { motif: markOf(plan.motif), request: markOf(request), parts: storedParts(contents, { markOf, isSecret }) };
}

function markOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, markCharacters);
}

/** Equal for rows of which the same is sent with the same id. */
export function digestOfContent({ messagesJson, id }: PlannedRow): string {
  return digestOf(`${messagesJson}${id}`);
}

/** The digest of the same content for its second, third ... occurrence in the input. */
export function digestOfOccurrence(digest: string, occurrence: number): string {
  return occurrence === 0 ? digest : digestOf(`${digest} ${occurrence}`);
}

function digestOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, keyCharacters);
}

/**
 * Makes of each row what is sent for it. A row that cannot be sent is a usage error with file and line, which one with
 * an empty prompt takes along: others run all the same.
 */
export function createPlanner(plan: BatchPlan): (row: Row) => PlannedRow {
  const { system, template, files } = plan;
  /** Fields that the template has taken of some row: a row without one of them is faulty. */
  const taken = new Set<string>();
  return (row) => {
    const fault = (message: string, hint?: string) => rowFault(plan.inputName, row.line, message, hint);
    const members = row.members();
    const id = idOf(members, row, fault);
    const column = promptColumn(plan, members, fault);
    const given = givenMessages(row, fault);
    const filled = template && filledTemplate(template, plan, { members, row, taken }, fault);
    const isFilledIn = column === undefined || filled?.names.has(column) === true;
    const words = isFilledIn ? [] : [promptOf(row, column, plan, fault)];
    if (template && filled && words.length === 0 && given.length === 0)
      needFields(members, template, filled.names, fault);
    const messages = composeMessages({ system, given, turns: [], template: filled?.text, words, files });
    const isEmpty = isPromptEmpty(messages);
    if (isEmpty && words.length === 0) throw nothingToSend({ members, given }, plan, fault);
    const bytes = sizeOf(messages, fault);
    return {
      index: row.index,
      line: row.line,
      id,
      messagesJson: JSON.stringify(messages),
      bytes,
      foreign: foreignText(members, plan, fault),
      idColumn: idColumnOf(members, plan),
      fault: isEmpty
        ? fault(`its field ${JSON.stringify(column)} is empty`, 'fill it in, or take the row out')
        : undefined,
    };
  };
}

type RowFault = (message: string, hint?: string) => MotifError;

function idOf(members: readonly RawMember[], row: Row, fault: RowFault): string {
  const { id } = row.values;
  if (id === undefined || id === null) return 'null';
  if (typeof id !== 'string' && typeof id !== 'number') throw fault('id is neither a text nor a number');
  return members.find(({ name }) => name === 'id')!.json;
}

function idColumnOf(members: readonly RawMember[], { table }: BatchPlan): number | undefined {
  const at = table === undefined ? 0 : members.findIndex(({ name }) => name === 'id');
  return at > 0 ? at : undefined;
}

function promptColumn(
  { column, table }: BatchPlan,
  members: readonly RawMember[],
  fault: RowFault,
): string | undefined {
  if (column !== undefined) return column;
  if (members.some(({ name }) => name === lineField)) return lineField;
  const [only, second] = members;
  if (table === undefined || only === undefined || second !== undefined) return undefined;
  const separator = separatorHint([only.name], table);
  if (separator === undefined) return only.name;
  throw fault(`its only column is ${JSON.stringify(only.name)}`, `${separator}; if it is right: --column NAME`);
}

function promptOf(row: Row, column: string, { column: named }: BatchPlan, fault: RowFault): string {
  const value = row.values[column];
  if (typeof value === 'string') return value;
  if (value === undefined) throw fault(`there is no field ${JSON.stringify(column)}`, namesOf(row));
  throw fault(`${JSON.stringify(column)} is no text`, named === undefined ? undefined : namesOf(row));
}

function namesOf(row: Row): string {
  return `its fields: ${listNames(Object.keys(row.values))}`;
}

/** The first of many names; one that would read as several stands in quotes. */
function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => (/[,"\n]|^\s|\s$/.test(name) ? JSON.stringify(name) : name));
  return shown.join(', ');
}

function givenMessages({ values }: Row, fault: RowFault): readonly Message[] {
  if (values.messages === undefined || typeof values.messages === 'string') return [];
  try {
    return parseMessages(values.messages);
  } catch (error) {
    if (error instanceof MessagesFault) throw fault(error.message);
    throw error;
  }
}

/** Refuses a template that would send the same text for every row, as it does where a shell has filled it in. */
function needFields(
  members: readonly RawMember[],
  { name: templateName }: NamedText,
  names: ReadonlySet<string>,
  fault: RowFault,
): void {
  const fields = members.map(({ name }) => name).filter((name) => name !== 'id');
  const [field] = fields;
  if (field === undefined || members.some(({ name }) => names.has(name))) return;
  const hint = `write \${${field}} into it, within single quotes in a shell (its fields: ${listNames(fields)})`;
  throw fault(`${templateName} holds no field of the row: all rows would send the same text`, hint);
}

interface FieldsOfRow {
  readonly members: readonly RawMember[];
  readonly row: Row;
  readonly taken: Set<string>;
}

/** Texts go in as they are, numbers and whatever else as they stand in the JSON. */
function filledTemplate(
  { name, text }: NamedText,
  { variables }: BatchPlan,
  { members, row, taken }: FieldsOfRow,
  fault: RowFault,
): FilledTemplate {
  const filling = new Map<string, string | null>(variables);
  for (const { name: field, json } of members) {
    const value = row.values[field];
    if (value !== null) filling.set(field, typeof value === 'string' ? value : json);
    else if (!variables.has(field)) filling.set(field, null);
  }
  for (const field of taken) if (!filling.has(field)) filling.set(field, null);
  try {
    const filled = fillTemplate(text, filling, name);
    for (const field of filled.names) taken.add(field);
    return filled;
  } catch (error) {
    if (!(error instanceof MotifError)) throw error;
    if (!(error instanceof MissingValue)) throw fault(error.message);
    if (row.values[error.missing] === null) throw fault(`${error.message}: it is null here`, error.hints[0]);
    throw fault(error.message, error.near === undefined ? `${error.hints[0]}; ${namesOf(row)}` : error.hints[0]);
  }
}

interface EmptyRow {
  readonly members: readonly RawMember[];
  readonly given: readonly Message[];
}

function nothingToSend({ members, given }: EmptyRow, { table, template }: BatchPlan, fault: RowFault): MotifError {
  const fillIn = 'fill it in, or take the row out';
  if (template !== undefined) return fault(`${template.name} makes an empty prompt of it`, fillIn);
  if (given.length > 0) return fault('its messages hold nothing but a system message', fillIn);
  const names = listNames(members.map(({ name }) => name));
  return table
    ? fault('no column is called prompt', `name the one to send: --column NAME (there are ${names}), or -t FILE`)
    : fault('a row needs "prompt" or "messages"', `name another field to send: --column NAME (there are ${names})`);
}

/** The length of the texts in UTF-8; too large a prompt is refused. */
function sizeOf(messages: readonly Message[], fault: RowFault): number {
  let size = 0;
  for (const { content } of messages) size += Buffer.byteLength(content);
  if (size > promptBytesMax) throw fault(`the prompt is larger than ${formatSize(promptBytesMax)}`);
  return size;
}

function foreignText(members: readonly RawMember[], { table }: BatchPlan, fault: RowFault): string {
  let text = '';
  for (const { name, nameJson, json } of members) {
    if (name === 'id' || (table === undefined && (name === 'prompt' || name === 'messages'))) continue;
    if (ownKeys.has(name)) {
      throw fault(
        `the output has a field ${JSON.stringify(name)} of its own`,
        'give the one of the input another name',
      );
    }
    text += `,${nameJson}:${json}`;
  }
  return text;
}
