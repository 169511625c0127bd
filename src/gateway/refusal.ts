/** All refusals and failures of the gateway: status and words by code. `code` is public and never changes. */
const refusals = {
  malformed_request: [400, 'the request is not valid HTTP'],
  malformed_json: [400, 'the body is not valid JSON'],
  invalid_body: [400, 'the body is not a prompt'],
  unauthorized: [401, 'the access token is missing or not accepted for this Motif'],
  forbidden: [403, 'the tenant ID is missing or wrong for this Motif'],
  origin_forbidden: [403, 'requests of web pages (with an Origin header) are not answered'],
  not_found: [404, 'there is nothing at this path'],
  method_not_allowed: [405, 'only POST is allowed here'],
  request_timeout: [408, 'the request took too long to arrive'],
  body_too_large: [413, 'the body is too large'],
  unsupported_media_type: [415, 'the body must be application/json, not encoded'],
  expectation_failed: [417, 'the only expectation that can be met is 100-continue'],
  limited: [429, 'too many requests'],
  headers_too_large: [431, 'the headers are too large or too many'],
  client_gone: [499, 'the client went away'],
  internal: [500, 'something unforeseen happened'],
  provider_failed: [502, 'the provider failed'],
  overloaded: [503, 'too many requests are being worked on'],
  draining: [503, 'the gateway is shutting down'],
  motif_unavailable: [503, 'a part of this Motif cannot be read by the gateway'],
  audit_unavailable: [503, 'the audit file cannot be written'],
  limits_unavailable: [503, 'the limits of this Motif cannot be counted'],
  provider_timeout: [504, 'the provider was too slow'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type RefusalCode = keyof typeof refusals;

/** The reason of a prompt without messages: `login` and `doctor` send one to ask whether a token is accepted. */
export const emptyPromptReason = 'no_messages';

interface RefusalParts {
  /** Instead of the words that the code has anyway. */
  readonly message?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** For the audit, where the code says too little. */
  readonly reason?: string | undefined;
  /** The limit without room, by its name in the gateway file. */
  readonly limit?: LimitName | undefined;
}

export type LimitName = 'rpm' | 'tokens_per_day' | 'in_flight';

/** A request that gets no answer, and why. Thrown where it is found out, made a reply in one place. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
  readonly limit: LimitName | undefined;

  constructor(code: RefusalCode, { message, reason = code, retryAfterMs, limit }: RefusalParts = {}) {
    // Nobody reads the stack of a refusal, and to note it would take as long as all else that one asks of the gateway.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message ?? refusals[code][1]);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
    this.limit = limit;
  }

  get status(): number {
    return refusals[this.code][0];
  }
}

/** The body of every failure, also of those that the HTTP parser finds. */
export function failureBody({ message, code }: Pick<Refusal, 'message' | 'code'>, promptId: string): string {
  return JSON.stringify({ error: message, code, prompt_id: promptId });
}

/** The headers that HTTP asks for beside a status. */
export function failureHeaders({ status, retryAfterMs, limit }: Refusal): Record<string, string> {
  const headers: Record<string, string> = {};
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (status === 405) headers['allow'] = 'POST';
  // A draft of the IETF; by it a client tells a limit of prompts at once from one by time.
  if (limit !== undefined) headers['ratelimit'] = `"${limit}";r=0`;
  // Whole seconds, and never 0: that would ask for a retry at once.
  if (retryAfterMs !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
  else if (status === 429 || status === 503) headers['retry-after'] = '1';
  return headers;
}

export function tooManyBytes(): Refusal {
  return new Refusal('overloaded', { message: 'too many bytes are being worked on' });
}

/** The refusal of an answer that finds no room. It is paid for, so that nothing may ask for it again by itself. */
export function droppedAnswer(): Refusal {
  return new Refusal('provider_failed', { message: 'too many bytes are in answers', reason: 'answer_dropped' });
}
