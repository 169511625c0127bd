import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { FakeWorld } from '../../support/world.ts';
import { onTerminal, prompt, saying, usageError } from '../../support/rooms/prompt.ts';
import { answering, blocked, service } from '../../support/service.ts';

const read = ({ folder }: FakeWorld, name: string) => readFileSync(join(folder, name), 'utf8');

describe('-o FILE takes the answer', () => {
  test.each([
    { name: 'a new file', files: {} },
    { name: 'a file that is there', files: { 'out.md': 'old\n' } },
  ])('$name', async ({ files }) => {
    const run = await prompt(['hi', '-o', 'out.md'], { files }, answering('a\r\n**b**'));
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(read(run.world, 'out.md').trimEnd()).toBe('a\r\n**b**');
    expect(readdirSync(run.world.folder)).toEqual(['out.md']);
  });

  test('as received, even where stdout is a terminal', async () => {
    const run = await prompt(['hi', '-o', 'out.md'], onTerminal, answering('\u001b[31m**b**\n'));
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(read(run.world, 'out.md')).toBe('\u001b[31m**b**\n');
  });

  test.each([
    { name: 'a terminal is told', argv: [], on: onTerminal, stderr: /(^|\n)motif: written: out.md\n/ },
    { name: '-q is not', argv: ['-q'], on: onTerminal, stderr: /^(?!.*written)/s },
    { name: 'a log is not', argv: [], on: {}, stderr: /^$/ },
  ])('$name where it went', async ({ argv, on, stderr }) => {
    expect((await prompt(['hi', '-o', 'out.md', ...argv], on, answering('Hi'))).stderr).toMatch(stderr);
  });

  test('a code block of it with -x', async () => {
    const run = await prompt(['hi', '-x', '-o', 'out.sh'], {}, answering('Try:\n```sh\nls\n```\n'));
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(read(run.world, 'out.sh')).toBe('ls\n');
  });

  test('beside --json, which stays on stdout', async () => {
    const run = await prompt(['hi', '-o', 'out.md', '--json'], {}, answering('Hi'));
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, response: 'Hi' });
    expect(read(run.world, 'out.md')).toBe('Hi\n');
  });

  test('an existing file keeps its permission bits', async () => {
    const prepare = ({ folder }: FakeWorld) => {
      writeFileSync(join(folder, 'run.sh'), 'old');
      chmodSync(join(folder, 'run.sh'), 0o750);
    };
    const run = await prompt(['hi', '-o', 'run.sh'], { prepare }, answering('new'));
    expect(statSync(join(run.world.folder, 'run.sh')).mode & 0o777).toBe(0o750);
  });
});

describe('only if there is an answer', () => {
  const kept = 'nothing was written: out.md holds what it held before\n';
  test.each([
    { name: 'blocked', argv: [], reply: service({ body: blocked }), exitCode: 10, says: kept },
    { name: 'as expected', argv: ['--expect', 'blocked'], reply: service({ body: blocked }), exitCode: 0, says: kept },
    { name: 'failed', argv: [], reply: service({ status: 500, body: { error: 'x' } }), exitCode: 5, says: '' },
    { name: 'outside the contract', argv: [], reply: service({ body: '{"blocked":' }), exitCode: 5, says: '' },
    { name: 'no such code block', argv: ['-x'], reply: answering('words'), exitCode: 1, says: kept },
  ])('$name: the file is left as it was', async ({ argv, reply, exitCode, says }) => {
    const run = await prompt(['hi', '-o', 'out.md', ...argv], { files: { 'out.md': 'old\n' } }, reply);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(says);
    expect(read(run.world, 'out.md')).toBe('old\n');
  });

  test('a block says nothing of a file that is not there', async () => {
    const run = await prompt(['hi', '-o', 'out.md'], {}, service({ body: blocked }));
    expect(run.stderr).not.toContain('out.md');
  });
});

describe('what -o refuses, before anything is sent', () => {
  const prepare = ({ folder }: FakeWorld) => {
    mkdirSync(join(folder, 'folder'));
    symlinkSync('in.md', join(folder, 'link'));
    symlinkSync('nowhere', join(folder, 'dangling'));
  };
  test.each([
    { name: 'a folder', path: 'folder', says: 'folder' },
    { name: 'a link', path: 'link', says: 'link' },
    { name: 'a link to nowhere', path: 'dangling', says: 'link' },
    { name: 'a folder that is not there', path: 'none/out.md', says: 'folder' },
    { name: 'the input file', path: 'in.md', says: 'input' },
    { name: 'the input file by another name', path: './in.md', says: 'input' },
  ])('$name', async ({ path, says }) => {
    const run = await prompt(['hi', '-f', 'in.md', '-o', path], { files: { 'in.md': 'IN' }, prepare });
    expect(run).toMatchObject(usageError('-o', path, says));
    expect(read(run.world, 'in.md')).toBe('IN');
  });

  test('a hard link to the input file', async () => {
    const hardLink = ({ folder }: FakeWorld) => execFileSync('ln', [join(folder, 'in.md'), join(folder, 'twin.md')]);
    const run = await prompt(['-t', 'in.md', '-o', 'twin.md'], { files: { 'in.md': 'IN' }, prepare: hardLink });
    expect(run).toMatchObject(usageError('twin.md', 'input'));
  });
});

describe('devices and pipes are written straight', () => {
  test('/dev/null', async () => {
    const run = await prompt(['hi', '-o', '/dev/null']);
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('/dev/full is a failure, 12, and an answer that was paid for is not lost', async () => {
    const run = await prompt(['hi', '-o', '/dev/full']);
    expect(run).toMatchObject({ exitCode: 12, stdout: 'Hello from the service\n' });
    expect(run.stderr).toEqual(saying('motif: -o', '/dev/full', 'disk is full', 'the answer is on stdout'));
  });

  test('a FIFO hands the answer to its reader', async () => {
    let reader: Promise<{ stdout: string }> | undefined;
    const prepare = ({ folder }: FakeWorld) => {
      execFileSync('mkfifo', [join(folder, 'fifo')]);
      reader = promisify(execFile)('cat', [join(folder, 'fifo')]);
    };
    expect(await prompt(['hi', '-o', 'fifo'], { prepare }, answering('Hi'))).toMatchObject({ exitCode: 0, stdout: '' });
    expect((await reader)?.stdout).toBe('Hi\n');
  });

  test('a FIFO that another user laid in a folder of all gets nothing, and nothing is asked', async () => {
    const prepare = ({ folder }: FakeWorld) => {
      mkdirSync(join(folder, 'all'));
      chmodSync(join(folder, 'all'), 0o1777);
      execFileSync('mkfifo', [join(folder, 'all/fifo')]);
    };
    const run = await prompt(['hi', '-o', 'all/fifo'], { prepare, uid: 4242 }, answering('Hi'));
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/-o: all\/fifo is a pipe of another user \(\d+\)/);
    expect(run.requests).toEqual([]);
  });

  test('-o - is stdout', async () => {
    const run = await prompt(['hi', '-o', '-'], {}, answering('Hi'));
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Hi\n' });
    expect(readdirSync(run.world.folder)).toEqual([]);
  });
});

describe('stdout itself', () => {
  test('a reader that has gone is a quiet end', async () => {
    expect(await prompt(['hi'], { stdout: { fails: 'closed' } })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await prompt(['hi', '--json'], { stdout: { fails: 'closed' } })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test.each([[[]], [['--json']], [['--field', 'response']], [['--dry-run']], [['--curl']]])(
    'a full disk is a failure, 12, with %j',
    async (flags) => {
      const run = await prompt(['hi', ...flags], { stdout: { fails: 'full' } });
      expect(run).toMatchObject({ exitCode: 12, stderr: saying('stdout', 'disk is full') });
    },
  );
});
