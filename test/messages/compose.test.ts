import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeMessages, composeText, type Parts } from '../../src/messages/compose.ts';
import { parseMessagesFile } from '../../src/messages/messages-file.ts';

const nothing: Parts = { given: [], turns: [], words: [], files: [] };
const all: Parts = {
  system: 'be brief',
  given: [{ role: 'tool', content: 't' }],
  turns: ['user:earlier', 'assistant:so'],
  template: 'template\n',
  words: ['two', 'words'],
  files: [
    { name: 'a.txt', text: 'A\n' },
    { name: 'b.txt', text: 'B' },
  ],
  stdin: 'piped\n',
};

describe('composing', () => {
  test('everything, in the order of the contract', () => {
    expect(composeMessages(all)).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'tool', content: 't' },
      { role: 'user', content: 'earlier' },
      { role: 'assistant', content: 'so' },
      { role: 'user', content: 'template\n\ntwo words\n\n--- a.txt ---\nA\n\n--- b.txt ---\nB\n\npiped' },
    ]);
  });

  test('an edited text takes the place of the composed one alone', () => {
    expect(composeMessages(all, 'edited\n').at(-1)).toEqual({ role: 'user', content: 'edited' });
    expect(composeMessages(all, 'edited')).toHaveLength(5);
  });

  test('nothing gives nothing', () => {
    expect(composeMessages(nothing)).toEqual([]);
    expect(composeMessages({ ...nothing, stdin: '\n', template: '' })).toEqual([]);
  });

  test('there may be more of them than one call takes arguments', () => {
    const given = Array.from({ length: 200_000 }, () => ({ role: 'user', content: 'a' }) as const);
    expect(composeMessages({ ...nothing, given })).toHaveLength(given.length);
  });

  test('parts are never glued, swallowed or reordered', () => {
    const text = fc.stringMatching(/^[a-z$`"\\ ]{0,8}[a-z]$/);
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 3 }), text, text, (template, words, file, stdin) => {
        const parts = { ...nothing, template, words, files: [{ name: 'f', text: file }], stdin };
        expect(composeText(parts)).toBe([template, words.join(' '), file, stdin].join('\n\n'));
      }),
    );
  });
});

describe('--messages', () => {
  test.each([
    { text: '[{"role":"user","content":"x"}]' },
    { text: '{"messages":[{"role":"user","content":"x"}],"stream":false}' },
  ])('$text', ({ text }) => {
    expect(parseMessagesFile(text, 'm.json')).toEqual([{ role: 'user', content: 'x' }]);
  });

  test.each([
    { text: '', says: 'line 1' },
    { text: '[{"role":"user",}]', says: 'line 1' },
    { text: '[\n{"role":"user"\n"content":"x"}]', says: 'line 3' },
    { text: '{"role":"user","content":"x"}', says: 'messages' },
    { text: '{"messages":{}}', says: 'messages must be an array' },
    { text: 'null', says: 'messages must be an array' },
    { text: '[]', says: 'must not be empty' },
    { text: '[{"role":"user","content":null}]', says: 'messages[0].content must be a string' },
    { text: '[{"role":"user","role":"system","content":"x"}]', says: 'role' },
    { text: '[{"role":"user","content":"x"}] tail', says: 'line 1' },
    { text: '['.repeat(100_000), says: 'nested' },
  ])('$text is refused, with the place', ({ text, says }) => {
    expect(() => parseMessagesFile(text, 'm.json')).toThrow(says);
    try {
      parseMessagesFile(text, 'm.json');
    } catch (error) {
      expect(error).toMatchObject({ kind: 'usage', message: expect.stringContaining('m.json') as string });
    }
  });
});
