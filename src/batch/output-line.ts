import type { GrownFile } from '../world/world.ts';
import { MotifError } from '../errors.ts';
import type { Redactor } from '../text/redact.ts';
import type { Usage } from '../wire/reply.ts';
import type { RowState } from './ledger/key-table.ts';
import { keyCharacters, markCharacters, type PlannedRow, type RequestMarks, type RowOutcome } from './row.ts';

/** The line of a row for the output, without a newline. An answer is data; secrets are hidden in words of a failure. */
export function formatRow(row: PlannedRow, key: string, outcome: RowOutcome, redactor: Redactor): string {
  const { reply, error, attempts, elapsedMs } = outcome;
  const response = JSON.stringify(reply?.response ?? null);
  const finishReason = JSON.stringify(reply?.finishReason ?? null);
  const promptId =
    reply === undefined ? redactor.redact(JSON.stringify(error?.promptId ?? null)) : JSON.stringify(reply.promptId);
  const usage = usageText(reply?.usage ?? outcome.usage ?? null);
  const failure = error === undefined ? null : redactor.redact(JSON.stringify(errorFields(error, outcome)));
  const own = `{"index":${row.index},"id":${row.id},"key":"${key}","blocked":${reply?.blocked ?? null}`;
  const said = `"response":${response},"finish_reason":${finishReason},"prompt_id":${promptId},"usage":${usage}`;
  return `${own},${said},"elapsed_ms":${elapsedMs},"attempts":${attempts},"error":${failure}${row.foreign}}`;
}

/** The JSON text, made here because one call for many small values takes longer. */
function usageText(usage: Usage | null): string {
  if (usage === null) return 'null';
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  return `{"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${total}}`;
}

function errorFields(error: MotifError, { isLost }: RowOutcome): unknown {
  const fields = error.toDocument().error as Record<string, unknown>;
  return isLost === true ? { ...fields, kind: 'unknown' } : fields;
}

export function formatKey({ motif, request }: RequestMarks, digest: string): string {
  return `${motif}-${request}-${digest}`;
}

/** The digest of a row in its key; undefined for what is no key. */
export function digestOfKey(key: unknown): string | undefined {
  return typeof key === 'string' ? keyForm.exec(key)?.[3] : undefined;
}

type AskedState = Exclude<RowState, 'unasked'>;

/** State of a row that was asked, by `blocked` of its reply; undefined where none came. */
export function stateOf(blocked: boolean | undefined): AskedState {
  if (blocked === undefined) return 'failed';
  return blocked ? 'blocked' : 'answered';
}

/** Parts of a line that an earlier run has written. */
export interface StoredRow {
  readonly marks: RequestMarks;
  readonly digest: string;
  readonly state: AskedState;
  /** The other fields of its row, as they were written; empty for one that failed. */
  readonly foreign: string;
  /** Text that the end of the job put behind it; empty before. */
  readonly job: string;
  /** All that stands behind the fields of its row: that text, and in a first line the parts of the request. */
  readonly tail: string;
}

const mark = `[0-9a-f]{${markCharacters}}`;
const key = `(${mark})-(${mark})-([0-9a-f]{${keyCharacters}})`;
const keyForm = new RegExp(`^${key}$`);
const head = new RegExp(
  `^\\{"index":(?:\\d+|null),"id":(?:null|-?[\\d.eE+-]+|"(?:[^"\\\\]|\\\\.)*"),"key":"${key}","blocked":(true|false|null),`,
);
const noError = ',"error":null';
const jobTail = /,"job":(\{[^{}]*\})\}$/;
const partsEnd = ']}';
const partsOfTail = /,?"request":(\[.*\])\}$/s;

/** Reads a line of an earlier run; undefined where it is no such line. */
export function parseStoredRow(line: string): StoredRow | undefined {
  const [, motif, request, digest, blocked] = head.exec(line) ?? [];
  if (motif === undefined || request === undefined || digest === undefined || !line.endsWith('}')) return undefined;
  const state = stateOf(blocked === 'null' ? undefined : blocked === 'true');
  const hasParts = line.endsWith(partsEnd, line.length - 1);
  const tail = jobTail.exec(line.slice(hasParts ? -jobCharactersMax : -bareJobCharactersMax))?.[0].slice(0, -1) ?? '';
  const ownEnd = state !== 'failed' ? line.indexOf(noError) + noError.length : line.length - 1 - tail.length;
  const foreign = line.slice(ownEnd, line.length - 1 - tail.length);
  const [, parts] = (hasParts && partsOfTail.exec(tail)) || [];
  return {
    marks: { motif, request, parts },
    digest,
    state,
    foreign,
    job: parts === undefined ? tail : bareJob(tail),
    tail,
  };
}

/** True of a file that begins like such a line: of one that was torn only its beginning is there. */
export function startsLikeRow(file: Pick<GrownFile, 'read'>): boolean {
  const own = '{"index":';
  const start = Buffer.alloc(own.length);
  return own.startsWith(start.toString('latin1', 0, file.read(0, start)));
}

/** The end of a job in a first line as it stands in the others. */
function bareJob(tail: string): string {
  const bare = tail.replace(partsOfTail, '}');
  return bare === ',"job":{}' ? '' : bare;
}

/** The end of a first line, with the parts of its request, of the end that the others have. */
export function firstTail(job: string, parts: string | undefined): string {
  if (parts === undefined || parts === '') return job;
  return job === '' ? `,"job":{"request":${parts}}` : `${job.slice(0, -1)},"request":${parts}}`;
}

/** The failure where another program wrote into an output that was being written. */
export function changedByOther(): MotifError {
  return new MotifError('io', 'another program has changed the output file while it was written', {
    hint: 'end that one, and run the same command again',
  });
}

/** The index of a line that a run has written; undefined where its input no longer had the row. */
export function indexOfLine(line: string): number | undefined {
  const [, index] = /^\{"index":(\d+),/.exec(line) ?? [];
  return index === undefined ? undefined : Number(index);
}

const bareJobCharactersMax = 200;
const jobCharactersMax = 2000;

/** The line with another index, other foreign fields and another end: what a finished file needs of it. */
export function reviseLine(
  line: string,
  parts: { readonly index?: number | null; readonly foreign?: string; readonly job?: string },
): string {
  const stored = parseStoredRow(line);
  if (stored === undefined) throw changedByOther();
  const own = line.slice(0, line.length - 1 - stored.tail.length - stored.foreign.length);
  const renumbered =
    parts.index === undefined ? own : own.replace(/^\{"index":(?:\d+|null)/, `{"index":${parts.index}`);
  return `${renumbered}${parts.foreign ?? stored.foreign}${parts.job ?? stored.tail}}`;
}
