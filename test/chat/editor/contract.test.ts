import { describe, expect, test } from 'vitest';
import { Interrupted, MotifError } from '../../../src/errors.ts';
import { atAccessibleTerminal, atTerminal } from '../../support/terminals/editor.ts';

const esc = '\u001b';
const [up, down] = [`${esc}[A`, `${esc}[B`];
const pasted = (text: string): string => `${esc}[200~${text}${esc}[201~`;
const backspace = '\u007f';

/** Both editors take keys alike; where they show a text differently, each has a test of its own. */
describe.each([
  { name: 'the editor', open: atTerminal },
  { name: 'the editor of --accessible', open: atAccessibleTerminal },
])('$name', ({ open }) => {
  test.each([
    { name: 'Enter sends', keys: ['hi', '\r'], text: 'hi' },
    { name: 'Ctrl-J makes a new line', keys: ['a\n', '\n', 'b', '\r'], text: 'a\n\nb' },
    { name: 'Alt-Enter makes a new line', keys: ['a', `${esc}\r`, 'b', '\r'], text: 'a\nb' },
    { name: 'Shift-Enter makes one where the terminal tells it', keys: ['a', `${esc}[13;2u`, 'b', '\r'], text: 'a\nb' },
    { name: 'a backslash at the end makes a new line', keys: ['a\\', '\r', 'b', '\r'], text: 'a\nb' },
    { name: 'two backslashes are two', keys: ['a\\\\', '\r'], text: 'a\\\\' },
    { name: 'a paste is one message', keys: [pasted('one\rtwo\rthree\r'), '\r'], text: 'one\ntwo\nthree\n' },
    { name: 'a paste goes where the cursor is', keys: ['a ', pasted('b\rc'), ' d', '\r'], text: 'a b\nc d' },
    { name: 'a line that comes with the next one is sent', keys: ['one\rtwo'], text: 'one' },
    { name: 'what is pasted is what is sent', keys: [pasted(`a${esc}[2Jb\u0003`), '\r'], text: `a${esc}[2Jb\u0003` },
    { name: 'Backspace takes a character back', keys: ['abc', backspace, 'd', '\r'], text: 'abd' },
    { name: 'one of several code points', keys: ['a👩\u200d👧e\u0301', backspace, backspace, '\r'], text: 'a' },
    { name: 'Ctrl-W takes back to a blank', keys: ['a bc-d', '\u0017', 'e', '\r'], text: 'a e' },
    { name: 'Ctrl-Y puts it back', keys: ['a bc', '\u0017', 'd ', '\u0019', '\r'], text: 'a d bc' },
    { name: '5,000 bytes are one text', keys: ['x'.repeat(5000), '\r'], text: 'x'.repeat(5000) },
    { name: 'nothing', keys: ['\r'], text: '' },
  ])('$name', async ({ keys, text }) => {
    const { read, press } = await open();
    const typed = read();
    await press(...keys);
    expect(await typed).toEqual({ kind: 'entered', text });
  });

  test('where the terminal marks no pastes, lines that come together are one message', async () => {
    const { read, press } = await open({ term: 'linux' });
    const typed = read();
    await press('one\rtwo\rthree', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'one\ntwo\nthree' });
  });

  test.each([
    { name: 'Ctrl-D on an empty line', keys: ['\u0004'] },
    { name: 'Ctrl-C twice on an empty line', keys: ['\u0003', '\u0003'] },
    { name: 'Ctrl-C, which clears, and then twice', keys: ['a', '\u0003', '\u0003', '\u0003'] },
  ])('$name leaves', async ({ keys }) => {
    const { read, press } = await open();
    const typed = read();
    await press(...keys);
    expect(await typed).toEqual({ kind: 'left' });
  });

  test('Ctrl-C with another key between is not twice', async () => {
    const { read, press } = await open();
    const typed = read();
    await press('\u0003', 'b', backspace, '\u0003', 'c', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'c' });
  });

  test('a terminal that has gone is left', async () => {
    const { read, press, hangUp } = await open();
    const typed = read();
    await press('half a tex');
    await hangUp();
    expect(await typed).toEqual({ kind: 'left' });
  });

  test('a signal ends it with its reason', async () => {
    const { read, press, world } = await open();
    const typed = read();
    await press('half');
    world.interrupt('SIGTERM');
    await expect(typed).rejects.toThrow(Interrupted);
  });

  test('Up and Down go through what was typed before, and back to what was being written', async () => {
    const { read, press } = await open({ before: ['first', 'second'] });
    const typed = read();
    await press('draft', up, up, up, down, down, down, '!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'draft!' });
  });

  test('Ctrl-C clears, and keeps the text for Up', async () => {
    const { read, press, history } = await open();
    const typed = read();
    await press('a\n', '\n', 'thought', '\u0003', up, '!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'a\n\nthought!' });
    expect(history.entries).toEqual(['a\n\nthought']);
  });

  test('a text that is to be edited is there, and can be', async () => {
    const { read, press } = await open();
    const typed = read('old\r\ntext');
    await press(backspace, '!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'old\ntex!' });
  });

  test('Ctrl-O: the text comes back from a program, without the line break at its end', async () => {
    const editElsewhere = async (text: string): Promise<string> => `${text}, edited\r\ntwice\n`;
    const { read, press, world } = await open({ tools: { editElsewhere } });
    const typed = read();
    await press('draft', '\u000f', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'draft, edited\ntwice' });
    expect(world.modes.slice(0, 3)).toEqual(['raw', 'cooked', 'raw']);
  });

  test('Ctrl-O: a program that cannot be run loses nothing', async () => {
    const editElsewhere = () => Promise.reject(new MotifError('usage', 'no editor', { hint: 'set EDITOR' }));
    const { read, press } = await open({ tools: { editElsewhere } });
    const typed = read();
    await press('draft', '\u000f', '!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'draft!' });
  });

  test('Ctrl-Z stops, and what was typed is gone on with', async () => {
    const { read, press, world } = await open();
    const typed = read();
    await press('a\nb', '\u001a', '!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'a\nb!' });
    expect(world.suspensions).toBe(1);
  });

  test('Ctrl-C stops what is being done alone; what is typed meanwhile waits', async () => {
    const { read, press, editor } = await open();
    const work = editor.whileWorking(
      async (signal) => await new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
    );
    await press('next', '\u0003');
    expect(await work).toBe('stopped');
    const typed = read();
    await press('\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'next' });
  });
});
