import { describe, expect, test } from 'vitest';
import type { DraftCompletion } from '../../../src/chat/editor/completing.ts';
import { Interrupted, MotifError } from '../../../src/errors.ts';
import { atTerminal } from '../../support/terminals/editor.ts';

const esc = '\u001b';
const [up, down, left] = [`${esc}[A`, `${esc}[B`, `${esc}[D`];
const pasted = (text: string): string => `${esc}[200~${text}${esc}[201~`;

describe('what is entered', () => {
  test.each([
    ['Enter sends from anywhere in the text', ['hello', left, '\r'], 'hello'],
    ['a backslash in the middle is one', ['a\\b', left, '\r'], 'a\\b'],
  ])('%s', async (_, keys, text) => {
    const { read, press } = await atTerminal();
    const typed = read();
    await press(...keys);
    expect(await typed).toEqual({ kind: 'entered', text });
  });

  test('a text that is to be edited is there to be edited', async () => {
    const { read, press, seen } = await atTerminal();
    const typed = read('old\r\ntext');
    await press();
    await new Promise(setImmediate);
    expect(seen()).toEqual(['> old', '  text']);
    await press('!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'old\ntext!' });
  });

  test('what was cut from one text can be put into the next', async () => {
    const { read, press } = await atTerminal();
    const first = read();
    await press('a thing', '\u0017', '\r');
    await first;
    const second = read();
    await press('\u0019', '\r');
    expect(await second).toEqual({ kind: 'entered', text: 'thing' });
  });

  test('200 lines pasted are shown in part, sent whole, and said to be more than is seen', async () => {
    const { read, press, seen, terminal } = await atTerminal({ size: { columns: 40, rows: 6 } });
    const text = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n');
    const typed = read();
    await press(pasted(text.replaceAll('\n', '\r')));
    expect(seen()).toEqual(['  line 194', '  line 195', '  line 196', '  line 197', '  line 198', '  line 199']);
    await press('\r');
    expect(await typed).toEqual({ kind: 'entered', text });
    expect(seen()).toEqual(['  line 1', '  line 2', '  line 3', '  line 4', '… 200 lines, 1689 bytes in all']);
    expect(terminal.scrolledAway).toEqual(['> line 0']);
  });

  test('a paste of more than may be sent is refused, and what was there stays', async () => {
    const { read, press, seen } = await atTerminal();
    const typed = read();
    await press('a', pasted('x'.repeat(17 * 1024 * 1024)));
    expect(seen()).toEqual(['> a', 'no more fits: 16 MiB is the most that …']);
    await press('\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'a' });
  });
});

describe('leaving', () => {
  test('Ctrl-C clears, keeps the text for Up, and says so; with another key between, twice is not twice', async () => {
    const { read, press, seen, history } = await atTerminal();
    const typed = read();
    await press('a thought', '\u0003');
    expect(seen()).toEqual(['>', 'cleared; Up brings it back']);
    await press('\u0003');
    expect(seen()).toEqual(['>', 'Ctrl-C again leaves, and so does Ctrl-D']);
    await press(up, '!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'a thought!' });
    expect(history.entries).toEqual(['a thought']);
  });

  test('Ctrl-D in a text takes the character under the cursor', async () => {
    const { read, press } = await atTerminal();
    const typed = read();
    await press('ab', left, '\u0004', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'a' });
  });

  test('a signal ends it with its reason, on a line of its own', async () => {
    const { read, press, world, seen, terminal } = await atTerminal();
    const typed = read();
    await press('half');
    world.interrupt('SIGTERM');
    await expect(typed).rejects.toThrow(Interrupted);
    expect(seen()).toEqual(['> half']);
    expect(terminal.cursor).toEqual({ row: 1, column: 0 });
  });
});

describe('what was typed before', () => {
  const before = ['first', 'second\nwith two lines', 'third'];

  test('Up and Down go through it, over the lines of a text first, and back to what was being written', async () => {
    const { read, press, seen } = await atTerminal({ before });
    const typed = read();
    await press('draft', up);
    expect(seen()).toEqual(['> third']);
    await press(up, up, up);
    expect(seen()).toEqual(['> first']);
    await press(up, down, down);
    expect(seen()).toEqual(['> third']);
    await press(down, '!', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'draft!' });
  });

  test('what is changed on the way stays changed, and the entry itself does not', async () => {
    const { read, press, seen, history } = await atTerminal({ before });
    const typed = read();
    await press(up, '?', up, down);
    expect(seen()).toEqual(['> third?']);
    await press('\r');
    await typed;
    expect(history.entries).toEqual(before);
  });

  test('what is changed on the way and back again is the entry once more', async () => {
    const { read, press, seen, hangUp } = await atTerminal({ before });
    const typed = read();
    await press(up, '?', up, down, '\u007f', up, down);
    expect(seen()).toEqual(['> third']);
    await hangUp();
    await typed;
  });

  test.each([
    ['Ctrl-R finds the newest', ['\u0012', 'i'], ['> third', 'typed before: i']],
    ['again, an older one', ['\u0012', 'i', '\u0012'], ['> second', '  with two lines', 'typed before: i']],
    ['Ctrl-S, a newer one', ['\u0012', 'i', '\u0012', '\u0013'], ['> third', 'typed before: i']],
    ['no such text', ['\u0012', 'ix'], ['>', 'nothing else was typed with: ix']],
    ['a character less', ['\u0012', 'ix', '\u007f'], ['> third', 'typed before: i']],
    ['Escape takes it', ['\u0012', 'fi', `${esc}`], ['> first']],
    ['Ctrl-G gives it up', ['\u0012', 'fi', '\u0007'], ['>']],
    ['another key takes it and is obeyed', ['\u0012', 'fi', '\u0005', '!'], ['> first!']],
  ])('%s', async (_, keys, rows) => {
    const { read, press, seen, hangUp } = await atTerminal({ before });
    const typed = read();
    await press(...keys);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(seen()).toEqual(rows);
    await hangUp();
    await typed;
  });

  test('Enter takes what was found; only a second one sends it', async () => {
    const { read, press } = await atTerminal({ before });
    const typed = read();
    await press('\u0012', 'fir', '\r');
    await press(' more', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'first more' });
  });
});

describe('completion', () => {
  const candidates = [{ text: '/system', note: 'the system message' }, { text: '/save' }];
  const complete = async (text: string): Promise<DraftCompletion> => ({
    start: 0,
    candidates: candidates.filter((each) => each.text.startsWith(text)),
  });

  test('the only one is put in, with a blank', async () => {
    const { read, press } = await atTerminal({ tools: { complete } });
    const typed = read();
    await press('/sy', '\t', '\r');
    expect(await typed).toEqual({ kind: 'entered', text: '/system ' });
  });

  test('of several, what they share is put in, and they are shown until the next key', async () => {
    const { read, press, seen, hangUp } = await atTerminal({ tools: { complete } });
    const typed = read();
    await press('/', '\t');
    expect(seen()).toEqual(['> /s', '/system  the system message', '/save']);
    await press('a');
    expect(seen()).toEqual(['> /sa']);
    await hangUp();
    await typed;
  });

  test.each([
    ['one that fails is told of', () => Promise.reject(new Error('EACCES')), ['> /x', 'EACCES']],
    ['one that never comes is given up with Ctrl-C', () => new Promise<DraftCompletion>(() => {}), ['> /x']],
  ])('%s, and the text stays', async (_, failing, rows) => {
    const { read, press, seen, hangUp } = await atTerminal({ tools: { complete: failing } });
    const typed = read();
    await press('/x', '\t');
    if (rows.length === 1) await press('\u0003');
    expect(seen()).toEqual(rows);
    await hangUp();
    await typed;
  });
});

describe('the terminal of somebody else', () => {
  test('Ctrl-O: the text comes back from an editor, without the line break at its end', async () => {
    const editElsewhere = async (text: string): Promise<string> => `${text}, edited\r\ntwice\n`;
    const { read, press, world, seen } = await atTerminal({ tools: { editElsewhere } });
    const typed = read();
    await press('draft', '\u000f');
    expect(seen()).toEqual(['> draft, edited', '  twice']);
    expect(world.modes).toEqual(['raw', 'cooked', 'raw']);
    await press('\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'draft, edited\ntwice' });
  });

  test('Ctrl-O: an editor that cannot be run loses nothing', async () => {
    const editElsewhere = () => Promise.reject(new MotifError('usage', 'no editor', { hint: 'set EDITOR' }));
    const { read, press, seen } = await atTerminal({ tools: { editElsewhere } });
    const typed = read();
    await press('draft', '\u000f');
    expect(seen()).toEqual(['> draft', 'no editor', 'set EDITOR']);
    await press('\r');
    expect(await typed).toEqual({ kind: 'entered', text: 'draft' });
  });

  test('Ctrl-Z stops, and fg draws the text again on a line of its own', async () => {
    const { read, press, world, seen, hangUp } = await atTerminal();
    const typed = read();
    await press('draft', '\u001a');
    expect({ rows: seen(), suspensions: world.suspensions }).toEqual({ rows: ['> draft', '> draft'], suspensions: 1 });
    await hangUp();
    await typed;
  });

  test('Ctrl-L starts at the top of an empty screen', async () => {
    const { read, press, seen, hangUp } = await atTerminal();
    const typed = read();
    await press('\u0003', 'draft', '\u000c');
    expect(seen()).toEqual(['> draft']);
    await hangUp();
    await typed;
  });

  test('another size: the text is drawn for it at once', async () => {
    const { read, press, world, seen, terminal, hangUp } = await atTerminal({ size: { columns: 40 } });
    const typed = read();
    await press('a text that is not short');
    seen();
    terminal.resize(12, 24, true);
    world.stderr.resize(12, 24);
    await press();
    expect(seen()).toEqual(['> a text th', '  at is not', '   short']);
    await hangUp();
    await typed;
  });
});
