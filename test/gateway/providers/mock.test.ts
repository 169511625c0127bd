import { describe, expect, test } from 'vitest';
import type { MockConfig } from '../../../src/gateway/config.ts';
import { ProviderFailure, type ProviderRequest } from '../../../src/gateway/vocabulary.ts';
import { knowledgeMessage } from '../../../src/gateway/knowledge/message.ts';
import { readPassages } from '../../../src/gateway/knowledge/passages.ts';
import { atOnce } from '../../../src/text/turns.ts';
import type { Message } from '../../../src/wire/request.ts';
import { createFakeClock, monotonicStartMs } from '../../support/fake-clock.ts';
import { onlyProvider, providerConfig, smallRequest } from './provider-config.ts';

function mock(options: Partial<MockConfig> = {}) {
  const clock = createFakeClock({ now: 0 }, new AbortController().signal);
  const parts = {
    send: () => Promise.reject(new Error('a mock sends nothing')),
    now: clock.now,
    monotonic: clock.monotonic,
    sleep: clock.sleep,
    random: () => 0.5,
  };
  const settings = { mode: 'echo', script: [], latencyMs: 0, failRate: 0, seed: 0, ...options } as const;
  const provider = onlyProvider(providerConfig({ kind: 'mock', mock: settings }), parts);
  const ask = (request: ProviderRequest = smallRequest, more: { deadlineAt?: number; signal?: AbortSignal } = {}) =>
    provider.ask(request, { deadlineAt: 1_000_000, ...more });
  return { ask, clock };
}

const saying = (...messages: Message[]): ProviderRequest => ({ ...smallRequest, messages });

describe('echo', () => {
  test('says what the user said last, and counts by the rule', async () => {
    expect(await mock().ask()).toEqual({
      text: 'Hi, you',
      finishReason: 'stop',
      usage: { prompt: 5, completion: 2, isEstimated: false },
    });
  });

  test.each([
    { name: 'no user at all', messages: [{ role: 'system', content: 'S' }], text: 'S' },
    {
      name: 'an assistant after the user',
      messages: [
        { role: 'user', content: 'U' },
        { role: 'assistant', content: 'A' },
      ],
      text: 'U',
    },
    { name: 'nothing', messages: [], text: '' },
  ])('$name', async ({ messages, text }) => {
    expect((await mock().ask(saying(...messages))).text).toBe(text);
  });
});

test('script answers in turn, and begins again', async () => {
  const { ask } = mock({ mode: 'script', script: ['one', 'two'] });
  expect([(await ask()).text, (await ask()).text, (await ask()).text]).toEqual(['one', 'two', 'one']);
});

describe('quote', () => {
  const handbook = `# Returns\n\nKettles can be returned within 30 days with the receipt. Nothing else can.\n\n# Opening hours\n\n- Monday to Friday: 9 to 17.\n`;
  const knowledge: Message = {
    role: 'system',
    content: knowledgeMessage(atOnce(readPassages(handbook, 'handbook.md'))),
  };

  test.each([
    {
      question: 'How long can I return a kettle?',
      text: 'Kettles can be returned within 30 days with the receipt. [handbook: Returns]',
    },
    { question: 'Opening hours?', text: 'Monday to Friday: 9 to 17. [handbook: Opening hours]' },
    {
      question: 'Is [AWS_ACCESS_KEY] a valid key?',
      text: 'The knowledge has no answer to: Is [AWS_ACCESS_KEY] a valid key?',
    },
  ])('$question', async ({ question, text }) => {
    const request = saying({ role: 'system', content: 'Be nice.' }, knowledge, { role: 'user', content: question });
    expect((await mock({ mode: 'quote' }).ask(request)).text).toBe(text);
  });

  test('without knowledge it says so', async () => {
    expect((await mock({ mode: 'quote' }).ask()).text).toBe('The knowledge has no answer to: Hi, you');
  });
});

describe('failures', () => {
  const outcomes = async (seed: number, failRate: number) => {
    const { ask } = mock({ failRate, seed });
    const results: string[] = [];
    for (let count = 0; count < 400; count++) {
      results.push(
        await ask().then(
          () => 'ok',
          (error: unknown) => (error instanceof ProviderFailure ? String(error.status) : 'bug'),
        ),
      );
    }
    return results;
  };

  test('come at their rate, the same for the same seed', async () => {
    const results = await outcomes(7, 0.25);
    expect(new Set(results)).toEqual(new Set(['ok', '502']));
    const failed = results.filter((result) => result === '502').length;
    expect(failed).toBeGreaterThan(60);
    expect(failed).toBeLessThan(140);
    expect(await outcomes(7, 0.25)).toEqual(results);
    expect(await outcomes(8, 0.25)).not.toEqual(results);
  });

  test.each([
    { failRate: 0, all: 'ok' },
    { failRate: 1, all: '502' },
  ])('at a rate of $failRate every request is $all', async ({ failRate, all }) => {
    expect(new Set(await outcomes(0, failRate))).toEqual(new Set([all]));
  });
});

describe('latency', () => {
  test('is waited for', async () => {
    const { ask, clock } = mock({ latencyMs: 300 });
    await ask();
    expect(clock.slept).toEqual([300]);
  });

  test('that reaches the deadline is a 504 at the deadline', async () => {
    const { ask, clock } = mock({ latencyMs: 300 });
    await expect(ask(smallRequest, { deadlineAt: monotonicStartMs + 200 })).rejects.toMatchObject({ status: 504 });
    expect(clock.slept).toEqual([200]);
  });

  test('ends with a caller who is gone', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(mock({ latencyMs: 300 }).ask(smallRequest, { signal })).rejects.toThrow('gone');
  });
});
