import * as fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeFully } from '../../src/world/files/atomic-write.ts';
import { bundleProgram } from '../support/processes/bundle.ts';
import { asNobody, isRoot, shell } from '../support/processes/child.ts';
import { fakeWorld } from '../support/world.ts';
import { modeOf, openUp } from '../support/processes/zoo.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/support/processes/world-program.ts');
});

function place() {
  const { folder, files } = fakeWorld();
  const at = (name: string) => join(folder, name);
  return {
    folder,
    files,
    at,
    read: (name: string) => fs.readFileSync(at(name), 'utf8'),
    names: () => fs.readdirSync(folder).sort(),
  };
}

test('a new file, and over an old one', async () => {
  const { files, read, names } = place();
  await files.writeAtomic('file', 'one');
  expect(read('file')).toBe('one');
  await files.writeAtomic('file', Buffer.from('zwei ä'));
  expect(read('file')).toBe('zwei ä');
  await files.writeAtomic('file', '');
  expect(read('file')).toBe('');
  expect(names()).toEqual(['file']);
});

test('over an old one, and over no other', async () => {
  const { files, read, names } = place();
  await files.writeAtomic('file', '\ufeffein ä');
  await files.writeAtomic('file', 'two', { over: 'ein ä' });
  await expect(files.writeAtomic('file', 'three', { over: 'ein ä' })).rejects.toMatchObject({
    code: 'ECHANGED',
    message: 'was changed meanwhile',
  });
  expect(read('file')).toBe('two');
  expect(names()).toEqual(['file']);
});

test('a file that is new: 0600, and neither over another one nor through a link', async () => {
  const { files, at, read, names } = place();
  await files.writeNew('new', 'one');
  expect([read('new'), modeOf(at('new'))]).toEqual(['one', 0o600]);
  fs.symlinkSync('elsewhere', at('link'));
  for (const name of ['new', 'link']) {
    await expect(files.writeNew(name, 'two')).rejects.toMatchObject({ code: 'EEXIST' });
  }
  expect(read('new')).toBe('one');
  expect(names()).toEqual(['link', 'new']);
});

test.each(['000', '022', '077', '777'])('0600 under umask %s', async (umask) => {
  const { at } = place();
  await shell(`umask ${umask}; exec "$@"`, process.execPath, program, 'save', at('file'), 'x');
  expect(modeOf(at('file'))).toBe(0o600);
});

test.each([
  ['0644 becomes 0600', 0o644, undefined, 0o600],
  ['the mode that was asked for', 0o600, 0o640, 0o640],
  ['usual keeps what is there', 0o640, 'usual', 0o640],
  ['usual keeps a closed file closed', 0o600, 'usual', 0o600],
] as const)('%s', async (_, before, mode, after) => {
  const { files, at } = place();
  fs.writeFileSync(at('file'), 'old');
  fs.chmodSync(at('file'), before);
  await files.writeAtomic('file', 'new', mode === undefined ? {} : { mode });
  expect(modeOf(at('file'))).toBe(after);
});

test('usual gives a new file what the umask leaves', async () => {
  const { files, at } = place();
  await files.writeAtomic('file', 'new', { mode: 'usual' });
  fs.writeFileSync(at('like'), '');
  expect(modeOf(at('file'))).toBe(modeOf(at('like')));
});

// Only root can give a file to any group.
test.runIf(isRoot)('usual keeps the group, which may be that of the program that reads the file', async () => {
  const { files, at, read, names } = place();
  fs.writeFileSync(at('file'), 'old');
  fs.chownSync(at('file'), 0, 1234);
  fs.chmodSync(at('file'), 0o640);
  await files.writeAtomic('file', 'new', { mode: 'usual' });
  expect([fs.statSync(at('file')).gid, modeOf(at('file')), read('file')]).toEqual([1234, 0o640, 'new']);
  expect(names()).toEqual(['file']);
});

test.runIf(isRoot).each([
  ['a file stays as it is where its group could not read the new one', 0o640, 'EPERM', 'old'],
  ['a group that may do what all others may is not missed', 0o644, 'saved', 'new'],
])('%s', async (_, mode, said, after) => {
  const { at, folder, read } = place();
  openUp(folder);
  fs.chmodSync(folder, 0o777);
  fs.writeFileSync(at('file'), 'old');
  fs.chownSync(at('file'), 65534, 1234);
  fs.chmodSync(at('file'), mode);
  const run = await shell('exec "$@"', ...asNobody, process.execPath, program, 'saveUsual', at('file'), 'new');
  expect([run.stdout, read('file')]).toEqual([said, after]);
  expect(fs.readdirSync(folder)).toEqual(['file']);
});

// Only root can leave a lock in another's name.
test.runIf(isRoot)('the lock of another user, who left it in a folder of all, keeps nobody from a save', async () => {
  const { at, folder, files, read } = place();
  openUp(folder);
  fs.chmodSync(folder, 0o1777);
  await files.lock('theirs');
  const lock = { ...JSON.parse(read('theirs.lock')), pid: 2 ** 22 + 1 };
  fs.writeFileSync(at('theirs.lock'), JSON.stringify(lock));
  fs.chmodSync(at('theirs.lock'), 0o644);
  const run = await shell('exec "$@"', ...asNobody, process.execPath, program, 'saveUsual', at('file'), 'new');
  expect([run.stdout, read('file')]).toEqual(['saved', 'new']);
});

describe('links and what is no file', () => {
  test("a person's own link stays, and what it leads to is replaced", async () => {
    const { files, at, read } = place();
    fs.mkdirSync(at('dotfiles'));
    fs.writeFileSync(at('dotfiles/real'), 'old');
    fs.symlinkSync('dotfiles/real', at('link'));
    await files.writeAtomic('link', 'new');
    expect(fs.readlinkSync(at('link'))).toBe('dotfiles/real');
    expect(read('dotfiles/real')).toBe('new');
    expect(fs.readdirSync(at('dotfiles'))).toEqual(['real']);
  });

  // Only root can lay a link in another's name.
  test.runIf(isRoot).each([
    ['a link of somebody else', 1234, 0],
    ['a link to the file of somebody else', 0, 1234],
  ])('%s is refused', async (_, linkOwner, fileOwner) => {
    const { files, at, read } = place();
    fs.writeFileSync(at('victim'), 'old');
    fs.symlinkSync('victim', at('link'));
    fs.lchownSync(at('link'), linkOwner, linkOwner);
    fs.chownSync(at('victim'), fileOwner, fileOwner);
    await expect(files.writeAtomic('link', 'new')).rejects.toMatchObject({ code: 'ELOOP', path: 'link' });
    expect(read('victim')).toBe('old');
  });

  test.each([
    ['folder', 'is a folder'],
    ['fifo', 'is a pipe (FIFO)'],
    ['dangling', 'no such file or folder'],
    ['absent/file', 'no such file or folder'],
  ])('%s is refused', async (name, message) => {
    const { files, at, names } = place();
    fs.mkdirSync(at('folder'));
    fs.symlinkSync('nowhere', at('dangling'));
    await shell('mkfifo "$1"', at('fifo'));
    await expect(files.writeAtomic(name, 'new')).rejects.toMatchObject({ name: 'FileFault', message });
    expect(names()).toEqual(['dangling', 'fifo', 'folder']);
  });

  test('the null device stays a device', async () => {
    await expect(place().files.writeAtomic('/dev/null', 'x')).rejects.toMatchObject({ message: 'is a device' });
    expect(fs.statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

describe('leftovers of a killed writer', () => {
  const old = new Date(Date.now() - 61_000);

  test.each(['writeAtomic', 'remove'] as const)('%s sweeps old ones of ours and nothing else', async (method) => {
    const { files, at, names } = place();
    const kept = ['.motif-young1.tmp', '.motif-other2.tmp', '.motif.tmp', 'motif-a.tmp', '.motif-A.tmp'];
    for (const name of ['.motif-old3.tmp', 'file', ...kept]) {
      fs.writeFileSync(at(name), 'token');
      if (name !== '.motif-young1.tmp') fs.utimesSync(at(name), old, old);
    }
    if (isRoot) fs.chownSync(at('.motif-other2.tmp'), 1234, 1234);
    else fs.rmSync(at('.motif-other2.tmp'));
    fs.mkdirSync(at('.motif-folder.tmp'));
    fs.utimesSync(at('.motif-folder.tmp'), old, old);
    await (method === 'remove' ? files.remove('file') : files.writeAtomic('file', 'new'));
    const left = [...kept, '.motif-folder.tmp', ...(method === 'remove' ? [] : ['file'])];
    expect(names()).toEqual(left.filter((name) => isRoot || !name.includes('other')).sort());
  });
});

test('a folder that may not be written keeps its file', async () => {
  const { folder, at, read, names } = place();
  fs.writeFileSync(at('file'), 'old');
  openUp(folder);
  fs.chmodSync(folder, 0o555);
  const run = await shell('exec "$@"', ...asNobody, process.execPath, program, 'save', at('file'), 'new');
  expect(run).toMatchObject({ code: 12, stderr: 'FileFault: EACCES: permission denied\n' });
  expect([read('file'), names()]).toEqual(['old', ['file']]);
});

describe('short writes', () => {
  test('everything arrives, whatever part the system takes each time', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.nat(50),
        fc.infiniteStream(fc.integer({ min: 1, max: 20 })),
        (bytes, start, parts) => {
          const disk = Buffer.alloc(start + bytes.length);
          writeFully(3, bytes, start, (_, source, offset, length, position) => {
            const count = Math.min(parts.next().value ?? 1, length);
            disk.set(source.subarray(offset, offset + count), position);
            return count;
          });
          expect(disk.subarray(start)).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });

  test('a system that takes nothing is not asked for ever', () => {
    expect(() => writeFully(3, Buffer.from('x'), 0, () => 0)).toThrow('the system took no byte');
  });
});
