import { describe, expect, test } from 'vitest';
import { motif } from '../../support/motif.ts';
import { prompt, saying, terminal } from '../../support/rooms/prompt.ts';
import { service } from '../../support/service.ts';
import type { FakeWorld } from '../../support/world.ts';

describe('words and a pipe together', () => {
  test.each([
    { name: 'one line', stdin: 'a\n', says: 'added 1 line from stdin (--no-stdin keeps it out)' },
    { name: 'a line without an end', stdin: 'a', says: 'added 1 line from stdin' },
    { name: 'twelve lines', stdin: 'a\n'.repeat(12), says: 'added 12 lines from stdin (--no-stdin keeps them out)' },
  ])('$name: said on stderr', async ({ stdin, says }) => {
    const run = await prompt(['hi'], { stdin });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Hello from the service\n', stderr: saying(`motif: ${says}`) });
  });

  test.each([
    { name: '-q', argv: ['-q', 'hi'], stdin: 'a\n' },
    { name: 'stdin alone', argv: [], stdin: 'a\n' },
    { name: 'stdin that was asked for', argv: ['hi', '-'], stdin: 'a\n' },
  ])('$name: nothing to say', async ({ argv, stdin }) => {
    expect(await prompt(argv, { stdin })).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('a dash', () => {
  test.each([
    { name: 'before -- it names stdin', argv: ['-'], text: 'piped' },
    { name: 'behind -- it is text', argv: ['--', '-'], text: '-\n\npiped' },
    { name: 'behind -- it is text, in words', argv: ['--', 'a', '-', 'b'], text: 'a - b\n\npiped' },
    { name: 'once of each kind', argv: ['-', '--', '-'], text: '-\n\npiped' },
    { name: 'behind a -- that is the value of a flag it names stdin', argv: ['-s', '--', '-'], text: 'piped' },
    { name: 'behind flags that are written together', argv: ['-us', '--', '--', '-'], text: '-\n\npiped' },
    { name: 'beside a flag that names stdin', argv: ['-f', '-', '--', '-'], text: '-\n\npiped' },
  ])('$name', async ({ argv, text }) => {
    expect(await prompt(['-q', ...argv], { stdin: 'piped\n' })).toMatchObject({ exitCode: 0, text });
  });
});

describe('what is read', () => {
  test.each([
    { name: 'a pipe', stdin: 'text', text: 'hi\n\ntext' },
    { name: 'a file', stdin: { chunks: ['text'], kind: 'file' as const }, text: 'hi\n\ntext' },
    { name: 'a pipe in many pieces', stdin: { chunks: ['te', '', 'x', 't\n'] }, text: 'hi\n\ntext' },
  ])('$name', async ({ stdin, text }) => {
    expect(await prompt(['hi'], { stdin })).toMatchObject({ exitCode: 0, text });
  });

  test('never a terminal: whoever types there types to the shell', async () => {
    const typed = {
      [Symbol.iterator]: (): Iterator<string> => {
        throw new Error('the terminal was read');
      },
    };
    expect(await prompt(['hi'], { stdin: { typed } })).toMatchObject({ exitCode: 0, text: 'hi', stderr: '' });
    expect(await prompt([], { stdin: { typed } })).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('a dash on a terminal is a usage error that says what to pipe', async () => {
    const run = await prompt(['-'], { stdin: { typed: [] } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', requests: [], stderr: saying('terminal', '|') });
  });

  test.each([
    { name: '--no-stdin', argv: ['hi', '--no-stdin'], env: {} },
    { name: 'MOTIF_NO_STDIN=1', argv: ['hi'], env: { MOTIF_NO_STDIN: '1' } },
  ])('$name: a pipe that never ends is not waited for', async ({ argv, env }) => {
    const all = { MOTIF_URL: 'https://gw.example/api/v1/apps/bot', MOTIF_TOKEN: 'token-token-token', ...env };
    expect(await prompt(argv, { env: all, stdin: { silent: true } })).toMatchObject({
      exitCode: 0,
      text: 'hi',
      stderr: '',
    });
  });
});

/** Starts motif with a clock that only the test moves. */
function startHeld(argv: readonly string[], stdin: Parameters<typeof motif>[1]) {
  let world: FakeWorld | undefined;
  const scripted = service();
  const prepare = (made: FakeWorld) => void (world = made);
  const ended = motif(['prompt', ...argv], { sleeps: 'held', ...stdin, prepare, send: scripted.send });
  return { world: world!, ended, scripted };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe('a pipe that does not speak', () => {
  test('after 3 s without a byte a notice says what is awaited, and how not to', async () => {
    const { world, ended } = startHeld(['hi'], { stdin: { silent: true } });
    await until(() => world.slept.length > 0);
    await world.advance(2999);
    expect(world.stderr.text).toBe('');
    await world.advance(1);
    await until(() => world.stderr.text !== '');
    expect(world.stderr.text).toEqual(saying('waiting for stdin', '--no-stdin'));
    world.interrupt();
    expect(await ended).toMatchObject({ signal: 'SIGINT', stdout: '' });
  });

  test('10 s after the first byte a notice says that its end is awaited', async () => {
    async function* chunks() {
      yield Buffer.from('one\ntwo\n');
      await new Promise(() => undefined);
    }
    const { world, ended } = startHeld(['hi'], { stdin: { chunks: chunks() } });
    await until(() => world.slept.includes(10_000));
    await world.advance(9999);
    expect(world.stderr.text).toBe('');
    await world.advance(1);
    await until(() => world.stderr.text !== '');
    expect(world.stderr.text).toEqual(saying('still reading stdin (2 lines so far)', 'tail -n 200'));
    world.interrupt();
    expect(await ended).toMatchObject({ signal: 'SIGINT', stdout: '' });
  });

  test('no notice where it speaks in time', async () => {
    const run = await prompt(['hi'], { stdin: { chunks: ['a'] } });
    expect(run.stderr).not.toContain('waiting');
  });

  test.each([
    { name: 'with words', argv: ['hi', '--timeout', '20s'] },
    { name: 'without', argv: ['--timeout', '20s'] },
    { name: 'named', argv: ['-f', '-', '--timeout', '20s'] },
  ])('$name: no first byte within --timeout ends with 7, nothing sent', async ({ argv }) => {
    const run = await prompt(argv, { stdin: { silent: true } });
    expect(run).toMatchObject({ exitCode: 7, stdout: '', requests: [] });
    expect(run.stderr).toEqual(saying('stdin', '20 s', 'nothing was sent', '--no-stdin', '/dev/null'));
    expect(run.world.slept.reduce((sum, ms) => sum + ms, 0)).toBe(20_000);
  });

  test('once it has spoken it is read to its end, however slow, and the deadline begins with the request', async () => {
    let wake: () => void = () => undefined;
    const quiet = new Promise<void>((resolve) => (wake = resolve));
    let isAskedForMore = false;
    const chunks = (async function* () {
      yield 'first ';
      isAskedForMore = true;
      await quiet;
      yield 'last';
    })();
    const { world, ended, scripted } = startHeld(['--timeout', '20s'], { stdin: { chunks } });
    await until(() => isAskedForMore);
    await world.advance(3_600_000);
    wake();
    expect(await ended).toMatchObject({ exitCode: 0, stdout: 'Hello from the service\n' });
    expect(scripted.requests[0]?.json).toEqual({ messages: [{ role: 'user', content: 'first last' }] });
    expect(scripted.requests[0]?.options.deadlineAt).toBe(world.monotonic() + 20_000);
  });
});

describe('a stdin that fails', () => {
  test('is a failure, not a shorter prompt', async () => {
    const chunks = (async function* () {
      yield 'half';
      await Promise.resolve();
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    })();
    const run = await prompt(['hi'], { stdin: { chunks }, stderr: terminal });
    expect(run.exitCode).not.toBe(0);
    expect(run).toMatchObject({ stdout: '', requests: [] });
  });
});
