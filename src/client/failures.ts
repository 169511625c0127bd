import { type Kind, MotifError, TransportError } from '../errors.ts';
import { defuseLine } from '../text/defuse.ts';
import { formatDuration, spellDuration, toMoment } from '../text/durations.ts';
import { parseFailure, type ServiceFailure } from '../wire/failure.ts';
import type { HttpReply } from '../wire/http.ts';

interface FailureContext {
  /** The asked address, for words: "address https://…". */
  readonly asked: string;
  /** Words for where its address and tenant ID are found. */
  readonly places: { readonly address: string; readonly tenant: string };
  /** Origin of the token: "profile support-bot", "MOTIF_TOKEN". */
  readonly tokenFrom: string;
  /** Advice, in words that follow. */
  readonly tokenAdvice?: string | undefined;
  /** Origin of the tenant; undefined where none was sent. */
  readonly tenantFrom: string | undefined;
  /** Advice about the tenant that takes the place of words about profiles and variables. */
  readonly tenantAdvice?: string | undefined;
  /** True where the variable that should name one is empty. */
  readonly isTenantEmpty: boolean;
  /** True where nothing is stored yet: neither `whoami` nor a profile has anything to say of the address. */
  readonly isLogin: boolean;
  /** Set when the service said when to come back. */
  readonly retryAfter?: RetryAfter | undefined;
}

/** A wait that the service asked for. */
export interface RetryAfter {
  readonly ms: number;
  /** The moment at which it is over. */
  readonly until: number;
  /** The reason for which nothing waited so long, in words. */
  readonly obstacle: string | undefined;
}

/** Origin of the time for one prompt, in words: "profile support-bot"; and what to write to allow a longer one. */
export interface TimeoutSource {
  readonly from: string;
  more(duration: string): string;
}

export interface TimeLimit {
  readonly timeoutMs: number;
  readonly timeoutSource?: TimeoutSource | undefined;
}

const minuteMs = 60_000;
/** The times that are offered are whole multiples of it. */
const stepMs = 5 * minuteMs;
const leastOfferedMs = 10 * minuteMs;
/** The longest time that any setting allows. */
const mostOfferedMs = 1440 * minuteMs;
/** The longest wait for which more time is offered; after a longer one it is better to come back. */
const waitMsMax = 60 * minuteMs;

/** `20 s (profile support-bot); allow more time: --timeout 5m`, which is enough for so long a wait and an answer. */
export function timeoutWords({ timeoutMs, timeoutSource }: TimeLimit, neededMs = 0): string {
  const duration = formatDuration(timeoutMs);
  if (timeoutSource === undefined) return duration;
  const words = `${duration} (${timeoutSource.from})`;
  const enoughMs = Math.ceil((neededMs + minuteMs) / stepMs) * stepMs;
  const longerMs = timeoutMs < leastOfferedMs ? leastOfferedMs : mostOfferedMs;
  const offeredMs = neededMs === 0 ? longerMs : enoughMs;
  if (timeoutMs >= offeredMs || offeredMs > mostOfferedMs) return words;
  return `${words}; allow more time: ${timeoutSource.more(spellDuration(offeredMs))}`;
}

/** Adds where the time came from to an error that ended because it was over; returns that error, or any other. */
export function withMoreTime(error: unknown, limit: TimeLimit): unknown {
  if (!(error instanceof TransportError) || !error.isDeadline || limit.timeoutSource === undefined) return error;
  error.hints = [`the timeout is ${timeoutWords(limit)}`, ...error.hints];
  return error;
}

/** Words for a wait that the time for one prompt does not allow; `spentMs` of that time are over. */
export function tooLongWords(waitMs: number, spentMs: number, limit: TimeLimit): string {
  return `longer than the timeout of ${timeoutWords(limit, waitMs > waitMsMax ? Infinity : spentMs + waitMs)}`;
}

/** Words for a retry that could not get its answer in the time for one prompt. */
export function noTimeWords(limit: TimeLimit, neededMs: number): string {
  return `no time is left for another in the timeout of ${timeoutWords(limit, neededMs)}`;
}

interface Words {
  readonly kind: Kind;
  readonly message: string;
  readonly hint: readonly string[];
}

/** nginx in front of a service answers with a page of its own where the way to it is wrong, always with a 400. */
const frontHints = [
  {
    says: 'No required SSL certificate was sent',
    hint: 'the service asks for a client certificate: --cert FILE and --key FILE (MOTIF_CERT, MOTIF_KEY)',
  },
  {
    says: 'The SSL certificate error',
    hint: 'the service did not accept the client certificate: is --cert the right one, and has it not expired?',
  },
  {
    says: 'The plain HTTP request was sent to HTTPS port',
    hint: 'the service is on TLS there: write https:// in the address',
  },
];

const pageBytesMax = 1024;

/** Turns a reply that is not a 2xx into the failure it means, with what the service said and what to do next. */
export function toFailure(reply: HttpReply, context: FailureContext): MotifError {
  const failure = parseFailure(reply.body);
  const { kind, message, hint } = wordsFor(reply, context, failure);
  const said = failure.words === undefined ? [] : [`the service said: ${failure.words}`];
  // Whoever logs in has just typed all this, and looks for what to do.
  const isBrief = context.isLogin && kind === 'auth';
  return new MotifError(kind, `${message} (${reply.status})`, {
    notes: isBrief ? [] : [...said, ...promptIdNote(failure.promptId), context.asked],
    hint: isBrief ? [...hint, ...said] : hint,
    detail: failure.detail ?? failure.page,
    code: failure.code,
    status: reply.status,
  }).withFacts({ prompt_id: failure.promptId });
}

/** A line that names the prompt, for the administrator who looks it up. */
export function promptIdNote(promptId: string | null): string[] {
  return promptId === null ? [] : [`prompt_id ${defuseLine(promptId, 100)}`];
}

function wordsFor(reply: HttpReply, context: FailureContext, failure: ServiceFailure): Words {
  const { status } = reply;
  const exact = status === 401 ? tokenWords(context, saysExpired(failure)) : exactWords(status, context);
  if (exact !== undefined) return exact;
  if (status >= 300 && status < 400 && status !== 304) {
    const target = reply.headers.location === undefined ? 'elsewhere' : `to ${defuseLine(reply.headers.location, 200)}`;
    return {
      kind: 'service',
      message: `the service redirects ${target}, which motif never follows`,
      hint: ['if that address is right, name it: motif login ADDRESS, or --url ADDRESS'],
    };
  }
  if (status >= 400 && status < 500) {
    const page = new TextDecoder().decode(reply.body.subarray(0, pageBytesMax));
    const hint = frontHints.find(({ says }) => page.includes(says))?.hint ?? '--dry-run shows what is sent';
    return { kind: 'rejected', message: 'the service rejected the request', hint: [hint] };
  }
  const wait = waitWords(context);
  return {
    kind: 'service',
    message: status >= 500 ? 'the service failed' : 'the service answered outside its contract',
    hint: [wait ?? 'try again later; if it stays, tell the administrator of the service'],
  };
}

/** Words about what is stored, for all but a login. */
function whoami({ isLogin }: FailureContext, words: string): string {
  return isLogin ? '' : words;
}

/** True where the service itself says so; most say nothing, so that no token can be probed. */
function saysExpired({ code, words }: ServiceFailure): boolean {
  return (
    (/expired/i.test(code ?? '') && !/(?:^|[^a-z])(?:or|not|invalid)(?![a-z])/i.test(code ?? '')) ||
    (/\b(?:token|jwt|key) (?:has |is )?expired\b/i.test(words ?? '') && !/\b(?:or|not|invalid)\b/i.test(words ?? ''))
  );
}

function tokenWords({ isLogin, tokenFrom, tokenAdvice }: FailureContext, isExpired: boolean): Words {
  const from = isLogin ? [] : [`the token came from ${tokenFrom}`];
  const origin = [...from, ...(tokenAdvice === undefined ? [] : [tokenAdvice])].join('; ');
  const makes = 'the administrator can see that and make a new one (motif help tokens)';
  const hint = isExpired
    ? ['the administrator can make a new one (motif help tokens)']
    : isLogin
      ? ['one that has expired or was revoked gets the same answer, and so does a wrong Motif ID (motif help tokens)']
      : [
          `it may have expired or been revoked: ${makes}`,
          'a wrong Motif ID gets the same answer: motif whoami shows the address that was asked',
        ];
  return {
    kind: 'auth',
    message: isExpired ? 'the token has expired' : 'the service did not accept this token',
    hint: [...(origin === '' ? [] : [origin]), ...hint],
  };
}

function tenantWords(context: FailureContext): string {
  const { tenantFrom, isTenantEmpty, places } = context;
  return tenantFrom !== undefined
    ? `check the tenant ID, which came from ${tenantFrom} (${places.tenant}), or ask the administrator to add you to the Motif (motif help tokens)`
    : `${isTenantEmpty ? 'MOTIF_TENANT_ID is set, but empty; ' : ''}send a tenant ID: --tenant ID${whoami(context, ', MOTIF_TENANT_ID, or motif profile set tenant ID')} (${places.tenant})`;
}

function exactWords(status: number, context: FailureContext): Words | undefined {
  switch (status) {
    case 403:
      return {
        kind: 'auth',
        message: 'the service does not let this token use the Motif',
        hint: [context.tenantAdvice ?? tenantWords(context)],
      };
    case 404:
      return {
        kind: 'rejected',
        message: 'there is no such endpoint; the address may be wrong',
        hint: [`compare it with ${context.places.address}${whoami(context, '; motif whoami shows yours')}`],
      };
    case 408:
      return { kind: 'timeout', message: 'the service gave up waiting for the request', hint: ['try again'] };
    case 413:
      return {
        kind: 'rejected',
        message: 'the prompt is too large for the service',
        hint: ['send less: --dry-run shows what is sent'],
      };
    case 429:
      return {
        kind: 'limited',
        message: 'too many requests',
        hint: [waitWords(context) ?? 'wait and try again', 'what counts: motif help limits'],
      };
    default:
      return undefined;
  }
}

function waitWords({ retryAfter }: FailureContext): string | undefined {
  if (retryAfter === undefined) return undefined;
  const { ms, until, obstacle } = retryAfter;
  const words = `the service asks to wait ${formatDuration(ms)}${obstacle === undefined ? '' : `, ${obstacle}`}`;
  return ms > waitMsMax ? `${words}; try again at ${toMoment(until)}` : words;
}
