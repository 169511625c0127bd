/**
 * The closed vocabulary of outcomes. A failure gets its kind where it is born; `main` turns it into words and an exit
 * code, and nothing ever reads meaning back out of a message. This table also feeds `motif help exit-codes`, the
 * README and the tests. The numbers are public and never change.
 */
export const exitTable = [
  { kind: 'ok', code: 0, cause: 'answered, or everything was as expected' },
  {
    kind: 'failed',
    code: 1,
    cause:
      'done, and not as expected: a regression, rows in error, --expect not met, no such code block, an audit that is not proven',
  },
  {
    kind: 'usage',
    code: 2,
    cause: 'bad flags or arguments, nothing to send, an invalid file or an unknown conversation that you named',
  },
  { kind: 'config', code: 3, cause: 'not logged in, no such profile, a broken file that motif keeps itself' },
  { kind: 'rejected', code: 4, cause: 'the service refused the request: a 4xx other than 401, 403, 408, 429' },
  { kind: 'service', code: 5, cause: 'the service failed: a 5xx, a redirect, or a 2xx outside its contract' },
  { kind: 'network', code: 6, cause: "DNS, connection, TLS, a proxy's refusal" },
  { kind: 'timeout', code: 7, cause: 'connect, first byte or total; a 408; stdin that sent nothing' },
  { kind: 'auth', code: 8, cause: 'the token was not accepted: 401 or 403' },
  { kind: 'limited', code: 9, cause: 'too many requests: 429 after the retries' },
  { kind: 'blocked', code: 10, cause: 'a policy blocked the prompt' },
  {
    kind: 'unverified',
    code: 11,
    cause:
      'check: something could not be verified (also for a wrong token), and no regression was seen; batch: halted, and can go on; --expect: a policy could not judge',
  },
  { kind: 'io', code: 12, cause: 'a local file, keyring or stdout could not be written or read' },
  { kind: 'bug', code: 70, cause: 'anything unforeseen: one line with a report id' },
] as const;

/** A signal ends motif by that signal, which a shell reports as these codes. */
export const signalTable = [
  { signal: 'SIGHUP', code: 129, cause: 'the terminal went away' },
  { signal: 'SIGINT', code: 130, cause: 'Ctrl-C' },
  { signal: 'SIGTERM', code: 143, cause: 'asked to end' },
] as const;

export type Kind = Exclude<(typeof exitTable)[number]['kind'], 'ok'>;
export type SignalName = (typeof signalTable)[number]['signal'];

interface ErrorParts {
  /** Next steps; each entry is one line. */
  readonly hint?: string | readonly string[];
  /** Lines between the message and the hint: where it happened, or the organization's own words. */
  readonly notes?: readonly string[];
  /** The service's own `error` field, whatever its type. */
  readonly detail?: unknown;
  /** The service's own `code`. */
  readonly code?: string | null;
  readonly status?: number;
  readonly cause?: unknown;
}

/** A place in a file that a person wrote, and what is wrong there. */
export interface PlacedFault {
  readonly file: string;
  readonly line: number;
  /** The part of the file that it is about; empty for the whole. */
  readonly title: string;
  readonly message: string;
}

export class MotifError extends Error {
  override readonly name: string = 'MotifError';
  readonly kind: Kind;
  hints: readonly string[];
  notes: readonly string[];
  readonly detail: unknown;
  readonly code: string | null;
  readonly status: number | undefined;
  /** True once its result is on stdout as a JSON document, so that `main` prints no second one. */
  hasDocument = false;
  /** True once its message is on stderr, as a block's is in any case. */
  isPrinted = false;
  /** The faults of files that it is about, for what shows them beside their lines. */
  places: readonly PlacedFault[] = [];
  /** The number of times that the request was tried; 0 where nothing was. */
  attempts = 0;
  /** True where it is certain that the prompt did not run, so that sending it again pays for nothing twice. */
  isUnasked = false;
  /** Values of its JSON document between ok and error, as far as they are known. */
  facts: Readonly<Record<string, unknown>> = {};

  constructor(kind: Kind, message: string, parts: ErrorParts = {}) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.kind = kind;
    this.hints = typeof parts.hint === 'string' ? [parts.hint] : (parts.hint ?? []);
    this.notes = parts.notes ?? [];
    this.detail = parts.detail ?? null;
    this.code = parts.code ?? null;
    this.status = parts.status;
  }

  get exitCode(): number {
    return exitTable.find((row) => row.kind === this.kind)!.code;
  }

  /** The ID that the service gave to the prompt; null where it said none. */
  get promptId(): string | null {
    return typeof this.facts.prompt_id === 'string' ? this.facts.prompt_id : null;
  }

  /** Adds what a caller further up knows; returns itself. */
  withNote(note: string): this {
    this.notes = [...this.notes, note];
    return this;
  }

  /** Adds a next step that only a caller further up can name; returns itself. */
  withHint(hint: string): this {
    this.hints = [...this.hints, hint];
    return this;
  }

  /** Says where in a file it is; returns itself. */
  withPlaces(places: readonly PlacedFault[]): this {
    this.places = places;
    return this;
  }

  /** Adds what is known for its JSON document, below what is known already; returns itself. */
  withFacts(facts: Readonly<Record<string, unknown>>): this {
    this.facts = { ...facts, ...this.facts };
    return this;
  }

  /** The JSON document of this failure; `blank` has the keys that every document of the command has. */
  toDocument(blank: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    const hint = this.hints.length === 0 ? null : this.hints.join('\n');
    const { kind, exitCode, message, code, detail } = this;
    return { ok: false, ...blank, ...this.facts, error: { kind, exit_code: exitCode, message, code, detail, hint } };
  }
}

/** A gateway file of several Motifs, none of which was named: nothing is wrong with the file. */
export class MotifUnnamed extends MotifError {}

/** Runs the work and adds to a failure of it what is known by then, for its JSON document. */
export async function addingFacts<T>(
  facts: (error: MotifError) => Readonly<Record<string, unknown>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof MotifError ? error.withFacts(facts(error)) : error;
  }
}

/** Which part of reaching the service failed; `doctor` names it, and the client decides by it what may be retried. */
export type Layer = 'proxy' | 'dns' | 'connect' | 'tls' | 'http';

export interface TransportErrorParts extends ErrorParts {
  readonly layer: Layer;
  readonly sent: boolean;
  readonly transient?: boolean;
  readonly isReplyLost?: boolean;
  readonly isDeadline?: boolean;
  readonly quote?: string | undefined;
}

/** A request that got no usable HTTP reply. */
export class TransportError extends MotifError {
  override readonly name = 'TransportError';
  readonly layer: Layer;
  /** False only when it is certain that no byte of the request left this machine. */
  readonly sent: boolean;
  /** True for what may work in a moment (refused, reset, a busy resolver), unlike a name that does not exist. */
  readonly transient: boolean;
  /** True where the service may have worked on the request, and only its reply was lost. */
  readonly isReplyLost: boolean;
  /** True where the time for the whole request was over, and no limit of its own for a step. */
  readonly isDeadline: boolean;
  /** The words of the other side that stand in the message, cut with an ellipsis where they were longer. */
  readonly quote: string | undefined;

  constructor(kind: 'network' | 'timeout' | 'service', message: string, parts: TransportErrorParts) {
    super(kind, message, parts);
    this.layer = parts.layer;
    this.sent = parts.sent;
    this.transient = parts.transient ?? false;
    this.isReplyLost = parts.isReplyLost ?? false;
    this.isDeadline = parts.isDeadline ?? false;
    this.quote = parts.quote;
  }
}

/** The reader of stdout has gone away (`| head`); a quiet end for most commands, never a failure. */
export class StdoutClosed extends Error {
  override readonly name = 'StdoutClosed';
  override readonly message = 'nobody reads stdout any more';
}

/** The command that motif ran for a person has ended, and motif ends with its code. */
export class CommandEnded extends Error {
  override readonly name = 'CommandEnded';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a command ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** A signal asked motif to end; `main` lets the process end by that signal once everything is tidied up. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: SignalName;
  /** True where lines were written since, so that the cursor stands no longer behind the `^C` of the terminal. */
  readonly isTold: boolean;

  constructor(signal: SignalName, { isTold = false }: { readonly isTold?: boolean } = {}) {
    super(signal);
    this.signal = signal;
    this.isTold = isTold;
  }
}
