import { describe, expect, test } from 'vitest';
import { Interrupted } from '../../src/errors.ts';
import { openKeyboard } from '../../src/terminal/keyboard.ts';
import { createTyping } from '../support/terminals/typing.ts';
import { fakeWorld } from '../support/world.ts';

const esc = '\u001b';
const on = `${esc}[?2004h`;
const off = `${esc}[?2004l`;

function open(sleeps: { sleeps?: 'held' } = {}) {
  const typing = createTyping();
  const world = fakeWorld({ stdin: { typed: typing.typed }, stderr: { columns: 80 }, ...sleeps });
  const keyboard = openKeyboard(world, world.stderr);
  return { typing, world, keyboard };
}

const text = (typed: string) => ({ kind: 'text', text: typed });
const press = (name: string) => ({ kind: 'press', name });

describe('the terminal is put back', () => {
  test('raw mode and paste markers are on until it is closed, and the world knows how to undo them', async () => {
    const { world, keyboard } = open();
    expect({ modes: world.modes, shown: world.stderr.text, undo: world.stderr.undo }).toEqual({
      modes: ['raw'],
      shown: on,
      undo: off,
    });
    keyboard.close();
    await new Promise(setImmediate);
    expect({ modes: world.modes, shown: world.stderr.text, undo: world.stderr.undo }).toEqual({
      modes: ['raw', 'cooked'],
      shown: on + off,
      undo: '',
    });
    expect(await keyboard.read()).toBeUndefined();
  });

  test('somebody else gets it as the shell had it, and the keys typed meanwhile', async () => {
    const { typing, world, keyboard } = open();
    const taken = await keyboard.lending(async () => {
      expect(world.modes).toEqual(['raw', 'cooked']);
      await typing.press(':q');
      for await (const chunk of world.stdin.chunks()) return Buffer.from(chunk).toString();
      return '';
    });
    expect({ taken, modes: world.modes, undo: world.stderr.undo }).toEqual({
      taken: ':q',
      modes: ['raw', 'cooked', 'raw'],
      undo: off,
    });
    await typing.press('a');
    expect(await keyboard.read()).toEqual(text('a'));
  });

  test('it is ours again also when what it was lent for failed', async () => {
    const { typing, world, keyboard } = open();
    await expect(keyboard.lending(() => Promise.reject(new Error('no editor')))).rejects.toThrow('no editor');
    expect(world.modes.at(-1)).toBe('raw');
    await typing.press('a');
    expect(await keyboard.read()).toEqual(text('a'));
  });

  test('Ctrl-Z gives it back for as long as the shell has it', async () => {
    const { world, keyboard } = open();
    await keyboard.suspend();
    expect({ modes: world.modes, suspensions: world.suspensions }).toEqual({
      modes: ['raw', 'cooked', 'raw'],
      suspensions: 1,
    });
  });

  test('continued without having been asked, it takes the mode again and says so', async () => {
    const { world, keyboard } = open();
    let returns = 0;
    keyboard.onReturn(() => (returns += 1));
    world.continueUs();
    expect({ modes: world.modes, returns }).toEqual({ modes: ['raw', 'cooked', 'raw'], returns: 1 });
    keyboard.close();
  });
});

describe('keys', () => {
  test('come one by one, however many a read brings', async () => {
    const { typing, keyboard } = open();
    await typing.press(`a${esc}[Db`);
    expect([await keyboard.read(), await keyboard.read(), await keyboard.read()]).toEqual([
      text('a'),
      press('left'),
      text('b'),
    ]);
  });

  test('a sequence may come in pieces; an escape character alone is the key after a moment', async () => {
    const { typing, world, keyboard } = open({ sleeps: 'held' });
    const first = keyboard.read();
    await typing.press(esc, '[', 'A');
    expect(await first).toEqual(press('up'));
    const second = keyboard.read();
    await typing.press(esc);
    await world.advance(50);
    expect(await second).toEqual(press('escape'));
  });

  test('a terminal that has gone ends them', async () => {
    const { typing, keyboard } = open();
    await typing.press('a');
    await typing.hangUp();
    expect([await keyboard.read(), await keyboard.read()]).toEqual([text('a'), undefined]);
  });

  test('a signal ends the wait with its reason', async () => {
    const { world, keyboard } = open();
    const key = keyboard.read();
    world.interrupt('SIGTERM');
    await expect(key).rejects.toThrow(Interrupted);
  });

  test('SIGINT of somebody else is Ctrl-C', async () => {
    const { world, keyboard } = open();
    const key = keyboard.read();
    world.interrupt('SIGINT');
    expect(await key).toEqual(press('ctrl-c'));
  });

  test('Ctrl-C gets out of a paste that has stalled, and is part of one that has not', async () => {
    const { typing, world, keyboard } = open({ sleeps: 'held' });
    const key = keyboard.read();
    await typing.press(`${esc}[200~ab`, '\u0003', 'c');
    await world.advance(1000);
    await typing.press('\u0003');
    expect(await key).toEqual({ kind: 'paste', text: 'ab\u0003c', isTooLong: false });
  });
});

describe('while something is being done', () => {
  test('Ctrl-C stops it alone, and everything else is kept for the next read', async () => {
    const { typing, keyboard } = open();
    const work = keyboard.whileWorking(async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 'stopped';
    });
    await typing.press('next', '\u0003', '\r');
    expect(await work).toBe('stopped');
    expect([await keyboard.read(), await keyboard.read()]).toEqual([text('next'), press('enter')]);
  });

  test('Ctrl-Z goes to the shell at once, and the work goes on afterwards', async () => {
    const { world, typing, keyboard } = open();
    let end = (_result: string): void => {};
    const work = keyboard.whileWorking(() => new Promise<string>((resolve) => (end = resolve)));
    await typing.press('a', '\u001a', 'b');
    expect({ modes: world.modes, suspensions: world.suspensions }).toEqual({
      modes: ['raw', 'cooked', 'raw'],
      suspensions: 1,
    });
    end('done');
    expect(await work).toBe('done');
    expect([await keyboard.read(), await keyboard.read()]).toEqual([text('a'), text('b')]);
  });

  test('Ctrl-C that came in one read with Enter stops it, too', async () => {
    const { typing, keyboard } = open();
    await typing.press('go\r\u0003next');
    expect([await keyboard.read(), await keyboard.read()]).toEqual([text('go'), press('enter')]);
    const work = keyboard.whileWorking(async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 'stopped';
    });
    expect(await work).toBe('stopped');
    expect(await keyboard.read()).toEqual(text('next'));
  });

  test('SIGINT stops it as well', async () => {
    const { world, keyboard } = open();
    const work = keyboard.whileWorking(
      async (signal) => await new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
    );
    world.interrupt('SIGINT');
    expect(await work).toBe('stopped');
    expect(world.interrupted.aborted).toBe(false);
  });

  test('what it ends with is what counts: a result, a failure, also when a signal ends all', async () => {
    const { world, keyboard } = open();
    expect(await keyboard.whileWorking(async () => 7)).toBe(7);
    await expect(keyboard.whileWorking(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    const last = keyboard.whileWorking(() => world.sleep(1e9).then(() => 'slept'));
    world.interrupt('SIGTERM');
    await expect(last).rejects.toThrow(Interrupted);
  });

  test('Ctrl-C afterwards is a key again', async () => {
    const { typing, keyboard } = open();
    await keyboard.whileWorking(async () => {});
    await typing.press('\u0003');
    expect(await keyboard.read()).toEqual(press('ctrl-c'));
  });
});
