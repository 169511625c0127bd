import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeMessages, composeText, type Parts } from '../../src/messages/compose.ts';
import { parseMessagesFile } from '../../src/messages/messages-file.ts';
import { fillTemplate, parseVariables } from '../../src/messages/template.ts';
import { MotifError } from '../../src/errors.ts';

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

describe('templates', () => {
  const values = (entries: Record<string, string>) => new Map(Object.entries(entries));

  test('what a value holds is never filled', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('${a}', '${b}', '$&', '$1', '$$', "$'", '{{a}}'), (left, right) => {
        const value = left + right;
        expect(fillTemplate('<${a}|${b}|${a}>', values({ a: value, b: 'B' }), 't')).toBe(`<${value}|B|${value}>`);
      }),
    );
  });

  test.each([
    { template: '${x}', line: 1 },
    { template: '\n\n  ${x}', line: 3 },
    { template: '${a}\r\n${x}', line: 2 },
  ])('a missing name says its file and line $line', ({ template, line }) => {
    expect(() => fillTemplate(template, values({ a: '1\n2\n3' }), 'mail.txt')).toThrow(`mail.txt, line ${line}`);
  });

  test('a template that its values make too large is refused', () => {
    const template = '${a}'.repeat(20_000);
    expect(() => fillTemplate(template, values({ a: 'x'.repeat(100_000) }), 'mail.txt')).toThrow(
      new MotifError('usage', 'mail.txt grows over 16 MiB as it is filled'),
    );
    expect(fillTemplate(template, values({ a: 'x'.repeat(800) }), 'mail.txt')).toHaveLength(16_000_000);
  });

  test.each([
    { texts: ['a=1', 'b=2=3', 'c='], entries: { a: '1', b: '2=3', c: '' } },
    { texts: [], entries: {} },
    { texts: ['__proto__=x'], entries: JSON.parse('{"__proto__":"x"}') as Record<string, string> },
  ])('--var $texts', ({ texts, entries }) => {
    expect([...parseVariables(texts)]).toEqual(Object.entries(entries));
  });

  test.each([['a'], ['=1'], ['a=1', 'a=2'], ['a b=1'], ['${a}=1']])('--var %j %j is refused', (...texts) => {
    expect(() => parseVariables(texts.filter((text) => typeof text === 'string'))).toThrow(MotifError);
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
