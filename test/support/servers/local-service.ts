import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { ListenOptions } from 'node:net';
import { onTestFinished } from 'vitest';
import { answered } from '../service.ts';

export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Service {
  readonly port: number;
  readonly requests: readonly Received[];
  /** The statuses of the next replies, before all others. */
  readonly refusals: number[];
  /** Resolves once so many requests have come in whole. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface LocalService extends Service {
  /** Environment of a shell that reaches it; nothing else of this machine's settings. */
  readonly env: NodeJS.ProcessEnv;
}

type Reply = (response: ServerResponse) => void;

const answer: Reply = (response) => response.end(JSON.stringify(answered));

/** A service on a free port of this machine, gone after the test. It answers everything unless told otherwise. */
export async function localService(reply: Reply = answer): Promise<LocalService> {
  const service = await openService({ port: 0, host: '127.0.0.1' }, reply);
  onTestFinished(() => service.close());
  return {
    ...service,
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      MOTIF_URL: `http://127.0.0.1:${service.port}/api/v1/apps/support-bot`,
      MOTIF_TOKEN: 'mtf_test_4Zq9Lw7Yb2Xn8Vc3',
    },
  };
}

/** The same wherever a server can listen, for as long as the caller wants it. */
export async function openService(place: ListenOptions, reply: Reply = answer): Promise<Service> {
  const requests: Received[] = [];
  const refusals: number[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, url, headers } = request;
      requests.push({ method, path: url, headers, body: Buffer.concat(parts) });
      for (const wake of waiting) wake();
      const refusal = refusals.shift();
      if (refusal === undefined) reply(response);
      else response.writeHead(refusal, { 'retry-after': '0' }).end('{"error":"not now"}');
    });
  });
  server.listen(place);
  await once(server, 'listening');
  const address = server.address();
  return {
    requests,
    refusals,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async received(count) {
      while (requests.length < count) await new Promise<void>((resolve) => waiting.add(resolve));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
