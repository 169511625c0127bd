import { isFields, JsonFault, parseEnvelope } from '../text/json/json.ts';
import { decodeUtf8, Utf8Fault } from '../text/utf8.ts';

export interface Usage {
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly total_tokens: number | null;
}

/** The service's reply to a prompt. A blocked one has no response, even where a server sent one along. */
export type Reply = Answered | Blocked;

interface Answered extends ReplyFacts {
  readonly blocked: false;
  readonly response: string;
}

interface Blocked extends ReplyFacts {
  readonly blocked: true;
  readonly response: null;
  /** `policy_failed` where a policy could not judge; absent where the service names none. */
  readonly code?: string;
  /** Present where the service sent a text all the same, which is never read. */
  readonly hasText?: true;
}

interface ReplyFacts {
  readonly finishReason: string | null;
  readonly promptId: string | null;
  readonly usage: Usage | null;
}

/** True for a block that no policy decided: one could not judge, so that nobody may take it for one that objects. */
export function hasFailedPolicy(reply: Reply): boolean {
  return reply.blocked && reply.code === 'policy_failed';
}

/** A 2xx body outside the contract, in words that follow "the service answered, but ". */
export class ReplyFault extends Error {
  override readonly name = 'ReplyFault';
}

/** Reads a 2xx body. It fails closed: only `blocked: false`, named once, lets text through as an answer. */
export function parseReply(body: Uint8Array): Reply {
  const fields = parseBody(body);
  if (!isFields(fields)) throw new ReplyFault('its body is not a JSON object');
  const finishReason = textOrNull(fields.finish_reason);
  const promptId = textOrNull(fields.prompt_id);
  const usage = parseUsage(fields.usage);
  if (typeof fields.blocked !== 'boolean') {
    throw new ReplyFault(
      fields.blocked === undefined ? 'its body has no field blocked' : 'its field blocked is neither true nor false',
    );
  }
  if (fields.blocked) {
    const hasText = typeof fields.response === 'string' && fields.response !== '';
    const code = typeof fields.code === 'string' ? { code: fields.code } : {};
    return { blocked: true, response: null, finishReason, promptId, usage, ...code, ...(hasText && { hasText }) };
  }
  if (typeof fields.response !== 'string') throw new ReplyFault('it was not blocked and its field response is no text');
  return { blocked: false, response: fields.response, finishReason, promptId, usage };
}

function parseBody(body: Uint8Array): unknown {
  if (body.length === 0) throw new ReplyFault('its body is empty');
  try {
    // A count that no double holds is unknown, as every senseless count is; the answer beside it still is one.
    return parseEnvelope(decodeUtf8(body), { takesHugeNumbers: true });
  } catch (error) {
    if (error instanceof JsonFault) {
      throw new ReplyFault(`its body is no valid JSON (line ${error.line}, column ${error.column}: ${error.message})`);
    }
    if (error instanceof Utf8Fault) throw new ReplyFault(`its body ${error.message}`);
    throw error;
  }
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Counts are a courtesy of the service: what is missing or senseless becomes unknown, never a failure. */
export function parseUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  return {
    prompt_tokens: countOrNull(value.prompt_tokens),
    completion_tokens: countOrNull(value.completion_tokens),
    total_tokens: countOrNull(value.total_tokens),
  };
}

function countOrNull(field: unknown): number | null {
  return Number.isSafeInteger(field) && (field as number) >= 0 ? (field as number) : null;
}
