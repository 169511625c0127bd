import type { Fields } from '../../text/json/json.ts';
import { withoutUnread } from '../../text/json/pruned.ts';
import { shapeOfJson } from '../../text/json/shape.ts';
import { nestingMax } from '../../text/limits.ts';
import { atOnce, type Piecework } from '../../text/turns.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import type { HttpReply } from '../../wire/http.ts';
import { parseRetryAfter } from '../../wire/retry-after.ts';
import {
  type Exchange,
  type Inference,
  ProviderFailure,
  type ProviderRequest,
  type TokenCounts,
} from '../vocabulary.ts';
import { statusFailure } from './failures.ts';
import { asFields, type Format, type AnswerFields, isError } from './format.ts';
import { estimatePrompt, estimateTokens } from '../../text/sizes.ts';

type UpstreamReply = Pick<HttpReply, 'status' | 'headers' | 'body'>;

/**
 * Reads whatever a provider sent. It throws nothing but a ProviderFailure, and a filter's refusal is an Inference.
 * `parsed` is the body of the reply as `parseBody` made it.
 */
export function fromReply(
  format: Format,
  reply: UpstreamReply,
  request: ProviderRequest,
  { now, exchange }: { readonly now: number; readonly exchange?: Exchange | undefined },
  parsed: { readonly body: Fields | undefined } = { body: atOnce(parseBody(decodeBody(reply.body), format)) },
): Inference {
  const { body } = parsed;
  if (exchange !== undefined) {
    exchange.requestId = asName(requestIdOf(reply.headers));
    exchange.modelAnswered = asName(body?.[modelNames[0]] ?? body?.[modelNames[1]]);
  }
  if (reply.status >= 200 && reply.status < 300) {
    // An answer beside a failure broke off there.
    const reading = body && !isError(body.error) ? format.readAnswer(body) : undefined;
    if (reading !== undefined && !isNoText(reading)) return toInference(reading, request);
    const what = body === undefined ? 'a body that is no JSON object' : 'JSON that is no text answer in its format';
    throw new ProviderFailure(502, 'the provider answered in a way that cannot be read', {
      upstreamStatus: reply.status,
      reason: 'provider reply unreadable',
      detail: `status ${reply.status} with ${what} (${reply.body.length} bytes)`,
    });
  }
  if (body !== undefined && format.isFiltered(reply.status, body)) {
    return toInference({ text: '', finishReason: 'content_filter', completion: 0 }, request);
  }
  const retryAfterMs = parseRetryAfter(reply.headers['retry-after'], now) ?? (body && format.readWaitMs?.(body));
  const didRun = body !== undefined && format.didRun?.(body) === true;
  throw statusFailure(reply, { retryAfterMs, didRun, params: Object.keys(request.params) });
}

/** The fields in which services name the model that answered. */
const modelNames = ['model', 'modelVersion'] as const;

/** The headers in which services name a request, in the order of trust. */
const requestIdHeaders = ['x-request-id', 'request-id', 'apim-request-id', 'x-amzn-requestid', 'cf-ray'];

function requestIdOf(headers: UpstreamReply['headers']): string | undefined {
  for (const name of requestIdHeaders) if (headers[name]) return headers[name];
  return undefined;
}

/** A name that a service chose, if it is one that a line can hold. */
function asName(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value) ? value : undefined;
}

/** Keys of what is read of an answer; to make so many values takes 100 ms, about. */
const answerKeysMax = 250_000;
/** Characters of a body that is read whole, without a look at what it holds. */
const wholeMax = 256 * 1024;

/** The text of a body; undefined where it is none. */
export function decodeBody(bytes: Uint8Array): string | undefined {
  try {
    return decodeUtf8(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Reads the text of a body, a large one in pieces. The parser of the language is enough here: there is no second reader
 * whom a key named twice could deceive.
 */
export function* parseBody(text: string | undefined, { reads }: Format): Piecework<Fields | undefined> {
  if (text === undefined) return undefined;
  try {
    if (text.length <= wholeMax) return asFields(JSON.parse(text));
    const read = yield* withoutUnread(text, new Set([...reads, ...modelNames]));
    yield;
    if (isTooMuch(read)) return undefined;
    yield;
    return asFields(JSON.parse(read));
  } catch {
    return undefined;
  }
}

function isTooMuch(text: string): boolean {
  const { cost, depth } = shapeOfJson(text, answerKeysMax);
  return cost > answerKeysMax || depth > nestingMax;
}

/** True where a model came to no text for no reason of an answer: it failed, or wants to have a tool asked. */
function isNoText({ text, finishReason }: AnswerFields): boolean {
  return text === '' && finishReason === 'other';
}

function toInference(reading: AnswerFields, request: ProviderRequest): Inference {
  // Text that a filter let through up to then is not an answer that anyone should read.
  const text = reading.finishReason === 'content_filter' ? '' : reading.text;
  return { text, finishReason: reading.finishReason, usage: toUsage(reading, request) };
}

/**
 * A count that is missing, or 0 beside a text, follows from the total; what cannot be known is estimated, of a total
 * alone the prompt, and the whole marked as such. Thoughts, which are paid as well, stand in the total alone where xAI
 * or Gemini talks like OpenAI.
 */
function toUsage(answer: AnswerFields, { messages }: ProviderRequest): TokenCounts {
  const rest = (other: number | undefined) =>
    answer.total === undefined || other === undefined || other > answer.total ? undefined : answer.total - other;
  const prompt = answer.prompt || rest(answer.completion) || undefined;
  const promptLikely = prompt ?? estimatePrompt(messages);
  const most = Math.max(answer.completion ?? -1, rest(promptLikely) ?? -1);
  const completion = most < 0 || (most === 0 && answer.text !== '') ? undefined : most;
  return {
    prompt: promptLikely,
    completion: completion ?? estimateTokens(answer.text),
    isEstimated: prompt === undefined || completion === undefined,
  };
}
