import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { constants } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { toFileFault } from '../../src/world/fault-words.ts';
import { createFiles } from '../../src/world/files/files.ts';
import { bundleProgram } from '../support/processes/bundle.ts';
import { asNobody, shell } from '../support/processes/child.ts';
import { openUp, zoo } from '../support/processes/zoo.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/support/processes/world-program.ts');
});

const runAsNobody = (...words: readonly string[]) =>
  shell('exec "$@"', ...asNobody, process.execPath, program, ...words);

const caught = async (work: Promise<unknown>) =>
  await work.then(
    () => 'no fault',
    (error: unknown) => error,
  );

describe('read', () => {
  test.each([
    ['plain', 'hello'],
    ['link', 'hello'],
    ['./folder/../plain', 'hello'],
  ])('%s', async (name, text) => {
    const { files } = zoo();
    const { bytes, info } = await files.read(name, { bytesMax: 5 });
    expect(Buffer.from(bytes).toString()).toBe(text);
    expect(info).toMatchObject({ type: 'file', size: 5, mode: 0o640, uid: process.getuid?.() });
  });

  test.each([
    ['nothing there', 'absent', 'ENOENT', 'no such file or folder'],
    ['a file as a folder', 'plain/x', 'ENOTDIR', 'a part of the path is not a folder'],
    ['a folder', 'folder', 'EISDIR', 'is a folder'],
    ['a FIFO', 'fifo', 'ENOTFILE', 'is a pipe (FIFO)'],
    ['an endless device', 'zero', 'ENOTFILE', 'is a device'],
    ['a circle of links', 'circle', 'ELOOP', 'its links lead in a circle'],
    ['a link to nothing', 'dangling', 'ENOENT', 'no such file or folder'],
    ['a name with NUL', 'a\0b', 'ERR_INVALID_ARG_VALUE', 'the name holds a NUL character'],
    ['a name too long', 'x'.repeat(300), 'ENAMETOOLONG', 'the name is too long'],
    ['an empty name', '', 'EISDIR', 'is a folder'],
  ])('%s', async (_, name, code, message) => {
    const { files } = zoo();
    expect(await caught(files.read(name, { bytesMax: 5 }))).toMatchObject({
      name: 'FileFault',
      code,
      message,
      path: name,
    });
  });

  test('a socket', async () => {
    const { files, at } = zoo();
    const server = createServer().listen(at('socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await caught(files.read('socket', { bytesMax: 5 }))).toMatchObject({ code: 'ENXIO' });
    server.close();
  });

  test('larger than the cap', async () => {
    const { files, at } = zoo();
    fs.writeFileSync(at('big'), Buffer.alloc(1024 * 1024 + 1));
    expect(await caught(files.read('big', { bytesMax: 1024 * 1024 }))).toMatchObject({
      code: 'ETOOLARGE',
      message: 'is larger than 1 MiB',
    });
    expect((await files.read('big', { bytesMax: 1024 * 1024 + 1 })).bytes.length).toBe(1024 * 1024 + 1);
  });

  test('a file of the system that says 0 bytes is read, and its cap holds', async () => {
    const files = createFiles();
    expect((await files.read('/proc/self/status', { bytesMax: 1e6 })).bytes.length).toBeGreaterThan(100);
    expect(await caught(files.read('/proc/self/status', { bytesMax: 10 }))).toMatchObject({ code: 'ETOOLARGE' });
  });

  test('a link is refused where it is not to be followed', async () => {
    const { files } = zoo();
    expect(await caught(files.read('link', { bytesMax: 5, follow: false }))).toMatchObject({
      code: 'ENOTFILE',
      message: 'is a symbolic link',
    });
    expect((await files.read('plain', { bytesMax: 5, follow: false })).info.size).toBe(5);
  });

  test('what is judged is what is read, however often it is swapped', async () => {
    const { files, folder, at } = zoo();
    fs.writeFileSync(at('victim'), 'secret');
    const line = 'cd "$1"; while :; do ln -s victim a; mv -T a swapped; cp plain b; mv -T b swapped; done';
    // Each of its commands holds the pipe, so that the last one has ended once that closes.
    const swapper = spawn('/bin/sh', ['-c', line, 'sh', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
    for (let round = 0; round < 3000; round += 1) {
      const bytes = await files.read('swapped', { bytesMax: 9, follow: false }).then(
        (read) => read.bytes,
        () => 'refused',
      );
      expect(bytes.toString()).not.toBe('secret');
      if (round % 10 === 0) await new Promise(setImmediate);
    }
    swapper.kill();
    await once(swapper.stdout.resume(), 'close');
  });

  test('a file of another user that is closed to us', async () => {
    const { folder, at } = zoo();
    fs.writeFileSync(at('private'), 'x', { mode: 0o600 });
    openUp(folder);
    expect(await runAsNobody('show', at('private'))).toMatchObject({
      code: 12,
      stderr: 'FileFault: EACCES: permission denied\n',
    });
  });
});

describe('info', () => {
  test.each([
    ['plain', { type: 'file' }],
    ['folder', { type: 'folder' }],
    ['fifo', { type: 'fifo' }],
    ['link', { type: 'file' }],
    ['zero', { type: 'device' }],
    ['dangling', undefined],
    ['circle', undefined],
    ['absent', undefined],
    ['plain/x', undefined],
    ['a\0b', undefined],
    ['x'.repeat(300), undefined],
  ])('%s', async (name, expected) => {
    const info = await zoo().files.info(name);
    if (expected === undefined) expect(info).toBeUndefined();
    else expect(info).toMatchObject(expected);
  });

  test('two names of one file have one identity, and a link can be seen itself', async () => {
    const { files, at } = zoo();
    fs.linkSync(at('plain'), at('twin'));
    const plain = await files.info('plain');
    expect((await files.info('twin'))?.identity).toBe(plain?.identity);
    expect((await files.info('link'))?.identity).toBe(plain?.identity);
    expect((await files.info('folder'))?.identity).not.toBe(plain?.identity);
    expect(await files.info('link', { follow: false })).toMatchObject({ type: 'link' });
  });

  test('the birth of a file stays when it is written on', async () => {
    const { files, at } = zoo();
    const before = await files.info('plain');
    fs.appendFileSync(at('plain'), 'more');
    fs.chmodSync(at('plain'), 0o600);
    expect((await files.info('plain'))?.bornAt).toBe(before?.bornAt);
    expect((await files.info('plain'))?.size).not.toBe(before?.size);
  });
});

describe('list', () => {
  test('sorted, and empty where there is no folder', async () => {
    const { files } = zoo();
    expect(await files.list('.')).toEqual(['circle', 'dangling', 'fifo', 'folder', 'link', 'plain', 'zero']);
    expect(await files.list('absent')).toEqual([]);
  });

  test('a file is no folder', async () => {
    expect(await caught(zoo().files.list('plain'))).toMatchObject({ code: 'ENOTDIR' });
  });

  test('a folder that may not be read is not an empty one', async () => {
    const { folder, at } = zoo();
    openUp(folder);
    fs.chmodSync(at('folder'), 0o700);
    expect(await runAsNobody('list', at('folder'))).toMatchObject({
      code: 12,
      stderr: 'FileFault: EACCES: permission denied\n',
    });
  });
});

test.each([
  ['a name we know', { code: 'EROFS' }, 'the file system is read-only'],
  ['a number Node has no name for', { code: 'UNKNOWN', errno: -constants.errno.EDQUOT }, 'the disk quota is used up'],
  ['a number nobody has a name for', { code: 'UNKNOWN', errno: -9999 }, 'failed with UNKNOWN'],
  ['a name we do not know', { code: 'EWEIRD' }, 'failed with EWEIRD'],
])('%s becomes words', (_, error, message) => {
  expect(toFileFault('p', Object.assign(new Error('secret words of the system'), error))).toMatchObject({
    message,
    path: 'p',
  });
});

test('an error of our own is no fault of a file', () => {
  const bug = new TypeError('x is undefined');
  expect(toFileFault('p', bug)).toBe(bug);
});
