import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withNewlines } from '../../../src/gateway/knowledge/lines.ts';
import { readPassages } from '../../../src/gateway/knowledge/passages.ts';
import { atOnce } from '../../../src/text/turns.ts';
import { timesTheCpuOf } from '../../support/best-cpu-ms.ts';

const read = (text: string, name = 'docs/handbook.md') =>
  atOnce(readPassages(text, name)).map(({ source, text: said }) => [source, said]);

describe('Markdown', () => {
  test('is split at its headings, and each passage has the path of titles above it', () => {
    const text =
      '# Shop\nHi.\n\n## Returns\nKettles: 30 days.\n\n### Gifts ###\nNever.\n\n## Hours\n9 to 17.\n\n# Else\nNo.\n';
    expect(read(text)).toEqual([
      ['docs/handbook: Shop', 'Hi.'],
      ['docs/handbook: Shop > Returns', 'Kettles: 30 days.'],
      ['docs/handbook: Shop > Returns > Gifts', 'Never.'],
      ['docs/handbook: Shop > Hours', '9 to 17.'],
      ['docs/handbook: Else', 'No.'],
    ]);
  });

  test.each([
    { name: 'no heading', text: 'Hi.\n\nYou.', passages: [['a', 'Hi.\n\nYou.']] },
    {
      name: 'underlined headings',
      text: 'One\n===\nA.\n\nTwo\n---\nB.',
      passages: [
        ['a: One', 'A.'],
        ['a: One > Two', 'B.'],
      ],
    },
    { name: 'a rule is no heading', text: '# T\nA.\n\n---\n\nB.', passages: [['a: T', 'A.\n\n---\n\nB.']] },
    { name: 'a rule under a list', text: '- a\n---\nB.', passages: [['a', '- a\n---\nB.']] },
    { name: 'front matter goes', text: '---\ntitle: x\n---\n# T\nA.', passages: [['a: T', 'A.']] },
    { name: 'a first rule is no front matter', text: '---\nA.', passages: [['a', '---\nA.']] },
    {
      name: 'code stays whole',
      text: '# T\n```sh\n# no heading\n~~~\n```\nA.',
      passages: [['a: T', '```sh\n# no heading\n~~~\n```\nA.']],
    },
    { name: 'a fence that never ends', text: '```\n# no heading', passages: [['a', '```\n# no heading']] },
    { name: 'a hash without a blank is text', text: '#tag', passages: [['a', '#tag']] },
    {
      name: 'a level that was skipped',
      text: '# A\n### C\nx\n## B\ny',
      passages: [
        ['a: A > C', 'x'],
        ['a: A > B', 'y'],
      ],
    },
    { name: 'a heading with nothing below', text: '# A\n# B\nx', passages: [['a: B', 'x']] },
    { name: 'marks in a title', text: '# The *big* `one`\nx', passages: [['a: The big one', 'x']] },
    { name: 'brackets in a title', text: '# A [b](c)]\nx', passages: [['a: A b (c)', 'x']] },
    { name: 'line ends of Windows', text: '# A\r\nx\r\n\r\ny\r\n', passages: [['a: A', 'x\n\ny']] },
    { name: 'nothing', text: '\n \n', passages: [] },
  ])('$name', ({ text, passages }) => {
    expect(read(text, 'a.md')).toEqual(passages);
  });
});

test.each([
  { file: 'notes.txt', source: 'notes' },
  { file: 'NOTES', source: 'NOTES' },
  { file: 'a.b/notes.de.txt', source: 'a.b/notes.de' },
  { file: '.hidden', source: '.hidden' },
])('plain text, $file: paragraphs under the source $source', ({ file, source }) => {
  expect(read('# One.\n\n\nTwo.', file)).toEqual([[source, '# One.\n\nTwo.']]);
});

/** Parts that differ, one behind the other. */
function counted(times: number, part: (at: number) => string): string {
  return Array.from({ length: times }, (_, at) => part(at)).join('');
}

/** The longest end of a text with which the next one begins. */
function sharedBetween(text: string, next: string): number {
  let length = Math.min(text.length, next.length);
  while (!text.endsWith(next.slice(0, length))) length--;
  return length;
}

describe('size', () => {
  test('whole paragraphs go together as long as they fit', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(500));
    expect(read(`${a}\n\n${b}\n\n${c}`, 'x.txt')).toEqual([
      ['x', `${a}\n\n${b}`],
      ['x', c],
    ]);
  });

  test.each([
    { name: 'sentences', text: counted(200, (at) => `This is sentence ${at}. `), last: /\.$/ },
    { name: 'words', text: counted(800, (at) => `${at}word `), last: /word$/ },
    { name: 'characters', text: counted(2000, (at) => String.fromCodePoint(0x20000 + at)), last: /\p{Lo}$/u },
  ])('a paragraph that is too long is split between $name', ({ name, text, last }) => {
    const passages = atOnce(readPassages(text, 'x.txt'));
    expect(passages.length).toBeGreaterThan(2);
    expect(passages.filter((passage) => !last.test(passage.text) || passage.text.length > 1200)).toEqual([]);
    const bare = passages.map((passage) => passage.text.replaceAll(/\s/g, ''));
    const whole = text.replaceAll(/\s/g, '');
    // Each begins with what the one before it ended with, unless that was the end of a sentence.
    const shared = bare.slice(1).map((part, index) => sharedBetween(bare[index]!, part));
    expect(shared.every((length) => (name === 'sentences' ? length === 0 : length > 200 && length <= 320))).toBe(true);
    expect(bare.map((part, index) => part.slice(index === 0 ? 0 : shared[index - 1])).join('')).toBe(whole);
  });

  test.each([
    { name: 'a row of values', around: 'alpha,beta,gamma,', secret: '4111 1111 1111 1111' },
    { name: 'JSON on one line', around: '"name":"value",', secret: '"password": "hunter2-Xy9!k"' },
    { name: 'words without end', around: 'the garden has many trees and ', secret: 'blue heron' },
    { name: 'letters of two units', around: '🔥', secret: 'AKIA2JQWZ5N7LTVXPMRC' },
  ])('what policies look for is whole in a passage, wherever a paragraph is cut: $name', ({ around, secret }) => {
    for (let before = 900; before < 1300; before++) {
      const start = around.repeat(100).slice(0, before).toWellFormed();
      const passages = atOnce(readPassages(`${start} ${secret},${around.repeat(40)}`, 'x.txt'));
      expect(passages.some(({ text }) => text.includes(secret))).toBe(true);
    }
  });

  test.each([
    { name: 'a card among words', around: 'many trees and ', secret: '4111 1111 1111 1111' },
    { name: 'an IBAN among words', around: 'many trees and ', secret: 'DE89 3704 0044 0532 0130 00' },
    { name: 'an IBAN on two lines', around: 'many trees\n', secret: 'DE89 3704 0044\n0532 0130 00' },
    { name: 'a number with letters', around: 'many trees\tand ', secret: 'AB 12 34 56 C' },
  ])(
    'half of what policies look for stands in no passage, wherever a paragraph is cut: $name',
    ({ around, secret }) => {
      for (let before = 900; before < 1300; before++) {
        const start = around.repeat(100).slice(0, before);
        const passages = atOnce(readPassages(`${start} ${secret} ${around.repeat(100)}`, 'x.txt'));
        const halves = [secret.slice(0, secret.length / 2), secret.slice(-secret.length / 2)];
        const holding = passages.filter(({ text }) => halves.some((half) => text.includes(half)));
        expect(holding.filter(({ text }) => !text.includes(secret))).toEqual([]);
      }
    },
  );

  test('a title is cut between characters, wherever they stand in it', () => {
    const before = [158, 159, 160, 161, 999].flatMap((count) => ['a'.repeat(count), `b${' '.repeat(count - 1)}`]);
    const sources = before
      .flatMap((start) => read(`# ${start}\u{1f600} of many words\nText.`))
      .map(([source]) => source);
    expect(sources.filter((source) => !source!.isWellFormed())).toEqual([]);
  });

  test('a path of titles is cut at its front', () => {
    const [passage] = atOnce(readPassages(`# ${'a'.repeat(100)}\n## ${'b'.repeat(100)}\nx`, 'x.md'));
    expect(passage?.titles).toBe('b'.repeat(100));
  });

  test('whatever the document, passages are small, not empty, and their sources are one line', () => {
    const documents = fc.array(
      fc.constantFrom(
        '# ',
        '\n',
        'a',
        ' ',
        '```',
        '---',
        '<p>',
        '<h1>',
        '&amp;',
        '<!--',
        '"',
        '>',
        '😀',
        'x'.repeat(700),
      ),
    );
    fc.assert(
      fc.property(documents, fc.constantFrom('x.md', 'x.html', 'x.txt'), (parts, name) => {
        for (const { source, text } of atOnce(readPassages(parts.join(''), name))) {
          expect(source).not.toMatch(/[\n\r[\]]/);
          expect(text.trim()).not.toBe('');
          expect(text.length).toBeLessThanOrEqual(1200);
          expect(text).not.toMatch(/\p{Cs}/u);
        }
      }),
    );
  });
});

describe('a secret is not cut in two, for no policy finds its parts', () => {
  const line = 'Ab1/'.repeat(16);
  const keyOf = (lines: number, head = '', name = 'RSA PRIVATE KEY') =>
    `-----BEGIN ${name}-----\n${head}${`${line}\n`.repeat(lines)}-----END ${name}-----`;
  const words = 'Some words about it. '.repeat(30);

  test.each([
    { name: 'of 2048 bits', key: keyOf(26) },
    { name: 'of 8192 bits', key: keyOf(100) },
    { name: 'with a blank line', key: keyOf(50, 'Proc-Type: 4,ENCRYPTED\n\n') },
    { name: 'of OpenPGP', key: keyOf(70, '\n', 'PGP PRIVATE KEY BLOCK') },
    { name: 'in a line', key: keyOf(50).replaceAll('\n', ' ') },
    { name: 'in JSON', key: JSON.stringify(keyOf(50)).slice(1, -1) },
  ])('a private key $name', ({ key }) => {
    for (const before of ['', `${words}\n`, `${words}\n\n`, words])
      for (const file of ['x.md', 'x.txt'])
        for (const text of [`${before}${key}\n${words}`, `# Key\n${before}${key}\n# Next\n${key}`]) {
          const passages = atOnce(readPassages(text, file)).map((passage) => passage.text);
          for (const passage of passages.filter((each) => each.includes(line)))
            expect(passage.replaceAll('\n', ' ')).toContain(key.replaceAll('\n', ' ').trim());
          expect(passages.filter((each) => each.length > 1200 + key.length)).toEqual([]);
        }
  });

  test.each([
    { name: 'without an end', text: keyOf(1000).replaceAll('-----END', 'the end') },
    { name: 'that only begin', text: '-----BEGIN PRIVATE KEY-----\n'.repeat(2000) },
    { name: 'that only begin, in a line', text: '-----BEGIN PRIVATE KEY----- '.repeat(2000) },
  ])('of private keys $name no passage is larger', ({ text }) => {
    const lengths = atOnce(readPassages(text, 'x.txt')).map((passage) => passage.text.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(8 * 1024);
    expect(lengths.reduce((sum, length) => sum + length)).toBeGreaterThan(text.length / 2);
  });

  test('a key in a title that is too long', () => {
    const [passage] = atOnce(readPassages(`# ${'word '.repeat(30)}key-${'a1'.repeat(20)}\nText.`, 'x.md'));
    expect(passage?.titles).toMatch(/word$/);
  });
});

describe('in pieces', () => {
  const line = 'All kettles can be returned within thirty days of the day on which they were bought. ';
  const fill = (part: string) => part.repeat(Math.ceil(2 ** 20 / part.length));

  test.each([
    { name: 'paragraphs', text: fill(`${line}\n\n`) },
    { name: 'sections', text: fill(`## Returns\n\n${line}\n`) },
    { name: 'one line', text: fill(line) },
    { name: 'short lines without a blank one', text: fill('kettle\n') },
    { name: 'blank lines', text: fill('\n') },
    { name: 'one word', text: fill('kettle') },
    { name: 'front matter without an end', text: `---\n${fill(`${line}\n`)}` },
    { name: 'line ends of Windows', text: fill(`${line}\r\n`) },
    { name: 'paragraphs of a page', text: fill(`<p>${line}</p>`), files: ['x.html'] },
    { name: 'a page of line breaks', text: fill(`${line}<br>`), files: ['x.html'] },
    { name: 'a page of tags', text: fill('<p>'), files: ['x.html'] },
    { name: 'a page of references', text: fill('&amp;'), files: ['x.html'] },
    { name: 'a page that is a heading', text: `<h1>${fill(line)}`, files: ['x.html'] },
    { name: 'a page of long tags', text: fill(`<p title="${line}">a`), files: ['x.html'] },
  ])('a document of a MiB, $name: others have their turn at least 60 times', ({ text, files = ['x.md', 'x.txt'] }) => {
    for (const file of files) expect([...readPassages(text, file)].length, file).toBeGreaterThan(60);
  });

  test('line ends without text between them are put together in pieces too', () => {
    const lastPieceOf = (text: string) => {
      const begun = Array.from({ length: 10 }, () => {
        const work = withNewlines(text);
        for (let at = 0; at < text.length; at += 16 * 1024) work.next();
        return work;
      });
      return () => expect(begun.pop()!.next().done).toBe(true);
    };
    const lines = (line: string) => line.repeat(2 ** 21 / line.length);
    expect(timesTheCpuOf(lastPieceOf(lines(`${'a'.repeat(1023)}\r`)), lastPieceOf(lines('\r')))).toBeLessThan(10);
  });

  test('a title of a MiB costs each section below it no more than a short one', () => {
    const [passage] = atOnce(readPassages(`# ${'a b '.repeat(2 ** 18)}\n## Gifts\nNever.`, 'x.md'));
    expect(passage).toEqual({ source: 'x: Gifts', titles: 'Gifts', text: 'Never.' });
  });
});
