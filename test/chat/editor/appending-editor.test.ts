import { describe, expect, test } from 'vitest';
import { Interrupted, MotifError } from '../../../src/errors.ts';
import { atAccessibleTerminal } from '../../support/terminals/editor.ts';

const esc = '\u001b';
const [up, down, left] = [`${esc}[A`, `${esc}[B`, `${esc}[D`];
const pasted = (text: string): string => `${esc}[200~${text}${esc}[201~`;
const backspace = '\u007f';

describe('what is entered where nothing may be redrawn', () => {
  test.each([
    ['Enter sends', ['hi', '\r'], 'hi', ['> hi']],
    ['Ctrl-J and Alt-Enter make a new line', ['a\n', '\n', 'b', `${esc}\r`, 'c', '\r'], 'a\n\nb\nc', undefined],
    ['a backslash at the end makes one', ['a\\', '\r', 'b', '\r'], 'a\nb', ['> a\\', '… b']],
    ['a paste is one message', [pasted('one\rtwo\rthree'), '\r'], 'one\ntwo\nthree', ['> one', '… two', '… three']],
    ['a paste goes behind what is there', ['a ', pasted('b\rc'), ' d', '\r'], 'a b\nc d', ['> a b', '… c d']],
    ['Backspace takes a character back', ['abc', backspace, 'd', '\r'], 'abd', ['> abd']],
    ['one of two columns', ['a漢', backspace, 'b', '\r'], 'ab', ['> ab']],
    ['one of several code points', ['a👩\u200d👧e\u0301', backspace, backspace, '\r'], 'a', ['> a']],
    ['nothing at the start of a line', ['a', '\n', backspace, '\u0015', '\u0017', 'b', '\r'], 'a\nb', ['> a', '… b']],
    ['Ctrl-U takes the line', ['a', '\n', 'bcd', '\u0015', 'e', '\r'], 'a\ne', ['> a', '… e']],
    ['Ctrl-W takes back to a blank', ['a bc-d', '\u0017', 'e', '\r'], 'a e', ['> a e']],
    ['but not over the line', ['a', '\n', '  ', '\u0017', 'b', '\r'], 'a\nb', ['> a', '… b']],
    ['Ctrl-Y puts it back', ['a bc', '\u0017', 'd ', '\u0019', '\r'], 'a d bc', ['> a d bc']],
    ['nothing', ['\r'], '', ['>']],
  ])('%s', async (_, keys, text, rows) => {
    const { read, press, seen, written } = await atAccessibleTerminal();
    const typed = read();
    await press(...keys);
    expect(await typed).toEqual({ kind: 'entered', text });
    if (rows !== undefined) expect(seen()).toEqual(rows);
    expect(written()).not.toMatch(/[\r\u001b]/);
    expect(written()).toMatch(/\n$/);
  });

  test('what is typed or pasted is made harmless where it is shown, and is sent as it was', async () => {
    const { read, press, written } = await atAccessibleTerminal();
    const typed = read();
    await press(pasted(`a${esc}[2J\u202e\u0003`), '\r');
    expect(await typed).toEqual({ kind: 'entered', text: `a${esc}[2J\u202e\u0003` });
    expect(written()).toBe('> a\\u{1b}[2J\\u{202e}\\u{3}\n');
  });

  test('a row is broken before the terminal would; what is taken back from the one above is shown below', async () => {
    const { read, press, seen } = await atAccessibleTerminal({ size: { columns: 13 } });
    const typed = read();
    await press('0123456789abc');
    expect(seen()).toEqual(['> 0123456789', '  abc']);
    await press(...Array.from({ length: 5 }, () => backspace), 'x', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: '01234567x' });
    expect(seen()).toEqual(['> 0123456789', '', '> 01234567x']);
  });

  test.each([
    { name: 'is gone on with where it still fits', text: 'hi', written: '> hi!' },
    { name: 'is broken anew', text: 'some words', written: '> some words\n  ords!' },
    { name: 'or begun below where it was no first one', text: 'a'.repeat(12), written: '> aaaaaaaaaa\n  aa\n  !' },
  ])('on a terminal that has got another size the row $name', async ({ text, written: wanted }) => {
    const { read, press, world, written, hangUp } = await atAccessibleTerminal({ size: { columns: 13 } });
    const typed = read();
    await press(text);
    world.stderr.resize(9, 24);
    await press('!');
    expect(written()).toBe(wanted);
    await hangUp();
    await typed;
  });

  test('a paste of more than may be sent is refused, and what was there stays', async () => {
    const { read, press, seen } = await atAccessibleTerminal({ size: { columns: 80 } });
    const typed = read();
    await press('a', pasted('x'.repeat(17 * 1024 * 1024)));
    expect(seen()).toEqual(['> a', 'motif: no more fits: 16 MiB is the most that motif sends', '> a']);
    await press('\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'a' });
  });

  test('a key that moves the cursor does nothing, which is said once', async () => {
    const { read, press, seen } = await atAccessibleTerminal({ size: { columns: 100 } });
    const typed = read();
    await press('ab', left, left, `${esc}[99~`, 'c', '\t', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'abc' });
    expect(seen()).toEqual(['> ab', expect.stringContaining('motif: this key does nothing here: with'), '> abc']);
  });
});

describe('what was typed before', () => {
  const before = ['first', 'second\nof two'];

  test('Up and Down write it once, below, and it is gone on with', async () => {
    const { read, press, seen, written } = await atAccessibleTerminal({ before });
    const typed = read();
    await press('draft', up, up, up, down, down, down, '!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'draft!' });
    expect(seen()).toEqual(['> draft', '> second', '… of two', '> first', '> second', '… of two', '> draft!']);
    expect(written()).not.toContain('\b');
  });

  test('Ctrl-C clears, keeps the text for Up, and says so', async () => {
    const { read, press, seen, history } = await atAccessibleTerminal();
    const typed = read();
    await press('a\n', '\n', 'thought', '\u0003', up, '!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'a\n\nthought!' });
    expect(seen().slice(3)).toEqual(['motif: cleared; Up brings it back', '>', '> a', '…', '… thought!']);
    expect(history.entries).toEqual(['a\n\nthought']);
  });
});

describe('leaving', () => {
  test.each([
    ['Ctrl-D on an empty line', ['\u0004']],
    ['Ctrl-C twice on an empty line', ['\u0003', '\u0003']],
    ['Ctrl-C, which clears, and then twice', ['a', '\u0003', '\u0003', '\u0003']],
  ])('%s', async (_, keys) => {
    const { read, press, written } = await atAccessibleTerminal();
    const typed = read();
    await press(...keys);
    expect(await typed).toEqual({ kind: 'left' });
    expect(written()).toMatch(/> \n$/);
  });

  test('Ctrl-D in a text does nothing, and with another key between, twice Ctrl-C is not twice', async () => {
    const { read, press } = await atAccessibleTerminal();
    const typed = read();
    await press('a', '\u0004', backspace, '\u0003', 'b', backspace, '\u0003', 'c', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'c' });
  });

  test('a signal ends it with its reason, on a line of its own', async () => {
    const { read, press, world, written } = await atAccessibleTerminal();
    const typed = read();
    await press('half');
    world.interrupt('SIGTERM');
    await expect(typed).rejects.toThrow(Interrupted);
    expect(written()).toBe('> half\n');
  });
});

describe('the terminal of somebody else', () => {
  test('Ctrl-O: the text comes back from an editor, and is written whole', async () => {
    const editElsewhere = async (text: string): Promise<string> => `${text}, edited\r\ntwice\n`;
    const { read, press, world, seen } = await atAccessibleTerminal({ tools: { editElsewhere } });
    const typed = read();
    await press('draft', '\u000f');
    expect(seen()).toEqual(['> draft', '> draft, edited', '… twice']);
    expect(world.modes).toEqual(['raw', 'cooked', 'raw']);
    await press('\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'draft, edited\ntwice' });
  });

  test('Ctrl-O: an editor that cannot be run loses nothing', async () => {
    const editElsewhere = () => Promise.reject(new MotifError('usage', 'no editor', { hint: 'set EDITOR' }));
    const { read, press, seen } = await atAccessibleTerminal({ tools: { editElsewhere } });
    const typed = read();
    await press('draft', '\u000f', '!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'draft!' });
    expect(seen()).toEqual(['> draft', 'motif: no editor', '  set EDITOR', '> draft!']);
  });

  test.each([
    ['Ctrl-Z', 1],
    ['SIGSTOP', 0],
  ])('%s stops, and fg writes the last row again', async (how, suspensions) => {
    const { read, press, world, seen } = await atAccessibleTerminal();
    const typed = read();
    await press('a\nb');
    if (how === 'Ctrl-Z') await press('\u001a');
    else world.continueUs();
    await press('!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'a\nb!' });
    expect(seen()).toEqual(['> a', '… b', '… b!']);
    expect(world.suspensions).toBe(suspensions);
  });
});
