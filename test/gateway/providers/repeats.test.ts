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

describe('a failure that quotes a prompt in escapes', () => {
  const prompt = 'Мой диагноз волчанка, а живу я в Туле';
  const codesOf = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0)!);
  const codes = codesOf(prompt);
  const jsonOf = (text: string): string =>
    codesOf(text)
      .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
      .join('');
  const json = jsonOf(prompt);
  const bytes = [...Buffer.from(prompt)].map((byte) => byte.toString(16));
  test.each([
    { name: 'of JSON', words: json },
    { name: 'of JSON in JSON', words: json.replaceAll('\\', '\\\\') },
    { name: 'of HTML', words: codes.map((code) => `&#${code};`).join('') },
    { name: 'of HTML in hex', words: codes.map((code) => `&#x${code.toString(16)};`).join('') },
    { name: 'of a URL', words: encodeURIComponent(prompt) },
    {
      name: 'of a URL, in ASCII',
      prompt: 'I live in Elm Street, Salem',
      words: 'I%20live%20in%20Elm%20Street%2C%20Salem',
    },
    { name: 'of Python', words: bytes.map((byte) => `\\x${byte}`).join('') },
    { name: 'of JSON, cut in the middle', words: `${json.slice(0, 160)}…` },
    { name: 'of a URL, cut in the middle', words: `${encodeURIComponent(prompt).slice(0, 200)}…` },
    { name: 'of JSON, of a short one', prompt: 'Диагноз 7', words: jsonOf('диагноз 7') },
  ])('$name is told', ({ prompt: text = prompt, words }) => {
    expect(atOnce(quotesAny(`input: "${words}"`, [text]))).toBe(true);
    expect(atOnce(quotesAny(`input: "${words}"`, ['Something else that nobody has quoted']))).toBe(false);
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
