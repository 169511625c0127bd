import * as fs from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createFiles } from '../../src/world/files/files.ts';
import { shell } from '../support/processes/child.ts';
import { bundleProgram } from '../support/processes/bundle.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const root = sharedFolder();
const files = createFiles(root);
const read = (name: string) => fs.readFileSync(join(root, name), 'utf8');

test('a file that is not there is made for its owner alone, and lines are added to one that is', async () => {
  for (const lines of ['one\n', 'two\nthree\n']) {
    const file = await files.openAppend('new.jsonl');
    file.write(lines);
    await file.close();
  }
  expect(read('new.jsonl')).toBe('one\ntwo\nthree\n');
  expect(fs.statSync(join(root, 'new.jsonl')).mode & 0o777).toBe(0o600);
});

test('a file that others may read is made private without another word in it', async () => {
  fs.writeFileSync(join(root, 'open.jsonl'), 'one\n');
  for (const [mode, outcome] of [
    [0o644, 'made private'],
    [0o640, 'made private'],
    [0o602, 'made private'],
    [0o600, 'was private'],
  ] as const) {
    fs.chmodSync(join(root, 'open.jsonl'), mode);
    const file = await files.openAppend('open.jsonl');
    expect(file.makePrivate()).toBe(outcome);
    await file.close();
    expect(fs.statSync(join(root, 'open.jsonl')).mode & 0o777).toBe(0o600);
  }
  expect(read('open.jsonl')).toBe('one\n');
});

test('a line that a killed writer left torn is ended, so that two records never run into one', async () => {
  fs.writeFileSync(join(root, 'torn.jsonl'), '{"a":1}\n{"b"');
  const file = await files.openAppend('torn.jsonl');
  file.write('{"c":3}\n');
  file.write('{"d":4}\n');
  await file.close();
  expect(read('torn.jsonl')).toBe('{"a":1}\n{"b"\n{"c":3}\n{"d":4}\n');
});

/** Writes lines of two pages at once, as another process would, until the count that it shares is reached. */
const otherWriter = `
  const { parentPort, workerData: path } = require('node:worker_threads');
  const { openSync, writeSync } = require('node:fs');
  const fd = openSync(path, 'a');
  for (let count = 0; count < 3000; count++) writeSync(fd, 'x'.repeat(7999) + '\\n', null);
  parentPort.postMessage('done');`;

test('lines that another process is about to write do not look torn, and no empty line ends them', async () => {
  const path = join(root, 'busy.jsonl');
  const file = await files.openAppend('busy.jsonl');
  const worker = new Worker(otherWriter, { eval: true, workerData: path });
  let isOver = false;
  worker.once('message', () => (isOver = true));
  while (!isOver) {
    for (let count = 0; count < 100; count++) {
      // Now it looks at what another process may have left.
      file.isCurrent();
      file.write('own\n');
    }
    await new Promise(setImmediate);
  }
  await file.close();
  const lines = read('busy.jsonl').split('\n').slice(0, -1);
  expect(lines.filter((line) => line !== 'own' && line.length !== 7999)).toEqual([]);
});

test('lines beyond the buffer that is kept, and letters of several bytes, are written whole', async () => {
  const file = await files.openAppend('long.jsonl');
  const lines = ['é€😀\n', `${'€'.repeat(30_000)}\n`, `${'x'.repeat(100_000)}\n`, 'short\n'];
  for (const each of lines) file.write(each);
  await file.close();
  expect(read('long.jsonl')).toBe(lines.join(''));
});

test('several writers of one file keep their lines whole', async () => {
  const open = await Promise.all(Array.from({ length: 4 }, () => files.openAppend('shared.jsonl')));
  const line = (writer: number) => `${String(writer).repeat(300)}\n`;
  for (let round = 0; round < 50; round++)
    for (const [writer, file] of open.entries()) file.write(line(writer).repeat(3));
  await Promise.all(open.map((file) => file.close()));
  const lines = read('shared.jsonl').split('\n').filter(Boolean);
  expect(lines).toHaveLength(600);
  expect(lines.filter((each) => !/^(\d)\1{299}$/.test(each))).toEqual([]);
});

test.each([
  { name: 'a folder', make: () => fs.mkdirSync(join(root, 'folder')), path: 'folder', code: 'EISDIR' },
  { name: 'a link', make: () => fs.symlinkSync('new.jsonl', join(root, 'link')), path: 'link', code: 'ENOTFILE' },
  { name: 'a device', make: () => undefined, path: '/dev/null', code: 'ENOTFILE' },
])('$name is refused', async ({ make, path, code }) => {
  make();
  await expect(files.openAppend(path)).rejects.toMatchObject({ name: 'FileFault', code, path });
});

test('what no longer fits is a fault, and the torn line is ended once there is room', async () => {
  const path = join(root, 'full.jsonl');
  expect(await appendBeyondItsLimit(path)).toEqual({ stdout: 'EFBIG', stderr: '' });
  const file = await files.openAppend('full.jsonl');
  file.write('after\n');
  await file.close();
  const written = fs.readFileSync(path, 'utf8');
  expect(written.length).toBeGreaterThan(500);
  expect(written.endsWith('x\nafter\n')).toBe(true);
});

test('a line that another process left torn is ended, from the next look at the file on', async () => {
  const path = join(root, 'torn-by-another.jsonl');
  const file = await files.openAppend('torn-by-another.jsonl');
  file.write('before\n');
  expect(await appendBeyondItsLimit(path)).toEqual({ stdout: 'EFBIG', stderr: '' });
  expect(file.isCurrent()).toBe(true);
  file.write('after\n');
  await file.close();
  expect(read('torn-by-another.jsonl')).toMatch(/^before\nfits\nx+\nafter\n$/);
});

/** Another process, whose second line does not fit. */
async function appendBeyondItsLimit(path: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const program = await bundleProgram('test/support/processes/world-program.ts');
  const line = 'ulimit -f 1; exec "$0" "$1" appendTwice "$2"';
  const { stdout, stderr } = await shell(`exec sh -c '${line}' "$1" "$2" "$3"`, process.execPath, program, path);
  return { stdout, stderr };
}
