import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openInputHistory } from '../../../src/chat/editor/input-history.ts';
import { createFiles } from '../../../src/world/files/files.ts';
import { FileFault } from '../../../src/world/world.ts';
import { fakeWorld } from '../../support/world.ts';

type Files = ReturnType<typeof createFiles>;

/** A file of a person's own, and chats that open it one after the other or side by side. */
function place() {
  const world = fakeWorld();
  const path = join(world.home!, '.local/state/motif/input-history.jsonl');
  const notices: string[] = [];
  const open = (files: Files = world.files) =>
    openInputHistory({ path, files, notice: (line) => void notices.push(line) });
  const holding = (content: string): void => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content);
  };
  const lines = (): string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return { world, path, notices, open, holding, lines };
}

describe('over runs', () => {
  test('what was remembered is there again, text by text, line breaks and all', async () => {
    const { open, lines } = place();
    const first = await open();
    await first.remember('one\ntwo "three" \u001b[2J');
    await first.remember('four');
    expect((await open()).entries).toEqual(['one\ntwo "three" \u001b[2J', 'four']);
    expect(lines()).toEqual([String.raw`"one\ntwo \"three\" \u001b[2J"`, '"four"']);
  });

  test('nobody else can read it', async () => {
    const { open, path } = place();
    await (await open()).remember('secret');
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(dirname(path)).mode & 0o777).toString(8)).toBe('700');
  });

  test.each([
    ['starts with a space', ' a secret'],
    ['is longer than a text that is kept', 'x'.repeat(70_000)],
  ])('a text that %s is there for Up and not in the file', async (_, text) => {
    const { open } = place();
    const history = await open();
    await history.remember('before');
    await history.remember(text);
    expect(history.entries).toEqual(['before', text]);
    expect((await open()).entries).toEqual(['before']);
  });

  test('what is only kept is not in the file, and the same text again is one entry', async () => {
    const { open } = place();
    const history = await open();
    history.keep('blocked');
    await history.remember('said');
    await history.remember('said');
    await history.remember('   ');
    expect(history.entries).toEqual(['blocked', 'said']);
    expect((await open()).entries).toEqual(['said']);
  });

  test('turned off, nothing is read and nothing is written', async () => {
    const world = fakeWorld();
    const history = await openInputHistory({
      path: undefined,
      files: createFiles(world.folder),
      notice: () => expect.unreachable(),
    });
    await history.remember('said');
    expect(history.entries).toEqual(['said']);
    expect(readdirSync(world.home!)).toEqual([]);
  });
});

describe('a file that is not as it should be', () => {
  test('torn, foreign and broken lines are passed over, and a torn end is ended before more is added', async () => {
    const { open, holding, lines } = place();
    holding('"one"\nnot JSON\n{"v":1}\n\n"two"\n"thr');
    const history = await open();
    expect(history.entries).toEqual(['one', 'two']);
    await history.remember('four');
    expect((await open()).entries).toEqual(['one', 'two', 'four']);
    expect(lines().at(-1)).toBe('"four"');
  });

  test.each([
    ['too many entries', Array.from({ length: 2100 }, (_, index) => `"entry ${index}"\n`).join(''), 1000],
    ['too many bytes', Array.from({ length: 40 }, (_, index) => `"${index}${'x'.repeat(40_000)}"\n`).join(''), 13],
  ])('%s: the newest are kept, and the file is written anew', async (_, content, count) => {
    const { open, holding, lines, path } = place();
    holding(content);
    const { entries } = await open();
    expect(lines()).toEqual(content.split('\n').slice(0, -1).slice(-count));
    expect(entries.at(-1)).toBe(JSON.parse(lines().at(-1)!));
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  });

  test('of a file that is far too large only the end is read', async () => {
    const { open, holding } = place();
    holding(`"first"\n${`"${'y'.repeat(60_000)}"\n`.repeat(60)}"last"\n`);
    const { entries } = await open();
    expect(entries.at(-1)).toBe('last');
    expect(entries).not.toContain('first');
  });

  test('a link that somebody laid is not followed: one notice, and the chat goes on', async () => {
    const { open, path, notices } = place();
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync('/dev/null', path);
    const history = await open();
    await history.remember('said');
    await history.remember('and said');
    expect(history.entries).toEqual(['said', 'and said']);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(path);
  });

  test('a full disk is one notice, and the chat goes on', async () => {
    const { open, notices } = place();
    const full: Files = {
      ...createFiles(),
      append: async (path) => {
        throw new FileFault(path, 'ENOSPC', 'the disk is full');
      },
    };
    const history = await open(full);
    await history.remember('said');
    await history.remember('and said');
    expect(history.entries).toEqual(['said', 'and said']);
    expect(notices).toEqual([expect.stringContaining('the disk is full')]);
  });
});

describe('two chats at once', () => {
  test('neither loses what the other remembers', async () => {
    const { open } = place();
    const [one, other] = [await open(), await open()];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await one.remember(`one ${index}`);
        await other.remember(`other ${index}`);
      }),
    );
    const { entries } = await open();
    expect(entries.toSorted()).toEqual(
      [0, 1]
        .flatMap((which) => Array.from({ length: 20 }, (_, index) => `${which === 0 ? 'one' : 'other'} ${index}`))
        .toSorted(),
    );
  });

  test('what one remembers while the other writes the file anew stays', async () => {
    const { open, holding, path, lines } = place();
    holding(Array.from({ length: 2100 }, (_, index) => `"entry ${index}"\n`).join(''));
    const files = createFiles();
    let isBusy = true;
    const quick = await openInputHistory({
      path,
      // At its own start it leaves the file as it is.
      files: { ...files, lock: async (file, waitMs) => (isBusy ? undefined : await files.lock(file, waitMs)) },
      notice: () => expect.unreachable(),
    });
    let remembered: Promise<unknown> | undefined;
    const real = createFiles();
    const slow: Files = {
      ...real,
      async writeAtomic(file, content) {
        isBusy = false;
        remembered = quick.remember('meanwhile');
        await new Promise((wake) => setTimeout(wake, 60));
        await real.writeAtomic(file, content);
      },
    };
    await open(slow);
    await remembered;
    expect((await open()).entries.at(-1)).toBe('meanwhile');
    expect(lines()).toHaveLength(1001);
  });

  test('a lock that nobody lets go of is waited for once, is one notice, and loses nothing', async () => {
    const { open, path, notices, world } = place();
    await (await open()).remember('before');
    const release = await createFiles().lock(path);
    const history = await open();
    await history.remember('said');
    expect(notices).toEqual([expect.stringContaining('another motif has held it for 2 s')]);
    const waited = world.slept.length;
    await history.remember('and more');
    expect({ waited: world.slept.length, notices: notices.length }).toEqual({ waited, notices: 1 });
    release?.();
    await history.remember('at last');
    expect((await open()).entries).toEqual(['before', 'said', 'and more', 'at last']);
  });
});
