import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Key, KeyReader, marksPastes } from '../../src/terminal/keys.ts';
import { anyText } from '../fixtures/any-text.ts';
import { hostileTexts } from '../fixtures/hostile-text.ts';

const esc = '\u001b';
const pasted = (text: string): string => `${esc}[200~${text}${esc}[201~`;

function read(...chunks: readonly string[]): string[] {
  return readBy(new KeyReader(), chunks);
}

function readBy(reader: KeyReader, chunks: readonly string[]): string[] {
  return chunks.flatMap((chunk) => reader.feed(Buffer.from(chunk))).map(tell);
}

function tell(key: Key): string {
  return key.kind === 'press' ? `<${key.name}>` : key.kind === 'paste' ? `paste:${key.text}` : key.text;
}

describe('what a key sends is what it is called', () => {
  test.each([
    ['a', 'a'],
    ['日本', '日本'],
    ['\r', '<enter>'],
    ['\n', '<ctrl-j>'],
    ['\t', '<tab>'],
    ['\u007f', '<backspace>'],
    ['\b', '<backspace>'],
    ['\u0001', '<ctrl-a>'],
    ['\u001a', '<ctrl-z>'],
    ['\u001f', '<ctrl-_>'],
    ['\0', '<ctrl-space>'],
    [`${esc}[A`, '<up>'],
    [`${esc}OA`, '<up>'],
    [`${esc}[D`, '<left>'],
    [`${esc}[1;5D`, '<ctrl-left>'],
    [`${esc}[1;3C`, '<alt-right>'],
    [`${esc}[1;2H`, '<shift-home>'],
    [`${esc}[1;8F`, '<ctrl-alt-shift-end>'],
    [`${esc}Oc`, '<ctrl-right>'],
    [`${esc}${esc}[D`, '<alt-left>'],
    [`${esc}[H`, '<home>'],
    [`${esc}[1~`, '<home>'],
    [`${esc}[7~`, '<home>'],
    [`${esc}[3~`, '<delete>'],
    [`${esc}[3;5~`, '<ctrl-delete>'],
    [`${esc}[3^`, '<ctrl-delete>'],
    [`${esc}[5~`, '<page-up>'],
    [`${esc}OP`, '<f1>'],
    [`${esc}[[A`, '<f1>'],
    [`${esc}[15~`, '<f5>'],
    [`${esc}[24~`, '<f12>'],
    [`${esc}[Z`, '<shift-tab>'],
    [`${esc}b`, '<alt-b>'],
    [`${esc}\r`, '<alt-enter>'],
    [`${esc}\u007f`, '<alt-backspace>'],
    [`${esc}\u0008`, '<alt-backspace>'],
    [`${esc}[13;2u`, '<shift-enter>'],
    [`${esc}[27;2;13~`, '<shift-enter>'],
    [`${esc}[13;5u`, '<ctrl-enter>'],
    [`${esc}[99;5u`, '<ctrl-c>'],
    [`${esc}[27;5;99~`, '<ctrl-c>'],
    [`${esc}[97;2u`, 'A'],
    [`${esc}[233u`, 'é'],
    [`${esc}[127;3u`, '<alt-backspace>'],
    [`${esc}[57414u`, '<enter>'],
  ])('%j is %s', (sent, name) => {
    expect(read(sent)).toEqual([name]);
  });

  test.each([
    ['the release of a key', `${esc}[97;5:3u`],
    ['a modifier alone', `${esc}[57441;2u`],
    ['focus gained', `${esc}[I`],
    ['a cursor report', `${esc}[12;40R`.replace('R', 'n')],
    ['a colour report', `${esc}]11;rgb:ffff/ffff/ffff${esc}\\`],
    ['a colour report that ends in BEL', `${esc}]11;rgb:ffff\u0007`],
    ['a name of the terminal', `${esc}P>|xterm(390)${esc}\\`],
    ['a sequence without end', `${esc}[${'1;'.repeat(40)}`],
    ['the end of no paste', `${esc}[201~`],
  ])('%s is no key, and what follows is', (_, sent) => {
    const reader = new KeyReader();
    reader.feed(Buffer.from(sent));
    reader.settle();
    expect(reader.feed(Buffer.from('\u0001')).map(tell)).toEqual(['<ctrl-a>']);
  });

  test('Ctrl-C gets through an unfinished sequence', () => {
    expect(read(`${esc}[1`, '\u0003')).toEqual(['<ctrl-c>']);
    expect(read(esc, '\u0003')).toEqual(['<ctrl-c>']);
  });
});

describe('what nothing follows', () => {
  test.each([
    ['Escape', esc, ['<escape>']],
    ['Alt with a bracket', `${esc}[`, ['<alt-[>']],
    ['Alt with a capital O', `${esc}O`, ['<alt-O>']],
    ['a torn sequence', `${esc}[1;`, []],
  ])('%s is settled after a moment', (_, sent, keys) => {
    const reader = new KeyReader();
    reader.feed(Buffer.from(sent));
    expect(reader.isUnsettled).toBe(true);
    expect(reader.settle().map(tell)).toEqual(keys);
    expect(reader.isUnsettled).toBe(false);
  });

  test('Enter alone waits for nothing', () => {
    const reader = new KeyReader();
    expect(reader.feed(Buffer.from('\r')).map(tell)).toEqual(['<enter>']);
    expect(reader.isUnsettled).toBe(false);
  });
});

describe('a paste is one key', () => {
  test.each([
    ['one line', 'hello', 'hello'],
    ['line breaks as terminals send them', 'a\rb\r\nc\nd', 'a\nb\nc\nd'],
    ['keys in it', 'a\u0003b\u0004\t\u007f', 'a\u0003b\u0004\t\u007f'],
    ['the start of another', `a${esc}[200~b`, `a${esc}[200~b`],
    ['half an end', `a${esc}[201b${esc}[20`, `a${esc}[201b${esc}[20`],
    ['nothing', '', ''],
  ])('with %s', (_, text, expected) => {
    expect(read(`x${pasted(text)}\r`)).toEqual(['x', `paste:${expected}`, '<enter>']);
  });

  test.each(hostileTexts.filter(({ text }) => !text.includes(`${esc}[201~`)).map(({ name, text }) => [name, text]))(
    '%s stays text',
    (_, text) => {
      expect(read(pasted(text))).toEqual([`paste:${Buffer.from(text).toString().replace(/\r\n?/g, '\n')}`]);
    },
  );

  test('one that is longer than anything that is sent is dropped whole, and keys go on', () => {
    const reader = new KeyReader();
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    reader.feed(Buffer.from(`${esc}[200~`));
    for (let count = 0; count < 17; count += 1) reader.feed(chunk);
    expect(reader.feed(Buffer.from(`${esc}[201~a`))).toEqual([
      { kind: 'paste', text: '', isTooLong: true },
      { kind: 'text', text: 'a' },
    ]);
  });

  test('one without an end can be ended', () => {
    const reader = new KeyReader();
    reader.feed(Buffer.from(`${esc}[200~abc`));
    expect(reader.isPasting).toBe(true);
    expect(reader.endPaste()).toEqual([{ kind: 'paste', text: 'abc', isTooLong: false }]);
    expect(reader.feed(Buffer.from('\u0001')).map(tell)).toEqual(['<ctrl-a>']);
  });
});

test.each([
  ['lines', 'one\rtwo\r', ['one', '<enter>', 'two', '<enter>']],
  ['a Tab with text behind it', '/fi\tnotes', ['/fi', '<tab>', 'notes']],
  ['CRLF', 'one\r\ntwo', ['one', '<enter>', '<ctrl-j>', 'two']],
])('%s in one read are keys, for a paste has markers', (_, sent, keys) => {
  expect(read(sent)).toEqual(keys);
});

test.each([
  { env: { TERM: 'xterm-256color' }, marks: true },
  { env: { TERM: 'tmux-256color' }, marks: true },
  { env: { TERM: 'screen-256color', TMUX: '/tmp/tmux-1000/default,1,0' }, marks: true },
  { env: { TERM: 'screen-256color' }, marks: false },
  { env: { TERM: 'linux' }, marks: false },
  { env: { TERM: 'vt100' }, marks: false },
  { env: {}, marks: false },
])('a terminal tells pastes from typed keys: $env $marks', ({ env, marks }) => {
  expect(marksPastes(env)).toBe(marks);
});

describe('a paste without markers, where the terminal has none', () => {
  const unmarking = () => new KeyReader({ isMarking: false });

  test('a text with Enter behind it is settled after a moment', () => {
    const reader = unmarking();
    expect(readBy(reader, ['abc\r'])).toEqual(['abc']);
    expect(reader.isUnsettled).toBe(true);
    expect(reader.settle().map(tell)).toEqual(['<enter>']);
  });

  test('one with markers shows that it has them', () => {
    expect(readBy(unmarking(), [pasted('a'), 'one\rtwo'])).toEqual(['paste:a', 'one', '<enter>', 'two']);
  });

  test.each([
    ['lines in one read', ['one\rtwo\rthree\r'], ['one\ntwo\nthree']],
    ['a tab in it', ['if:\r\tgo'], ['if:\n\tgo']],
    ['a break between two reads', ['one\r', 'two'], ['one', '\ntwo']],
    ['CRLF', ['one\r\ntwo'], ['one\ntwo']],
    ['LF', ['one\ntwo'], ['one\ntwo']],
  ])('%s is text', (_, chunks, keys) => {
    expect(readBy(unmarking(), chunks)).toEqual(keys);
  });

  test('Enter alone after text that came before it sends', () => {
    expect(readBy(unmarking(), ['one', '\r', 'two', '\r'])).toEqual(['one', '<enter>', 'two', '<enter>']);
  });

  test('Enter with a key behind it is Enter', () => {
    expect(readBy(unmarking(), [`one\r${esc}[A`])).toEqual(['one', '<enter>', '<up>']);
  });
});

const sequences = [
  '\r',
  '\n',
  '\t',
  '\u0001',
  `${esc}[A`,
  `${esc}[1;5D`,
  `${esc}b`,
  `${esc}OP`,
  `${esc}[13;2u`,
  `${esc}${esc}[C`,
  '\u007f',
];
const anything = fc.oneof(
  anyText(12).map((text) => text.replace(/[\0-\x1f\x7f]/g, '')),
  fc.constantFrom(...sequences),
  anyText(20).map((text) => pasted(text.replaceAll(esc, ''))),
  fc.constantFrom('日', '👩\u200d👩\u200d👧', 'é').map(pasted),
);

test('wherever the reads cut what is typed, the keys are the same', () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 8 }), fc.array(fc.nat(200), { maxLength: 12 }), (typed, cuts) => {
      const bytes = Buffer.from(typed.join(''));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
      const reader = new KeyReader();
      const cut = places.slice(1).flatMap((end, index) => reader.feed(bytes.subarray(places[index], end)));
      expect(merged(cut)).toEqual(merged(new KeyReader().feed(bytes)));
    }),
  );
});

/** Text may come in any number of pieces. */
function merged(keys: readonly Key[]): string[] {
  const told: string[] = [];
  let wasText = false;
  for (const key of keys) {
    if (key.kind === 'text' && wasText) told[told.length - 1] += key.text;
    else told.push(key.kind === 'text' ? key.text : JSON.stringify(key));
    wasText = key.kind === 'text';
  }
  return told;
}
