import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseReply, ReplyFault } from '../../src/wire/reply.ts';
import { answered, blocked } from '../support/service.ts';
import { runs } from '../support/runs.ts';

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

describe('a reply', () => {
  test('that answers', () => {
    expect(parseReply(bytes(answered))).toEqual({
      blocked: false,
      response: answered.response,
      finishReason: 'stop',
      promptId: answered.prompt_id,
      usage: answered.usage,
    });
  });

  test('that blocks has no response, whatever was sent along', () => {
    for (const response of [undefined, null, '', 'LEAK', 4, { a: 1 }]) {
      expect(parseReply(bytes({ ...blocked, response }))).toMatchObject({ blocked: true, response: null });
    }
  });

  test.each([
    {
      name: 'nothing but the two fields',
      value: { blocked: false, response: '' },
      facts: { finishReason: null, promptId: null, usage: null },
    },
    {
      name: 'null everywhere',
      value: { blocked: false, response: '', finish_reason: null, prompt_id: null, usage: null },
      facts: { finishReason: null, promptId: null, usage: null },
    },
    {
      name: 'other types',
      value: { blocked: false, response: '', finish_reason: 1, prompt_id: {}, usage: [] },
      facts: { finishReason: null, promptId: null },
    },
    {
      name: 'partial usage',
      value: { blocked: false, response: '', usage: { prompt_tokens: 2 } },
      facts: { usage: { prompt_tokens: 2, completion_tokens: null, total_tokens: null } },
    },
  ])('with $name is no fault', ({ value, facts }) => {
    expect(parseReply(bytes(value))).toMatchObject({ blocked: false, response: '', ...facts });
  });

  test.each([-1, 1.5, 1e300, '3', null, true, {}])('%j tokens are not counted as tokens', (tokens) => {
    const { usage } = parseReply(
      bytes({ ...answered, usage: { prompt_tokens: tokens, completion_tokens: 4, total_tokens: 7 } }),
    );
    expect(usage?.prompt_tokens ?? null).toBeNull();
  });
});

describe('fails closed', () => {
  test('whatever blocked is but true and false', () => {
    const other = fc.jsonValue().filter((value) => typeof value !== 'boolean');
    fc.assert(
      fc.property(other, (value) => {
        expect(() => parseReply(bytes({ ...answered, blocked: value }))).toThrow(ReplyFault);
      }),
    );
  });

  test('a key that is named twice, at the top', () => {
    const pairs = fc.tuple(fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(pairs, ([first, second]) => {
        const body = `{"blocked":${first},"response":"x","blocked":${second}}`;
        expect(() => parseReply(bytes(body))).toThrow(ReplyFault);
      }),
    );
  });

  test('an answer without text', () => {
    const other = fc.jsonValue().filter((value) => typeof value !== 'string');
    fc.assert(
      fc.property(other, (value) => {
        expect(() => parseReply(bytes({ ...answered, response: value }))).toThrow(ReplyFault);
      }),
    );
  });

  test('any bytes are a reply or a ReplyFault, nothing else', () => {
    const good = bytes(answered);
    const mutated = fc.tuple(fc.nat(good.length - 1), fc.nat(255)).map(([at, byte]) => good.with(at, byte));
    const cut = fc.nat(good.length).map((length) => good.slice(0, length));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), mutated, cut), (body) => {
        try {
          expect(typeof parseReply(body).blocked).toBe('boolean');
        } catch (error) {
          expect(error).toBeInstanceOf(ReplyFault);
        }
      }),
      runs(2000),
    );
  });

  test('__proto__ in a reply changes no prototype and says nothing', () => {
    const body = '{"__proto__":{"blocked":false,"response":"x"},"constructor":{"prototype":{"blocked":false}}}';
    expect(() => parseReply(bytes(body))).toThrow(ReplyFault);
    expect({}).not.toHaveProperty('blocked');
  });
});
