import { TransportError } from '../errors.ts';
import { Secret } from '../text/secret.ts';
import type { HttpReply, HttpRequest, Send, Timings } from '../wire/http.ts';
import { Addresses } from './address.ts';
import { CallWatch } from './call-watch.ts';
import { toConnectFault } from './connect-faults.ts';
import { type Answer, type Call, exchange } from './exchange.ts';
import { createLine, IdleLines, type LineOwner } from './line.ts';
import { createOpen, type OpenSocket, type TransportTools } from './open-socket.ts';
import { endpointWords, toEndpoint } from './endpoint.ts';
import { Wakefulness } from './wakefulness.ts';

/**
 * The one way out of this machine. Each request has a line of its own: an idle one of the same owner, or a new one.
 * Only a line that had closed before a byte was written is replaced, and nothing is ever sent twice unless `onResend`
 * asks for it.
 */
export function createSend(tools: TransportTools): Send {
  const open = createOpen(tools);
  const addresses = new Addresses();
  const wakefulness = new Wakefulness(tools);
  const idle = new IdleLines(wakefulness);
  const watch = new CallWatch(tools, wakefulness);
  const onNewLine = async (call: Call, owner: LineOwner): Promise<HttpReply> => {
    const { address, options, startedAt } = call;
    const opened = await open(address.url, options.connection, options);
    const line = idle.watch(createLine(owner, opened));
    const answer = await exchange(line, call);
    if (answer === undefined) throw toConnectFault({ code: 'ECONNRESET' }, toEndpoint(address.url), 'connect');
    idle.putBack(line, { headers: answer.headers, startedAt });
    return toReply(answer, { startedAt, endedAt: tools.now(), opened });
  };
  return async function send(request, options) {
    options.signal?.throwIfAborted();
    const startedAt = tools.now();
    const address = addresses.of(request.url);
    if (startedAt >= options.deadlineAt) throw noTimeLeft(address.url);
    const owner = { origin: address.origin, connection: options.connection, token: tokenOf(request) };
    const line = idle.take(owner);
    const call = { request, address, options, clock: tools, watch, startedAt, isReused: line !== undefined };
    const answer = line === undefined ? undefined : await exchange(line, call);
    if (line === undefined || answer === undefined) return onNewLine({ ...call, isReused: false }, owner);
    idle.putBack(line, { headers: answer.headers, startedAt });
    return toReply(answer, { startedAt, endedAt: tools.now(), opened: undefined });
  };
}

function noTimeLeft(url: URL): TransportError {
  return new TransportError('timeout', `no time was left to ask ${endpointWords(toEndpoint(url))}`, {
    layer: 'connect',
    sent: false,
    isDeadline: true,
  });
}

function tokenOf({ headers }: HttpRequest): LineOwner['token'] {
  const { authorization } = headers;
  if (typeof authorization !== 'object') return undefined;
  return authorization instanceof Secret ? authorization : authorization.token;
}

interface Moments {
  readonly startedAt: number;
  readonly endedAt: number;
  /** Absent on a line that was open already. */
  readonly opened: OpenSocket | undefined;
}

function toReply(answer: Answer, { startedAt, endedAt, opened }: Moments): HttpReply {
  const { status, headers, body, firstByteAt, sentBytes } = answer;
  const since = (moment: number | null | undefined) => (typeof moment === 'number' ? moment - startedAt : null);
  const timings: Timings = {
    dnsMs: since(opened?.dnsAt),
    connectMs: since(opened?.connectAt),
    tlsMs: since(opened?.tlsAt),
    firstByteMs: firstByteAt - startedAt,
    totalMs: endedAt - startedAt,
    sentBytes,
    receivedBytes: body.length,
  };
  return { status, headers, body, timings };
}
