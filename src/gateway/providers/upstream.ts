import { isAscii } from 'node:buffer';
import { TransportError } from '../../errors.ts';
import { defuseLine } from '../../text/defuse.ts';
import { answerBytesMax, quotedCharactersMax } from '../../text/limits.ts';
import { redactionMark } from '../../text/redact.ts';
import { atOnce, type Piecework } from '../../text/turns.ts';
import type { Fields } from '../../text/json/json.ts';
import { isForbiddenAddress } from '../../wire/forbidden-host.ts';
import type { Connection, HttpReply, HttpRequest, Send, SendOptions } from '../../wire/http.ts';
import type { ProviderConfig } from '../config.ts';
import {
  type Exchange,
  type Inference,
  type Provider,
  ProviderFailure,
  type ProviderRequest,
  type ReadInTurn,
} from '../vocabulary.ts';
import { Refusal } from '../refusal.ts';
import { thrownFailure } from './failures.ts';
import { type FileSecrets, keyLettersMax, piecesCharactersMin, type ProviderSecrets } from './file-secrets.ts';
import type { Format } from './format.ts';
import { charactersPerPiece, quotesAny } from './repeats.ts';
import { decodeBody, fromReply, parseBody } from './reply.ts';

/** The parts of the world that a provider needs. */
export interface ProviderParts {
  readonly send: Send;
  now(): number;
  /** The clock of deadlines. */
  monotonic(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1; spreads retries, so that they do not come all at once. */
  random(): number;
  /** Hears that the service sent what nobody asked for. */
  readonly onUnasked?: () => void;
}

const connectTimeoutMs = 10_000;
/** The first wait after a connection that was not made; each further one is twice as long, up to a cap. */
const firstBackoffMs = 250;
/**
 * A provider that asks for more patience than this is not waited for: the caller waits better, without a slot of this
 * gateway, and a fallback need not wait at all.
 */
const providerWaitMsMax = 5000;

/** The bytes of an answer that is read in steps. */
const largeAnswerMin = 16 * 1024;

/** A request that is answered, and the facts of it that the audit keeps. */
interface Exchanged {
  readonly request: ProviderRequest;
  readonly exchange: Exchange | undefined;
}

/** A provider behind HTTP. Only what surely did not run is asked again. */
export function createUpstream(
  format: Format,
  config: ProviderConfig,
  parts: ProviderParts,
  fileSecrets: FileSecrets,
): Provider {
  // One object for the life of the provider, because open connections are shared by it.
  const { ca, proxy } = config;
  const connection: Connection = {
    connectTimeoutMs,
    isForbidden: isForbiddenAddress,
    onUnasked: parts.onUnasked,
    ...(ca !== undefined && { ca: [ca] }),
    ...(proxy && { proxy }),
  };
  const secrets = fileSecrets.of(config);
  const hideNames = createNameHiding(secrets);
  const { readSmall, readLarge } = createReading(format, parts, secrets, hideNames);
  return {
    name: config.name,
    kind: config.kind,
    async ask(request, { deadlineAt: limitAt, signal, exchange, traceparent, received, reading }) {
      const { timeoutMs } = config;
      const deadlineAt = timeoutMs === undefined ? limitAt : Math.min(limitAt, parts.monotonic() + timeoutMs);
      let isResent = false;
      const onResend = (): void => {
        isResent = true;
        if (exchange !== undefined) exchange.isResent = true;
      };
      const noteUnsent = (isUnsent: boolean): void => {
        if (exchange !== undefined) exchange.isUnsent = isUnsent || undefined;
      };
      const options: SendOptions = {
        connection,
        bodyBytesMax: answerBytesMax,
        received,
        deadlineAt,
        signal,
        onResend: config.retriesReused ? onResend : undefined,
        failed: ({ sentBytes }) => noteUnsent(sentBytes === 0 && !isResent),
      };
      const post = tracing(format.toRequest(request, config), traceparent);
      for (let retry = 0; ; retry++) {
        try {
          noteUnsent(false);
          const reply = await parts.send(post, isResent ? { ...options, onResend: undefined } : options);
          if (reading === undefined || reply.body.length < largeAnswerMin)
            return readSmall(reply, { request, exchange });
          return await readLarge(reply, { request, exchange }, reading);
        } catch (error) {
          if (error instanceof Refusal) throw error;
          signal?.throwIfAborted();
          if (exchange !== undefined) hideNames(exchange);
          const failure = await toFailure(error, { request, isResent, reading }, secrets);
          noteUnsent(failure.surelyDidNotRun);
          const waitMs = waitBefore(retry, error, parts.random());
          if (waitMs === undefined || retry >= config.retries || parts.monotonic() + waitMs >= deadlineAt)
            throw failure;
          await parts.sleep(waitMs, signal);
        }
      }
    },
  };
}

function createReading(
  format: Format,
  parts: Pick<ProviderParts, 'now'>,
  secrets: ProviderSecrets,
  hideNames: (exchange: Exchange) => void,
) {
  const read = (
    reply: HttpReply,
    { request, exchange }: Exchanged,
    parsed?: { readonly body: Fields | undefined },
  ): Inference => {
    const inference = fromReply(format, reply, request, { now: parts.now(), exchange }, parsed);
    if (exchange !== undefined) hideNames(exchange);
    return inference;
  };
  // A model that was told the key by somebody else, or a proxy that repeats a header, must not bring it to a caller.
  const hiding = (inference: Inference, text: string): Inference =>
    text === inference.text ? inference : { ...inference, text };
  const readSmall = (reply: HttpReply, asked: Exchanged): Inference => {
    const inference = read(reply, asked);
    return hiding(inference, secrets.inAnswer(inference.text));
  };
  /** Others have their turn between the steps. */
  const readLarge = async (reply: HttpReply, asked: Exchanged, inTurn: ReadInTurn): Promise<Inference> => {
    const bytes = reply.body.length;
    const text = await decodeInTurns(reply.body, inTurn);
    const body = await inSteps(parseBody(text, format), Math.min(bytes, pieceMax), inTurn);
    const inference = await inTurn(bytes, () => read(reply, asked, { body }));
    const characters = Math.min(inference.text.length, piecesCharactersMin);
    return hiding(inference, await inSteps(secrets.inLargeAnswer(inference.text), characters, inTurn));
  };
  return { readSmall, readLarge };
}

/** The bytes that are decoded at once where they are more than ASCII, and the most of what is read of JSON at once. */
const pieceMax = 128 * 1024;

/** The text of a large body; undefined where it is none. */
async function decodeInTurns(bytes: Uint8Array, inTurn: ReadInTurn): Promise<string | undefined> {
  if (isAscii(bytes)) return await inTurn(bytes.length, () => decodeBody(bytes));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (at: number): string | undefined => {
    const end = at + pieceMax;
    try {
      return decoder.decode(bytes.subarray(at, end), { stream: end < bytes.length });
    } catch {
      return undefined;
    }
  };
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceMax) {
    const piece = await inTurn(pieceMax, () => decode(at));
    if (piece === undefined) return undefined;
    text += piece;
  }
  return text;
}

function tracing(post: HttpRequest, traceparent: string | undefined): HttpRequest {
  return traceparent === undefined ? post : { ...post, headers: { ...post.headers, traceparent } };
}

/** The time to wait before asking again; undefined where it may have run, asking is in vain, or would take too long. */
function waitBefore(retry: number, error: unknown, random: number): number | undefined {
  if (error instanceof TransportError) {
    const backoffMs = Math.min(firstBackoffMs * 2 ** retry * (0.5 + random), providerWaitMsMax);
    return error.transient && !error.sent ? backoffMs : undefined;
  }
  if (!(error instanceof ProviderFailure) || !error.surelyDidNotRun) return undefined;
  const waitMs = error.retryAfterMs;
  return waitMs === undefined || waitMs > providerWaitMsMax ? undefined : waitMs;
}

/**
 * Returns what hides names of an answer: a service that names a request or a model by our own key must not bring it
 * into the audit. The model is mostly named as in the answer before.
 */
function createNameHiding({ own, inWords }: ProviderSecrets): (exchange: Exchange) => void {
  let cleanModel: string | undefined;
  const holdsSecret = (name: string): boolean => own.some((value) => name.includes(value)) || inWords(name) !== name;
  return (exchange) => {
    const { modelAnswered, requestId } = exchange;
    if (modelAnswered !== cleanModel) {
      if (modelAnswered !== undefined && holdsSecret(modelAnswered)) exchange.modelAnswered = undefined;
      else cleanModel = modelAnswered;
    }
    if (requestId !== undefined && holdsSecret(requestId)) exchange.requestId = undefined;
  };
}

/** A request that failed; `isResent`: it was sent a second time. */
interface Failed {
  readonly request: ProviderRequest;
  readonly isResent: boolean;
  readonly reading: ReadInTurn | undefined;
}

/**
 * The failure of what was thrown. Providers like to quote a key that they do not accept, and some a prompt; neither
 * belongs into a log. A request that was sent twice may have run the first time, whatever the second one came to.
 */
async function toFailure(
  error: unknown,
  { request, isResent, reading }: Failed,
  { own, wholes, inWords }: ProviderSecrets,
): Promise<ProviderFailure> {
  const { status, message, detail, ...failure } = thrownFailure(error);
  const cut = (text: string): string => defuseLine(text, quotedCharactersMax);
  const rest = detail && cut(wholes(detail));
  const isQuote =
    rest !== undefined &&
    (atOnce(quotesAny(rest, own, keyLettersMax)) || (await quotesPrompt(rest, request.messages, reading)));
  const subject = failure.upstreamStatus === undefined ? 'it' : `status ${failure.upstreamStatus}`;
  const kept = isQuote
    ? `${subject}, in words that repeat the prompt or a key`
    : detail && cut(withoutCutSecret(inWords(detail)));
  const surelyDidNotRun = failure.surelyDidNotRun && !isResent;
  const mayStillRun = failure.mayStillRun || (failure.surelyDidNotRun && isResent);
  return new ProviderFailure(status, message, { ...failure, surelyDidNotRun, mayStillRun, detail: kept });
}

/** Words that were cut, without what stands behind the last mark: it may be the most of a secret. */
function withoutCutSecret(hidden: string): string {
  const lastMark = hidden.lastIndexOf(redactionMark);
  return lastMark !== -1 && /…"?$/.test(hidden) ? `${hidden.slice(0, lastMark + redactionMark.length)}…` : hidden;
}

async function quotesPrompt(
  words: string,
  messages: ProviderRequest['messages'],
  inTurn: ReadInTurn | undefined,
): Promise<boolean> {
  const prompts = messages.map(({ content }) => content);
  const looking = quotesAny(words, prompts);
  return await (inTurn === undefined ? atOnce(looking) : inSteps(looking, charactersPerPiece, inTurn));
}

/** The work, each piece of which reads so many characters and takes a turn of its own. */
async function inSteps<T>(work: Piecework<T>, characters: number, inTurn: ReadInTurn): Promise<T> {
  for (;;) {
    const { done, value } = await inTurn(characters, () => work.next());
    if (done === true) return value;
  }
}
