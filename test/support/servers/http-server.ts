import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Gateway, GatewayReply } from '../../../src/gateway/contract.ts';
import { httpLimits, type HttpLimits } from '../../../src/gateway/server/http/limits.ts';
import { createHttpServer, type TlsIdentity } from '../../../src/gateway/server/http/server.ts';
import { createLog } from '../../../src/gateway/records/log.ts';
import { createMetrics } from '../../../src/gateway/records/metrics.ts';
import { failureBody, failureHeaders, Refusal } from '../../../src/gateway/refusal.ts';

export const path = '/api/v1/apps/bot/prompts';

/** Reads the body and says what it was. */
export const echo: Gateway = async (request) => {
  try {
    const body = await request.readBody(1000);
    return reply(200, JSON.stringify({ length: body.length, path: request.path }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, headers: failureHeaders(error), body: failureBody(error, 'ID') };
  }
};

export function reply(status: number, body: string, holder?: string): GatewayReply {
  return { status, holder, headers: { 'content-type': 'application/json' }, body };
}

interface ServerSetup {
  readonly gateway?: Gateway;
  readonly limits?: Partial<HttpLimits>;
  readonly tls?: TlsIdentity;
  readonly noteConnection?: () => void;
}

export async function listening({ gateway = echo, limits, tls, noteConnection }: ServerSetup = {}) {
  const metrics = createMetrics();
  let made = 0;
  const server = createHttpServer({
    gateway,
    newPromptId: () => `01JD00000000000000000${String((made += 1)).padStart(5, '0')}`,
    metrics,
    log: createLog({ write: () => undefined, now: Date.now, level: 'error' }),
    limits: { ...httpLimits, checkIntervalMs: 30, lingerMs: 200, idleGraceMs: 20, ...limits },
    tls,
    processorMs: () => performance.now(),
    ...(noteConnection && { noteConnection }),
  });
  const port = await server.listen('127.0.0.1', 0);
  onTestFinished(() => server.drain(0));
  return { port, server, metrics };
}

interface Client {
  readonly socket: Socket;
  readonly text: () => string;
  /** Resolves with everything once the connection is closed. */
  readonly closed: Promise<string>;
}

export function dial(port: number, first: string | Buffer = '', options: { allowHalfOpen?: boolean } = {}): Client {
  const socket = connect({ port, host: '127.0.0.1', ...options });
  return follow(socket, first);
}

export function follow(socket: Socket, first: string | Buffer): Client {
  let text = '';
  socket.on('data', (part: Buffer) => (text += part.toString('latin1'))).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  if (first !== '') socket.write(first);
  return { socket, text: () => text, closed: new Promise((resolve) => socket.once('close', () => resolve(text))) };
}

/** The statuses of all replies in a text, in their order. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

export const post = (headers: string, body = '') => `POST ${path} HTTP/1.1\r\nHost: gw\r\n${headers}\r\n${body}`;
