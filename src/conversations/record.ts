import { type Fields, isFields } from '../text/json/json.ts';
import { parseUsage, textOrNull } from '../wire/reply.ts';
import type { Message } from '../wire/request.ts';
import type { AskedMotif, FileHead, TurnOutcome } from './conversation.ts';

/**
 * The file of a conversation: JSON lines, a head and then records, only ever added. All records of a turn name it, so
 * that a turn whose write was torn, and which therefore has no outcome, is never taken for a part of the next one.
 */
export type RecordLine =
  | ({ readonly kind: 'message'; readonly turn: string; readonly isOpening: boolean } & Message)
  | ({
      readonly kind: 'outcome';
      readonly turn: string;
      readonly time: string;
      readonly isBlocked: boolean;
    } & TurnOutcome)
  | { readonly kind: 'undo'; readonly turn: string }
  /** With a turn it counts once that has its outcome; null takes the system message away. */
  | { readonly kind: 'system'; readonly turn: string | null; readonly content: string | null }
  | { readonly kind: 'title'; readonly title: string }
  /** From here on the turns were asked elsewhere than those before. */
  | ({ readonly kind: 'moved' } & AskedMotif)
  /** Of a newer motif that adds something which may be left out. */
  | { readonly kind: 'other' };

export type WrittenLine = Exclude<RecordLine, { readonly kind: 'other' }>;

/** The version of the head; a file of a higher one is left alone. */
const version = 1;
/** The start of every message as it is written here, so that a list need not look into them. */
export const messageStart = '{"kind":"message",';

/** Why a file is no conversation that can be used, in words that follow its path. */
export class ConversationFault extends Error {
  override readonly name = 'ConversationFault';
}

export function writeHead({ id, title, created, motifId, profile, service }: FileHead): string {
  return JSON.stringify({ v: version, id, title, created, motif_id: motifId, profile, service });
}

export function writeLine(line: WrittenLine): string {
  switch (line.kind) {
    case 'message': {
      const { kind, turn, role, content, isOpening } = line;
      return JSON.stringify({ kind, turn, role, content, ...(isOpening ? { opening: true } : {}) });
    }
    case 'outcome': {
      const { kind, turn, time, isBlocked, promptId, finishReason, usage, elapsedMs } = line;
      const facts = { prompt_id: promptId, finish_reason: finishReason, usage, elapsed_ms: Math.round(elapsedMs) };
      return JSON.stringify({ kind, turn, time, blocked: isBlocked, ...facts });
    }
    case 'moved':
      return JSON.stringify({ kind: line.kind, motif_id: line.motifId, service: line.service });
    case 'undo':
    case 'system':
    case 'title':
      return JSON.stringify(line);
  }
}

/** The messages of a turn as lines of its file. */
export function messageLines(turn: string, messages: readonly Message[], isOpening = false): WrittenLine[] {
  return messages.map(({ role, content }) => ({ kind: 'message', turn, role, content, isOpening }));
}

/** The head as the first line says it, or the fault of one that is none; the id is that of the file. */
export function parseHead(text: string, id: string): FileHead | ConversationFault {
  const fields = parseFields(text);
  if (fields === undefined || typeof fields.v !== 'number') {
    return new ConversationFault('its first line is not the head of a conversation');
  }
  if (fields.v > version) throw new ConversationFault('it was written by a newer motif');
  return {
    id,
    title: textOrNull(fields.title),
    created: timeOrNull(fields.created) ?? new Date(0).toISOString(),
    motifId: textOrNull(fields.motif_id),
    profile: textOrNull(fields.profile),
    service: textOrNull(fields.service) ?? undefined,
  };
}

/** Undefined for a line that is broken. */
export function parseLine(text: string): RecordLine | undefined {
  const fields = parseFields(text);
  if (fields === undefined || typeof fields.kind !== 'string') return undefined;
  const { kind, turn } = fields;
  if (kind === 'title') return typeof fields.title === 'string' ? { kind, title: fields.title } : undefined;
  if (kind === 'system') return parseSystem(fields);
  if (kind === 'moved') {
    return { kind, motifId: textOrNull(fields.motif_id), service: textOrNull(fields.service) ?? undefined };
  }
  if (kind !== 'message' && kind !== 'outcome' && kind !== 'undo') return { kind: 'other' };
  if (typeof turn !== 'string') return undefined;
  if (kind === 'undo') return { kind, turn };
  if (kind === 'outcome') return parseOutcome(turn, fields);
  const { role, content, opening } = fields;
  if (typeof role !== 'string' || role === '' || typeof content !== 'string') return undefined;
  return { kind, turn, role, content, isOpening: opening === true };
}

function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function parseSystem({ turn, content }: Fields): RecordLine | undefined {
  if (typeof content !== 'string' && content !== null) return undefined;
  return { kind: 'system', turn: textOrNull(turn), content };
}

function parseOutcome(turn: string, fields: Fields): RecordLine {
  return {
    kind: 'outcome',
    turn,
    time: timeOrNull(fields.time) ?? '',
    isBlocked: fields.blocked === true,
    promptId: textOrNull(fields.prompt_id),
    finishReason: textOrNull(fields.finish_reason),
    usage: parseUsage(fields.usage),
    elapsedMs: typeof fields.elapsed_ms === 'number' && fields.elapsed_ms >= 0 ? fields.elapsed_ms : 0,
  };
}

/** The time in the one form that is written here; null for any other, which could not be sorted by. */
function timeOrNull(value: unknown): string | null {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) ? value : null;
}
