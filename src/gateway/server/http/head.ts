import type { IncomingMessage, ServerResponse } from 'node:http';
import { type GatewayReply, requestHeaders } from '../../contract.ts';
import type { HttpLimits } from './limits.ts';
import { failureBody, failureHeaders, type Refusal, type RefusalCode } from '../../refusal.ts';

/** Our codes for the objections of Node's parser and its timeouts. */
export const parserCodes: Readonly<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_INVALID_EOF_STATE: 'client_gone',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
};

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

/** The headers that anything here looks at; one that is not named stays unread. The empty name is that of a fault. */
const readHeaders = new Set<string>([...requestHeaders, 'connection', 'host', 'transfer-encoding', 'upgrade', '']);

/** Node keeps the first of two Authorization headers and says nothing of the second. */
export function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (!readHeaders.has(name)) continue;
    const value = rawHeaders[index + 1]!;
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** The name or address of a host with or without a port, and nothing beside it that another server may read as one. */
const hostPort = /^(?:[\w.~%!$&'()*+;=-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/** The fault of a request that Node's parser lets through although two servers in a row could read it in two ways. */
export function faultOf(
  { rawHeaders, httpVersion }: IncomingMessage,
  { host, 'transfer-encoding': encoding, '': nameless }: Record<string, string>,
  { headersMax }: HttpLimits,
): RefusalCode | undefined {
  if (rawHeaders.length > 2 * headersMax) return 'headers_too_large';
  // The oldest Node that is supported takes a header without a name.
  if (nameless !== undefined) return 'malformed_request';
  // Node's parser takes the names of versions for which it is no parser.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'malformed_request';
  if (host === undefined ? httpVersion !== '1.0' : !hostPort.test(host)) return 'malformed_request';
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return 'malformed_request';
  return undefined;
}

const closeWord = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

/** True where nothing may come behind a request. Node's parser does not find the word before a tab. */
export function isLastOf(response: ServerResponse, { upgrade, connection = '' }: Record<string, string>): boolean {
  return upgrade !== undefined || !response.shouldKeepAlive || closeWord.test(connection);
}

const nothing = (): void => undefined;

/**
 * Tells a client that waits for it to send the body, once. One that did not wait is told before its refusal: else Node
 * closes the connection behind that, and the replies to the requests behind it, which are in work by then, are lost.
 */
export function continueOnce(response: ServerResponse, isExpected: boolean): () => void {
  let isAwaited = isExpected;
  if (!isAwaited) return nothing;
  return () => {
    if (isAwaited) response.writeContinue();
    isAwaited = false;
  };
}

export function failureReply(refusal: Refusal, promptId: string): GatewayReply {
  const headers = { 'content-type': 'application/json', ...failureHeaders(refusal) };
  return { status: refusal.status, headers, body: failureBody(refusal, promptId) };
}

/** The last reply of a connection, written without Node's help. */
export function rawReply({ status, headers, body }: GatewayReply): string {
  const all = { ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reasonPhrases[status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`;
}
