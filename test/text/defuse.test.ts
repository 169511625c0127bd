import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defuse, defuseLine, escapeJson } from '../../src/text/defuse.ts';
import { anyText } from '../fixtures/any-text.ts';
import { hiddenAnywhere, hiddenOutOfPlace, hostileTexts } from '../fixtures/hostile-text.ts';
import { runs } from '../support/runs.ts';

/** Any text, rich in what is hostile and in what makes hostile things look harmless. */
const hostileText = fc
  .array(
    fc.oneof(
      anyText(6),
      fc.constantFrom(...hostileTexts.map(({ text }) => text)),
      fc.constantFrom(
        '\u200d',
        '\u200c',
        '\ufe0f',
        '\ufe0e',
        '\u{1f469}',
        '\u{1f3fd}',
        '\u{1f680}',
        '\u2764',
        '1',
        '\u20e3',
        '\u{1f3f4}',
      ),
      fc.constantFrom(
        '\u{e0067}',
        '\u{e0062}',
        '\u{e0065}',
        '\u{e006e}',
        '\u{e007f}',
        '\u845b',
        '\u{e0100}',
        '\u0645',
        '\u064e',
        '\u0915',
        '\u094d',
      ),
      fc.constantFrom('\x1b', '\r', '\n', '\t', '\ud83d', '\ude00', '\\', '\\u', '\\u{', '}'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

test('the corpus is as large as the goal asks, every text in it once and hostile', () => {
  expect(hostileTexts.length).toBeGreaterThanOrEqual(200);
  expect(new Set(hostileTexts.map(({ name }) => name)).size).toBe(hostileTexts.length);
  const tame = hostileTexts.filter(({ text }) => !hiddenAnywhere.test(text) && !hiddenOutOfPlace.test(text));
  expect(tame).toEqual([]);
});

test.each(hostileTexts)('$name is shown and never obeyed', ({ text }) => {
  for (const shown of [defuse(text), defuseLine(text, 10_000), escapeJson(JSON.stringify({ text }))]) {
    expect(shown).not.toMatch(hiddenAnywhere);
    expect(shown).not.toMatch(hiddenOutOfPlace);
  }
});

test.each([
  { text: 'plain\ttext\nof two lines', shown: 'plain\ttext\nof two lines' },
  { text: 'Windows\r\nlines', shown: 'Windows\nlines' },
  { text: 'a\rb', shown: 'a\\u{d}b' },
  { text: '\x1b[31mred', shown: '\\u{1b}[31mred' },
  { text: '\x9b2J', shown: '\\u{9b}2J' },
  { text: 'a\u202eb', shown: 'a\\u{202e}b' },
  { text: '\ud800', shown: '\\u{d800}' },
  { text: '\u{e0041}', shown: '\\u{e0041}' },
  { text: 'soft\u00adhyphen', shown: 'soft\\u{ad}hyphen' },
])('$shown', ({ text, shown }) => {
  expect(defuse(text)).toBe(shown);
});

test.each([
  {
    name: 'letters of many scripts',
    text: 'Zażółć gęślą jaźń, Ελληνικά, Русский, 日本語, 한국어, العربية, עברית, ไทย',
  },
  { name: 'an astronaut with a skin colour', text: '\u{1f469}\u{1f3fd}\u200d\u{1f680}' },
  { name: 'a family', text: '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}' },
  { name: 'a rainbow flag', text: '\u{1f3f3}\ufe0f\u200d\u{1f308}' },
  { name: 'a red heart and a text heart', text: '\u2764\ufe0f \u2764\ufe0e' },
  { name: 'a keycap', text: '1\ufe0f\u20e3 #\ufe0f\u20e3' },
  { name: 'a country flag', text: '\u{1f1e9}\u{1f1ea}' },
  { name: 'the flag of Scotland', text: '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}' },
  { name: 'a Persian word with ZWNJ', text: '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645' },
  { name: 'a Sinhala word with ZWJ', text: '\u0dc1\u0dca\u200d\u0dbb\u0dd3' },
  { name: 'a Devanagari half form', text: '\u0915\u094d\u200d\u0937' },
  { name: 'an ideograph in the variant of a name', text: '\u845b\u{e0100}\u57ce' },
])('$name stays as it is', ({ text }) => {
  expect(defuse(text)).toBe(text);
  expect(defuseLine(text)).toBe(text);
});

test('whatever two texts are joined, nothing hidden gets through, and doing it twice changes nothing', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (one, other) => {
      const joined = defuse(one + other);
      const isSafe = !hiddenAnywhere.test(joined) && !hiddenAnywhere.test(defuse(one) + defuse(other));
      expect(isSafe && defuse(joined) === joined).toBe(true);
    }),
    runs(20_000),
  );
});

test('of all characters there are, exactly those that cannot be seen are shown as something else', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const text = String.fromCodePoint(code);
    const isHidden = hiddenAnywhere.test(text) || hiddenOutOfPlace.test(text);
    const isVisible = /[\p{L}\p{N}\p{P}\p{S}\p{Zs}\p{Mc}\p{Me}]/u.test(text) && !isHidden;
    const isKept = defuse(`a${text}b`) === `a${text}b`;
    if ((isHidden && isKept) || (isVisible && !isKept)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('a line is one line, as long as allowed at most, with no piece cut in half', () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 1, max: 40 }), (text, charactersMax) => {
      const line = defuseLine(text, charactersMax);
      const isSafe = !hiddenAnywhere.test(line) && !/[\t\n]/.test(line);
      const isStable = defuseLine(line, charactersMax) === line;
      expect(isSafe && isStable && Array.from(line).length <= charactersMax).toBe(true);
    }),
    runs(10_000),
  );
});

test.each([
  { text: 'one\ntwo\tthree', charactersMax: 99, line: 'one\\ntwo\\tthree' },
  { text: 'abcdef', charactersMax: 6, line: 'abcdef' },
  { text: 'abcdefg', charactersMax: 6, line: 'abcde…' },
  { text: 'abc\x1b[0m', charactersMax: 6, line: 'abc…' },
  { text: 'abc\n\n\n', charactersMax: 5, line: 'abc…' },
  { text: '\u{1f600}\u{1f600}\u{1f600}', charactersMax: 3, line: '\u{1f600}\u{1f600}\u{1f600}' },
  { text: 'ab\u{1f469}\u200d\u{1f680} and more', charactersMax: 5, line: 'ab\u{1f469}…' },
])('$text in $charactersMax characters', ({ text, charactersMax, line }) => {
  expect(defuseLine(text, charactersMax)).toBe(line);
});

test('escaped JSON reads back as the same value and hides nothing', () => {
  fc.assert(
    fc.property(fc.dictionary(hostileText, hostileText), fc.constantFrom(0, 2, '\t'), (value, indent) => {
      const json = escapeJson(JSON.stringify(value, null, indent));
      expect(json).not.toMatch(hiddenAnywhere);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    runs(3000),
  );
});

test.each([
  { json: '{\r\n  "a": 1\r}', escaped: '{\n  "a": 1\n}' },
  { json: '"\x7f\u{e0041}"', escaped: '"\\u007f\\udb40\\udc41"' },
  { json: '"\ud800"', escaped: '"\\ud800"' },
])('$escaped', ({ json, escaped }) => {
  expect(escapeJson(json)).toBe(escaped);
});
