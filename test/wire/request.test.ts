import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/text/secret.ts';
import { commonRoles, MessagesFault, motifUrl, parseMessages, promptRequest } from '../../src/wire/request.ts';

const target = { baseUrl: 'https://gw.example/base', motifId: 'support-bot' };
const messages = [{ role: 'user', content: 'hi' }];

describe('the one request', () => {
  test('is a POST of JSON to the prompts of the Motif', () => {
    const request = promptRequest({ target, messages, token: new Secret('token-token-token'), tenant: 'acme' });
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://gw.example/base/api/v1/apps/support-bot/prompts',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'identity', 'x-service-tenant-id': 'acme' },
      body: '{"messages":[{"role":"user","content":"hi"}]}',
    });
    expect(JSON.stringify(request)).not.toContain('token-token');
  });

  test('has neither token nor tenant where none is given', () => {
    const { headers } = promptRequest({ target, messages });
    expect(Object.keys(headers)).not.toContain('authorization');
    expect(Object.keys(headers)).not.toContain('x-service-tenant-id');
  });

  test('holds any text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (content) => {
        const { body } = promptRequest({ target, messages: [{ role: 'user', content }] });
        expect(JSON.parse(body)).toEqual({ messages: [{ role: 'user', content }] });
      }),
    );
  });

  test('keeps a Motif ID inside its part of the path', () => {
    for (const motifId of ['a/b', '../x', 'a?b', 'a#b', 'é', 'a b', '%2e%2e']) {
      const url = new URL(motifUrl({ ...target, motifId }));
      expect(url.pathname).toBe(`/base/api/v1/apps/${encodeURIComponent(motifId)}`);
      expect(url.search + url.hash).toBe('');
    }
  });
});

describe('messages from outside', () => {
  test('come out as role and content alone', () => {
    expect(parseMessages([{ role: 'tool', content: '', name: 'x', tool_calls: [] }])).toEqual([
      { role: 'tool', content: '' },
    ]);
  });

  test.each([
    { value: undefined, path: 'messages must be an array' },
    { value: {}, path: 'messages must be an array' },
    { value: 'text', path: 'messages must be an array' },
    { value: [], path: 'messages must not be empty' },
    { value: ['text'], path: 'messages[0]' },
    { value: [null], path: 'messages[0]' },
    { value: [[]], path: 'messages[0]' },
    { value: [{ content: 'x' }], path: 'messages[0].role' },
    { value: [{ role: 4, content: 'x' }], path: 'messages[0].role' },
    { value: [{ role: '', content: 'x' }], path: 'messages[0].role' },
    { value: [...messages, { role: 'user' }], path: 'messages[1].content must be a string' },
    {
      value: [...messages, ...messages, { role: 'user', content: ['x'] }],
      path: 'messages[2].content must be a string',
    },
  ])('$value: the fault names $path', ({ value, path }) => {
    expect(() => parseMessages(value)).toThrow(MessagesFault);
    expect(() => parseMessages(value)).toThrow(path);
  });

  test('with a list of roles no other is let in', () => {
    for (const role of commonRoles) expect(parseMessages([{ role, content: 'x' }], commonRoles)).toHaveLength(1);
    expect(() => parseMessages([...messages, { role: 'tool', content: 'x' }], commonRoles)).toThrow('messages[1].role');
  });

  test('any JSON is messages or a MessagesFault', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          expect(parseMessages(value).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(MessagesFault);
        }
      }),
    );
  });
});
