import type { ProviderConfig } from '../config.ts';
import { type Provider, ProviderFailure, type ProviderRequest } from '../vocabulary.ts';
import type { Hide } from './file-secrets.ts';
import { quoteAnswer } from './mock-quote.ts';
import { estimatePrompt, estimateTokens } from '../../text/sizes.ts';

interface MockParts {
  monotonic(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * A provider that asks no model. The same requests in the same order get the same answers and failures; its tokens are
 * those of the estimate, which it knows to be exact.
 */
export function createMock({ name, kind, mock }: ProviderConfig, parts: MockParts, hide: Hide): Provider {
  const { mode = 'echo', script = [], latencyMs = 0, failRate = 0, seed = 0 } = mock ?? {};
  const random = createRandom(seed);
  let asked = 0;
  const answer = (request: ProviderRequest, turn: number): string => {
    if (mode === 'script') return script[turn % script.length] ?? '';
    if (mode === 'say') return `You said: ${echo(request)}`;
    return mode === 'quote' ? quoteAnswer(request.messages) : echo(request);
  };
  return {
    name,
    kind,
    async ask(request, { deadlineAt, signal }) {
      signal?.throwIfAborted();
      // Both are settled before the wait, so that they follow the order of asking whoever waits longer.
      const turn = asked++;
      const isFailing = random() < failRate;
      const leftMs = deadlineAt - parts.monotonic();
      if (latencyMs > 0) await parts.sleep(Math.max(0, Math.min(latencyMs, leftMs)), signal);
      if (latencyMs >= leftMs)
        throw new ProviderFailure(504, 'the provider took too long', { detail: 'latency of the mock' });
      if (isFailing) throw new ProviderFailure(502, 'the provider failed', { detail: 'fail_rate of the mock' });
      const text = hide(answer(request, turn));
      const prompt = estimatePrompt(request.messages);
      return { text, finishReason: 'stop', usage: { prompt, completion: estimateTokens(text), isEstimated: false } };
    },
  };
}

function echo({ messages }: ProviderRequest): string {
  return (messages.findLast(({ role }) => role === 'user') ?? messages.at(-1))?.content ?? '';
}

/** Numbers from 0 up to 1 that a seed decides: a small mixer of 32 bits, good enough to spread failures. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
