import type { Message } from '../wire/request.ts';

/** The nouns of the gateway. Policies and providers know these and nothing of HTTP servers, files or terminals. */

/** The direction of a text: on its way to the provider, or on its way back. */
export type Side = 'prompt' | 'inference';

export type Action = 'block' | 'redact' | 'warn';

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'blocked' | 'other';

/** One place in a text, as it was sent, that a detector objects to. It never holds the text itself. */
export interface Finding {
  /** The thing that was found: `email`, `aws_access_key`; in brackets and upper case it is the mark of a redaction. */
  readonly rule: string;
  readonly start: number;
  readonly length: number;
}

/** True where two findings share a character. */
export function overlaps(one: Finding, other: Finding): boolean {
  return one.start < other.start + other.length && other.start < one.start + one.length;
}

/** A finding in its message, with the policy that made it and what that policy does about it. */
export interface Hit extends Finding {
  readonly policy: string;
  readonly on: Side;
  readonly action: Action;
  /** Index in the messages as the provider would get them; null for the inference. */
  readonly message: number | null;
  /** The same place for people, who know the client's messages and the passages of a file; absent: in the inference. */
  readonly place?: Place;
  /** The reading in which it was made, as `inside base64`, where that is not the text as sent; for people alone. */
  readonly seen?: string;
}

/** A place by whose words it is in: messages of the client are counted without those of the gateway before them. */
export type Place =
  | { readonly of: 'client'; readonly message: number; readonly start: number }
  | { readonly of: 'system'; readonly start: number }
  | {
      readonly of: 'knowledge';
      readonly base: string;
      readonly file: string;
      /** From 1, in its file. */
      readonly passage: number;
      /** A passage is its text, under a line that names its source. */
      readonly part: 'source' | 'text';
      readonly start: number;
    };

/** A finding that counts for nothing, by an exception of its policy. */
export interface ExceptedHit extends Hit {
  readonly why: string | null;
  /** The moment from which it counts again. */
  readonly until: number | null;
}

export interface Verdict {
  readonly decision: 'pass' | 'block';
  /** Every hit in the order of policies, then messages; also those that only warn or redact. */
  readonly hits: readonly Hit[];
  /** Findings that an exception of their policy freed; absent for none. */
  readonly excepted?: readonly ExceptedHit[];
  /** The texts in the order they came, with redactions made; the same texts where there are none. */
  readonly texts: readonly string[];
}

/** The question to a provider. */
export interface ProviderRequest {
  readonly model: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly messages: readonly Message[];
}

/** The answer of a provider, in the neutral form. */
export interface Inference {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: TokenCounts;
}

export interface TokenCounts {
  readonly prompt: number;
  readonly completion: number;
  /** True where the provider counted nothing, so that the gateway estimated. */
  readonly isEstimated: boolean;
}

/** The facts of one exchange with a provider that the audit keeps; the provider fills them in, also on a failure. */
export interface Exchange {
  /** The provider that answered, or was the last to be asked. */
  provider: string;
  model: string | undefined;
  modelAnswered?: string | undefined;
  /** The provider's own name for this request. */
  requestId?: string | undefined;
  /** True where the first provider failed and another one was asked. */
  isFallback?: boolean;
  /** The first provider and why it was given up, where another one was asked: `openai: provider 401`. */
  firstFailure?: string;
  /** True where the request was sent twice, because its connection closed before a byte came back. */
  isResent?: boolean;
  /** True while the provider surely is not at work on it: it was not sent yet, or was not accepted. */
  isUnsent?: boolean | undefined;
}

interface AskOptions {
  readonly deadlineAt: number;
  readonly signal?: AbortSignal;
  readonly exchange?: Exchange | undefined;
  /** For the log. */
  readonly promptId?: string;
  /** W3C trace context of the caller, for the provider. */
  readonly traceparent?: string | undefined;
  /** Hears of the bytes of an answer as they come; an error ends it. */
  readonly received?: (bytes: number) => Error | undefined;
  /** Runs a step of reading an answer of so many bytes, if that is large: in its turn. */
  readonly reading?: ReadInTurn | undefined;
}

export type ReadInTurn = <T>(bytes: number, read: () => T) => T | Promise<T>;

export interface Provider {
  readonly name: string;
  readonly kind: string;
  /** Rejects with a ProviderFailure, or with the error of `received`. */
  ask(request: ProviderRequest, options: AskOptions): Promise<Inference>;
}

interface ProviderFailureParts {
  readonly upstreamStatus?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly surelyDidNotRun?: boolean;
  readonly mayStillRun?: boolean;
  readonly detail?: string | undefined;
  readonly reason?: string | undefined;
}

const reasonsByStatus = { 429: 'limited', 502: 'failed', 504: 'timeout' } as const;

/** Why a provider gave no inference; nothing of the upstream's own words or secrets is in its message. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  /** The status for the client: 429 limited, 502 failed, 504 too slow. */
  readonly status: 429 | 502 | 504;
  /** The status that the provider answered with, if it did. */
  readonly upstreamStatus: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** True where it surely did not run, so that a retry or the fallback cannot pay twice. */
  readonly surelyDidNotRun: boolean;
  /** True where it was sent and nothing came back, so that the provider may be at work on it, and be paid for it. */
  readonly mayStillRun: boolean;
  /** Words of the provider or the way to it, in one short line without our secrets: for the log, never for a client. */
  readonly detail: string | undefined;
  /** The cause in words of ours alone, for the audit: `provider 401`, `provider timeout`. */
  readonly reason: string;

  constructor(status: 429 | 502 | 504, message: string, parts: ProviderFailureParts = {}) {
    super(message);
    this.status = status;
    this.upstreamStatus = parts.upstreamStatus;
    this.retryAfterMs = parts.retryAfterMs;
    this.surelyDidNotRun = parts.surelyDidNotRun ?? false;
    this.mayStillRun = parts.mayStillRun ?? false;
    this.detail = parts.detail;
    this.reason = parts.reason ?? `provider ${reasonsByStatus[status]}`;
  }
}
