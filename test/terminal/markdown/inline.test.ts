import { describe, expect, test } from 'vitest';
import { parseInline } from '../../../src/terminal/markdown/inline.ts';

/** Spans in a notation of their own: {b bold}, {i italic}, {bi both}, {c code}, {a address}. */
function noted(text: string): string {
  return parseInline(text, '')
    .map(({ text: shown, bold, italic, kind }) => {
      const look = (bold ? 'b' : '') + (italic ? 'i' : '') + (kind === 'plain' ? '' : kind[0]);
      return look === '' ? shown : `{${look} ${shown}}`;
    })
    .join('');
}

describe('emphasis', () => {
  test.each([
    ['plain words', 'plain words'],
    ['', ''],
    ['*a* and **b** and ***c***', '{i a} and {b b} and {bi c}'],
    ['_a_ and __b__ and ___c___', '{i a} and {b b} and {bi c}'],
    ['**bold *both***', '{b bold }{bi both}'],
    ['*it **both** it*', '{i it }{bi both}{i  it}'],
    ['**a _b_ c**', '{b a }{bi b}{b  c}'],
    ['**S**ingle **S**ign', '{b S}ingle {b S}ign'],
    ['snake_case_name and __init__.py', 'snake_case_name and {b init}.py'],
    ['2*3*4 and 2 * 3 * 4', '2*3*4 and 2 * 3 * 4'],
    ['a * b', 'a * b'],
    ['**open', '**open'],
    ['close**', 'close**'],
    ['** a **', '** a **'],
    ['**a*', '*{i a}'],
    ['*a**', '{i a}*'],
    ['*a _b* c_', '{i a _b} c_'],
    ['**"quoted"** (**in brackets**)', '{b "quoted"} ({b in brackets})'],
    ['**太字**の後', '{b 太字}の後'],
    ['****', '****'],
    [String.raw`\*not\* \_this\_ \\ \a`, String.raw`*not* _this_ \ \a`],
    ['*\ufe0f\u20e3 press* ', '*\ufe0f\u20e3 press* '],
  ])('%s', (text, spans) => {
    expect(noted(text)).toBe(spans);
  });
});

describe('code', () => {
  test.each([
    ['run `npm i`', 'run {c npm i}'],
    ['`*a*` `_b_` `[c](d)`', '{c *a*} {c _b_} {c [c](d)}'],
    ['``a ` b``', '{c a ` b}'],
    ['`` `a` ``', '{c `a`}'],
    ['` `', '{c  }'],
    ['`open', '`open'],
    ['``open`', '``open`'],
    ['`a``b`', '{c a``b}'],
    ['**`a`**', '{bc a}'],
    [String.raw`\`a\``, '`a`'],
    [String.raw`\u{1b}[31m and \u{202e}`, String.raw`\u{1b}[31m and \u{202e}`],
  ])('%s', (text, spans) => {
    expect(noted(text)).toBe(spans);
  });

  test('keeps a mark around it on request', () => {
    expect(parseInline('run `npm i`', '`').map(({ text }) => text)).toEqual(['run ', '`npm i`']);
  });
});

describe('a link never hides where it leads', () => {
  test.each([
    ['[text](https://x.dev)', 'text ({a https://x.dev})'],
    ['[https://good.dev](https://evil.dev)', '{a https://good.dev} ({a https://evil.dev})'],
    ['[https://x.dev/a_b_c](https://x.dev/a_b_c)', '{a https://x.dev/a_b_c}'],
    ['[text](https://x.dev/a_(b) "Title")', 'text ({a https://x.dev/a_(b) "Title"})'],
    ["[text](/path 'Title')", "text ({a /path 'Title'})"],
    ['[**bold** text](x)', '{b bold} text ({a x})'],
    ['**[text](x)**', '{b text (}{ba x}{b )}'],
    ['![image](x.png)', 'image ({a x.png})'],
    ['![image]', '![image]'],
    ['[a](b)[c](d)', 'a ({a b})c ({a d})'],
    ['[[a](b)](c)', 'a ({a b}) ({a c})'],
    ['[text]()', '[text]()'],
    ['[text](two words)', '[text](two words)'],
    ['[text](x', '[text](x'],
    ['[text]', '[text]'],
    ['[text] (x)', '[text] (x)'],
    ['a](b)', 'a](b)'],
    [String.raw`\[a](b)`, '[a](b)'],
    ['see https://x.dev/a_b_c, or (https://y.dev).', 'see {a https://x.dev/a_b_c}, or ({a https://y.dev}).'],
    ['**https://x.dev**', '{ba https://x.dev}'],
    ['<https://x.dev>', '<{a https://x.dev}>'],
    ['http:// and https', 'http:// and https'],
  ])('%s', (text, spans) => {
    expect(noted(text)).toBe(spans);
  });
});
