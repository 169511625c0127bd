import { renameSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayFileSource, type GatewaySource } from '../../../../src/commands/gateway/source.ts';
import { createChangeCheck, watchFiles } from '../../../../src/commands/gateway/serve/watch.ts';
import { nextTick } from '../../../support/file-clock.ts';
import { type FakeWorld, fakeWorld } from '../../../support/world.ts';

interface Applied {
  readonly look: number;
  readonly text: string;
}

/** Looks at a gateway file and a document, 0.3 s apart; before each one the step of its number is done. */
async function watchSteps(
  steps: (at: (name: string) => string, source: GatewaySource) => Readonly<Record<number, () => void>>,
  unsettled?: (names: readonly string[]) => void,
  seeing: (files: FakeWorld['files']) => FakeWorld['files'] = (files) => files,
): Promise<readonly Applied[]> {
  const world = fakeWorld();
  const files = seeing(world.files);
  const at = (name: string) => join(world.folder, name);
  writeFileSync(at('gateway.yaml'), 'policies: old\nmotifs: old\n');
  writeFileSync(at('a.md'), '# A\n');
  const source = gatewayFileSource(at('gateway.yaml'), { files }, { isWatched: true });
  await source.readText();
  await source.readInside('a.md');
  const controller = new AbortController();
  const todo = steps(at, source);
  const applied: Applied[] = [];
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
      ...(unsettled && { unsettled }),
      signal: controller.signal,
    },
  );
  return applied;
}

test('a file that somebody is writing is not read while the gateway file is replaced, and is read once it settled', async () => {
  const read: Promise<string>[] = [];
  await watchSteps((at, source) => {
    const note = () => void read.push(source.readInside('a.md').catch((error: Error) => error.message));
    return {
      1: () => writeFileSync(at('a.md'), '# Half'),
      3: () => {
        writeFileSync(at('next.yaml'), 'policies: new\nmotifs: new\n');
        renameSync(at('next.yaml'), at('gateway.yaml'));
      },
      6: note,
      20: note,
    };
  });
  expect(await Promise.all(read)).toEqual(['is being written', '# Half']);
});

test('a reload between two looks reads no part of a file that somebody began to write, but one that was replaced', async () => {
  const read: Promise<string>[] = [];
  await watchSteps((at, source) => {
    const note = () => void read.push(source.readInside('a.md').catch((error: Error) => error.message));
    return {
      2() {
        writeFileSync(at('a.md'), '# Half');
        note();
      },
      20() {
        writeFileSync(at('new'), '# Whole');
        renameSync(at('new'), at('a.md'));
        note();
      },
    };
  });
  expect(await Promise.all(read)).toEqual(['is being written', '# Whole']);
});

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

/** As a loop does that copies a file every second or so. */
const inEachLook = (last: number, step: (look: number) => void) =>
  Object.fromEntries(Array.from({ length: last }, (_, at) => [at + 1, () => step(at + 1)]));

test('of a file that another replaces at each look the newest is read every so often', async () => {
  const applied = await watchSteps((at) =>
    inEachLook(60, (now) => {
      writeFileSync(at('next.yaml'), `motifs: ${now}\n`);
      renameSync(at('next.yaml'), at('gateway.yaml'));
      nextTick();
    }),
  );
  expect(applied.map(({ look }) => look)).toEqual([8, 16, 24, 32, 40, 48, 56]);
  expect(applied.every(({ look, text }) => text === `motifs: ${look}\n`)).toBe(true);
});

test.each([
  { name: 'at each look', every: 1, look: 10 },
  { name: 'once a second', every: 3, look: 14 },
])('a file in which the same is written again $name is read', async ({ every, look }) => {
  const applied = await watchSteps((at) =>
    inEachLook(60, (now) => {
      if (now % every === 0) writeFileSync(at('gateway.yaml'), 'motifs: new\n');
      nextTick();
    }),
  );
  expect(applied[0]).toEqual({ look, text: 'motifs: new\n' });
});

test('a file that is written on for ten seconds is told of, once, and is not read; one that waits for it is not', async () => {
  const told: (readonly string[])[] = [];
  const applied = await watchSteps(
    (at) =>
      inEachLook(60, (look) => {
        writeFileSync(at('gateway.yaml'), 'x'.repeat(look + 40));
        if (look === 5) writeFileSync(at('a.md'), '# B\n');
      }),
    (names) => told.push(names),
  );
  expect({ applied, told }).toEqual({ applied: [], told: [[expect.stringMatching(/gateway\.yaml$/)]] });
});

test('a file of the same length that is copied with the time of the one before is another one', async () => {
  const applied = await watchSteps((at) => ({
    1() {
      const { atime, mtime } = statSync(at('gateway.yaml'));
      writeFileSync(at('gateway.yaml'), 'policies: new\nmotifs: new\n');
      utimesSync(at('gateway.yaml'), atime, mtime);
    },
  }));
  expect(applied).toEqual([{ look: 9, text: 'policies: new\nmotifs: new\n' }]);
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

const put = (at: (name: string) => string, text: string) => {
  writeFileSync(at('new'), text);
  renameSync(at('new'), at('gateway.yaml'));
};

/** Most file systems give the second one the inode of the file before. */
test.each([
  {
    name: 'by a slow writer',
    replace: (at: (name: string) => string, text: string) => {
      writeFileSync(at('new'), text);
      nextTick();
      renameSync(at('new'), at('gateway.yaml'));
    },
    text: 'motifs: new\n',
  },
  { name: 'and ends as the file before', replace: put, text: '# new\npolicies: old\nmotifs: old\n' },
])('a file that is replaced twice between two looks, $name, is read soon', async ({ replace, text }) => {
  const applied = await watchSteps((at) => ({
    1() {
      put(at, 'policies: new\n');
      nextTick();
      replace(at, text);
    },
  }));
  expect(applied).toEqual([{ look: 2, text }]);
});

/** Files of a system that gives the inode of a removed file to the next one, as ext4 does and memory does not. */
function withOneInode(files: FakeWorld['files']): FakeWorld['files'] {
  const info: FakeWorld['files']['info'] = async (path) => {
    const found = await files.info(path);
    return found && { ...found, identity: '1:1' };
  };
  return new Proxy(files, { get: (all, name) => (name === 'info' ? info : all[name as keyof typeof all]) });
}

test('a word list or key that is put in the place of one with the same inode is read soon, too', async () => {
  const applied = await watchSteps(
    (at) => ({
      1() {
        writeFileSync(at('new'), 'another list\n');
        nextTick();
        renameSync(at('new'), at('a.md'));
      },
    }),
    undefined,
    withOneInode,
  );
  expect(applied).toMatchObject([{ look: 2 }]);
});

test('one that is written in place is left to settle', async () => {
  const applied = await watchSteps((at) => ({ 1: () => writeFileSync(at('a.md'), 'half a') }), undefined, withOneInode);
  expect(applied).toMatchObject([{ look: 9 }]);
});

test.each([
  {
    name: 'removed and made anew',
    begin: (at: (name: string) => string) => {
      unlinkSync(at('gateway.yaml'));
      nextTick();
    },
  },
  {
    name: 'replaced and then written in place between two looks',
    begin: (at: (name: string) => string) => {
      put(at, 'policies: new\n');
      nextTick();
    },
  },
])('a file that is $name is waited for while it is written', async ({ begin }) => {
  const lines = ['# new\n', 'policies: old\n', 'motifs: old\n'];
  const applied = await watchSteps((at) => ({
    1() {
      begin(at);
      writeFileSync(at('gateway.yaml'), lines[0]!);
    },
    6: () => writeFileSync(at('gateway.yaml'), lines.slice(0, 2).join('')),
    11: () => writeFileSync(at('gateway.yaml'), lines.join('')),
  }));
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
