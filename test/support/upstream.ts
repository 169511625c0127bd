import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { ListenOptions } from 'node:net';
import { answered } from './service.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Upstream {
  /** Every request, in order. */
  readonly requests: readonly Received[];
  /** The statuses of the next replies; when there are none, prompts are answered. */
  readonly refusals: number[];
  close(): Promise<void>;
}

/** A service of the contract behind a real socket; it answers every prompt and says of an empty one that it is empty. */
export async function upstream(place: ListenOptions): Promise<Upstream & { readonly port: number }> {
  const requests: Received[] = [];
  const refusals: number[] = [];
  const server = createServer(respond);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(place, resolve));
  const address = server.address();
  return {
    requests,
    refusals,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function respond(...[request, response]: Parameters<RequestListener>): void {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      const refusal = refusals.shift() ?? (body.includes('"messages":[]') ? 400 : undefined);
      response.writeHead(refusal ?? 200, { 'content-type': 'application/json', 'retry-after': '0' });
      response.end(JSON.stringify(refusal === undefined ? answered : { error: 'messages must not be empty' }));
    });
  }
}
