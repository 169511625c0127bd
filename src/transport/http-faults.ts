import { TransportError } from '../errors.ts';
import { defuseLine } from '../text/defuse.ts';
import { formatDuration } from '../text/durations.ts';
import { answerHeaderBytesMax } from '../text/limits.ts';
import { counted, formatSize } from '../text/sizes.ts';
import { type Endpoint, endpointWords } from './endpoint.ts';
import { tlsFaults } from './tls-faults.ts';

/** State of a request at the moment it failed. */
export interface RequestProgress {
  readonly endpoint: Endpoint;
  /** True where a client certificate was shown. */
  readonly certificateShown: boolean;
  /** True where a byte of the request may have left this machine. */
  readonly written: boolean;
  /** Bytes of the request that the peer has not yet taken. */
  readonly unsentBytes: number;
  /** True where the peer ended the connection in good order. */
  readonly peerEnded: boolean;
  /** True once a first byte of the answer has come. */
  readonly started: boolean;
  /** Bytes of the body that have come; undefined until the headers are complete. */
  readonly bodyBytes: number | undefined;
  /** True where nothing has come for most of the wait. */
  readonly isQuiet: boolean;
}

interface Words {
  readonly kind: 'network' | 'service';
  readonly message: string;
  readonly hint: string | readonly string[];
  readonly isReplyLost?: boolean;
  /** The words of the other side in the message. */
  readonly quote?: string;
}

const notHttpHint = 'check the scheme and the port of the address; motif whoami shows where it comes from';

/** Words for a request that failed after its line was open, by the code of what the parser or the socket reported. */
export function toHttpFault(error: unknown, progress: RequestProgress): TransportError {
  const parsing = toViolation(error);
  const code = parsing?.code ?? (error as NodeJS.ErrnoException).code ?? 'unknown';
  const isTls = code.startsWith('ERR_SSL');
  const { kind, message, hint, isReplyLost, quote } = isTls
    ? tlsWords(code, progress)
    : parsing === undefined
      ? brokenWords(code, progress)
      : violationWords(parsing, progress);
  return new TransportError(kind, message, {
    layer: isTls ? 'tls' : 'http',
    sent: progress.written,
    hint,
    cause: code,
    quote,
    ...(isReplyLost && { isReplyLost }),
  });
}

/** Bytes that break the rules of HTTP. */
interface Violation {
  readonly code: string;
  /** The parser's objection; its own words, which it sets in brackets at the end. */
  readonly reason: string;
  /** The bytes from the one that broke the rules. */
  readonly rest: string;
}

/** The parser's errors carry no code in this version, so that their name and reason must do. */
function toViolation(error: unknown): Violation | undefined {
  const { name, code, message, data = '' } = error as NodeJS.ErrnoException & { data?: string };
  if (code === 'ERR_ASSERTION') return { code, reason: '', rest: '' };
  // An error without any bytes is the end of the connection in the wrong place.
  if (name !== 'HTTPParserError' || data === '') return undefined;
  return { code: name, reason: /\(([^()]*)\)$/.exec(message)?.[1] ?? '', rest: data };
}

const lost = { kind: 'network', isReplyLost: true } as const;

function brokenWords(code: string, progress: RequestProgress): Words {
  const { endpoint, started, peerEnded, bodyBytes } = progress;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    const message = `the headers of the answer are larger than ${formatSize(answerHeaderBytesMax)}`;
    return { kind: 'service', message, hint: notHttpHint };
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && bodyBytes === undefined) {
    return violationWords({ code, reason: 'contradictory content-length', rest: '' }, progress);
  }
  if (bodyBytes !== undefined) {
    return { ...lost, message: `the answer was cut off after ${counted(bodyBytes, 'byte')}`, hint: [] };
  }
  const hint = hangUpHint(progress);
  if (code !== 'UND_ERR_SOCKET') {
    return { ...lost, message: `the connection to ${endpointWords(endpoint)} was reset before an answer came`, hint };
  }
  // The client itself closes the socket at a 100 or 101 that was not asked for, under the code of one that was closed.
  if (started && !peerEnded) return violationWords({ code, reason: 'interim answer', rest: '' }, progress);
  const where = started ? 'in the middle of its headers' : 'without an answer';
  return { ...lost, message: `${endpointWords(endpoint)} closed the connection ${where}`, hint };
}

/** Names an answer of which nothing was understood by its start. */
function violationWords({ reason, rest }: Violation, { endpoint, bodyBytes }: RequestProgress): Words {
  if (bodyBytes === undefined && rest.startsWith('\x15\x03')) {
    const message = `${endpointWords(endpoint)} expects TLS, and was asked without it: is the scheme wrong?`;
    return { kind: 'network', message, hint: 'write https:// in the address' };
  }
  if (reason.startsWith('Expected HTTP/')) {
    const [line = ''] = rest.split(/\r?\n/, 1);
    const quote = defuseLine(line, 80);
    const message = `${endpointWords(endpoint)} does not speak HTTP, it said: ${quote}`;
    return { kind: 'service', message, hint: notHttpHint, quote };
  }
  const what = reason === '' ? '' : ` (${defuseLine(reason, 80).toLowerCase()})`;
  return {
    kind: 'service',
    message: `the answer of ${endpointWords(endpoint)} is not valid HTTP${what}`,
    hint: notHttpHint,
  };
}

function tlsWords(code: string, { endpoint }: RequestProgress): Words {
  const fault = tlsFaults[code];
  const message = fault?.says(endpoint, new Error()) ?? `TLS with ${endpointWords(endpoint)} failed: ${code}`;
  return { kind: 'network', message, hint: fault?.hint ?? [] };
}

/** A server that is spoken to without TLS, or wants a client certificate, often just hangs up. */
function hangUpHint({ endpoint, certificateShown }: RequestProgress): string[] {
  if (!endpoint.secure)
    return ['a port that expects TLS hangs up like this: if it is one, write https:// in the address'];
  if (certificateShown) return [];
  return ['if the service asks for a client certificate, give it with --cert FILE and --key FILE'];
}

export function toTimeout(progress: RequestProgress, waitedMs: number): TransportError {
  return new TransportError('timeout', lateWords(progress, formatDuration(Math.ceil(waitedMs))), {
    layer: 'http',
    sent: progress.written,
    isDeadline: true,
    isReplyLost: progress.written,
  });
}

function lateWords({ endpoint, unsentBytes, started, bodyBytes, isQuiet }: RequestProgress, waited: string): string {
  if (bodyBytes !== undefined && isQuiet) {
    return `the answer stopped after ${counted(bodyBytes, 'byte')} and did not go on within ${waited}`;
  }
  if (bodyBytes !== undefined) return `the answer was too slow: ${counted(bodyBytes, 'byte')} in ${waited}`;
  if (started) return `the headers of the answer did not end within ${waited}`;
  if (unsentBytes > 0) return `${endpointWords(endpoint)} did not take the whole request within ${waited}`;
  return `no first byte of an answer from ${endpointWords(endpoint)} within ${waited}`;
}
