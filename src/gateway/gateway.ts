import { estimatePrompt } from '../text/sizes.ts';
import { emptyPromptLength, parseTraceparent } from '../wire/request.ts';
import { admit, admitAgain, findMotif } from './admission.ts';
import { type Composition, compose, placed } from './composition.ts';
import { conclude, type InferenceOutcome, keepMessages, toJsonInTurns, toRefusal } from './conclusion.ts';
import type { Caller } from './access/access.ts';
import { HeldBytes } from './access/byte-budget.ts';
import type { Gateway, GatewayParts, GatewayRequest, ReadyMotif, Trace } from './contract.ts';
import type { GatewayConfig } from './config.ts';
import type { Hit, Inference, Side, TokenCounts, Verdict } from './vocabulary.ts';
import { largeBodyMin, parsePromptBody } from './prompt-body.ts';
import { droppedAnswer, Refusal, tooManyBytes } from './refusal.ts';

/** The whole service but its sockets: a function from request to reply that never rejects. */
export function createGateway(config: GatewayConfig, parts: GatewayParts): Gateway {
  return async function gateway(request) {
    const context = newContext(request, config, parts);
    const { trace } = context;
    const { audit } = parts;
    if (audit !== undefined) audit.requests += 1;
    let result: InferenceOutcome | Refusal;
    // One function from the headers to the inference, because each further one that is waited for costs every prompt.
    try {
      const caller = admit(request, trace, parts);
      const limited = parts.access.takePrompt(caller);
      const refusal = limited instanceof Promise ? await limited : limited;
      if (refusal !== undefined) throw refusal;
      const motif = findMotif(caller, request, parts);
      const parsing = parseBody(await receiveBody(caller, context), context);
      if (parsing !== undefined) await parsing;
      if (motif.knowledgeMade !== undefined) await motif.knowledgeMade;
      const place = parts.access.takePlace(caller);
      const noPlace = place instanceof Promise ? await place : place;
      if (noPlace !== undefined) throw noPlace;
      context.placeOf = caller;
      parts.load.inFlight += 1;
      admitAgain(request, trace, parts);
      const composing = composeAll(motif, context);
      if (composing !== undefined) await composing;
      const passed = judgePrompt(motif, context);
      if (!(passed instanceof Promise ? await passed : passed)) result = 'blocked';
      else {
        // Its turn, a thread or a webhook may have been waited for.
        admitAgain(request, trace, parts);
        const inference = await askProvider(motif, context);
        noteAnswered(context);
        const outcome = toOutcome(inference, motif, context);
        result = outcome instanceof Promise ? await outcome : outcome;
        const keeping = keepMessages(result, context, (size, make) => inTurn(size, context, make));
        if (keeping !== undefined) await keeping;
      }
    } catch (error) {
      if (trace.providerMs === 0) noteAnswered(context);
      if (request.signal.aborted) await countUnanswered(context);
      result = toRefusal(error, request, trace, parts);
    } finally {
      await givePlaceBack(context);
    }
    // The version that answers counts the request. A body that was read is not there for another one to read.
    const isUnknown = result instanceof Refusal && result.status === 401 && trace.body === undefined;
    const newest = isUnknown ? await parts.askNewest?.(request, gateway) : undefined;
    const reply = newest ?? conclude(result, trace, config, parts);
    if (audit !== undefined) audit.requests -= 1;
    return reply;
  };
}

interface Context {
  readonly request: GatewayRequest;
  readonly trace: Trace;
  readonly config: GatewayConfig;
  readonly parts: GatewayParts;
  /** Known from the moment on at which the prompt is put together. */
  composition: Omit<Composition, 'messages'> | undefined;
  /** The token, among all those of the file. */
  holder: string;
  /** The caller whose place among the prompts in work it has. */
  placeOf: Caller | undefined;
  /** The moment at which the provider was asked. */
  askedAt: number;
}

function newContext(request: GatewayRequest, config: GatewayConfig, parts: GatewayParts): Context {
  const trace: Trace = {
    promptId: request.promptId ?? parts.newPromptId(),
    startedAt: parts.monotonic(),
    caller: undefined,
    receiveMs: 0,
    policyMs: 0,
    providerMs: 0,
    hits: [],
    excepted: [],
    usage: undefined,
    body: undefined,
    answer: undefined,
    exchange: undefined,
    reason: undefined,
    traceparent: parseTraceparent(request.headers.traceparent),
    isEmpty: request.headers['content-length'] === emptyPromptLength,
    messages: [],
  };
  return {
    request,
    trace,
    config,
    parts,
    composition: undefined,
    holder: '',
    placeOf: undefined,
    askedAt: 0,
  };
}

/** Reads the body, of which no more is held than there is room for. */
function receiveBody({ holder }: Caller, context: Context): Promise<Uint8Array> {
  const { request, trace, config, parts } = context;
  const body = new HeldBytes(parts.load.bodies, holder);
  context.holder = holder;
  trace.body = body;
  return request.readBody(config.limits.bodyBytes, (more) => (body.take(more) ? undefined : tooManyBytes()));
}

function givePlaceBack({ placeOf, parts }: Context): Promise<void> | undefined {
  if (placeOf === undefined) return undefined;
  parts.load.inFlight -= 1;
  return parts.access.givePlace(placeOf);
}

/**
 * Reads the messages of a body, in its turn. A variable for its bytes or messages in the function above would hold them
 * until the reply, so that the bytes have one here alone, and the messages none but the trace.
 */
function parseBody(bytes: Uint8Array, context: Context): Promise<void> | undefined {
  const { trace, config, parts } = context;
  trace.isEmpty = false;
  trace.receiveMs = parts.monotonic() - trace.startedAt;
  return inTurn(bytes.length, context, () => void (trace.messages = parsePromptBody(bytes, config.limits.messages)));
}

/** Notes the time that the provider took, if it was asked. */
function noteAnswered({ trace, parts, askedAt }: Context): void {
  if (trace.exchange !== undefined) trace.providerMs = parts.monotonic() - askedAt;
}

/** Reads at once what is small. Of what is large the bytes count too, for later steps take time with its length. */
function inTurn<T>(bytes: number, { request, holder, parts }: Context, read: () => T): T | Promise<T> {
  const { judging } = parts;
  if (bytes < largeBodyMin || judging === undefined) return read();
  const counted = (): T => {
    judging.noteWork(bytes);
    return read();
  };
  return judging.inTurn({ holder, signal: request.signal }, counted);
}

/** Puts the Motif's messages before the client's. A search for passages takes its turn, as a large body does. */
function composeAll({ config, retrieve }: ReadyMotif, context: Context): Promise<void> | undefined {
  const { trace } = context;
  const cost = config.knowledge.length === 0 ? 0 : largeBodyMin;
  const read = (): Composition => compose(trace.messages, { system: config.system, retrieve });
  return inTurn(cost, context, () => void ({ messages: trace.messages, ...context.composition } = read()));
}

/** True where the messages may go on, as the policies left them. */
function judgePrompt(motif: ReadyMotif, context: Context): boolean | Promise<boolean> {
  const { trace } = context;
  const keep = (texts: JudgedTexts): boolean => {
    if (texts === undefined) return false;
    trace.messages = trace.messages.map(({ role }, index) => ({ role, content: texts[index] ?? '' }));
    return true;
  };
  const given = trace.messages.map(({ content }) => content);
  const judged = judge('prompt', given, motif, context);
  return judged instanceof Promise ? judged.then(keep) : keep(judged);
}

/** Asks the provider, where its answer finds room and has a line in the audit. */
function askProvider(motif: ReadyMotif, context: Context): Promise<Inference> {
  const { request, trace, config, parts, holder } = context;
  // A client that has gone while a place was waited for: nothing is sent, and nothing counts.
  request.signal.throwIfAborted();
  if (parts.audit?.accepts === false) throw new Refusal('audit_unavailable');
  const { model, params } = motif.config;
  const answer = new HeldBytes(parts.load.answers, holder);
  if (!answer.takeExpected()) throw tooManyBytes();
  trace.answer = answer;
  const exchange = { provider: motif.provider.name, model };
  trace.exchange = exchange;
  context.askedAt = parts.monotonic();
  return motif.provider.ask(
    { model, params, messages: trace.messages },
    {
      deadlineAt: context.askedAt + config.limits.providerTimeoutMs,
      signal: request.signal,
      exchange,
      promptId: trace.promptId,
      traceparent: trace.traceparent,
      received: (bytes) => (answer.receive(bytes) ? undefined : droppedAnswer()),
      reading: (bytes, read) => inTurn(bytes, context, read),
    },
  );
}

/** The outcome of an inference, past the policies. At once, unless a policy asks outside or the text is large. */
function toOutcome(
  inference: Inference,
  motif: ReadyMotif,
  context: Context,
): InferenceOutcome | Promise<InferenceOutcome> {
  const { trace } = context;
  const counting = countTokens(inference.usage, context);
  // Of what was received this text alone is left, which is held until the client has taken it.
  if (trace.answer?.finish(inference.text.length) === false) throw droppedAnswer();
  // A provider's own filter leaves nothing to judge, and an empty text that a schema blocks would hide it.
  const isFiltered = inference.finishReason === 'content_filter' && inference.text === '';
  // Half of a surrogate pair is no text that a client could be sent as it is.
  const judged = isFiltered ? [''] : judge('inference', [inference.text.toWellFormed()], motif, context);
  const finish = (texts: JudgedTexts): InferenceOutcome | Promise<InferenceOutcome> => {
    if (texts === undefined) return 'blocked';
    const [text = ''] = texts;
    const { finishReason, usage } = inference;
    const judgedInference = { text, finishReason, usage };
    if (text.length < largeBodyMin) return { inference: judgedInference, json: JSON.stringify(text) };
    return wordAnswer(text, context).then((json) => ({ inference: judgedInference, json }));
  };
  const outcome = judged instanceof Promise ? judged.then(finish) : finish(judged);
  // An answer waits for its tokens to be counted, or its caller could first ask another worker the next one.
  return counting === undefined ? outcome : Promise.all([outcome, counting]).then(([made]) => made);
}

function countTokens(usage: TokenCounts, { trace, parts }: Context): Promise<void> | undefined {
  trace.usage = usage;
  return trace.caller && parts.access.settle(trace.caller, usage.prompt + usage.completion);
}

/** Counts by an estimate what was sent for a client that has gone: it is paid for, and nobody tells how much it was. */
function countUnanswered(context: Context): Promise<void> | undefined {
  const { exchange, usage, messages } = context.trace;
  if (exchange === undefined || exchange.isUnsent === true || usage !== undefined) return undefined;
  return countTokens({ prompt: estimatePrompt(messages), completion: 0, isEstimated: true }, context);
}

/** A large text as JSON. To write its line and its reply takes time with its length too, in a round of its own. */
async function wordAnswer(text: string, context: Context): Promise<string> {
  const { json, bytes } = await toJsonInTurns(text, (characters, make) => inTurn(characters, context, make));
  // Escapes of a letter may be six bytes.
  if (context.trace.answer?.keep(bytes) === false) throw droppedAnswer();
  await inTurn(text.length, context, () => undefined);
  return json;
}

type JudgedTexts = readonly string[] | undefined;

/** The texts as they may go on; undefined if they may not. At once, unless a policy asks outside. */
function judge(
  side: Side,
  texts: readonly string[],
  motif: ReadyMotif,
  context: Context,
): JudgedTexts | Promise<JudgedTexts> {
  if (motif.config.policies.length === 0) return texts;
  const { request, trace, parts, holder } = context;
  const startedAt = parts.monotonic();
  const { signal } = request;
  const held = new HeldBytes(parts.load.answers, holder);
  const judged = motif.judge(side, texts, { holder, signal, traceparent: trace.traceparent, held });
  if (judged instanceof Promise)
    return judged
      .finally(() => held.keep(0))
      .then((verdict) => {
        // A policy that asks outside is given up with its client, and has not failed.
        signal.throwIfAborted();
        return noteVerdict(verdict, startedAt, context);
      });
  return noteVerdict(judged, startedAt, context);
}

/** Notes what was found; returns the texts as they may go on. */
function noteVerdict(
  { decision, hits, excepted = [], texts }: Verdict,
  startedAt: number,
  { trace, parts, composition }: Context,
): JudgedTexts {
  trace.policyMs += parts.monotonic() - startedAt;
  if (hits.length > 0) noteHits(placedAll(hits, composition), trace, parts);
  if (excepted.length > 0) trace.excepted = [...trace.excepted, ...placedAll(excepted, composition)];
  return decision === 'block' ? undefined : texts;
}

function placedAll(hits: readonly Hit[], composition: Context['composition']): readonly Hit[] {
  return composition === undefined ? hits : hits.map((hit) => placed(hit, composition));
}

function noteHits(hits: readonly Hit[], trace: Trace, { metrics, log }: GatewayParts): void {
  trace.hits = [...trace.hits, ...hits];
  for (const { policy, rule, on, action } of hits) {
    metrics.count('hits', { policy, on, action });
    if (rule === 'policy_failed') log.error('a policy failed, so it blocked', { prompt_id: trace.promptId, policy });
  }
}
