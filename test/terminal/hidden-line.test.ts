import { describe, expect, test } from 'vitest';
import { createHiddenLine } from '../../src/terminal/hidden-line.ts';

const esc = '\u001b';
const enter = '\r';

describe('what a person types is the line', () => {
  test.each([
    { name: 'plain keys', keys: ['s3cret', enter], text: 's3cret' },
    { name: 'Enter as a line feed', keys: ['s3cret\n'], text: 's3cret' },
    { name: 'Backspace', keys: ['s3x\u007fcret', enter], text: 's3cret' },
    { name: 'Backspace as Ctrl-H', keys: ['s3x\bcret', enter], text: 's3cret' },
    { name: 'Backspace at the start', keys: ['\u007f\u007fa', enter], text: 'a' },
    { name: 'Backspace over one character of two units', keys: ['a😀\u007fb', enter], text: 'ab' },
    { name: 'Ctrl-U', keys: ['wrong\u0015right', enter], text: 'right' },
    { name: 'Ctrl-D behind something', keys: ['a\u0004b', enter], text: 'ab' },
    { name: 'other control keys', keys: ['\u0001a\u0005\tb\u001a', enter], text: 'ab' },
    { name: 'arrows', keys: [`a${esc}[D${esc}[Cb${esc}OA`, enter], text: 'ab' },
    { name: 'an arrow with a modifier', keys: [`a${esc}[1;5Db`, enter], text: 'ab' },
    { name: 'Delete', keys: [`a${esc}[3~b`, enter], text: 'ab' },
    { name: 'an arrow in pieces', keys: ['a', esc, '[', '1', ';5', 'D', 'b', enter], text: 'ab' },
    { name: 'Escape twice, then an arrow', keys: [`a${esc}${esc}[Ab`, enter], text: 'ab' },
    { name: 'Escape, then Enter', keys: ['a', esc, enter], text: 'a' },
    { name: 'a sequence without an end', keys: [`${esc}[${'1'.repeat(15)}abc`, enter], text: 'abc' },
    { name: 'a paste with markers', keys: [`${esc}[200~s3cret${esc}[201~`, enter], text: 's3cret' },
    {
      name: 'a paste with its markers in pieces',
      keys: [esc, '[20', '0~s3c', `ret${esc}`, '[201', '~', enter],
      text: 's3cret',
    },
    { name: 'a line break in a paste', keys: [`${esc}[200~s3\ncret\r${esc}[201~`, enter], text: 's3\ncret\r' },
    {
      name: 'Ctrl-D and Ctrl-U in a paste',
      keys: [`${esc}[200~a\u0004\u0015b${esc}[201~`, enter],
      text: 'a\u0004\u0015b',
    },
    { name: 'nothing', keys: [enter], text: '' },
  ])('$name', ({ keys, text }) => {
    const line = createHiddenLine();
    const ends = keys.map((key) => line.feed(key));
    expect(ends).toEqual([...keys.slice(1).map(() => undefined), 'entered']);
    expect(line.text()).toBe(text);
  });
});

test.each([
  { name: 'Ctrl-C', keys: 'abc\u0003', end: 'interrupted' },
  { name: 'Ctrl-C in a paste that never ends', keys: `${esc}[200~abc\u0003`, end: 'interrupted' },
  { name: 'Ctrl-C behind Escape', keys: `${esc}\u0003`, end: 'interrupted' },
  { name: 'Ctrl-D on an empty line', keys: '\u0004', end: 'ended' },
  { name: 'Ctrl-D on a line that was emptied', keys: 'a\u007f\u0004', end: 'ended' },
])('$name ends as $end', ({ keys, end }) => {
  expect(createHiddenLine().feed(keys)).toBe(end);
});

test('keeps 65,536 characters of a paste without an end', () => {
  const line = createHiddenLine();
  for (let count = 0; count < 80; count += 1) expect(line.feed('x'.repeat(1000))).toBeUndefined();
  expect(line.text()).toHaveLength(65_536);
});
