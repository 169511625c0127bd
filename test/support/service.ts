import { expect } from 'vitest';
import { type MotifError, TransportError, type TransportErrorParts } from '../../src/errors.ts';
import type { HttpReply, HttpRequest, Send, SendOptions } from '../../src/wire/http.ts';

export interface Scripted {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ScriptedService {
  readonly send: Send;
  /** Every request that was sent, with the options it was sent with. */
  readonly requests: readonly (HttpRequest & { readonly options: SendOptions; readonly json: unknown })[];
}

/** Answer of the service when nothing else is said. */
export const answered = {
  blocked: false,
  finish_reason: 'stop',
  prompt_id: '01JD0000000000000000000000',
  response: 'Hello from the service',
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
};

export const blocked = {
  blocked: true,
  finish_reason: 'blocked',
  prompt_id: '01JD0000000000000000000001',
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
};

/** A service that gives each reply in turn, and the last one again and again. An Error is thrown instead. */
export function service(...replies: readonly (Scripted | Error)[]): ScriptedService {
  const script = replies.length === 0 ? [{ body: answered }] : replies;
  const requests: (HttpRequest & { options: SendOptions; json: unknown })[] = [];
  return {
    requests,
    async send(request, options) {
      options.signal?.throwIfAborted();
      requests.push({ ...request, options, json: JSON.parse(String(request.body)) as unknown });
      const reply = script[Math.min(requests.length, script.length) - 1];
      if (reply instanceof Error) throw reply;
      return toReply(reply ?? {});
    },
  };
}

export function answering(response: string, fields: Readonly<Record<string, unknown>> = {}): ScriptedService {
  return service({ body: { ...answered, response, ...fields } });
}

export function refused(parts: Partial<TransportErrorParts> = {}): MotifError {
  return new TransportError('network', 'connection refused', {
    layer: 'connect',
    sent: false,
    transient: true,
    ...parts,
  });
}

/** The reply of a service, 200 with an answer unless it says otherwise; a text or bytes are the body as it is. */
export function toReply({ status = 200, body = answered, headers = {} }: Scripted): HttpReply {
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  expect(status).toBeGreaterThan(99);
  return {
    status,
    headers,
    body: bytes,
    timings: { dnsMs: 1, connectMs: 2, tlsMs: 3, firstByteMs: 40, totalMs: 41, sentBytes: 200, receivedBytes: 300 },
  };
}
