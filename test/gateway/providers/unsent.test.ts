import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/gateway/vocabulary.ts';
import type { SendOptions } from '../../../src/wire/http.ts';
import { onlyProvider, providerConfig, smallRequest } from './provider-config.ts';

const untold = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0, receivedBytes: 0 };
const limited = {
  status: 429,
  headers: { 'retry-after': '1' },
  body: new Uint8Array(),
  timings: { ...untold, sentBytes: 9 },
};

/** The exchange of a client that goes while a send, or the wait behind one, is under way. */
async function left(send: (options: SendOptions) => Promise<typeof limited>): Promise<Exchange> {
  const client = new AbortController();
  const provider = onlyProvider(providerConfig({ retries: 1 }), {
    send: (_, options) =>
      send(options).catch((error: unknown) => {
        client.abort(error);
        throw error;
      }),
    now: () => 0,
    monotonic: () => 0,
    sleep: () => Promise.reject(new Error('gone')),
    random: () => 0.5,
  });
  const exchange: Exchange = { provider: 'p', model: 'm' };
  await expect(provider.ask(smallRequest, { deadlineAt: 1e6, exchange, signal: client.signal })).rejects.toBeInstanceOf(
    Error,
  );
  return exchange;
}

function gone({ failed }: SendOptions, sentBytes: number): Promise<never> {
  failed?.({ ...untold, sentBytes });
  return Promise.reject(new Error('gone'));
}

test.each([
  { name: 'before a byte was written', send: (options: SendOptions) => gone(options, 0), isUnsent: true },
  { name: 'after that', send: (options: SendOptions) => gone(options, 9), isUnsent: false },
  {
    name: 'before the second of two requests, of which the first may run',
    send(options: SendOptions) {
      options.onResend?.();
      return gone(options, 0);
    },
    isUnsent: false,
  },
  { name: 'in the wait that a provider asked for', send: () => Promise.resolve(limited), isUnsent: true },
])('a client that goes $name has it unsent: $isUnsent', async ({ send, isUnsent }) => {
  expect((await left(send)).isUnsent === true).toBe(isUnsent);
});
