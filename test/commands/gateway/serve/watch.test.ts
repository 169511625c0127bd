import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayFileSource, type GatewaySource } from '../../../../src/commands/gateway/source.ts';
import { createChangeCheck, watchFiles } from '../../../../src/commands/gateway/serve/watch.ts';
import type { World } from '../../../../src/world/world.ts';
import { fakeWorld } from '../../../support/world.ts';
import { withInodeReused } from './inode-reused.ts';

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
  const source = gatewayFileSource(at('gateway.yaml'), world);
  await source.readText();
  await source.readDocuments('docs/*.md');
  before(at);
  const controller = new AbortController();
  let changes = 0;
  const watch = watchFiles(source, world, {
    async changed() {
      changes += 1;
      await source.readText().catch(() => undefined);
      await source.readDocuments('docs/*.md').catch(() => undefined);
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

/** Looks at a gateway file and a document, 0.3 s apart; before each one the step of its number is done. */
async function watchSteps(
  steps: (at: (name: string) => string, source: GatewaySource) => Readonly<Record<number, () => void>>,
  filesOf = (files: World['files']) => files,
) {
  const world = fakeWorld();
  const files = filesOf(world.files);
  const at = (name: string) => join(world.folder, name);
  writeFileSync(at('gateway.yaml'), 'policies: old\nmotifs: old\n');
  writeFileSync(at('a.md'), '# A\n');
  const source = gatewayFileSource(at('gateway.yaml'), { files });
  await source.readText();
  await source.readInside('a.md');
  const controller = new AbortController();
  const todo = steps(at, source);
  const applied: { readonly look: number; readonly text: string }[] = [];
  let looks = 0;
  const sleep = async () => {
    looks += 1;
    todo[looks]?.();
    if (looks === 60) controller.abort();
  };
  await watchFiles(
    source,
    { files, sleep },
    {
      changed: async () => void applied.push({ look: looks, text: await source.readText().catch(() => '') }),
      signal: controller.signal,
    },
  );
  return applied;
}

test.each([
  { name: '0.5 s', pause: 2 },
  { name: '2 s', pause: 7 },
])('a writer in place who pauses for $name after each line is waited for', async ({ pause }) => {
  const lines = ['policies: new\n', 'motifs:\n', '  bot: {}\n'];
  const applied = await watchSteps((at) => ({
    1: () => writeFileSync(at('gateway.yaml'), ''),
    [1 + pause]: () => writeFileSync(at('gateway.yaml'), lines.slice(0, 1).join('')),
    [1 + 2 * pause]: () => writeFileSync(at('gateway.yaml'), lines.slice(0, 2).join('')),
    [1 + 3 * pause]: () => writeFileSync(at('gateway.yaml'), lines.join('')),
  }));
  expect(applied).toEqual([{ look: 1 + 3 * pause + 8, text: lines.join('') }]);
});

test('a document that is written without an end keeps no gateway file waiting that was put in its place', async () => {
  const applied = await watchSteps((at) => ({
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [n, () => writeFileSync(at('a.md'), 'x'.repeat(n + 9))]),
    ),
    30: () => {
      writeFileSync(at('new'), 'policies: new\n');
      renameSync(at('new'), at('gateway.yaml'));
    },
  }));
  expect(applied).toEqual([{ look: 31, text: 'policies: new\n' }]);
});

test('a document that is put in its place brings in no part of a gateway file that somebody is writing', async () => {
  const applied = await watchSteps((at) => ({
    1: () => writeFileSync(at('gateway.yaml'), 'motifs: new\n'),
    3: () => {
      writeFileSync(at('new'), '# New\n');
      renameSync(at('new'), at('a.md'));
    },
    // As long as before, and in the same tick of the file system's clock, it would be the file of before.
    7: () => writeFileSync(at('gateway.yaml'), 'motifs: new\npolicies: newer\n'),
  }));
  expect(applied).toEqual([{ look: 15, text: 'motifs: new\npolicies: newer\n' }]);
});

test('a gateway file that was away is left to settle as long as one that is written in place', async () => {
  const applied = await watchSteps((at) => ({
    1: () => unlinkSync(at('gateway.yaml')),
    10: () => writeFileSync(at('gateway.yaml'), 'motifs: new\n'),
    15: () => writeFileSync(at('gateway.yaml'), 'motifs: new\npolicies: new\n'),
  }));
  expect(applied).toEqual([
    { look: 2, text: '' },
    { look: 23, text: 'motifs: new\npolicies: new\n' },
  ]);
});

test('a file that was put in its place is read soon, though it got the inode of the one before', async () => {
  const applied = await watchSteps(
    (at) => ({
      1: () => {
        writeFileSync(at('new'), '# new\npolicies: old\nmotifs: old\n');
        renameSync(at('new'), at('gateway.yaml'));
      },
    }),
    withInodeReused,
  );
  expect(applied).toEqual([{ look: 2, text: '# new\npolicies: old\nmotifs: old\n' }]);
});

test('a file that is removed and made anew with the same inode is waited for while it is written', async () => {
  const lines = ['# new\n', 'policies: old\n', 'motifs: old\n'];
  const applied = await watchSteps(
    (at) => ({
      1: () => {
        writeFileSync(at('new'), lines[0]!);
        renameSync(at('new'), at('gateway.yaml'));
      },
      6: () => writeFileSync(at('gateway.yaml'), lines.slice(0, 2).join('')),
      11: () => writeFileSync(at('gateway.yaml'), lines.join('')),
    }),
    withInodeReused,
  );
  expect(applied).toEqual([{ look: 19, text: lines.join('') }]);
});

test('a file that is written on in place soon after a rename is waited for, also before a 401', async () => {
  const asked: Promise<boolean>[] = [];
  const applied = await watchSteps((at, source) => ({
    1: () => {
      writeFileSync(at('new'), 'policies: new\nmotifs: new\n');
      renameSync(at('new'), at('gateway.yaml'));
    },
    2: () => writeFileSync(at('gateway.yaml'), 'motifs: half\n'),
    3: () => {
      const parts = { files: fakeWorld().files, sleep: async () => undefined, now: Date.now };
      asked.push(createChangeCheck(source, parts)());
    },
    8: () => writeFileSync(at('gateway.yaml'), 'motifs: newer\npolicies: newer\n'),
  }));
  expect(applied).toEqual([{ look: 16, text: 'motifs: newer\npolicies: newer\n' }]);
  expect(await Promise.all(asked)).toEqual([false]);
});

test('a file that is written on in place is waited for, though it ends as before', async () => {
  const applied = await watchSteps((at) => ({
    1: () => writeFileSync(at('gateway.yaml'), '#\npolicies: old\nmotifs: old\n'),
    5: () => writeFileSync(at('gateway.yaml'), '# new\npolicies: old\nmotifs: old\n'),
  }));
  expect(applied).toEqual([{ look: 13, text: '# new\npolicies: old\nmotifs: old\n' }]);
});
