import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { answered } from './service.ts';

export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface LocalService {
  /** What a shell needs to reach it; nothing else of this machine's settings. */
  readonly env: NodeJS.ProcessEnv;
  readonly requests: readonly Received[];
  /** Resolves once so many requests have come in whole. */
  received(count: number): Promise<void>;
}

/** A service on a free port of this machine that is gone after the test. It answers everything unless told otherwise. */
export async function localService(
  reply: (response: ServerResponse) => void = (response) => response.end(JSON.stringify(answered)),
): Promise<LocalService> {
  const requests: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, url, headers } = request;
      requests.push({ method, path: url, headers, body: Buffer.concat(parts) });
      for (const wake of waiting) wake();
      reply(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      MOTIF_URL: `http://127.0.0.1:${port}/api/v1/apps/support-bot`,
      MOTIF_TOKEN: 'mtf_test_4Zq9Lw7Yb2Xn8Vc3',
    },
    requests,
    async received(count) {
      while (requests.length < count) await new Promise<void>((resolve) => waiting.add(resolve));
    },
  };
}
