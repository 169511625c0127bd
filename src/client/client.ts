import { MotifError, TransportError } from '../errors.ts';
import { defuseLine } from '../text/defuse.ts';
import { formatDuration } from '../text/durations.ts';
import { answerBytesMax } from '../text/limits.ts';
import type { Secret } from '../text/secret.ts';
import { parseFailure } from '../wire/failure.ts';
import type { Connection, HttpReply, HttpRequest, Send, SendOptions, Timings } from '../wire/http.ts';
import { parseReply, type Reply, ReplyFault } from '../wire/reply.ts';
import { type Message, motifUrl, promptRequests, type MotifTarget } from '../wire/request.ts';
import { promptIdNote, type RetryAfter, type TimeoutSource, toFailure, withMoreTime } from './failures.ts';
import { planRetry } from './retries.ts';
import { motifPlaces } from '../wire/motif-places.ts';

export interface ClientSettings {
  readonly target: MotifTarget;
  /** Name of the asked Motif, for words; absent where its address says it. */
  readonly asked?: string;
  readonly token: Secret;
  /** Origin of the token, for words. */
  readonly tokenFrom: string;
  /** Advice where it is not accepted, in words that follow where it came from. */
  readonly tokenAdvice?: string;
  /** True for the empty prompt of a login, whose address and token are not stored yet. */
  readonly isLogin?: boolean;
  readonly tenant?: { readonly value: string; readonly from: string } | undefined;
  /** Advice about the tenant, for a gateway that no profile and no variable is about. */
  readonly tenantAdvice?: string | undefined;
  /** True where MOTIF_TENANT_ID is set to nothing, so that none is sent. */
  readonly isTenantEmpty?: boolean;
  /** W3C trace context, sent along. */
  readonly traceparent?: string | undefined;
  readonly connection: Connection;
  /** The time for one prompt, with its retries and waits. */
  readonly timeoutMs: number;
  /** Absent where no setting gave that time. */
  readonly timeoutSource?: TimeoutSource | undefined;
  readonly retries: number;
  /** Origin of that number, for words. */
  readonly retriesFrom?: string;
}

export interface ClientTools {
  readonly send: Send;
  now(): number;
  /** The clock of deadlines and durations, which setting the other does not move. */
  monotonic(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Once it aborts nothing is tried again: a prompt that waits for its next attempt ends with its last failure. */
  readonly noRetries?: AbortSignal | undefined;
}

/** Hears what happens while a prompt is on its way. */
export interface Listener {
  /** Something to say to the person who waits. */
  notice(text: string): void;
  /** The timings of each attempt, whatever its status, and of one without a reply. */
  timed?(timings: Timings): void;
}

/** Outcome of one prompt that the service answered or blocked; anything else is thrown. */
export interface PromptOutcome {
  readonly reply: Reply;
  readonly status: number;
  readonly attempts: number;
  readonly elapsedMs: number;
  readonly timings: Timings;
}

const unknownOutcome = 'the service may have worked on the prompt all the same; ask again only if that does no harm';

export interface Client {
  prompt(messages: readonly Message[], signal?: AbortSignal): Promise<PromptOutcome>;
  /** The same with messages that are JSON text already. */
  promptJson(messagesJson: string, signal?: AbortSignal): Promise<PromptOutcome>;
  /** Sends an empty prompt, which asks no model: a service refuses that after the token. Throws `auth` on 401, 403. */
  verify(signal?: AbortSignal): Promise<Verification>;
  /** The same empty prompt, and all that came of it, whatever the status. */
  sendEmptyPrompt(signal?: AbortSignal): Promise<EmptyPromptReply>;
}

export interface Verification {
  readonly accepted: boolean;
  /** Undefined where no reply came. */
  readonly status: number | undefined;
  /** Set where it is not known whether the token is accepted. */
  readonly failure: MotifError | undefined;
}

export interface EmptyPromptReply {
  readonly status: number;
  /** Error that a prompt would end with; undefined where nothing was wrong but that this one was empty. */
  readonly failure: MotifError | undefined;
  /** The service's clock when it answered, in milliseconds; undefined where it did not say. */
  readonly serviceTime: number | undefined;
  readonly timings: Timings;
}

export function createClient(settings: ClientSettings, tools: ClientTools, listener: Listener): Client {
  const request = promptRequests({
    target: settings.target,
    token: settings.token,
    traceparent: settings.traceparent,
    tenant: settings.tenant?.value,
  });
  const promptJson: Client['promptJson'] = (messagesJson, signal) =>
    sendWithRetries(request(messagesJson), { settings, tools, listener, signal });
  return {
    promptJson,
    prompt: (messages, signal) => promptJson(JSON.stringify(messages), signal),
    async verify(signal) {
      const { status, failure } = await sendEmptyPrompt(signal);
      if (failure?.kind === 'auth') throw failure;
      const accepted = isSuccess(status) || (status >= 400 && status < 500);
      return { accepted, status, failure: accepted ? undefined : failure };
    },
    sendEmptyPrompt,
  };

  async function sendEmptyPrompt(signal?: AbortSignal): Promise<EmptyPromptReply> {
    const options = sendOptions(settings, { deadlineAt: tools.monotonic() + settings.timeoutMs, signal });
    const reply = await tools.send(request('[]'), options).catch((error: unknown) => {
      throw withMoreTime(error, settings);
    });
    const { status, headers, timings } = reply;
    const serviceTime = Date.parse(headers.date ?? '');
    return {
      status,
      failure: failureOfEmptyPrompt(reply, settings),
      serviceTime: Number.isNaN(serviceTime) ? undefined : serviceTime,
      timings,
    };
  }
}

/** A service says of an empty prompt that it is a bad request, and says so in its own words; a proxy has none. */
function failureOfEmptyPrompt(reply: HttpReply, settings: ClientSettings): MotifError | undefined {
  if (isSuccess(reply.status)) {
    try {
      readReply(reply, settings);
      return undefined;
    } catch (error) {
      if (error instanceof MotifError) return error;
      throw error;
    }
  }
  const failure = failureOf(reply, settings);
  const isOnlyEmpty = (reply.status === 400 || reply.status === 422) && parseFailure(reply.body).detail !== null;
  return isOnlyEmpty ? undefined : failure;
}

/** The parts of a call that all its attempts share. */
interface PromptCall {
  readonly settings: ClientSettings;
  readonly tools: ClientTools;
  readonly listener: Listener;
  readonly signal: AbortSignal | undefined;
}

async function sendWithRetries(request: HttpRequest, call: PromptCall): Promise<PromptOutcome> {
  const { settings, tools, listener, signal } = call;
  const startedAt = tools.monotonic();
  const failed = (timings: Timings) => listener.timed?.(timings);
  const options = sendOptions(settings, { deadlineAt: startedAt + settings.timeoutMs, signal, failed });
  let attempts = 0;
  try {
    for (;;) {
      attempts += 1;
      let result: HttpReply | TransportError;
      try {
        result = await tools.send(request, options);
      } catch (error) {
        result = unsent(withMoreTime(error, settings));
      }
      if (!(result instanceof TransportError)) {
        const { status, timings } = result;
        listener.timed?.(timings);
        const reply = isSuccess(status) ? readReply(result, settings) : undefined;
        const elapsedMs = Math.round(tools.monotonic() - startedAt);
        if (reply !== undefined) return { reply, status, attempts, elapsedMs, timings };
      }
      await waitForRetry(result, call, { attempts, spentMs: tools.monotonic() - startedAt });
    }
  } catch (error) {
    if (error instanceof MotifError) error.attempts = attempts;
    if (error instanceof TransportError && error.isReplyLost) error.withHint(unknownOutcome);
    throw error;
  }
}

/** Waits for the next attempt after one without success; throws its failure where there is none. */
async function waitForRetry(
  result: HttpReply | TransportError,
  { settings, tools, listener, signal }: PromptCall,
  { attempts, spentMs }: { readonly attempts: number; readonly spentMs: number },
): Promise<void> {
  const plan = planRetry({ result, attempts, spentMs, now: tools.now() }, settings);
  const { waitMs, isRepeatable, ending } = plan;
  const failure = () => (result instanceof TransportError ? result : failureOf(result, settings, plan.retryAfter));
  const given = () => Object.assign(failure(), { isUnasked: isRepeatable || result instanceof TransportError });
  if (waitMs === undefined) throw ending === undefined ? given() : given().withHint(ending);
  listener.notice(
    `${failure().message}; waiting ${formatDuration(waitMs)}, then retry ${attempts} of ${settings.retries}`,
  );
  if (!(await mayRetryAfter(waitMs, tools, signal))) throw given();
}

/** Waits; false where meanwhile, or before, nothing may be tried again. */
async function mayRetryAfter(ms: number, tools: ClientTools, signal: AbortSignal | undefined): Promise<boolean> {
  const signals = [signal, tools.noRetries].filter((each) => each !== undefined);
  try {
    await tools.sleep(ms, signals.length < 2 ? signals[0] : AbortSignal.any(signals));
    return true;
  } catch (error) {
    if (tools.noRetries?.aborted !== true || signal?.aborted === true) throw error;
    return false;
  }
}

/** A failure before the first byte was sent may be tried again; every other one is final. */
function unsent(error: unknown): TransportError {
  if (error instanceof TransportError && !error.sent) return error;
  throw error;
}

function sendOptions(
  { connection, timeoutMs }: ClientSettings,
  { deadlineAt, signal, failed }: Pick<SendOptions, 'deadlineAt' | 'signal' | 'failed'>,
): SendOptions {
  return { connection, deadlineAt, timeoutMs, bodyBytesMax: answerBytesMax, signal, failed };
}

function failureOf(reply: HttpReply, settings: ClientSettings, retryAfter?: RetryAfter): MotifError {
  return toFailure(reply, {
    asked: askedOf(settings),
    places: motifPlaces(settings.target),
    tokenFrom: settings.tokenFrom,
    tokenAdvice: settings.tokenAdvice,
    tenantFrom: settings.tenant?.from,
    tenantAdvice: settings.tenantAdvice,
    isTenantEmpty: settings.isTenantEmpty === true,
    isLogin: settings.isLogin === true,
    retryAfter,
  });
}

function askedOf({ asked, target }: ClientSettings): string {
  return asked ?? `address ${motifUrl(target)}`;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function readReply(reply: HttpReply, settings: ClientSettings): Reply {
  try {
    return parseReply(reply.body);
  } catch (error) {
    if (!(error instanceof ReplyFault)) throw error;
    const { promptId } = parseFailure(reply.body);
    throw new MotifError('service', `the service answered ${reply.status}, but ${error.message}`, {
      notes: [...bodyNotes(reply), ...promptIdNote(promptId), askedOf(settings)],
      hint: `is this the address of a Motif? compare it with ${motifPlaces(settings.target).address}`,
      status: reply.status,
      cause: error,
    }).withFacts({ prompt_id: promptId });
  }
}

/** The text that stands there instead of JSON. Broken JSON is not quoted: it may hold the text of a blocked answer. */
function bodyNotes({ headers, body }: HttpReply): string[] {
  const words = /^\s*[{[]/.test(new TextDecoder().decode(body)) ? undefined : parseFailure(body).words;
  if (words === undefined) return [];
  return [`content type ${defuseLine(headers['content-type'] ?? 'unknown', 100)}; it begins: ${words}`];
}
