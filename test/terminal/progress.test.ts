import { describe, expect, test } from 'vitest';
import { createProgress, type ProgressOptions } from '../../src/terminal/progress.ts';
import { type FakeWorld, fakeWorld } from '../support/world.ts';

const utf8 = { LANG: 'en_US.UTF-8', TERM: 'xterm' };

interface Setup {
  readonly env?: Record<string, string>;
  readonly columns?: number;
  readonly options?: Partial<ProgressOptions>;
}

function onTerminal({ env = utf8, columns = 80, options = {} }: Setup = {}) {
  const world = fakeWorld({ stderr: { columns }, sleeps: 'held' });
  const progress = createProgress(world.stderr, {
    env,
    accessible: false,
    quiet: false,
    colour: false,
    monotonic: () => world.monotonic(),
    sleep: (ms, signal) => world.sleep(ms, signal),
    ...options,
  });
  return { world, progress };
}

/** Lets the spinner appear, which takes as long as loading it takes. */
async function appear(world: FakeWorld, label: string): Promise<void> {
  await world.advance(300);
  await expect.poll(() => world.stderr.text).toContain(label);
}

/** Text left on a terminal after these writes: it knows only the four sequences that a spinner needs. */
function screen(text: string): string {
  let [line, column] = ['', 0];
  const lines: string[] = [];
  for (const [part] of text.matchAll(/\u001b\[\??[\d;]*[a-zA-Z]|\n|[^\u001b\n]+/g)) {
    if (part === '\u001b[1G') column = 0;
    else if (part === '\u001b[K') line = line.slice(0, column);
    else if (part === '\n') [line, column] = [(lines.push(line), ''), 0];
    else if (!part.startsWith('\u001b')) [line, column] = [line.slice(0, column) + part, column + part.length];
    else if (!['\u001b[?2026h', '\u001b[?2026l'].includes(part)) throw new Error(`unexpected ${JSON.stringify(part)}`);
  }
  return [...lines, line].join('\n');
}

describe('a spinner', () => {
  test('appears after 300 ms, counts whole seconds, and leaves nothing behind', async () => {
    const { world, progress } = onTerminal();
    progress.start('Waiting');
    await world.advance(299);
    expect(world.stderr.text).toBe('');
    await world.advance(1);
    await expect.poll(() => world.stderr.text).toContain('Waiting');
    expect(screen(world.stderr.text)).toBe('⠋ Waiting');
    await world.advance(1800);
    expect(screen(world.stderr.text)).toMatch(/^[⠀-⣿] Waiting 2 s$/);
    await world.advance(123_000);
    expect(screen(world.stderr.text)).toMatch(/^[⠀-⣿] Waiting 2 m 5 s$/);
    progress.stop();
    expect(screen(world.stderr.text)).toBe('');
  });

  test('is not seen when the wait ends before 300 ms', async () => {
    const { world, progress } = onTerminal();
    progress.start('First');
    await world.advance(299);
    progress.stop();
    progress.start('Second');
    await appear(world, 'Second');
    expect(world.stderr.text).not.toContain('First');
    progress.stop();
  });

  test('stop may be called twice, and before start', async () => {
    const { world, progress } = onTerminal();
    progress.stop();
    progress.start('Waiting');
    await appear(world, 'Waiting');
    progress.stop();
    const { text } = world.stderr;
    progress.stop();
    await world.advance(10_000);
    expect(world.stderr.text).toBe(text);
  });

  test('a note stands above it', async () => {
    const { world, progress } = onTerminal();
    progress.start('Waiting');
    await appear(world, 'Waiting');
    await progress.note('motif: trying again in 2 s');
    await world.advance(80);
    expect(screen(world.stderr.text)).toMatch(/^motif: trying again in 2 s\n[⠀-⣿] Waiting$/);
    progress.stop();
    expect(screen(world.stderr.text)).toBe('motif: trying again in 2 s\n');
  });

  test('a note is a plain line where there is no spinner', async () => {
    const { world, progress } = onTerminal();
    await progress.note('motif: trying again in 2 s');
    expect(world.stderr.text).toBe('motif: trying again in 2 s\n');
  });

  test('never hides the cursor, so that no end can leave it hidden', async () => {
    const { world, progress } = onTerminal();
    progress.start('Waiting');
    await appear(world, 'Waiting');
    progress.stop();
    expect(world.stderr.text).not.toContain('\u001b[?25');
  });

  test('an interruption ends it, and stop wipes it', async () => {
    const { world, progress } = onTerminal();
    progress.start('Waiting');
    await appear(world, 'Waiting');
    world.interrupt();
    await world.advance(1000);
    progress.stop();
    expect(screen(world.stderr.text)).toBe('');
  });

  test('a label that does not fit is cut, not wrapped', async () => {
    const { world, progress } = onTerminal({ columns: 20 });
    progress.start('Waiting for a very long answer');
    await appear(world, 'Waiting');
    expect(screen(world.stderr.text)).toBe('⠋ Waiting for a v…');
    progress.stop();
  });

  test('is cyan where stderr has colour', async () => {
    const { world, progress } = onTerminal({ options: { colour: true } });
    progress.start('Waiting');
    await appear(world, 'Waiting');
    expect(world.stderr.text).toContain('\u001b[36m⠋\u001b[39m Waiting');
    progress.stop();
  });

  test.each([
    { name: 'no locale', env: { TERM: 'xterm' } },
    { name: 'the C locale', env: { TERM: 'xterm', LANG: 'en_US.UTF-8', LC_ALL: 'C' } },
    { name: "the kernel's console", env: { ...utf8, TERM: 'linux' } },
  ])('is ASCII with $name', async ({ env }) => {
    const { world, progress } = onTerminal({ env });
    progress.start('Waiting');
    await appear(world, 'Waiting');
    expect(screen(world.stderr.text)).toBe('- Waiting');
    progress.stop();
  });
});

describe('no spinner', () => {
  test.each([
    { name: '0 columns', setup: {}, terminal: { columns: 0 }, isSaid: true },
    { name: '1 column', setup: {}, terminal: { columns: 1 }, isSaid: true },
    { name: '19 columns', setup: {}, terminal: { columns: 19 }, isSaid: true },
    { name: 'TERM=dumb', setup: { env: { ...utf8, TERM: 'dumb' } }, terminal: {}, isSaid: true },
    { name: 'accessible', setup: { options: { accessible: true } }, terminal: {}, isSaid: true },
    { name: 'no terminal', setup: {}, terminal: { isTerminal: false }, isSaid: false },
    { name: 'CI', setup: { env: { ...utf8, CI: 'true' } }, terminal: {}, isSaid: false },
    { name: '-q', setup: { options: { quiet: true } }, terminal: {}, isSaid: false },
  ])('with $name; one plain line after 3 s: $isSaid', async ({ setup, terminal, isSaid }) => {
    const { world } = onTerminal();
    const slept: number[] = [];
    const stderr = { isTerminal: true, columns: 80, write: (text: string | Uint8Array) => world.stderr.write(text) };
    const progress = createProgress(
      { ...stderr, ...terminal },
      {
        env: utf8,
        accessible: false,
        quiet: false,
        colour: false,
        monotonic: () => world.monotonic(),
        sleep: async (ms) => void slept.push(ms),
        ...setup.options,
        ...(setup.env === undefined ? {} : { env: setup.env }),
      },
    );
    progress.start('waiting');
    await new Promise(setImmediate);
    progress.stop();
    expect({ slept, text: world.stderr.text }).toEqual(
      isSaid ? { slept: [3000], text: 'motif: waiting\n' } : { slept: [], text: '' },
    );
  });

  test.each(['', '0', 'false'])('CI=%j is no CI', async (ci) => {
    const { world, progress } = onTerminal({ env: { ...utf8, CI: ci } });
    progress.start('Waiting');
    await appear(world, 'Waiting');
    expect(screen(world.stderr.text)).toBe('⠋ Waiting');
    progress.stop();
  });
});
