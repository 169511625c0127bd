import * as fs from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFiles } from '../../src/world/files/files.ts';
import { FileFault } from '../../src/world/world.ts';
import { bundleProgram } from '../support/processes/bundle.ts';
import { asNobody, shell } from '../support/processes/child.ts';
import { modeOf, openUp, zoo } from '../support/processes/zoo.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/support/processes/world-program.ts');
});

const caught = async (work: Promise<unknown>) =>
  await work.then(
    () => 'no fault',
    (error: unknown) => error,
  );

describe('append', () => {
  test('a file that others may read is its owner alone from then on', async () => {
    const { files, at } = zoo();
    fs.writeFileSync(at('log'), 'one\n');
    fs.chmodSync(at('log'), 0o666);
    await files.append('log', 'two');
    expect(modeOf(at('log'))).toBe(0o600);
  });

  test('a line at a time, in a file of our own', async () => {
    const { files, at } = zoo();
    await files.append('log', 'one');
    await files.append('log', 'zwei ä');
    expect(fs.readFileSync(at('log'), 'utf8')).toBe('one\nzwei ä\n');
    expect(modeOf(at('log'))).toBe(0o600);
  });

  test('a torn line is never glued to the next', async () => {
    const { files, at } = zoo();
    fs.writeFileSync(at('log'), 'whole\n{"torn":');
    await files.append('log', 'next');
    expect(fs.readFileSync(at('log'), 'utf8')).toBe('whole\n{"torn":\nnext\n');
  });

  test.each(['folder', 'fifo', 'link', 'zero'])('not to a %s', async (name) => {
    expect(await caught(zoo().files.append(name, 'x'))).toBeInstanceOf(FileFault);
  });

  test('a line that does not fit is taken back', async () => {
    const { at } = zoo();
    fs.writeFileSync(at('log'), `${'x'.repeat(500)}\n`);
    const { stdout } = await shell(
      'ulimit -f 1; "$@"; echo $?',
      process.execPath,
      program,
      'append',
      at('log'),
      'y'.repeat(50),
    );
    expect(stdout).toBe('12\n');
    expect(fs.readFileSync(at('log'), 'utf8')).toBe(`${'x'.repeat(500)}\n`);
  });
});

describe('makeFolder', () => {
  test.each(['000', '022', '077', '777'])('0700 with its parents under umask %s', async (umask) => {
    const { folder, at } = zoo();
    openUp(folder);
    fs.chmodSync(folder, 0o777);
    const { stderr } = await shell(
      `umask ${umask}; exec "$@"`,
      ...asNobody,
      process.execPath,
      program,
      'makeFolder',
      at('new/inner/deep'),
    );
    expect(stderr).toBe('');
    expect(['new', 'new/inner', 'new/inner/deep'].map((name) => modeOf(at(name)))).toEqual([0o700, 0o700, 0o700]);
  });

  test('one that is there keeps its bits, also behind a link', async () => {
    const { files, at } = zoo();
    fs.chmodSync(at('folder'), 0o755);
    fs.symlinkSync('folder', at('alias'));
    await files.makeFolder('folder');
    await files.makeFolder('alias/inner');
    expect([modeOf(at('folder')), modeOf(at('folder/inner'))]).toEqual([0o755, 0o700]);
  });

  test.each([
    ['plain', 'is not a folder'],
    ['plain/inner', 'is not a folder'],
  ])('not at %s', async (name, message) => {
    expect(await caught(zoo().files.makeFolder(name))).toMatchObject({ code: 'ENOTDIR', message });
  });
});

describe('writeThrough', () => {
  test('to a FIFO whose reader comes late and reads slowly', async () => {
    const { files, at } = zoo();
    const reader = shell('sleep 0.2; { sleep 0.1; wc -c; } < "$1"', at('fifo'));
    await files.writeThrough('fifo', 'x'.repeat(300_000));
    expect((await reader).stdout.trim()).toBe('300000');
  });

  test.each([
    ['a full device', '/dev/full', 'the disk is full'],
    ['a folder', 'folder', 'is a folder'],
    ['nothing there', 'absent', 'no such file or folder'],
  ])('%s', async (_, name, message) => {
    expect(await caught(zoo().files.writeThrough(name, 'x'))).toMatchObject({ name: 'FileFault', message, path: name });
  });

  test('to the null device', async () => {
    expect(await caught(createFiles().writeThrough('/dev/null', 'x'))).toBe('no fault');
  });
});

describe('rename, setMode, remove', () => {
  test('rename replaces', async () => {
    const { files, at } = zoo();
    fs.writeFileSync(at('other'), 'old');
    await files.rename('plain', 'other');
    expect([fs.existsSync(at('plain')), fs.readFileSync(at('other'), 'utf8')]).toEqual([false, 'hello']);
    expect(await caught(files.rename('absent', 'x'))).toMatchObject({ code: 'ENOENT', path: 'absent' });
  });

  test('setMode of a file and a folder, never through a link', async () => {
    const { files, at } = zoo();
    await files.setMode('plain', 0o600);
    await files.setMode('folder', 0o700);
    expect([modeOf(at('plain')), modeOf(at('folder'))]).toEqual([0o600, 0o700]);
    expect(await caught(files.setMode('link', 0o644))).toMatchObject({ message: 'is a symbolic link' });
    expect(modeOf(at('plain'))).toBe(0o600);
  });

  test('remove takes a link, not what it leads to, and finds nothing to remove no fault', async () => {
    const { files, at } = zoo();
    await files.remove('link');
    await files.remove('absent');
    await files.remove('absent', { recursive: true });
    expect([fs.existsSync(at('link')), fs.existsSync(at('plain'))]).toEqual([false, true]);
  });

  test('a folder is removed only recursively', async () => {
    const { files, at } = zoo();
    fs.writeFileSync(at('folder/inside'), '');
    expect(await caught(files.remove('folder'))).toMatchObject({ code: 'EISDIR' });
    await files.remove('folder', { recursive: true });
    expect(fs.existsSync(at('folder'))).toBe(false);
  });
});
