import { expect } from 'vitest';
import type { Ended } from '../../support/processes/child.ts';
import type { Received } from '../../support/servers/local-service.ts';
import type { Peers } from '../../support/servers/peers.ts';
import { startMotif } from '../../support/processes/program.ts';

export const token = 'canary-bearer-5Zt8Wq3N';

interface Asked extends Ended {
  /** Requests that reached the service meanwhile. */
  readonly received: readonly Received[];
}

/** Sends one prompt from inside the peers' network, to a service that is named by its origin. */
export async function ask(
  { network, service }: Peers,
  origin: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Promise<Asked> {
  const before = service.requests.length;
  const words = ['prompt', '--url', `${origin}/api/v1/apps/support-bot`, '--allow-http', '--no-stdin', ...args, 'hi'];
  const ended = await startMotif(words, { env: { MOTIF_TOKEN: token, ...env }, within: network.inside }).ended;
  return { ...ended, received: service.requests.slice(before) };
}

export function expectAnswer({ code, stdout, stderr }: Ended): void {
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Hello from the service\n', stderr: expect.any(String) });
}
