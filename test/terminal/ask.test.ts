import { describe, expect, test } from 'vitest';
import { Interrupted, type SignalName } from '../../src/errors.ts';
import { askHidden, askLine, confirm } from '../../src/terminal/ask.ts';
import { type FakeWorld, fakeWorld } from '../support/world.ts';

/** A terminal at which these chunks are typed; stdin stays open behind them unless `ends` is given. */
function atTerminal(typed: readonly string[], { ends = false } = {}): FakeWorld {
  return fakeWorld({ stdin: { typed: ends ? typed : withoutEnd(typed) }, stderr: { columns: 80 } });
}

async function* withoutEnd(typed: readonly string[]): AsyncGenerator<string> {
  yield* typed;
  await new Promise(() => {});
}

describe('askLine', () => {
  test.each([
    { name: 'a line', typed: ['motif.example\n'], answer: 'motif.example' },
    { name: 'a line in pieces', typed: ['mo', 'tif', '\n'], answer: 'motif' },
    { name: 'a character in pieces is decoded whole', typed: ['h\u00e9llo 😀\n'], answer: 'h\u00e9llo 😀' },
    { name: 'blanks around it', typed: ['  motif \r\n'], answer: 'motif' },
    { name: 'paste markers', typed: ['\u001b[200~motif\u001b[201~\n'], answer: 'motif' },
    { name: 'nothing', typed: ['\n'], answer: '' },
    { name: 'a last line without its end', typed: ['motif'], answer: 'motif' },
  ])('takes $name', async ({ typed, answer }) => {
    expect(await askLine(atTerminal(typed, { ends: true }), 'Name')).toBe(answer);
  });

  test.each([
    { question: 'Name', shown: 'Name: ' },
    { question: 'Which one?', shown: 'Which one? ' },
    {
      question: 'Profile support-bot exists (https://gw.example/api/v1/apps/support-bot). Change it? [Y/n]',
      shown: 'Profile support-bot exists (https://gw.example/api/v1/apps/support-bot). Change\n  it? [Y/n] ',
    },
    { question: 'Replace \u001b[2J', shown: 'Replace \\u{1b}[2J: ' },
  ])('asks "$shown" on stderr', async ({ question, shown }) => {
    const world = atTerminal(['x\n']);
    await askLine(world, question);
    expect(world).toMatchObject({ stderr: { text: shown }, stdout: { text: '' } });
  });

  test('the end of stdin is a usage error', async () => {
    const asked = askLine(atTerminal([], { ends: true }), 'Name');
    await expect(asked).rejects.toMatchObject({ kind: 'usage', message: 'no answer was given' });
  });

  test('a line without an end is a usage error', async () => {
    const asked = askLine(atTerminal(Array.from({ length: 70 }, () => 'x'.repeat(1000))), 'Name');
    await expect(asked).rejects.toMatchObject({ kind: 'usage', message: 'the answer is longer than 64 KiB' });
  });

  test('two questions in a row get two answers', async () => {
    const world = atTerminal(['first\n', 'second\n']);
    expect([await askLine(world, 'One'), await askLine(world, 'Two')]).toEqual(['first', 'second']);
  });
});

describe('confirm', () => {
  test.each([
    { typed: ['y\n'], defaultAnswer: false, answer: true },
    { typed: ['YES\n'], defaultAnswer: false, answer: true },
    { typed: ['n\n'], defaultAnswer: true, answer: false },
    { typed: ['No\n'], defaultAnswer: true, answer: false },
    { typed: ['\n'], defaultAnswer: true, answer: true },
    { typed: ['\n'], defaultAnswer: false, answer: false },
    { typed: ['perhaps\n', 'yes please\n', 'y\n'], defaultAnswer: false, answer: true },
  ])('$typed with the default $defaultAnswer is $answer', async ({ typed, defaultAnswer, answer }) => {
    const world = atTerminal(typed);
    expect(await confirm(world, 'Replace it?', defaultAnswer)).toBe(answer);
    const question = `Replace it? ${defaultAnswer ? '[Y/n]' : '[y/N]'} `;
    const told = `y or n; Enter means ${defaultAnswer ? 'yes' : 'no'}\n`;
    expect(world.stderr.text).toBe(question + `${told}${question}`.repeat(typed.length - 1));
  });

  test('the end of stdin is no consent', async () => {
    await expect(confirm(atTerminal([], { ends: true }), 'Replace it?', true)).rejects.toMatchObject({ kind: 'usage' });
  });
});

describe('askHidden', () => {
  test('shows the question and nothing of what is typed', async () => {
    const world = atTerminal(['s3cr', 'et\r']);
    const secret = await askHidden(world, 'Token (not shown)');
    expect(secret.reveal()).toBe('s3cret');
    expect(world.stderr.text).toBe('Token (not shown): \n');
    expect(world.modes).toEqual(['raw', 'cooked']);
  });

  test.each([
    { name: 'Ctrl-C', typed: ['abc\u0003'], reason: { name: 'Interrupted', signal: 'SIGINT' } },
    { name: 'Ctrl-D', typed: ['\u0004'], reason: { kind: 'usage', message: 'no token given' } },
    { name: 'the end of stdin', typed: ['abc'], reason: { kind: 'usage', message: 'no token given' } },
  ])('after $name the terminal is put back', async ({ typed, reason }) => {
    const world = atTerminal(typed, { ends: true });
    await expect(askHidden(world, 'Token')).rejects.toMatchObject(reason);
    expect(world.modes).toEqual(['raw', 'cooked']);
    expect(world.stderr.text).toBe('Token: \n');
  });

  test.each<SignalName>(['SIGINT', 'SIGTERM', 'SIGHUP'])('after %s the terminal is put back', async (signal) => {
    const world = atTerminal(['abc']);
    const asked = askHidden(world, 'Token');
    await new Promise(setImmediate);
    expect(world.modes).toEqual(['raw']);
    world.interrupt(signal);
    await expect(asked).rejects.toEqual(new Interrupted(signal));
    expect(world.modes).toEqual(['raw', 'cooked']);
  });

  test('after an error of stdin the terminal is put back', async () => {
    const broken = async function* (): AsyncGenerator<string> {
      yield 'a';
      throw new Error('EIO');
    };
    const world = fakeWorld({ stdin: { typed: broken() } });
    await expect(askHidden(world, 'Token')).rejects.toThrow('EIO');
    expect(world.modes).toEqual(['raw', 'cooked']);
  });
});
