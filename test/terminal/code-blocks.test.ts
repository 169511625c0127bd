import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractBlock } from '../../src/terminal/code-blocks.ts';
import { runs } from '../support/runs.ts';

const several = [
  'Two ways:',
  '',
  '```sh',
  'npm test',
  '```',
  'or',
  '~~~~ Python title="x"',
  'print("```")',
  '~~~',
  '~~~~',
  '```js:src/a.js',
  'const a = 1;',
  '```',
  '',
].join('\n');

test.each([
  { which: undefined, content: 'npm test\n' },
  { which: 1, content: 'npm test\n' },
  { which: 2, content: 'print("```")\n~~~\n' },
  { which: 3, content: 'const a = 1;\n' },
  { which: 4, content: undefined },
  { which: 0, content: undefined },
  { which: 'sh', content: 'npm test\n' },
  { which: 'python', content: 'print("```")\n~~~\n' },
  { which: 'PYTHON', content: 'print("```")\n~~~\n' },
  { which: 'js', content: 'const a = 1;\n' },
  { which: 'bash', content: 'npm test\n' },
  { which: 'py', content: 'print("```")\n~~~\n' },
  { which: 'rust', content: undefined },
  { which: 'title', content: undefined },
])('block $which of several', ({ which, content }) => {
  expect(extractBlock(several, which)).toBe(content);
});

test.each([
  { name: 'no block', markdown: 'words\n\n    indented\n', content: undefined },
  { name: 'inline code', markdown: '``` not a fence ```\n', content: undefined },
  { name: 'an empty block', markdown: '```\n```\n', content: '' },
  { name: 'a fence and nothing behind it', markdown: 'words\n```\n\n', content: undefined },
  { name: 'a fence behind words', markdown: 'Run this: ```sh\nls\n```\nmore\n', content: 'ls\n' },
  { name: 'the same without a language', markdown: 'Run this: ````\nls\n````\nmore\n', content: 'ls\n' },
  { name: 'a fence behind words of a list', markdown: '- Run this: ```sh\n  ls\n  ```\nmore\n', content: 'ls\n' },
  { name: 'words about a fence', markdown: 'End it with ```\n\n```sh\nls\n```\n', content: 'ls\n' },
  { name: 'words about a language', markdown: 'Begin it with ```js\n\n```sh\nls\n```\n', content: 'ls\n' },
  { name: 'an empty line', markdown: '```\n\n```\n', content: '\n' },
  { name: 'blanks at the ends of lines', markdown: '```\na  \n\tb \n```', content: 'a  \n\tb \n' },
  { name: 'CRLF', markdown: 'x\r\n```js\r\na\r\nb\r\n```\r\n', content: 'a\r\nb\r\n' },
  { name: 'no end and no newline', markdown: '```\na\nb', content: 'a\nb' },
  { name: 'no end', markdown: '```\na\nb\n', content: 'a\nb\n' },
  { name: 'an end of the other kind', markdown: '```\na\n~~~\n', content: 'a\n~~~\n' },
  { name: 'a shorter end', markdown: '`````\n```\n````\n`````\n', content: '```\n````\n' },
  { name: 'a longer end', markdown: '```\na\n``````\nb\n', content: 'a\n' },
  { name: 'an end with words behind it', markdown: '```\na\n``` js\n```\n', content: 'a\n``` js\n' },
  { name: 'an end indented like code', markdown: '```\na\n    ```\n```\n', content: 'a\n    ```\n' },
  { name: 'three columns of indentation', markdown: '   ```\n   a\n     b\n c\n   ```\n', content: 'a\n  b\nc\n' },
  { name: 'a tab behind the indentation', markdown: '  ```\n  all:\n  \tmake\n  ```\n', content: 'all:\n\tmake\n' },
  { name: 'a tab instead of it', markdown: '  ```\n\tmake\n  ```\n', content: '\tmake\n' },
  { name: 'a list', markdown: '1. do\n\n    ```sh\n    npm test\n    ```\n', content: 'npm test\n' },
  { name: 'a list item of its own', markdown: '- ```sh\n  npm test\n  ```\nmore\n', content: 'npm test\n' },
  { name: 'no list any more', markdown: '- item\n\nwords\n\n    ```\n    a\n    ```\n', content: undefined },
  { name: 'a quote', markdown: '> so:\n> ```sh\n> npm test\n> ```\n', content: 'npm test\n' },
  { name: 'a quote in a quote', markdown: '> > ```\n> > a\n> > ```\n', content: 'a\n' },
  { name: 'a fence of control characters', markdown: '```\u001b[2J\nx\u0007\n```', content: 'x\u0007\n' },
])('$name: $content', ({ markdown, content }) => {
  expect(extractBlock(markdown, undefined)).toBe(content);
});

describe('any content', () => {
  const line = fc.string({
    unit: fc.constantFrom('`', '~', ' ', '\t', '>', '-', 'a', 'é', '\u001b', '\r'),
    maxLength: 12,
  });

  test('comes out as it went in, between fences that are longer than any in it', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom('`', '~'), (lines, mark) => {
        const fence = mark.repeat(13);
        const content = lines.map((each) => `${each}\n`).join('');
        expect(extractBlock(`words\n${fence}any\n${content}${fence}\nwords`, 'any')).toBe(content);
      }),
      runs(2000),
    );
  });
});
