import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFields, JsonFault, type JsonOptions, parseEnvelope, parseJson } from '../../../src/text/json/json.ts';
import { anyText } from '../../fixtures/any-text.ts';
import { hiddenAnywhere, hostileTexts } from '../../fixtures/hostile-text.ts';
import { runs } from '../../support/runs.ts';

function faultOf(text: string, options?: JsonOptions): JsonFault {
  try {
    parseJson(text, options);
  } catch (error) {
    if (error instanceof JsonFault) return error;
    throw error;
  }
  throw new Error(`${text.slice(0, 40)} was accepted`);
}

/** Result of JSON.parse for a text, or undefined where it refuses it. */
function nativeValue(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

test.each([
  { name: 'nothing', text: '', says: 'expected a value, found the end', at: [1, 1, ''] },
  { name: 'blanks alone', text: ' \n ', says: 'expected a value, found the end', at: [2, 2, ''] },
  { name: 'a second value', text: '1 2', says: 'the JSON ends before this "2"', at: [1, 3, ''] },
  { name: 'a trailing comma in an array', text: '[1,]', says: 'expected a value, found "]"', at: [1, 4, '[1]'] },
  {
    name: 'a trailing comma in an object',
    text: '{"a":1,}',
    says: 'expected a key in double quotes, found "}"',
    at: [1, 8, ''],
  },
  { name: 'a missing comma', text: '[1 2]', says: 'expected "," or "]", found "2"', at: [1, 4, ''] },
  { name: 'a missing colon', text: '{"a" 1}', says: 'expected ":" after a key, found "1"', at: [1, 6, 'a'] },
  { name: 'a bare key', text: '{a:1}', says: 'expected a key in double quotes, found "a"', at: [1, 2, ''] },
  { name: 'single quotes', text: "['x']", says: 'expected a value, found "\'"', at: [1, 2, '[0]'] },
  { name: 'a comment', text: '// x\n1', says: 'expected a value, found "/"', at: [1, 1, ''] },
  { name: 'half a constant', text: '[tru]', says: 'expected a value, found "t"', at: [1, 2, '[0]'] },
  { name: 'a string without end', text: '{"a":"b', says: 'the string that begins here has no end', at: [1, 6, 'a'] },
  {
    name: 'a raw line break in a string',
    text: '"a\nb"',
    says: 'a control character in a string, where it has to be written as an escape',
    at: [1, 3, ''],
  },
  { name: 'an unknown escape', text: '"\\x41"', says: 'no such escape in a string', at: [1, 2, ''] },
  { name: 'a short \\u escape', text: '"\\u12"', says: 'no such escape in a string', at: [1, 2, ''] },
  { name: 'a leading zero', text: '[01]', says: 'not a number as JSON writes it', at: [1, 2, '[0]'] },
  { name: 'NaN', text: '{"usage":NaN}', says: 'expected a value, found "N"', at: [1, 10, 'usage'] },
  { name: 'a byte order mark', text: '\ufeff1', says: 'expected a value, found "\\u{feff}"', at: [1, 1, ''] },
  {
    name: 'the third line',
    text: '{\n  "messages": [\n    {"content": ?}]}',
    says: 'expected a value, found "?"',
    at: [3, 17, 'messages[0].content'],
  },
  { name: 'a column after an emoji', text: '["\u{1f600}",?]', says: 'expected a value, found "?"', at: [1, 6, '[1]'] },
  {
    name: 'a path with an odd key',
    text: '{"a b":[?]}',
    says: 'expected a value, found "?"',
    at: [1, 9, '["a b"][0]'],
  },
])('$name: $says', ({ text, says, at }) => {
  const { message, line, column, path } = faultOf(text);
  expect([message, line, column, path]).toEqual([says, ...at]);
});

test.each([
  { text: '{"blocked":true,"blocked":false}', says: 'the key "blocked" appears twice', at: [1, 17, 'blocked'] },
  { text: '{"blocked":true,"\\u0062locked":false}', says: 'the key "blocked" appears twice', at: [1, 17, 'blocked'] },
  { text: '[{"a":{"b":1,"b":1}}]', says: 'the key "b" appears twice', at: [1, 14, '[0].a.b'] },
  { text: '{"__proto__":1,"__proto__":2}', says: 'the key "__proto__" appears twice', at: [1, 16, '__proto__'] },
  { text: '{"\\u202e":1,"\\u202e":2}', says: 'the key "\\u{202e}" appears twice', at: [1, 13, '["\\u{202e}"]'] },
])('$says', ({ text, says, at }) => {
  const { message, line, column, path } = faultOf(text);
  expect([message, line, column, path]).toEqual([says, ...at]);
});

test.each(['1e999', '-1e999', '9'.repeat(400)])('the number %s is refused', (text) => {
  expect(faultOf(`{"n":${text}}`)).toMatchObject({
    path: 'n',
    message: expect.stringContaining('is too large') as string,
  });
});

test('__proto__ is a key like any other and changes no prototype', () => {
  const value = parseJson('{"__proto__":{"blocked":false},"a":{"constructor":1}}') as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(['__proto__', 'a']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(value.blocked).toBeUndefined();
  expect(({} as Record<string, unknown>).blocked).toBeUndefined();
  expect(JSON.stringify(value)).toBe('{"__proto__":{"blocked":false},"a":{"constructor":1}}');
});

test.each([
  { name: 'arrays', open: '[', close: ']' },
  { name: 'objects', open: '{"a":', close: '}' },
])('64 $name inside each other are read, one more or a million refused', ({ open, close }) => {
  const nested = (depth: number) => open.repeat(depth) + '1' + close.repeat(depth);
  expect(() => parseJson(nested(64))).not.toThrow();
  expect(faultOf(nested(65)).message).toBe('nested deeper than 64 levels');
  expect(faultOf(open.repeat(1_000_000)).message).toBe('nested deeper than 64 levels');
  expect(faultOf(nested(3), { depthMax: 2 }).message).toBe('nested deeper than 2 levels');
});

// JSON.parse of Node 24 reads the second key of each as the one before.
test.each([
  { before: String.raw`{"x":1,"\\":2}`, text: String.raw`{"x":1,"\n":2}`, key: '\n' },
  { before: String.raw`{"x":1,"a\\":2}`, text: String.raw`{"x":1,"a\"":2}`, key: 'a"' },
  { before: String.raw`{"x":1,"\\n":2}`, text: String.raw`{"x":1,"\na":2}`, key: '\na' },
])('a key with an escape is not taken for that of a text before: $text', ({ before, text, key }) => {
  JSON.parse(before);
  expect(parseJson(text)).toStrictEqual({ x: 1, [key]: 2 });
});

test('very many keys are read, and looked through for a second one', () => {
  const fields = Array.from({ length: 100_000 }, (_, index) => `"k${index}":${index}`);
  expect(Object.keys(parseJson(`{${fields.join(',')}}`) as object)).toHaveLength(100_000);
  expect(faultOf(`{${fields.join(',')},"k0":0}`).message).toBe('the key "k0" appears twice');
});

test('every value that JSON can write is read as JSON.parse reads it, however it is laid out', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(parseJson(text)).toStrictEqual(JSON.parse(text));
    }),
    runs(2000),
  );
});

test('the strict reader and the shortcut past it read the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      // A colon written as an escape proves nothing, so that this one is read strictly.
      expect(parseJson(`["\\u003a",${text}]`)).toStrictEqual([':', JSON.parse(text)]);
    }),
    runs(2000),
  );
});

/** JSON with keys that may appear twice, and colons in strings, some of them escaped. */
const literal = fc
  .array(fc.constantFrom(':', '\\u003a', '\\u003A', 'a', '\\u0061', '\\\\u003a', '{', '\\"', ','), { maxLength: 3 })
  .map((parts) => `"${parts.join('')}"`);
const doubtful = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    literal,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(literal, tie('value')), { maxLength: 3 })
      .map((fields) => `{${fields.map(([key, value]) => `${key}:${value}`).join(', ')}}`),
  ),
})).value;

/** Told by another means than the parser's: of a key that appears twice, a reviver never sees the first value. */
function hasKeyTwice(text: string): boolean {
  const numbered = new Set<string>();
  let next = 0;
  // Every value that stands after a key is wrapped with a number of its own.
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"(:)?/g, (part, colon) => {
    return colon === undefined ? part : `${part}{"#":${next++}},${part.slice(0, -2)}~${next}":`;
  });
  JSON.parse(marked, (key, value: unknown) => {
    if (key === '#') numbered.add(String(value));
    return value;
  });
  return numbered.size < next;
}

test('a key that appears twice is never read, whatever colons stand around it', () => {
  fc.assert(
    fc.property(doubtful, (text) => {
      let isRefused = false;
      try {
        expect(parseJson(text)).toStrictEqual(JSON.parse(text));
      } catch (error) {
        if (!(error instanceof JsonFault)) throw error;
        expect(error.message).toContain('appears twice');
        isRefused = true;
      }
      expect(isRefused).toBe(hasKeyTwice(text));
    }),
    runs(20_000),
  );
});

test('any text is refused with a place, or read exactly as JSON.parse reads it', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '"a"',
      '"__proto__":',
      '\\',
      '\\u0061',
      'true',
      'null',
      '-',
      '0',
      '1',
      '.',
      'e',
      '+',
      ' ',
      '\n',
    ),
    fc.constantFrom('{"a":1}', '[1,2]', '"x":', '1e999', '\x7f', '\u2028'),
    anyText(3),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      const native = nativeValue(text);
      let value: unknown;
      try {
        value = parseJson(text);
      } catch (error) {
        if (!(error instanceof JsonFault)) throw error;
        const { message, line, column, path } = error;
        const isOurs = native === undefined || /appears twice|is too large/.test(message);
        return isOurs && line >= 1 && column >= 1 && !hiddenAnywhere.test(message + path);
      }
      expect(value).toStrictEqual(native?.value);
      return true;
    }),
    runs(20_000),
  );
});

test.each(hostileTexts)('a fault about $name shows none of it as it is', ({ text }) => {
  const key = JSON.stringify(text);
  const { message, path } = faultOf(`{${key}:1,${key}:2}`);
  expect(message + path).not.toMatch(hiddenAnywhere);
  expect(faultOf(`[1${text}]`).message).not.toMatch(hiddenAnywhere);
});

test.each([
  { json: '{}', is: true },
  { json: '{"a":1}', is: true },
  { json: '[]', is: false },
  { json: 'null', is: false },
  { json: '"{}"', is: false },
  { json: '1', is: false },
])('$json: $is', ({ json, is }) => {
  expect(isFields(JSON.parse(json))).toBe(is);
});

describe('an envelope', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  test.each([
    { name: 'a key that appears twice below', text: '{"a":1,"b":{"c":1,"c":2}}', value: { a: 1, b: { c: 2 } } },
    { name: 'the same key at several levels', text: '{"a":{"a":{"a":1}}}', value: { a: { a: { a: 1 } } } },
    {
      name: 'braces, colons and quotes in strings',
      text: '{"a{:":"}\\":\\"","b":{"c":1,"c":"]"}}',
      value: { 'a{:': '}":"', b: { c: ']' } },
    },
  ])('with $name is read', ({ text, value }) => {
    expect(parseEnvelope(text)).toEqual(value);
  });

  test('of any depth is read', () => {
    expect(parseEnvelope(`{"a":1,"b":${deep}}`)).toMatchObject({ a: 1 });
  });

  test.each([
    { name: 'a key twice at the top', text: '{"a":1,"b":2,"a":3}', says: 'appears twice' },
    { name: 'a key twice, once as an escape', text: '{"a":1,"\\u0061":3}', says: 'appears twice' },
    { name: 'a key twice at the top and below', text: '{"b":{"c":1,"c":2},"a":1,"a":2}', says: 'appears twice' },
    { name: 'a list at the top', text: `[${deep}]`, says: 'nested deeper' },
    { name: 'a megabyte of lists below', text: `{"a":${'['.repeat(6e5)}${']'.repeat(6e5)}}`, says: 'nested deeper' },
    { name: 'no JSON below', text: '{"a":{"b":1,"b":}}', says: 'appears twice' },
  ])('with $name is refused', ({ text, says }) => {
    expect(() => parseEnvelope(text)).toThrow(says);
  });

  test('is whatever JSON.parse reads, as long as its keys differ', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(parseEnvelope(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
