import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderAnswer, renderPage } from '../../src/terminal/answer.ts';
import { createStyle } from '../../src/terminal/style.ts';
import { defuse } from '../../src/text/defuse.ts';
import { columnsOf } from '../../src/text/width.ts';
import { anyText } from '../fixtures/any-text.ts';
import { hiddenAnywhere, hostileTexts } from '../fixtures/hostile-text.ts';
import { runs } from '../support/runs.ts';

const [coloured, plain] = await Promise.all([createStyle(true), createStyle(false)]);

/** The only sequences that may be in an answer: bold, dim, italic, underline, cyan, and their ends. */
const ownCodes = /\u001b\[(?:1|2|3|4|22|23|24|36|39)m/g;

function withoutColour(markdown: string, columns = 40): string {
  return renderAnswer(markdown, { style: plain, columns, raw: false });
}

function withColour(markdown: string, columns = 40): string {
  return renderAnswer(markdown, { style: coloured, columns, raw: false });
}

function lines(...all: readonly string[]): string {
  return all.join('\n');
}

describe('without colour', () => {
  test.each([
    { name: 'emphasis loses its marks', markdown: 'a *b* **c** ***d*** _e_', shown: 'a b c d e' },
    { name: 'code keeps its backticks', markdown: 'run `npm i`', shown: 'run `npm i`' },
    { name: 'a heading keeps its signs', markdown: '## Two **words**', shown: '## Two words' },
    { name: 'a rule', markdown: '* * *', shown: '-'.repeat(40) },
    { name: 'words under each other stay so', markdown: lines('roses', 'violets'), shown: lines('roses', 'violets') },
    { name: 'blank lines', markdown: lines('a', '', '  ', 'b'), shown: lines('a', '', '', 'b') },
    { name: 'a final newline stays', markdown: 'a\n', shown: 'a\n' },
    { name: 'nothing', markdown: '', shown: '' },
    { name: 'CRLF', markdown: 'a\r\nb\r\n', shown: 'a\nb\n' },
    {
      name: 'a paragraph is wrapped between words',
      markdown: 'The quick brown fox jumps over the lazy dog, twice.',
      shown: lines('The quick brown fox jumps over the lazy', 'dog, twice.'),
    },
    {
      name: 'a list hangs',
      markdown: lines('- one that is long enough to need two rows', '  12. a number that takes two rows as well'),
      shown: lines(
        '- one that is long enough to need two',
        '  rows',
        '  12. a number that takes two rows as',
        '      well',
      ),
    },
    {
      name: 'a quote keeps its mark on every row',
      markdown: '> a quote that is long enough to need two rows',
      shown: lines('> a quote that is long enough to need', '> two rows'),
    },
    { name: 'quotes in quotes', markdown: lines('> a', '> > b', '>', '> c'), shown: lines('> a', '> > b', '>', '> c') },
    {
      name: 'a table is aligned',
      markdown: lines('|Name|Count|', '|:--|--:|', '|**a**|1|', '|日本語|`x`|'),
      shown: lines('Name   | Count', '-------|------', 'a      |     1', '日本語 |   `x`'),
    },
    {
      name: 'a table with more and fewer cells than its header',
      markdown: lines('a | b', '--- | ---', '1 | 2 | 3', '4 |', 'words'),
      shown: lines('a | b |', '--|---|--', '1 | 2 | 3', '4 |   |', 'words'),
    },
    {
      name: 'a bar in a cell',
      markdown: lines('| a |', '|---|', String.raw`| x \| y |`),
      shown: lines('a', '-----', 'x | y'),
    },
    {
      name: 'a table that is too wide becomes a list of each row',
      markdown: lines(
        '| a | b | |',
        '|---|---|---|',
        `| ${'x'.repeat(30)} | **${'y'.repeat(30)}** |z|`,
        '|1|2|',
        'end',
      ),
      shown: lines(`a: ${'x'.repeat(30)}`, `b: ${'y'.repeat(30)}`, 'z', '', 'a: 1', 'b: 2', 'end'),
    },
    {
      name: 'a table whose widest cells have to be folded',
      markdown: lines(
        '| Code | Cause |',
        '|--:|---|',
        '| 2 | bad flags or arguments, nothing to send at all |',
        '| 10 | no |',
      ),
      shown: lines(
        'Code | Cause',
        '-----|----------------------------------',
        '   2 | bad flags or arguments, nothing',
        '     | to send at all',
        '  10 | no',
      ),
    },
    {
      name: 'a table of two wide columns, of which one has a word that takes most of the room',
      markdown: lines('a | b', '---|---', `one two three four five six | ${'x'.repeat(25)} and many more`),
      shown: lines(
        'a            | b',
        '-------------|--------------------------',
        `one two      | ${'x'.repeat(25)}`,
        'three four   | and many more',
        'five six     |',
      ),
    },
    {
      name: 'a table that is too wide and has no rows',
      markdown: lines(`| ${'x'.repeat(30)} | ${'y'.repeat(30)} |`, '|---|---|'),
      shown: lines('x'.repeat(30), 'y'.repeat(30)),
    },
    { name: 'bars without a row of dashes', markdown: lines('a | b', 'c | d'), shown: lines('a | b', 'c | d') },
  ])('$name', ({ markdown, shown }) => {
    expect(withoutColour(markdown)).toBe(shown);
  });
});

describe('code comes out as it is, so that it can be copied', () => {
  const long = `  const a = ${'"x" + '.repeat(20)}**"y"**;`;
  test.each([
    { name: 'fenced', markdown: lines('```js', long, '', '\tb', '# c', '```') },
    { name: 'fenced by tildes, with backticks in it', markdown: lines('~~~', '```', long, '```', '~~~') },
    { name: 'without an end', markdown: lines('```', long, '- a', '') },
    { name: 'in a list', markdown: lines('1. do', '', '    ```sh', `    ${long}`, '    ```', '2. done') },
    { name: 'indented', markdown: lines('so:', '', `    ${long}`, '        deeper', '', '    more') },
    { name: 'indented in a list', markdown: lines('- so:', '', `      ${long}`, '- b') },
  ])('$name', ({ markdown }) => {
    expect(withoutColour(markdown)).toBe(markdown);
    expect(withColour(markdown).replaceAll(ownCodes, '')).toBe(markdown);
  });

  test('with its fences dimmed and nothing else', () => {
    const markdown = lines('```js', 'let a;', '```');
    expect(withColour(markdown)).toBe(lines('\u001b[2m```js\u001b[22m', 'let a;', '\u001b[2m```\u001b[22m'));
  });

  test.each([20, 40])('in a line of words it is never broken, nor is an address, at %i columns', (columns) => {
    const command = '`npm install --global some-package another-package`';
    const address = `https://motif.example/${'path/'.repeat(12)}`;
    const shown = withoutColour(`First run ${command} and then open ${address} in a browser`, columns);
    expect(shown).toContain(command);
    expect(shown).toContain(address);
  });
});

test('with colour, the marks are gone and the looks are there', () => {
  expect(withColour('# a `b`\n*c* [d](e)', 40)).toBe(
    lines(
      '\u001b[1m# a \u001b[22m\u001b[1m\u001b[36mb\u001b[39m\u001b[22m',
      '\u001b[3mc\u001b[23m d (\u001b[4me\u001b[24m)',
    ),
  );
});

test('emphasis goes on where its line is wrapped', () => {
  expect(withColour('**aaaa bbbb cccc**', 10)).toBe(lines('\u001b[1maaaa bbbb\u001b[22m', '\u001b[1mcccc\u001b[22m'));
});

test.each([0, 1, 2, 5, 19])('%i columns are enough for every kind of block', (columns) => {
  const markdown = lines(
    '# a b',
    '  - c d',
    '> > e f',
    '',
    '| g | h |',
    '|---|---|',
    '| i | j |',
    '***',
    '        12. k l',
  );
  expect(withoutColour(markdown, columns).replaceAll(/[^a-l]/g, '')).toBe(
    columns < 5 ? 'abcdefgihjkl' : 'abcdefghijkl',
  );
});

test('more than 1 MiB is shown without Markdown', () => {
  const markdown = `**a** \u001b[2J\n${'x'.repeat(1_048_576)}`;
  expect(withColour(markdown)).toBe(defuse(markdown));
});

describe('an answer is never obeyed', () => {
  test.each(hostileTexts)('$name', ({ text }) => {
    const markdown = lines(
      `# ${text}`,
      `- **${text}** \`${text}\` [${text}](${text})`,
      `|${text}|`,
      '|--|',
      '```',
      text,
    );
    for (const raw of [true, false]) {
      const shown = renderAnswer(markdown, { style: coloured, columns: 30, raw });
      expect(shown.replaceAll(ownCodes, '')).not.toMatch(hiddenAnywhere);
    }
  });

  test('raw is defused and nothing else', () => {
    const markdown = '# **a** \u001b[2J\n\n> `b`';
    expect(renderAnswer(markdown, { style: coloured, columns: 3, raw: true })).toBe(defuse(markdown));
  });
});

describe('any text', () => {
  const marks =
    '* ** *** _ __ ` `` ``` ~~~ [ ] ](u:1) ) ( "t" > - + 1. # ## | |-|- --- === \\ ! http:// https://x.dev/a_b \t    a bc 日本 é \u{1f468}\u200d\u{1f469} *\ufe0f\u20e3';
  const part = fc.oneof(
    fc.constantFrom(...marks.split(' '), ' ', '    ', '\n', '\n\n', '\r\n'),
    fc.constantFrom(...hostileTexts.map(({ text }) => text)),
    anyText(6),
  );
  const markdown = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
  const columns = fc.integer({ min: 0, max: 60 });
  /** Text that no renderer may lose. No link above has its address as its text, which would be shown once. */
  const letters = (text: string): string => text.replaceAll(/[^a-z0-9]/gi, '');

  test('has no control characters but our own codes, and keeps every letter', () => {
    fc.assert(
      fc.property(markdown, columns, fc.boolean(), (text, width, isColoured) => {
        const shown = renderAnswer(text, { style: isColoured ? coloured : plain, columns: width, raw: false });
        const bare = shown.replaceAll(ownCodes, '');
        expect(bare).not.toMatch(hiddenAnywhere);
        expect(letters(bare)).toBe(letters(defuse(text)));
      }),
      runs(5000),
    );
  });

  test('has the same words with and without colour, apart from the marks of code', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const bare = withColour(text, 10_000).replaceAll(ownCodes, '');
        expect(bare.replaceAll(/[`\s]/g, '')).toBe(withoutColour(text, 10_000).replaceAll(/[`\s]/g, ''));
      }),
      runs(2000),
    );
  });

  test('words fit into the columns', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', '日', 'é', '*', '-'), minLength: 1, maxLength: 8 }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(words, fc.integer({ min: 20, max: 60 }), (some, width) => {
        const shown = withoutColour(`- x ${some.join(' ')}`, width);
        expect(Math.max(...shown.split('\n').map(columnsOf))).toBeLessThanOrEqual(width);
      }),
      runs(2000),
    );
  });
});

test('a page of the manual is laid out anew, whatever the width of its source', () => {
  const source = lines(
    'Some `motif',
    'help` here',
    'and there.',
    '',
    '- one',
    '  two',
    '- three',
    '',
    '```sh',
    'a',
    'b',
    '```',
  );
  expect(renderPage(source, { style: plain, columns: 80 })).toBe(
    lines('Some `motif help` here and there.', '', '- one two', '- three', '', '  a', '  b', ''),
  );
});
