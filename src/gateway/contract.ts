import { type Message, tenantHeader } from '../wire/request.ts';
import type { Access, Caller } from './access/access.ts';
import type { LastToken } from './access/token.ts';
import { ByteBudget, heldAnswersMax, heldBytesMax, type HeldBytes } from './access/byte-budget.ts';
import type { MotifConfig, PolicyConfig } from './config.ts';
import type { RetrievedPassage } from './knowledge/message.ts';
import type { Inspected } from './policies/judging.ts';
import type { Audit } from './records/audit/audit.ts';
import type { Log } from './records/log.ts';
import type { Metrics } from './records/metrics.ts';
import type { Refusal } from './refusal.ts';
import type { Exchange, Hit, Provider, Side, TokenCounts, Verdict } from './vocabulary.ts';

/** The headers that are read of a request: a server passes on these alone, and no other name can be asked for. */
export const requestHeaders = [
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'origin',
  'traceparent',
  tenantHeader,
] as const;

/** One HTTP request as far as the gateway needs to know it; where it came from is the server's business. */
export interface GatewayRequest {
  readonly method: string;
  /** As it was sent, a query too. */
  readonly path: string;
  /** Lower-case names; a repeated header is joined with ", ", which makes it wrong wherever one value is needed. */
  readonly headers: { readonly [name in (typeof requestHeaders)[number]]?: string | undefined };
  /**
   * Rejects with a Refusal if there is more, or with that of `received`, which hears of all bytes as they come. Not
   * called for a request that is refused by its headers.
   */
  readBody(bytesMax: number, received?: (bytes: number) => Refusal | undefined): Promise<Uint8Array>;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** Of its connection, where it came on one. */
  readonly lastToken?: LastToken;
  /** The ID by which its client was, or will be, told of it; a new one where nobody was told yet. */
  readonly promptId?: string;
}

export interface GatewayReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The token that asked, among all those of the file, where it was accepted. */
  readonly holder?: string | undefined;
  /** Called when its client has taken it, or has gone; its bytes are held until then. May be called twice. */
  readonly taken?: (() => void) | undefined;
}

export type Gateway = (request: GatewayRequest) => Promise<GatewayReply>;

/** The token whose prompt is judged, and how long that is of use. */
export interface Asking {
  readonly holder: string;
  readonly signal: AbortSignal;
  /** W3C trace context of the caller, for policies that ask outside. */
  readonly traceparent?: string | undefined;
  /** Takes what those are answered, until its owner gives it back; absent where nobody else needs room. */
  readonly held?: HeldBytes | undefined;
}

/** Texts for policies that need nothing but the text. */
export interface Inspection extends Asking {
  readonly policies: readonly PolicyConfig[];
  /** True where these are all policies of the Motif, so that the verdict is theirs. */
  readonly areAll: boolean;
  readonly side: Side;
  readonly texts: readonly string[];
  readonly policyWork: number | undefined;
  /** True for texts that would be judged here but for what they, or others of their token, cost. */
  readonly isSmall?: boolean;
}

export interface TextsSize {
  readonly characters: number;
  readonly texts: number;
}

/** Threads for judging: one text holds up nobody else. Promises reject with a Refusal where there is no room. */
export interface JudgingPool {
  /** Judges texts elsewhere. */
  inspect(inspection: Inspection): Promise<Inspected>;
  /** Runs work here: at once, or in its turn where others wait, sooner the smaller its texts are. */
  inTurn<T>(asking: Asking, work: () => T | Promise<T>, isShort?: boolean, size?: TextsSize): T | Promise<T>;
  /** Notes the characters that were read here beside such work. */
  noteWork(characters: number): void;
  /** A clock over texts of a token, of so many characters in all, that are judged here. */
  clock(holder: string, characters: number, isShort: boolean): JudgingClock;
  /** True where texts of a token, or even short ones, were costly within the last seconds: the next go elsewhere. */
  isCostly(holder: string, isShort: boolean): boolean;
}

/** It begins with its first look, for most texts are judged before one. */
export interface JudgingClock {
  readonly charactersPerLook: number;
  /** True once the texts, of which policies have read so many characters, took too long to go on here. */
  isLate(spent: number): boolean;
  /** Notes the token where its texts took far more than ordinary ones, or more than was granted here. */
  stop(isExceeded: boolean): void;
}

/** A Motif with everything that its configuration names. */
export interface ReadyMotif {
  readonly config: MotifConfig;
  readonly provider: Provider;
  judge(side: Side, texts: readonly string[], asking: Asking): Verdict | Promise<Verdict>;
  /** The passages that fit a question. */
  readonly retrieve: (question: string) => readonly RetrievedPassage[];
  /** Resolves once each knowledge base can be searched that came with a reload; absent where none did. */
  readonly knowledgeMade?: Promise<unknown> | undefined;
}

export interface GatewayParts {
  readonly access: Access;
  readonly motifs: ReadonlyMap<string, ReadyMotif>;
  now(): number;
  /** Milliseconds with fractions, for deadlines and durations: setting the clock does not move it. */
  monotonic(): number;
  newPromptId(): string;
  readonly audit: Audit | undefined;
  readonly metrics: Metrics;
  readonly log: Log;
  /**
   * Asks the gateway of the newest version of its file, if that is another than this one; undefined if it is not. A new
   * token is accepted, however soon it is used.
   */
  askNewest?(request: GatewayRequest, known: Gateway): Promise<GatewayReply | undefined>;
  /** Decides by the newest version of the file, which may have come since a request did. */
  newestAccess?(): Access;
  /** The load of this process, which outlives this version of the gateway file. */
  readonly load: Load;
  /** Takes tokens in turn with what is large; absent where nobody else waits. */
  readonly judging?: Pick<JudgingPool, 'inTurn' | 'noteWork'> | undefined;
}

/** The prompts in work, the bytes of bodies that are held, and those of answers that nobody has taken yet. */
interface Load {
  inFlight: number;
  readonly bodies: ByteBudget;
  readonly answers: ByteBudget;
}

/** `noteMuch` hears when many bytes are held, and when they no longer are. */
export function createLoad(noteMuch?: (isMuch: boolean) => void): Load {
  let heavyBudgets = 0;
  const count = (isMuch: boolean): void => {
    heavyBudgets += isMuch ? 1 : -1;
    noteMuch?.(heavyBudgets > 0);
  };
  return { inFlight: 0, bodies: new ByteBudget(heldBytesMax, count), answers: new ByteBudget(heldAnswersMax, count) };
}

/** Facts of a request so far, for the audit and the headers of its reply. */
export interface Trace {
  readonly promptId: string;
  readonly startedAt: number;
  caller: Caller | undefined;
  receiveMs: number;
  policyMs: number;
  providerMs: number;
  hits: readonly Hit[];
  /** Findings that exceptions freed. */
  excepted: readonly Hit[];
  usage: TokenCounts | undefined;
  /** The bytes of the body; undefined where none was read. Held until its line is written, where that repeats it. */
  body: HeldBytes | undefined;
  /** The bytes of the answer; undefined while there is none. */
  answer: HeldBytes | undefined;
  /** The question to a provider; undefined while none was asked. */
  exchange: Exchange | undefined;
  /** The cause of a failure in words of ours alone, where its code does not say it. */
  reason: string | undefined;
  /** W3C trace context, as the request named it. */
  readonly traceparent: string | undefined;
  /** True while the body was not read, and is as short as that of an empty prompt. */
  isEmpty: boolean;
  /** Those of the client, then with those before them, at last as policies left them and the provider was sent them. */
  messages: readonly Message[];
  /** The messages as the audit keeps them, in whose place they are then. */
  messagesJson?: string | undefined;
}
