import { TransportError } from '../errors.ts';
import { Secret } from '../text/secret.ts';
import type { HttpReply, HttpRequest, Send } from '../wire/http.ts';
import { Addresses } from './address.ts';
import { AnswerTurns } from './answer-turns.ts';
import { CallWatch } from './call-watch.ts';
import { toConnectFault } from './connect-faults.ts';
import { type Answer, type Call, exchange, timingsOf } from './exchange.ts';
import { createLine, IdleLines, type LineOwner } from './line.ts';
import { createOpen, type TransportTools } from './open-socket.ts';
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
  const turns = new AnswerTurns();
  const onNewLine = async (call: Call, owner: LineOwner): Promise<HttpReply> => {
    const { address, options, startedAt } = call;
    const opened = await open(address.url, options.connection, options).catch((error: unknown) => {
      options.failed?.(timingsOf(call, { sentBytes: 0, receivedBytes: 0 }));
      throw error;
    });
    const line = idle.watch(createLine(owner, opened, { turns, idle }));
    const opening = { ...call, opened };
    const answer = await exchange(line, opening);
    if (answer === undefined) throw toConnectFault({ code: 'ECONNRESET' }, toEndpoint(address.url), 'connect');
    idle.putBack(line, { headers: answer.headers, startedAt });
    return toReply(answer, opening);
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
    return toReply(answer, call);
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

function toReply({ status, headers, body, firstByteAt, sentBytes }: Answer, call: Call): HttpReply {
  const timings = timingsOf(call, { firstByteAt, sentBytes, receivedBytes: body.length });
  return { status, headers, body, timings };
}
