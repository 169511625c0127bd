import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFailure } from '../../src/wire/failure.ts';
import { hiddenAnywhere, hiddenOutOfPlace, hostileTexts } from '../fixtures/hostile-text.ts';
import { runs } from '../support/runs.ts';

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

describe('the body of a failure', () => {
  test.each([
    { error: 'plain words', words: 'plain words' },
    { error: { message: 'inner words', code: 7 }, words: 'inner words' },
    { error: ['a', 1], words: 'a' },
    { error: 4711, words: '4711' },
    { error: true, words: 'true' },
  ])('error $error is kept, and read', ({ error, words }) => {
    const failure = parseFailure(bytes({ error, code: 'x' }));
    expect(failure.detail).toEqual(error);
    expect(failure.words).toContain(words);
  });

  test.each([
    { body: '{"error":"no","code":"tenant_required","prompt_id":"01J"}', code: 'tenant_required', promptId: '01J' },
    { body: '{"code":7,"prompt_id":["x"]}', code: null, promptId: null },
    { body: '{"code":"a","code":"b","prompt_id":"01J"}', code: null, promptId: null },
    { body: '{"error":{"a":1,"a":2},"prompt_id":"01J"}', code: null, promptId: '01J' },
    { body: `{"prompt_id":"${'x'.repeat(301)}"}`, code: null, promptId: null },
    { body: '<h1>Bad Gateway</h1>', code: null, promptId: null },
  ])('$body: its code and its prompt_id', ({ body, code, promptId }) => {
    expect(parseFailure(bytes(body))).toMatchObject({ code, promptId });
  });

  test.each([
    { body: '' },
    { body: ' \n' },
    { body: '{}' },
    { body: '[ ]' },
    { body: 'null' },
    { body: '{"error":null}' },
    { body: '{"error":""}' },
  ])('$body says nothing', ({ body }) => expect(parseFailure(bytes(body)).words ?? '').toBe(''));

  test.each([
    { body: '<h1>Bad Gateway</h1>', words: 'Bad Gateway' },
    { body: 'no healthy upstream', words: 'no healthy upstream' },
    { body: '{"message":"elsewhere"}', words: 'elsewhere' },
    { body: '{"error":"cut', words: 'cut' },
    { body: '{"error":"a","error":"b"}', words: 'error' },
  ])('$body is quoted, and no detail', ({ body, words }) => {
    const failure = parseFailure(bytes(body));
    expect(failure.detail).toBeNull();
    expect(failure.page).toBe(body);
    expect(failure.words).toContain(words);
  });

  /** One at a time, because side by side they could make up an emoji, in which a joiner is in its place. */
  test.each(hostileTexts)('$name by itself is defused', ({ text }) => {
    for (const error of [text, { message: text }, [text]]) {
      expect(parseFailure(bytes({ error })).words ?? '').not.toMatch(hiddenOutOfPlace);
    }
  });

  test('never throws, and says at most a line of 300 characters that nothing obeys', () => {
    const texts = fc.constantFrom(...hostileTexts.map(({ text }) => text));
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.jsonValue().map((error) => bytes({ error })),
      fc.array(texts, { maxLength: 8 }).map((all) => bytes({ error: all.join(' ') })),
      fc.array(texts, { maxLength: 8 }).map((all) => bytes(`<html>${all.join('\n')}`)),
      fc.array(texts, { maxLength: 3 }).map((all) => bytes({ error: { [all.join('')]: all } })),
    );
    fc.assert(
      fc.property(body, (each) => {
        const { words = '' } = parseFailure(each);
        expect(words).not.toMatch(hiddenAnywhere);
        expect(words).not.toContain('\n');
        expect(words.length).toBeLessThan(320);
      }),
      runs(2000),
    );
  });
});
