import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayFileSource } from '../../../../src/commands/gateway/source.ts';
import { watchFiles } from '../../../../src/commands/gateway/serve/watch.ts';
import { fakeWorld } from '../../../support/world.ts';

/** A watch over a gateway file and its documents; counts what it calls a change. */
async function watching({
  before = (_at: (name: string) => string): void => undefined,
  reloaded = (_count: number, _at: (name: string) => string): unknown => undefined,
} = {}) {
  const world = fakeWorld();
  const at = (name: string) => join(world.folder, name);
  mkdirSync(at('docs'));
  writeFileSync(at('gateway.yaml'), 'one');
  writeFileSync(at('docs/a.md'), '# A\n');
  const source = gatewayFileSource(at('gateway.yaml'), world, { isWatched: true });
  await source.readText();
  await source.readDocuments('docs/*.md');
  before(at);
  const controller = new AbortController();
  let changes = 0;
  const watch = watchFiles(source, world, {
    async changed() {
      changes += 1;
      const isRead = await source.readText().then(
        () => true,
        () => false,
      );
      await source.readDocuments('docs/*.md').catch(() => undefined);
      if (isRead) source.forgetOthers();
      reloaded(changes, at);
    },
    signal: controller.signal,
  });
  onTestFinished(async () => {
    controller.abort();
    await watch;
  });
  await rounds();
  /** Enough for a change to be seen and to settle, in patterns too. */
  async function rounds(): Promise<void> {
    const before = world.slept.length;
    await expect.poll(() => world.slept.length).toBeGreaterThan(before + 25);
  }
  return { at, rounds, changes: () => changes, source };
}

/** A watch that begins some time after the files were read, as it does after every start and reload. */
test.each([
  { name: 'the gateway file', change: (at: (name: string) => string) => writeFileSync(at('gateway.yaml'), 'later') },
  { name: 'a document', change: (at: (name: string) => string) => writeFileSync(at('docs/a.md'), '# Later\n') },
  { name: 'a new document', change: (at: (name: string) => string) => writeFileSync(at('docs/b.md'), '# B\n') },
  { name: 'a lost document', change: (at: (name: string) => string) => unlinkSync(at('docs/a.md')) },
])('$name that changes between its reading and the first look is a change', async ({ change }) => {
  const { at, rounds, changes } = await watching({ before: change });
  expect(changes()).toBe(1);
  await rounds();
  expect(changes()).toBe(1);
  writeFileSync(at('gateway.yaml'), 'at last');
  await rounds();
  expect(changes()).toBe(2);
});

/** A file that the gateway was not allowed to read is mended by such a change alone. */
test.each([
  { name: 'its mode', change: (path: string) => chmodSync(path, 0o640) },
  ...(process.getuid?.() === 0 ? [{ name: 'its owner', change: (path: string) => chownSync(path, 1, 1) }] : []),
])('$name is a change of a file', async ({ change }) => {
  const { at, rounds, changes } = await watching();
  for (const [before, name] of ['gateway.yaml', 'docs/a.md'].entries()) {
    change(at(name));
    await rounds();
    expect(changes()).toBe(before + 1);
  }
});

test('a change that was read already, because a token was not known before, is no other change', async () => {
  const { at, rounds, changes, source } = await watching();
  writeFileSync(at('gateway.yaml'), 'with a new token');
  await source.readText();
  await rounds();
  expect(changes()).toBe(0);
  writeFileSync(at('gateway.yaml'), 'with another');
  await rounds();
  expect(changes()).toBe(1);
});

test('a document that comes and goes is a change each time, however the reload was asked for', async () => {
  const { at, rounds, changes, source } = await watching();
  writeFileSync(at('docs/b.md'), '# B\n');
  await source.readDocuments('docs/*.md');
  await rounds();
  expect(changes()).toBe(0);
  unlinkSync(at('docs/b.md'));
  await rounds();
  expect(changes()).toBe(1);
  writeFileSync(at('docs/b.md'), '# B\n');
  await rounds();
  expect(changes()).toBe(2);
});

test('a document that a reload reads for the first time, and that changes at once, is another change', async () => {
  const { at, rounds, changes } = await watching({
    reloaded: (count, path) => count === 1 && writeFileSync(path('docs/b.md'), '# Changed at once\n'),
  });
  writeFileSync(at('docs/b.md'), '# B\n');
  await rounds();
  await rounds();
  expect(changes()).toBe(2);
});

test('a document that cannot be read is tried again when it changes, and not before', async () => {
  const { at, rounds, changes } = await watching();
  writeFileSync(at('docs/b.md'), Uint8Array.of(0x61, 0xff));
  await rounds();
  await rounds();
  expect(changes()).toBe(1);
  writeFileSync(at('docs/b.md'), '# B\n');
  await rounds();
  expect(changes()).toBe(2);
});

test.each([
  { name: 'is written anew', change: (at: (name: string) => string) => writeFileSync(at('gateway.yaml'), 'another') },
  {
    name: 'is replaced by a rename',
    change(at: (name: string) => string) {
      writeFileSync(at('new'), 'two');
      renameSync(at('new'), at('gateway.yaml'));
    },
  },
  { name: 'is taken away', change: (at: (name: string) => string) => unlinkSync(at('gateway.yaml')) },
  {
    name: 'becomes a link to another',
    change(at: (name: string) => string) {
      writeFileSync(at('other.yaml'), 'two');
      unlinkSync(at('gateway.yaml'));
      symlinkSync(at('other.yaml'), at('gateway.yaml'));
    },
  },
  {
    name: 'names a document that changes',
    change: (at: (name: string) => string) => writeFileSync(at('docs/a.md'), '# Other\n'),
  },
  { name: 'gets one more document', change: (at: (name: string) => string) => writeFileSync(at('docs/b.md'), '# B\n') },
  { name: 'loses a document', change: (at: (name: string) => string) => unlinkSync(at('docs/a.md')) },
  {
    name: 'names a document that is renamed',
    change: (at: (name: string) => string) => renameSync(at('docs/a.md'), at('docs/b.md')),
  },
])('a gateway file that $name is one change, and then there is quiet', async ({ change }) => {
  const { at, rounds, changes } = await watching();
  expect(changes()).toBe(0);
  change(at);
  await rounds();
  expect(changes()).toBe(1);
  await rounds();
  expect(changes()).toBe(1);
});

test('names of documents that are gone are looked at no more, and those that come back are a change', async () => {
  const { at, rounds, changes, source } = await watching();
  for (const [count, name] of ['docs/b.md', 'docs/c.md', 'docs/a.md', 'docs/b.md'].entries()) {
    renameSync(at(['docs/a.md', 'docs/b.md', 'docs/c.md', 'docs/a.md'][count]!), at(name));
    await rounds();
    expect(changes()).toBe(count + 1);
  }
  expect([...source.seen.files.keys()].sort()).toEqual([at('docs/b.md'), at('gateway.yaml')].sort());
  expect([...source.looks.keys()].sort()).toEqual([at('docs/*.md'), at('docs/b.md'), at('gateway.yaml')].sort());
});
