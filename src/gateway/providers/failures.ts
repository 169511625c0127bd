import { TransportError } from '../../errors.ts';
import { defuseLine } from '../../text/defuse.ts';
import { parseFailure } from '../../wire/failure.ts';
import type { HttpReply } from '../../wire/http.ts';
import { ProviderFailure } from '../vocabulary.ts';

interface StatusRow {
  readonly status: ProviderFailure['status'];
  readonly words: string;
  readonly surelyDidNotRun: boolean;
}

/** The facts of a failure beside its status. */
interface StatusFacts {
  readonly retryAfterMs: number | undefined;
  /** Its body tells of a model that worked on the prompt. */
  readonly didRun: boolean;
  /** The Motif's own parameters. */
  readonly params: readonly string[];
}

/** The bytes of a failure that are read; more are no words for anyone. */
const failureBytesMax = 64 * 1024;
/**
 * The characters of its words that are kept until the secrets in them are hidden: of a key that is cut before that,
 * the rest would be known in fewer spellings.
 */
const wordsMax = 8 * 1024;

/**
 * A failure that the provider told by its status. A client gets words of ours; the provider's own go into the detail.
 * A 503 counts as not run if it says when to come back, as between the client and this gateway.
 */
export function statusFailure(
  reply: Pick<HttpReply, 'status' | 'body'>,
  { retryAfterMs, didRun, params }: StatusFacts,
): ProviderFailure {
  const { status, words, surelyDidNotRun } = rowOf(reply.status, { saysWhen: retryAfterMs !== undefined, didRun });
  const said = parseFailure(reply.body.subarray(0, failureBytesMax), wordsMax).words;
  const param = reply.status === 400 || reply.status === 422 ? paramIn(said, params) : undefined;
  return new ProviderFailure(status, param === undefined ? words : `${words}: parameter ${param}`, {
    upstreamStatus: reply.status,
    surelyDidNotRun,
    retryAfterMs,
    reason: `provider ${reply.status}${param === undefined ? '' : `: parameter ${param}`}`,
    detail: `status ${reply.status}${said === undefined ? '' : `: ${surelyDidNotRun ? said : withoutAnswer(said)}`}`,
  });
}

/** The words of a failure up to the text of the model that llama.cpp and Ollama repeat where they cannot read it. */
function withoutAnswer(said: string): string {
  return said.replace(/(\bpars(?:e|ing)\b[^:.]{0,40}:).*/is, '$1 …');
}

/** The first of the Motif's own parameters that the provider speaks of. */
function paramIn(said: string | undefined, params: readonly string[]): string | undefined {
  const named = new Set(said?.split(/[^A-Za-z0-9_-]+/));
  return params.find((param) => named.has(param));
}

/** A generation that failed, as Hugging Face's TGI tells it, and one that was ended, as Google does. */
const afterwards: readonly number[] = [424, 499];

function rowOf(
  status: number,
  { saysWhen, didRun }: { readonly saysWhen: boolean; readonly didRun: boolean },
): StatusRow {
  if (status === 429)
    return { status: 429, words: 'the provider accepts no more requests for now', surelyDidNotRun: true };
  if (status === 408 || status === 504)
    return { status: 504, words: 'the provider took too long', surelyDidNotRun: false };
  if (status === 503 || status === 529)
    return { status: 502, words: 'the provider is overloaded', surelyDidNotRun: saysWhen };
  if (status >= 500 || didRun || afterwards.includes(status))
    return { status: 502, words: 'the provider failed', surelyDidNotRun: false };
  if (status >= 400) return { status: 502, words: 'the provider did not accept the request', surelyDidNotRun: true };
  return { status: 502, words: 'the provider answered with a redirect, which is not followed', surelyDidNotRun: true };
}

/** A failure on the way to the provider, or anything else that was thrown while it was asked. */
export function thrownFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  const detail = defuseLine(wordsOf(error), wordsMax);
  if (!(error instanceof TransportError))
    return new ProviderFailure(502, 'the provider could not be asked', { detail });
  const surelyDidNotRun = !error.sent;
  if (error.kind === 'timeout') {
    const reason = 'provider timeout';
    const parts = { detail, surelyDidNotRun, mayStillRun: error.sent, reason };
    return new ProviderFailure(504, 'the provider took too long', parts);
  }
  if (surelyDidNotRun) {
    const reason = 'provider unreachable';
    return new ProviderFailure(502, 'the provider could not be reached', { detail, surelyDidNotRun, reason });
  }
  if (error.kind === 'service') {
    const reason = 'provider reply unreadable';
    return new ProviderFailure(502, 'the provider answered in a way that cannot be read', { detail, reason });
  }
  const reason = 'provider reset';
  return new ProviderFailure(502, 'the connection to the provider broke', { detail, mayStillRun: true, reason });
}

/** The message of what was thrown, without words of the other side that were cut before secrets in them are hidden. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const quote = error instanceof TransportError ? error.quote : undefined;
  return quote?.endsWith('…') === true ? error.message.replace(quote, () => '…') : error.message;
}
