import { MotifError } from '../../../../errors.ts';
import type { PromptFacts, PromptFilter } from '../../../../gateway/records/audit/prompt-facts.ts';
import { matchesFilter, toPromptFacts } from '../../../../gateway/records/audit/prompt-facts.ts';
import type { AuditRecord } from '../../../../gateway/records/audit/reading.ts';
import { readRowGroups, type Row } from '../../../../rows/rows.ts';
import { type RowSource, textSource } from '../../../../rows/source.ts';
import { defuseLine } from '../../../../text/defuse.ts';
import type { Message } from '../../../../wire/request.ts';
import { type LeftOut, type NamedLines, readAudits } from '../audit/inputs.ts';

/** A prompt that was kept, with the answer to it, or one of the two. */
export interface KeptText {
  /** Its prompt ID, or else the place where it stands. */
  readonly id: string;
  /** Undefined where nobody said which Motif it was for. */
  readonly motif: string | undefined;
  /** The messages as a client sent them, or as the provider got them: then the Motif's own come first. */
  readonly messages: readonly Message[];
  readonly isComposed: boolean;
  readonly answer: string | undefined;
  /** True for the answer of a batch whose prompt is not here. */
  readonly lacksPrompt?: boolean;
}

/** Prompts that are known of and cannot be judged. */
export class NotJudged {
  /** Blocked then, so that no text was kept. */
  blocked = 0;
  /** Refused or failed then, so that there was no answer. */
  unanswered = 0;
  /** Audited without `text: true`. */
  withoutText = 0;
  /** Of a Motif that one of the files does not have. */
  withoutMotif = 0;
  /** Judged, but as they were redacted then. */
  redacted = 0;
  /** Judged, but as an answer alone. */
  withoutPrompt = 0;
  /** The input of a batch is named beside its output. */
  hasInput = false;
  /** Rows of tables and of JSONL without the field that holds the prompt, in files where others have it. */
  rowsWithoutText = 0;
}

/** Texts, as many at once as were read together: each group is to be read to its end before the next is asked for. */
export type TextGroups = AsyncGenerator<Iterable<KeptText>>;

/** The prompts that are asked for, and where those are counted that cannot be judged. */
interface TextParts {
  readonly filter: PromptFilter;
  readonly notJudged: NotJudged;
  readonly leftOut: LeftOut;
}

/** The texts of an audit that was kept with `text: true`, as the providers got them. */
export async function* textsOfAudit(inputs: readonly RowSource[], parts: TextParts): TextGroups {
  for await (const lines of readAudits(inputs)) yield textsOfLines(lines, parts);
}

function* textsOfLines({ file, lines }: NamedLines, { filter, notJudged, leftOut }: TextParts): Generator<KeptText> {
  for (const line of lines) {
    leftOut.take(file, line);
    if (line.kind !== 'prompt') continue;
    const facts = toPromptFacts(line.record);
    if (facts.isEmpty || !matchesFilter(facts, filter)) continue;
    const kept = keptOf(line.record);
    if (kept !== undefined) {
      if (facts.decision === 'redact') notJudged.redacted += 1;
      yield { id: facts.promptId, motif: facts.motif, ...kept, isComposed: true };
    } else if (facts.decision === 'block') notJudged.blocked += 1;
    else if (isAnswered(facts)) notJudged.withoutText += facts.count;
    else notJudged.unanswered += facts.count;
  }
}

function isAnswered({ decision }: PromptFacts): boolean {
  return decision !== 'refused' && decision !== 'failed';
}

function keptOf({ messages, response }: AuditRecord): Pick<KeptText, 'messages' | 'answer'> | undefined {
  const list = toMessages(messages);
  if (list === undefined) return undefined;
  return { messages: list, answer: typeof response === 'string' ? response : undefined };
}

function toMessages(value: unknown): readonly Message[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const messages = value.flatMap((each: { readonly role?: unknown; readonly content?: unknown } | null) =>
    typeof each?.role === 'string' && typeof each.content === 'string'
      ? [{ role: each.role, content: each.content }]
      : [],
  );
  return messages.length === value.length ? messages : undefined;
}

/** The texts of a file: an audit, rows of a batch or its answers, a conversation, JSONL, CSV or plain lines. */
export async function* textsOfFile(source: PeekedSource, parts: TextParts & RowParts): TextGroups {
  if (isAuditHead(source.head)) return yield* textsOfAudit([source.whole], parts);
  for await (const rows of rowsWithText(source, parts)) yield mapped(rows, ({ text }) => text);
}

/** Each of them changed, one at a time. */
export function* mapped<T, U>(each: Iterable<T>, change: (one: T) => U): Generator<U> {
  for (const one of each) yield change(one);
}

/** The field that holds the prompt, and where rows without a text are counted. */
export interface RowParts {
  readonly column: string | undefined;
  readonly notJudged: NotJudged;
}

/** A row, and what is to be judged of it. */
interface RowText {
  readonly row: Row;
  readonly text: KeptText;
}

/** The rows of a file that have a text; where none has one, the file is refused, or it would be left out in silence. */
export async function* rowsWithText(
  { whole }: PeekedSource,
  { column, notJudged }: RowParts,
): AsyncGenerator<Iterable<RowText>> {
  let hasText = false;
  let empty: Row | undefined;
  let conversation: Conversation | undefined;
  function* withText(rows: Iterable<Row>): Generator<RowText> {
    for (const row of rows) {
      const { values } = row;
      conversation = conversationAt(row, conversation);
      const text = textOfRow(row, whole.name, column);
      if (text !== undefined) {
        hasText = true;
        yield { row, text: conversation === undefined ? text : { ...text, ...conversation } };
      } else if ('response' in values) countUnanswered(values.blocked === true, notJudged);
      // The head of a conversation and the outcomes of its turns have no text of their own.
      else if (conversation === undefined) {
        empty ??= row;
        notJudged.rowsWithoutText += 1;
      }
    }
  }
  for await (const rows of readRowGroups(whole)) yield withText(rows);
  if (!hasText && empty !== undefined) throw noTextIn(whole.name, empty);
}

/** A conversation, as far as it is known for all of its messages. */
type Conversation = Pick<KeptText, 'motif'>;

/** The conversation from this row on: its head says which Motif it is with, and a row says so where that changed. */
function conversationAt({ index, values }: Row, before: Conversation | undefined): Conversation | undefined {
  const isHead = index === 0 && typeof values.v === 'number' && 'motif_id' in values;
  if (!isHead && (before === undefined || values.kind !== 'moved')) return before;
  return { motif: typeof values.motif_id === 'string' ? values.motif_id : undefined };
}

/** Counts the row of a batch that has an empty response: it was blocked, or it ended in an error. */
export function countUnanswered(isBlocked: boolean, notJudged: NotJudged): void {
  if (isBlocked) notJudged.blocked += 1;
  else notJudged.unanswered += 1;
}

function noTextIn(file: string, row: Row): MotifError {
  const fields = row
    .members()
    .slice(0, fieldsMax)
    .map(({ name }) => defuseLine(name, 40));
  const name = defuseLine(file, 80);
  return new MotifError('usage', `there is no text to judge in ${name}`, {
    hint: [
      fields.length === 0 ? [] : `${name} has ${fields.join(', ')}: --column NAME says which of them holds the prompt`,
      tableHint,
    ].flat(),
  });
}

/** The most fields of a row that are named. */
const fieldsMax = 8;
export const tableHint = 'a table needs a column prompt, JSONL a field prompt or messages (motif help audit)';

/** A source whose first bytes are known. */
export interface PeekedSource {
  readonly head: string;
  /** The source with its first bytes put back; it can be read once. */
  readonly whole: RowSource;
}

const headBytes = 64 * 1024;

/** The first bytes of a source, and the source with them put back. */
export async function peeked(source: RowSource): Promise<PeekedSource> {
  const iterator = source.chunks()[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < headBytes) {
    const next = await iterator.next();
    if (next.done === true) break;
    parts.push(next.value);
    length += next.value.length;
  }
  const head = Buffer.concat(parts);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { head: head.toString('utf8', 0, headBytes), whole: { ...textSource(source.name, ''), chunks } };
}

export function isAuditHead(head: string): boolean {
  return head.split('\n', 5).some((line) => /^\{"(time|event)":/.test(line) && /"(decision|hash|sha256)":"/.test(line));
}

/** Undefined for a row without any text: the head of a conversation, the outcome of a turn, a blocked answer. */
export function textOfRow({ values, line }: Row, name: string, column = 'prompt'): KeptText | undefined {
  const {
    id,
    prompt_id: promptId,
    [column]: prompt,
    messages,
    response,
    role,
    content,
    motif,
    motif_id: motifId,
  } = values;
  const named = [promptId, id].find((each) => typeof each === 'string' && each !== '');
  const common = {
    id: typeof named === 'string' ? named : `${name}:${line}`,
    motif: [motif, motifId].find((each): each is string => typeof each === 'string' && each !== ''),
    isComposed: false,
  };
  if (typeof role === 'string' && typeof content === 'string') {
    return role === 'assistant'
      ? { ...common, messages: [], answer: content }
      : { ...common, messages: [{ role, content }], answer: undefined };
  }
  const answer = typeof response === 'string' && response !== '' ? response : undefined;
  const list = toMessages(messages) ?? (typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : []);
  if (list.length > 0) return { ...common, messages: list, answer };
  return answer === undefined ? undefined : { ...common, messages: list, answer, lacksPrompt: true };
}
