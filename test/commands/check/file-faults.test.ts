import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { motif } from '../../support/motif.ts';
import { check, guarded } from '../../support/rooms/check.ts';
import '../../support/rooms/gateway-loaded.ts';

const cases = 'cases:\n  - { id: a, prompt: Opening hours?, expect: answered }\n';
const isRoot = process.getuid?.() === 0;

describe('a file of the other kind', () => {
  const files = {
    'gateway.yaml': 'providers: { m: { kind: mock } }\nmotifs: { bot: { provider: m } }\n',
    's.motif.yaml': cases,
  };
  test.each([
    { argv: ['check', 'gateway.yaml'], says: 'it looks like a gateway file: motif check --local gateway.yaml' },
    { argv: ['check', '--local', 's.motif.yaml'], says: 'it looks like a suite: motif check s.motif.yaml' },
    { argv: ['admin', 'validate', 's.motif.yaml'], says: 'it looks like a suite: motif check s.motif.yaml' },
    { argv: ['prompt', '--local', 's.motif.yaml', 'hi'], says: 'it looks like a suite: motif check s.motif.yaml' },
  ])('$argv is told what the file is for', async ({ argv, says }) => {
    const run = await motif(argv, { env: {}, files });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(says);
  });
});

describe('a suite that is no readable text', () => {
  test.each([
    {
      name: 'one that is not there can be written by two commands',
      argv: ['attacks.motif.yaml'],
      says: 'motif check init writes a first suite, motif check init --attacks one of attacks',
    },
    {
      name: 'a report that is not there yet is named with =',
      argv: ['--demo', '--report', 'junit', 'x.xml'],
      says: '\n  to write a report: --report KIND=FILE, as in --report junit=check.xml\n',
    },
  ])('$name', async ({ argv, says }) => {
    const run = await motif(['check', ...argv], { env: {} });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(says);
  });

  test.each<{ name: string; file: string; make: (path: string) => void; says: string }>([
    { name: 'a folder', file: 's.motif.yaml', make: (path) => mkdirSync(path), says: 's.motif.yaml' },
    { name: 'a FIFO', file: 's.motif.yaml', make: (path) => execFileSync('mkfifo', [path]), says: 's.motif.yaml' },
    { name: 'a link to itself', file: 's.motif.yaml', make: (path) => symlinkSync(path, path), says: 's.motif.yaml' },
    { name: 'gone', file: 's.motif.yaml', make: () => undefined, says: 's.motif.yaml' },
    {
      name: 'a text with a NUL byte',
      file: 's.motif.yaml',
      make: (path) => writeFileSync(path, 'cases: [{ prompt: "a\0b" }]\n'),
      says: 's.motif.yaml: is binary: a NUL byte',
    },
    {
      name: 'one line of eighteen megabytes',
      file: 's.motif.yaml',
      make: (path) => writeFileSync(path, `cases: [{ prompt: ${'x'.repeat(18_000_000)} }]`),
      says: 's.motif.yaml',
    },
    { name: 'rows that are a folder', file: 'c.csv', make: (path) => mkdirSync(path), says: 'c.csv' },
  ])('$name is refused by its name, and nothing is asked', async ({ file, make, says }) => {
    const run = await motif(['check', '--demo', file], {
      env: {},
      prepare: (world) => make(join(world.folder, file)),
    });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(says);
  });

  // Root may read any file.
  test.skipIf(isRoot)('one that may not be read is refused by its name', async () => {
    const run = await motif(['check', '--demo', 's.motif.yaml'], {
      env: {},
      files: { 's.motif.yaml': cases },
      prepare: (world) => chmodSync(join(world.folder, 's.motif.yaml'), 0),
    });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('s.motif.yaml');
  });

  test('a byte order mark and CRLF are no obstacle', async () => {
    const files = { 's.motif.yaml': `\uFEFF${cases.replaceAll('\n', '\r\n')}` };
    expect(await motif(['check', '--demo', 's.motif.yaml'], { env: {}, files })).toMatchObject({ exitCode: 0 });
  });
});

describe('a report', () => {
  test('takes the place of an earlier one', async () => {
    const run = await check(['--report', 'junit=r.xml'], {
      prepare: (world) => writeFileSync(join(world.folder, 'r.xml'), 'old'),
    });
    expect(run.exitCode).toBe(0);
    expect(readFileSync(join(run.world.folder, 'r.xml'), 'utf8')).toMatch(/^<\?xml/);
  });

  test('through a link is refused before anything is asked, and the file behind it stays', async () => {
    const { send, requests } = guarded();
    const run = await check(['--report', 'junit=r.xml'], {
      send,
      prepare(world) {
        writeFileSync(join(world.folder, 'target.xml'), 'old');
        symlinkSync(join(world.folder, 'target.xml'), join(world.folder, 'r.xml'));
      },
    });
    expect(run.exitCode).toBe(2);
    expect(requests()).toEqual([]);
    expect(readFileSync(join(run.world.folder, 'target.xml'), 'utf8')).toBe('old');
  });

  test('into a folder is refused before anything is asked', async () => {
    const { send, requests } = guarded();
    const run = await check(['--report', 'junit=folder'], {
      send,
      prepare: (world) => mkdirSync(join(world.folder, 'folder')),
    });
    expect(run.exitCode).toBe(2);
    expect(requests()).toEqual([]);
  });

  test('onto a full disk is an error of a file', async () => {
    const run = await check(['--report', 'junit=/dev/full']);
    expect(run.exitCode).toBe(12);
    expect(run.stderr).toContain('/dev/full');
  });
});
