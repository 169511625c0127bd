import type { Dispatcher } from 'undici';
import { TransportError } from '../errors.ts';
import { CappedBytes } from '../text/capped-bytes.ts';
import { defuseLine } from '../text/defuse.ts';
import { formatSize } from '../text/sizes.ts';
import type { HttpReply, HttpRequest, SendOptions, Timings } from '../wire/http.ts';
import type { RequestAddress } from './address.ts';
import type { CallWatch, WatchedCall } from './call-watch.ts';
import { endsUnclearly, isEncoded, joinValues, reveal } from './headers.ts';
import { type RequestProgress, toHttpFault, toTimeout } from './http-faults.ts';
import { interimMax } from './answer-gate.ts';
import { closeLine, type HttpLine } from './line.ts';
import type { OpenSocket } from './open-socket.ts';
import { toEndpoint } from './endpoint.ts';

/** The parts of a reply and its timings that this end of the line can tell. */
export interface Answer extends Omit<HttpReply, 'timings'> {
  readonly firstByteAt: number;
  readonly sentBytes: number;
}

/** The time in which an end that a server gave to a kept line may cross a request on the way. */
const crossingMs = 1000;

const closedCodes: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** A request and its limits. */
export interface Call {
  readonly request: HttpRequest;
  readonly address: RequestAddress;
  readonly options: SendOptions;
  readonly clock: { now(): number };
  readonly watch: CallWatch;
  /** When the waiting began, its connection included. */
  readonly startedAt: number;
  /** True where the line was kept from an earlier request, so that its end may have been on the way already. */
  readonly isReused: boolean;
  /** The times of its connection; absent on a line that was open already, and until one is open. */
  readonly opened?: OpenSocket;
}

/** The bytes of an exchange, and the moment at which the first one came back. */
interface Traffic {
  readonly firstByteAt?: number | undefined;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export function timingsOf({ opened, startedAt, clock }: Call, traffic: Traffic): Timings {
  const since = (moment: number | null | undefined) => (typeof moment === 'number' ? moment - startedAt : null);
  return {
    dnsMs: since(opened?.dnsAt),
    connectMs: since(opened?.connectAt),
    tlsMs: since(opened?.tlsAt),
    firstByteMs: since(traffic.firstByteAt),
    totalMs: clock.now() - startedAt,
    sentBytes: traffic.sentBytes,
    receivedBytes: traffic.receivedBytes,
  };
}

/**
 * Asks once over one line. Undefined where that line had closed: before a byte of the request was written or, on one
 * that was kept (`isReused`), before a byte of an answer. The request then has to go over another line.
 */
export function exchange(line: HttpLine, call: Call): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => new Exchange(line, call, { resolve, reject }).start());
}

interface Settle {
  resolve(answer: Answer | undefined): void;
  reject(reason: unknown): void;
}

/** The start of an answer, and when its headers had come. */
interface AnswerHead {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly at: number;
}

class Exchange implements Dispatcher.DispatchHandler, WatchedCall {
  readonly #line: HttpLine;
  readonly #call: Call;
  readonly #settle: Settle;
  readonly #requestBody: Buffer;
  readonly #answerBody: CappedBytes;
  /** Bytes that had been read of the line when this exchange began. */
  readonly #readBefore: number;
  #settled = false;
  #mayBeWritten = false;
  #firstByteAt: number | undefined;
  #head: AnswerHead | undefined;
  #lastByteAt = 0;
  /** Bytes of the answer of which `received` has heard. */
  #toldBytes = 0;

  constructor(line: HttpLine, call: Call, settle: Settle) {
    this.#line = line;
    this.#call = call;
    this.#settle = settle;
    this.#readBefore = line.socket.bytesRead;
    const { body } = call.request;
    this.#requestBody = typeof body === 'string' ? Buffer.from(body) : body;
    this.#answerBody = new CappedBytes(call.options.bodyBytesMax);
  }

  get deadlineAt(): number {
    return this.#call.options.deadlineAt;
  }

  get signal(): AbortSignal | undefined {
    return this.#call.options.signal;
  }

  expire(): void {
    const { options, startedAt } = this.#call;
    this.#cutShort(toTimeout(this.#progress(), options.timeoutMs ?? this.deadlineAt - startedAt));
  }

  abort(): void {
    this.#fail(this.signal?.reason);
  }

  start(): void {
    if (this.signal?.aborted === true) return this.abort();
    this.#call.watch.add(this);
    // The client waits for one more round of the event loop, so that all that came before the request is read by then.
    if (this.#call.isReused) setImmediate(() => this.#dispatch());
    else this.#dispatch();
  }

  #dispatch(): void {
    if (this.#settled) return;
    const { request, address } = this.#call;
    this.#line.client.dispatch(
      { method: request.method, path: address.path, headers: reveal(request.headers), body: this.#requestBody },
      this,
    );
  }

  /** The client calls this right before it writes. */
  onRequestStart(controller: Pick<Dispatcher.DispatchController, 'abort'>): void {
    this.#mayBeWritten = this.#line.answers.open(() => this.onResponseStarted());
    if (!this.#mayBeWritten) controller.abort(new Error('sent more than its answer'));
  }

  onResponseStarted(): void {
    this.#firstByteAt ??= this.#call.clock.now();
  }

  onResponseStart(_controller: unknown, status: number, raw: Record<string, string | string[] | undefined>): void {
    // The gate of the line leaves the first ones out; a status below 100 is refused by the parser, after this.
    if (status >= 100 && status < 200) this.#refuse(`the service sent more than ${interimMax} interim answers`);
    if (status < 200) return;
    const headers = joinValues(raw);
    if (this.#isEndOfLine(status, headers)) return this.#resend();
    this.#head = { status, headers, at: this.#call.clock.now() };
    if (isEncoded(headers) && status < 300) {
      const encoding = defuseLine(headers['content-encoding'] ?? '', 60);
      return this.#refuse(`the answer is encoded as ${encoding}, which was not asked for`, encoding);
    }
    const length = Number(headers['content-length']);
    if (length > this.#call.options.bodyBytesMax) this.#refuseSize();
    // Room for all of it is taken now: of many that come at once, piece by piece, none would find room for its end.
    else if (length > 0) this.#tellOf(length);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (!this.#answerBody.add(chunk)) return this.#refuseSize();
    this.#tellOf(this.#answerBody.length);
    this.#lastByteAt = this.#call.clock.now();
  }

  #tellOf(bytes: number): void {
    if (bytes <= this.#toldBytes) return;
    const refusal = this.#call.options.received?.(bytes - this.#toldBytes);
    this.#toldBytes = bytes;
    if (refusal !== undefined) this.#fail(refusal);
  }

  onResponseEnd(_controller: unknown, trailers: Record<string, unknown> = {}): void {
    const { socket, client, answers } = this.#line;
    answers.close();
    // A reset in the middle of a body that only the end of the connection ends looks like its end to the parser.
    if (socket.errored !== null) return this.onResponseError(undefined, socket.errored);
    if (this.#head === undefined) return this.#refuse('the service sent no status');
    // The status of a failure means something even where its text cannot be read.
    this.#resolve(this.#head, isEncoded(this.#head.headers) ? new Uint8Array() : this.#answerBody.bytes);
    // By a trailer that says "close" or names an encoding the parser takes no further answer on this connection.
    if (Object.keys(trailers).length > 0) client.destroy(new Error('trailers'), () => {});
    else if (endsUnclearly(this.#head.status, this.#head.headers)) closeLine(this.#line, 'ended unclearly');
  }

  onResponseError(_controller: unknown, error: Error): void {
    // Such an answer ends with its headers, and what comes after them says nothing.
    if (this.#head?.status === 204 || this.#head?.status === 304) return this.#resolve(this.#head, new Uint8Array());
    if (this.#mayBeWritten && this.#isUnanswered(error)) this.#resend();
    else if (this.#mayBeWritten) this.#cutShort(toHttpFault(error, this.#progress()));
    else if ((error as NodeJS.ErrnoException).code === 'UND_ERR_INVALID_ARG') this.#fail(new Error(error.message));
    else this.#end(() => this.#settle.resolve(undefined));
  }

  #resolve({ status, headers, at }: AnswerHead, body: Uint8Array): void {
    const firstByteAt = this.#firstByteAt ?? at;
    this.#end(() => this.#settle.resolve({ status, headers, body, firstByteAt, sentBytes: this.#requestBody.length }));
  }

  #resend(): void {
    this.#call.options.onResend?.();
    this.#end(() => this.#settle.resolve(undefined));
    closeLine(this.#line, 'given up');
  }

  get #mayResend(): boolean {
    return this.#call.isReused && this.#call.options.onResend !== undefined;
  }

  /** True of a 408 by which a server ends a kept line on which it waited for a request, and had not seen this one. */
  #isEndOfLine(status: number, headers: Record<string, string>): boolean {
    if (status !== 408 || !this.#mayResend || headers['connection']?.toLowerCase() !== 'close') return false;
    const { clock, startedAt } = this.#call;
    return clock.now() - startedAt < crossingMs;
  }

  /** True where a kept line closed without a byte of an answer, as one does that its server gave up meanwhile. */
  #isUnanswered(error: NodeJS.ErrnoException): boolean {
    const isUntouched = this.#line.socket.bytesRead === this.#readBefore;
    return this.#mayResend && isUntouched && closedCodes.has(error.code ?? '');
  }

  #progress(): RequestProgress {
    const { socket, owner } = this.#line;
    const now = this.#call.clock.now();
    return {
      endpoint: toEndpoint(new URL(owner.origin)),
      certificateShown: owner.connection.clientCertificate !== undefined,
      written: this.#mayBeWritten,
      unsentBytes: socket.writableLength,
      peerEnded: socket.readableEnded,
      started: this.#firstByteAt !== undefined,
      bodyBytes: this.#head === undefined ? undefined : this.#answerBody.length,
      isQuiet: now - Math.max(this.#lastByteAt, this.#head?.at ?? 0) > (now - this.#call.startedAt) / 2,
    };
  }

  #refuseSize(): void {
    this.#refuse(`the answer is larger than ${formatSize(this.#call.options.bodyBytesMax)}`);
  }

  #refuse(message: string, quote?: string): void {
    const hint = 'is this the address of a Motif? tell the administrator of the service';
    this.#fail(new TransportError('service', message, { layer: 'http', sent: true, hint, quote }));
  }

  /** An answer that is not whole is none, but the status of a failure means something without its text. */
  #cutShort(reason: TransportError): void {
    if (this.#head === undefined || this.#head.status < 400) return this.#fail(reason);
    this.#resolve(this.#head, this.#answerBody.bytes);
    closeLine(this.#line, 'given up');
  }

  #fail(reason: unknown): void {
    this.#end(() => {
      const sentBytes = this.#mayBeWritten ? this.#requestBody.length : 0;
      const traffic = { firstByteAt: this.#firstByteAt, sentBytes, receivedBytes: this.#answerBody.length };
      this.#call.options.failed?.(timingsOf(this.#call, traffic));
      this.#settle.reject(reason);
      closeLine(this.#line, 'given up');
    });
  }

  #end(settle: () => void): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#call.watch.delete(this);
    settle();
  }
}
