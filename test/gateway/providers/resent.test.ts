import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../src/errors.ts';
import type { ProviderConfig } from '../../../src/gateway/config.ts';
import type { Exchange } from '../../../src/gateway/vocabulary.ts';
import type { HttpReply, SendOptions } from '../../../src/wire/http.ts';
import { createFakeClock, monotonicStartMs } from '../../support/fake-clock.ts';
import { onlyProvider, providerConfig, smallRequest } from './provider-config.ts';

const limits = { deadlineAt: monotonicStartMs + 120_000 };
const answered = { status: 200, text: '{"choices":[{"message":{"content":"Yes."}}]}' };
const refused = new TransportError('network', 'refused', { layer: 'connect', sent: false, transient: true });

type Sending = (options: SendOptions) => { readonly status: number; readonly text: string } | Error;

/** A provider whose sends end as told, one after the other. */
function scripted(sendings: readonly Sending[], config: Partial<ProviderConfig>) {
  const sent: SendOptions[] = [];
  const { now, monotonic, sleep } = createFakeClock({}, new AbortController().signal);
  const provider = onlyProvider(providerConfig(config), {
    async send(_request, options) {
      sent.push(options);
      const came = sendings[sent.length - 1]!(options);
      if (came instanceof Error) throw came;
      return { status: came.status, headers: {}, body: Buffer.from(came.text), timings: {} as HttpReply['timings'] };
    },
    now,
    monotonic,
    sleep,
    random: () => 0.75,
  });
  return { provider, sent };
}

test.each([true, false])(
  'retry_reused: %s decides whether a request is sent again, and the exchange tells',
  async (isOn) => {
    const { provider, sent } = scripted([() => answered], { retriesReused: isOn });
    const exchange: Exchange = { provider: 'primary', model: undefined };
    await provider.ask(smallRequest, { ...limits, exchange });
    expect(sent[0]?.onResend !== undefined).toBe(isOn);
    sent[0]?.onResend?.();
    expect(exchange.isResent).toBe(isOn ? true : undefined);
  },
);

describe('a request that was sent twice', () => {
  const resent =
    (came: ReturnType<Sending>): Sending =>
    (options) => {
      options.onResend?.();
      return came;
    };

  test.each([
    { name: 'was not sent the second time', came: refused, status: 502 },
    { name: 'was limited the second time', came: { status: 429, text: '' }, status: 429 },
    { name: 'was not accepted the second time', came: { status: 401, text: '' }, status: 502 },
  ])('and $name may run all the same, so that no fallback is asked for that', async ({ came, status }) => {
    const { provider } = scripted([resent(came)], { retries: 0 });
    const failure: unknown = await provider.ask(smallRequest, limits).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status, surelyDidNotRun: false, mayStillRun: true });
  });

  test('is sent again where nothing came of that, but then twice no more', async () => {
    const { provider, sent } = scripted([resent(refused), () => answered], { retries: 1 });
    expect(await provider.ask(smallRequest, limits)).toMatchObject({ text: 'Yes.' });
    expect(sent.map(({ onResend }) => onResend !== undefined)).toEqual([true, false]);
  });
});
