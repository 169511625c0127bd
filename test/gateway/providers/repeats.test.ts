import { describe, expect, test } from 'vitest';
import { charactersPerPiece, quotesAny } from '../../../src/gateway/providers/repeats.ts';
import { atOnce } from '../../../src/text/turns.ts';
import { createFakeClock, monotonicStartMs } from '../../support/fake-clock.ts';
import type { HttpReply } from '../../../src/wire/http.ts';
import { onlyProvider, providerConfig, smallRequest } from './provider-config.ts';

/** Of 24 letters, so that behind others one window of them is whole. */
const story = 'my dog is called Rex and bites';

describe('a failure that quotes a large prompt', () => {
  const sign = ' . ';
  // The story lies at each place around the end of a piece, or two prompts of one piece have it.
  const places = Array.from({ length: story.length + 8 }, (_, back) => charactersPerPiece - back);
  test.each([
    { name: 'after signs', before: (length: number) => sign.repeat(length).slice(0, length) },
    { name: 'after words', before: (length: number) => 'a b c '.repeat(length).slice(0, length) },
    { name: 'after pairs', before: (length: number) => `${' '.repeat(length % 2)}${'\u{1d400}'.repeat(length >> 1)}` },
  ])('is told wherever a piece of it ends: $name', ({ before }) => {
    const missed = places.filter((place) => {
      const prompt = `${before(place)} ${story} ${'x y z '.repeat(100)}`;
      return !atOnce(quotesAny(`near "${story.toUpperCase()}"`, ['Hello.', prompt]));
    });
    expect(missed).toEqual([]);
  });

  test('is told where the prompt is a few letters between many signs', () => {
    const prompt = `${sign.repeat(20_000)}Rex bites${sign.repeat(20_000)}`;
    expect(atOnce(quotesAny('cannot read "Rex bites"', [prompt]))).toBe(true);
    expect(atOnce(quotesAny('cannot read "Rex sits"', [prompt]))).toBe(false);
  });
});

test.each([
  { name: 'one prompt of a MiB', messages: ['a b c '.repeat(170_000)], steps: 32 },
  { name: 'thousands of short ones', messages: Array.from({ length: 16_384 }, () => 'a b c '), steps: 32 },
  { name: 'a small one', messages: ['a b c '], steps: 1 },
])('others have their turn while a failure is held against $name', async ({ messages, steps }) => {
  const { now, monotonic, sleep } = createFakeClock({}, new AbortController().signal);
  const body = Buffer.from(JSON.stringify({ error: { message: 'x y z '.repeat(50) } }));
  const send = async () => ({ status: 400, headers: {}, body, timings: {} as HttpReply['timings'] });
  const provider = onlyProvider(providerConfig({}), { send, now, monotonic, sleep, random: () => 0.5 });
  let taken = 0;
  const reading = async <T>(_bytes: number, read: () => T): Promise<T> => {
    taken += 1;
    return read();
  };
  const request = { ...smallRequest, messages: messages.map((content) => ({ role: 'user', content })) };
  const asked = provider.ask(request, { deadlineAt: monotonicStartMs + 120_000, reading });
  await expect(asked).rejects.toMatchObject({ detail: expect.stringMatching(/^status 400: x y z/) as unknown });
  expect(taken).toBeGreaterThanOrEqual(steps);
});
