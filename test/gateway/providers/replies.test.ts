import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Inference, ProviderFailure } from '../../../src/gateway/vocabulary.ts';
import { formats } from '../../../src/gateway/providers/index.ts';
import { fromReply } from '../../../src/gateway/providers/reply.ts';
import { type Fields, isFields } from '../../../src/text/json/json.ts';
import { smallRequest } from './provider-config.ts';
import { runs } from '../../support/runs.ts';

/** Answers of a service, written after its own documentation or the fixtures of an SDK, which `source` names. */
interface Fixture {
  readonly service: string;
  readonly kind: keyof typeof formats;
  readonly source: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
  readonly expected: { readonly inference?: Inference; readonly failure?: Partial<ProviderFailure> };
}

const folder = resolve(import.meta.dirname, '../../fixtures/providers');
const fixtures = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({
    name: name.replace('.json', ''),
    ...(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture),
  }));

describe('the replies of real services, as they document them', () => {
  test.each(fixtures)('$name', ({ kind, status, headers = {}, body, text, expected }) => {
    const bytes = Buffer.from(text ?? JSON.stringify(body));
    const read = settle(() => fromReply(formats[kind], { status, headers, body: bytes }, smallRequest, { now: 0 }));
    if (expected.inference !== undefined) expect(read).toEqual(expected.inference);
    else {
      expect(read).toBeInstanceOf(ProviderFailure);
      expect(read).toMatchObject({ retryAfterMs: undefined, mayStillRun: false, ...expected.failure });
    }
  });

  test('no word of a provider is in what a client may read', () => {
    const messages = fixtures.flatMap(({ kind, status, headers = {}, body, text }) => {
      const bytes = Buffer.from(text ?? JSON.stringify(body));
      const read = settle(() => fromReply(formats[kind], { status, headers, body: bytes }, smallRequest, { now: 0 }));
      return read instanceof Error ? [read.message] : [];
    });
    expect(messages.length).toBeGreaterThan(20);
    expect(messages.filter((message) => !/^the provider [a-z ,]+$/.test(message))).toEqual([]);
  });

  test('every kind has an answer and a failure', () => {
    const kinds = (of: 'inference' | 'failure') =>
      new Set(fixtures.filter(({ expected }) => expected[of] !== undefined).map(({ kind }) => kind));
    expect([...kinds('inference')].sort()).toEqual(Object.keys(formats).sort());
    expect([...kinds('failure')].sort()).toEqual(Object.keys(formats).sort());
  });

  test('each names its source, and at least eight services are there', () => {
    expect(fixtures.filter(({ source }) => !source.includes('https://'))).toEqual([]);
    const services = new Set(
      fixtures.map(({ service }) => service).filter((service) => !service.includes(' in front')),
    );
    expect(services.size).toBeGreaterThanOrEqual(8);
  });
});

describe.each(Object.keys(formats) as (keyof typeof formats)[])('%s', (kind) => {
  const shapes = fixtures.filter((fixture) => fixture.kind === kind && fixture.body !== undefined);

  test('any JSON and any bytes give an inference with a text, or a failure', () => {
    const bodies = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(...shapes)
        .chain(({ body }) => mutated(body))
        .map((body) => Buffer.from(JSON.stringify(body) ?? '')),
    );
    fc.assert(
      fc.property(bodies, fc.constantFrom(200, 201, 302, 400, 401, 403, 429, 500, 503, 529), (body, status) => {
        const read = settle(() => fromReply(formats[kind], { status, headers: {}, body }, smallRequest, { now: 0 }));
        if (read instanceof Error) {
          expect(read).toBeInstanceOf(ProviderFailure);
          return;
        }
        expect(typeof read.text).toBe('string');
        expect(['stop', 'length', 'content_filter', 'other']).toContain(read.finishReason);
        expect(read.finishReason === 'content_filter' ? read.text : '').toBe('');
        expect(Number.isSafeInteger(read.usage.prompt) && read.usage.prompt >= 0).toBe(true);
        expect(Number.isSafeInteger(read.usage.completion) && read.usage.completion >= 0).toBe(true);
      }),
      runs(2000),
    );
  });
});

test.each([
  { name: 'both told', usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }, counts: [7, 3, false] },
  {
    name: 'thoughts in the total alone, as xAI counts them',
    usage: { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135 },
    counts: [32, 103, false],
  },
  {
    name: 'nothing of the answer counted but in the total',
    usage: { prompt_tokens: 21, completion_tokens: 0, total_tokens: 81 },
    counts: [21, 60, false],
  },
  {
    name: 'zeros of a server that counts nothing',
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    counts: [5, 1, true],
  },
  { name: 'the total alone', usage: { total_tokens: 100 }, counts: [5, 95, true] },
  { name: 'one follows from the total', usage: { prompt_tokens: 7, total_tokens: 10 }, counts: [7, 3, false] },
  {
    name: 'a total that is too small says nothing',
    usage: { prompt_tokens: 7, total_tokens: 3 },
    counts: [7, 1, true],
  },
  { name: 'negative', usage: { prompt_tokens: -7, completion_tokens: 3 }, counts: [5, 3, true] },
  { name: 'beyond any exchange', usage: { prompt_tokens: 2 ** 53 - 1, completion_tokens: 3 }, counts: [5, 3, true] },
  { name: 'not whole', usage: { prompt_tokens: 7.5, completion_tokens: 3 }, counts: [5, 3, true] },
  { name: 'texts', usage: { prompt_tokens: '7', completion_tokens: '3' }, counts: [5, 1, true] },
  { name: 'no object', usage: [7, 3], counts: [5, 1, true] },
  { name: 'absent', usage: undefined, counts: [5, 1, true] },
])('usage: $name', ({ usage, counts }) => {
  const body = Buffer.from(
    JSON.stringify({ choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }], usage }),
  );
  const [prompt, completion, isEstimated] = counts;
  expect(fromReply(formats.openai, { status: 200, headers: {}, body }, smallRequest, { now: 0 }).usage).toEqual({
    prompt,
    completion,
    isEstimated,
  });
});

test.each([
  { header: '3', ms: 3000 },
  { header: 'Thu, 01 Jan 1970 00:00:09 GMT', ms: 9000 },
  { header: 'soon', ms: undefined },
])('Retry-After $header is passed on as $ms', ({ header, ms }) => {
  const reply = { status: 429, headers: { 'retry-after': header }, body: Buffer.from('') };
  expect(settle(() => fromReply(formats.openai, reply, smallRequest, { now: 0 }))).toMatchObject({ retryAfterMs: ms });
});

function settle<T>(read: () => T): T | Error {
  try {
    return read();
  } catch (error) {
    return error as Error;
  }
}

/** The same JSON with one value in it, at any depth, put in place of another. */
function mutated(value: unknown): fc.Arbitrary<unknown> {
  const other = fc.jsonValue({ maxDepth: 2 });
  if (typeof value !== 'object' || value === null) return other;
  const entries = Object.entries(value);
  if (entries.length === 0) return other;
  return fc.oneof(
    { arbitrary: other, weight: 1 },
    {
      weight: 4,
      arbitrary: fc.constantFrom(...entries).chain(([key, inner]) =>
        mutated(inner).map((changed) => {
          if (!Array.isArray(value)) return { ...value, [key]: changed };
          return value.map((item: unknown, index) => (String(index) === key ? changed : item));
        }),
      ),
    },
  );
}

describe('a large body, of which only some members are read,', () => {
  const large = `"more":[${'[{"text":1}],'.repeat(30_000)}1]`;

  test.each(fixtures.filter(({ body }) => isFields(body)))('$name is taken as a small one', (fixture) => {
    const { kind, status, headers = {} } = fixture;
    const small = JSON.stringify(fixture.body);
    const read = (text: string) =>
      settle(() => fromReply(formats[kind], { status, headers, body: Buffer.from(text) }, smallRequest, { now: 0 }));
    const [one, other] = [read(small), read(small.replace(/\}$/, `${small === '{}' ? '' : ','}${large}}`))];
    if (one instanceof ProviderFailure) expect(other).toMatchObject({ status: one.status, reason: one.reason });
    else expect(other).toEqual(one);
  });

  test.each(Object.keys(formats) as (keyof typeof formats)[])('%s names all that it looks at', (kind) => {
    const format = formats[kind];
    const seen = new Set<string>();
    for (const { body, status } of fixtures.filter((one) => one.kind === kind && isFields(one.body))) {
      const watched = watch(body, seen) as Fields;
      format.readAnswer(watched);
      format.isFiltered(status, watched);
      format.readWaitMs?.(watched);
      format.didRun?.(watched);
    }
    expect(seen.size).toBeGreaterThan(5);
    expect([...seen].filter((name) => !format.reads.includes(name))).toEqual([]);
  });

  /** The same value, which notes the names of members that are looked at. */
  function watch(value: unknown, seen: Set<string>): unknown {
    if (typeof value !== 'object' || value === null) return value;
    return new Proxy(value, {
      get(target, name) {
        if (typeof name === 'string' && !Array.isArray(target)) seen.add(name);
        return watch(Reflect.get(target, name), seen);
      },
    });
  }
});

describe('an answer that takes long to read', () => {
  const answer = (more: string): Buffer =>
    Buffer.from(`{"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}],"more":${more}}`);
  const token = `{"token":"a","logprob":-0.5,"bytes":[97]}`;

  const long = [
    { name: 'a million keys', value: `{${Array.from({ length: 1_000_000 }, (_, key) => `"${key}":1`).join()}}` },
    { name: 'a million lists in each other', value: '['.repeat(1_000_000) + ']'.repeat(1_000_000) },
    { name: 'three million lists beside each other', value: `[${'[],'.repeat(3_000_000)}1]` },
    {
      name: 'the probabilities of 5,000 tokens with twenty others each',
      value: `[${`{"token":"a","top_logprobs":[${token}${`,${token}`.repeat(19)}]},`.repeat(5000)}1]`,
    },
  ];
  const readOf = (body: Buffer) =>
    settle(() => fromReply(formats.openai, { status: 200, headers: {}, body }, smallRequest, { now: 0 }));

  test.each(long)('is answered where nobody reads $name', ({ value }) => {
    expect(readOf(answer(value))).toMatchObject({ text: 'Yes.', finishReason: 'stop' });
  });

  test.each(long)('is not where $name were to be read', ({ value }) => {
    const body = Buffer.from(`{"choices":[{"message":{"content":${value.replaceAll('token', 'text')}}}]}`);
    expect(readOf(body)).toMatchObject({ status: 502, reason: 'provider reply unreadable' });
  });

  test.each(long)('is not where it breaks off behind $name', ({ value }) => {
    expect(readOf(answer(value).subarray(0, -1))).toMatchObject({ status: 502, reason: 'provider reply unreadable' });
  });
});
