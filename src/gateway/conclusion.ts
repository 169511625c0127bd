import { nextRound } from '../text/turns.ts';
import type { Message } from '../wire/request.ts';
import type { Caller } from './access/access.ts';
import { type AuditEntry, type Decision, durationText, strongestAction } from './records/audit/line.ts';
import type { GatewayConfig } from './config.ts';
import type { GatewayParts, GatewayReply, GatewayRequest, Trace } from './contract.ts';
import { type Inference, ProviderFailure, type ReadInTurn } from './vocabulary.ts';
import type { Metrics } from './records/metrics.ts';
import { failureBody, failureHeaders, Refusal } from './refusal.ts';

/** A prompt that was judged: its inference, with the text as JSON too, or that a policy blocked it. */
export type InferenceOutcome = { readonly inference: Inference; readonly json: string } | 'blocked';

/**
 * Audits, counts and words what came of a request; an answer that cannot be audited is not given. At once, unless its
 * line has to be waited for.
 */
export function conclude(
  result: InferenceOutcome | Refusal,
  trace: Trace,
  config: GatewayConfig,
  parts: GatewayParts,
): GatewayReply | Promise<GatewayReply> {
  const totalMs = parts.monotonic() - trace.startedAt;
  const { caller } = trace;
  const ms = {
    policy: durationText(trace.policyMs),
    provider: durationText(trace.providerMs),
    total: durationText(totalMs),
  };
  const finish = (isAudited: boolean): GatewayReply => {
    const final = isAudited ? result : new Refusal('audit_unavailable');
    countReply(final, totalMs, trace, parts.metrics);
    trace.body?.keep(0);
    return replyOf(final, ms, trace, parts);
  };
  // Unauthenticated requests are not audited.
  if (caller === undefined || parts.audit === undefined) return finish(true);
  // A line that is alone is written at once, for none is about to share its write. Prompts that wait for no provider
  // come many in one turn, however few are in flight.
  const isAlone = parts.load.inFlight === 0 && trace.providerMs > 0;
  const entry = entryOf(result, trace, caller, ms, config);
  // A line with texts may wait for long where stdout is read slowly, and holds the prompt meanwhile.
  if (entry.texts === undefined) trace.body?.keep(0);
  const written = parts.audit.record(entry, isAlone);
  const characters = entry.texts === undefined ? 0 : entry.texts.messagesJson.length + entry.texts.responseJson.length;
  if (characters >= largeLineMin) return finishLater(written, () => parts.judging?.noteWork(characters), finish);
  return written instanceof Promise ? written.then(finish) : finish(written);
}

/** Characters of the texts whose line in the audit has a round of the event loop of its own, and its reply the next. */
const largeLineMin = 1024 * 1024;

async function finishLater(
  written: boolean | Promise<boolean>,
  noteWork: () => void,
  finish: (isAudited: boolean) => GatewayReply,
): Promise<GatewayReply> {
  const isAudited = await written;
  await nextRound();
  noteWork();
  return finish(isAudited);
}

function replyOf(
  final: InferenceOutcome | Refusal,
  ms: AuditEntry['ms'],
  trace: Trace,
  { log }: GatewayParts,
): GatewayReply {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  // A request that is refused before the provider is asked learns nothing of the work behind that.
  if (!(final instanceof Refusal) || trace.exchange !== undefined)
    headers['server-timing'] = `policy;dur=${ms.policy}, provider;dur=${ms.provider}, total;dur=${ms.total}`;
  const { promptId: prompt_id, answer } = trace;
  const taken = answer && ((): boolean => answer.keep(0));
  const { motifId: motif, holder } = trace.caller ?? {};
  if (final instanceof Refusal) {
    const { status, code } = final;
    log.debug('refused', { prompt_id, status, code, motif });
    const body = failureBody(final, prompt_id);
    return { status, headers: { ...headers, ...failureHeaders(final) }, body, holder, taken };
  }
  log.debug('answered', { prompt_id, motif, decision: decisionOf(final, trace) });
  return { status: 200, headers, body: answerBody(final, trace), holder, taken };
}

/** The characters that are made JSON of at once. */
const pieceMax = 256 * 1024;

/** A text as JSON, made in turns, and the bytes that it takes. */
export async function toJsonInTurns(text: string, inTurn: ReadInTurn): Promise<{ json: string; bytes: number }> {
  let json = '';
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const cut = at + pieceMax;
    // Both halves of a pair stay together.
    const piece = text.slice(at, text.codePointAt(cut - 1)! > 0xffff ? cut + 1 : cut);
    const escaped = await inTurn(piece.length, () => JSON.stringify(piece).slice(1, -1));
    json += escaped;
    bytes += Buffer.byteLength(escaped);
    at += piece.length;
  }
  return { json: `"${json}"`, bytes };
}

/** Keeps the messages of a prompt that passed as the JSON that its line will hold, where the audit is to have texts. */
export function keepMessages(
  outcome: InferenceOutcome,
  { trace, config }: { readonly trace: Trace; readonly config: GatewayConfig },
  inTurn: ReadInTurn,
): Promise<void> | undefined {
  if (outcome === 'blocked' || config.audit?.text !== true) return undefined;
  const { messages } = trace;
  const keep = (json: string): void => {
    trace.messagesJson = json;
    trace.messages = [];
  };
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  if (characters <= pieceMax) {
    keep(JSON.stringify(messages));
    return undefined;
  }
  // The line has a round of its own behind them.
  return messagesToJsonInTurns(messages, inTurn).then((json) => inTurn(json.length, () => keep(json)));
}

/** Messages as JSON: in turns where there is much of them, as many short ones as make a piece in one. */
async function messagesToJsonInTurns(messages: readonly Message[], inTurn: ReadInTurn): Promise<string> {
  const parts: string[] = [];
  for (let from = 0; from < messages.length;) {
    const { role, content } = messages[from]!;
    let [to, characters] = [from + 1, content.length];
    while (to < messages.length && characters + messages[to]!.content.length <= pieceMax)
      characters += messages[to++]!.content.length;
    const some = messages.slice(from, to);
    parts.push(
      characters > pieceMax
        ? `{"role":${JSON.stringify(role)},"content":${(await toJsonInTurns(content, inTurn)).json}}`
        : await inTurn(characters, () => JSON.stringify(some).slice(1, -1)),
    );
    from = to;
  }
  return `[${parts.join(',')}]`;
}

function answerBody(outcome: InferenceOutcome, { promptId, usage, hits }: Trace): string {
  const prompt = usage?.prompt ?? 0;
  const completion = usage?.completion ?? 0;
  const counts = `{"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${prompt + completion}}`;
  if (outcome === 'blocked') {
    // Nobody must take a policy that could not judge for one that objects.
    const code = hits.some(({ rule }) => rule === 'policy_failed') ? '"code":"policy_failed",' : '';
    return `{"blocked":true,"finish_reason":"blocked",${code}"prompt_id":"${promptId}","usage":${counts}}`;
  }
  const { finishReason } = outcome.inference;
  // Words of ours need no escapes.
  const head = `"blocked":false,"finish_reason":"${finishReason}","prompt_id":"${promptId}"`;
  return `{${head},"response":${outcome.json},"usage":${counts}}`;
}

function entryOf(
  result: InferenceOutcome | Refusal,
  trace: Trace,
  caller: Caller,
  ms: AuditEntry['ms'],
  config: GatewayConfig,
): AuditEntry {
  const { promptId, hits, usage, exchange, messagesJson, traceparent } = trace;
  const passed = result instanceof Refusal || result === 'blocked' ? undefined : result.json;
  return {
    promptId,
    motif: caller.motifId,
    team: caller.team,
    tokenId: caller.tokenId,
    user: caller.user ?? null,
    tenant: caller.tenant ?? null,
    decision: decisionOf(result, trace),
    hits,
    excepted: trace.excepted,
    provider: exchange?.provider,
    model: exchange?.model,
    modelAnswered: exchange?.modelAnswered,
    providerRequestId: exchange?.requestId,
    isFallback: exchange?.isFallback === true,
    isResent: exchange?.isResent === true,
    usage,
    ms,
    status: result instanceof Refusal ? result.status : 200,
    reason: result instanceof Refusal ? (trace.reason ?? result.reason) : (exchange?.firstFailure ?? null),
    isEmpty: trace.isEmpty,
    traceparent,
    config: config.hash,
    texts: messagesJson !== undefined && passed !== undefined ? { messagesJson, responseJson: passed } : undefined,
  };
}

/** From this status on a prompt failed: the client went away (499), or the gateway or the provider was at fault. */
const failedStatusMin = 499;

function decisionOf(result: InferenceOutcome | Refusal, { hits, exchange }: Trace): Decision {
  if (result === 'blocked') return 'block';
  if (!(result instanceof Refusal)) return strongestAction(hits) ?? 'pass';
  // A provider that was asked and had no room (429) is no refusal of ours: policies have judged the prompt.
  return result.status < failedStatusMin && exchange === undefined ? 'refused' : 'failed';
}

function countReply(result: InferenceOutcome | Refusal, totalMs: number, trace: Trace, metrics: Metrics): void {
  metrics.count('requests', { status: result instanceof Refusal ? String(result.status) : '200' });
  metrics.observe('total', totalMs);
  metrics.observe('overhead', Math.max(0, totalMs - trace.receiveMs - trace.providerMs));
  if (trace.providerMs > 0) metrics.observe('provider', trace.providerMs);
  if (trace.caller === undefined) return;
  const motif = trace.caller.motifId;
  metrics.count('prompts', { motif, decision: decisionOf(result, trace) });
  if (trace.usage === undefined) return;
  metrics.count('tokens', { motif, kind: 'prompt' }, trace.usage.prompt);
  metrics.count('tokens', { motif, kind: 'completion' }, trace.usage.completion);
}

/** The refusal for what was thrown while a request was worked on, in words that a client may read. */
export function toRefusal(
  error: unknown,
  { signal }: GatewayRequest,
  trace: Trace,
  { log, metrics }: GatewayParts,
): Refusal {
  if (error instanceof Refusal) return error;
  if (signal.aborted) return new Refusal('client_gone');
  const about = { prompt_id: trace.promptId, motif: trace.caller?.motifId };
  if (error instanceof ProviderFailure) {
    metrics.count('providerFailures', { motif: trace.caller?.motifId ?? '' });
    log.warn('a provider failed', { ...about, status: error.status, reason: error.message, detail: error.detail });
    trace.reason = error.reason;
    if (error.status === 504) return new Refusal('provider_timeout');
    if (error.status === 502) return new Refusal('provider_failed');
    return new Refusal('limited', { message: 'the provider is limiting requests', retryAfterMs: error.retryAfterMs });
  }
  log.error('something unforeseen happened', { ...about, stack: error instanceof Error ? error.stack : String(error) });
  return new Refusal('internal');
}
