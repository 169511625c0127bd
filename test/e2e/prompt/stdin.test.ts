import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { start } from '../../support/processes/child.ts';
import { localService, type LocalService } from '../../support/servers/local-service.ts';
import { testedNode } from '../../support/processes/program.ts';
import { saying } from '../../support/rooms/prompt.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const motif = fileURLToPath(new URL('../../../bin/motif.js', import.meta.url));

/** A line of shell in which `motif` is the built program; what stands in the folder is there by its name. */
async function shell({ env }: LocalService, line: string, files: Readonly<Record<string, string | Buffer>> = {}) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const script = `motif() { ${JSON.stringify(testedNode)} ${JSON.stringify(motif)} "$@"; }\ncd "$1"\n${line}`;
  return await start('bash', ['-c', script, 'bash', folder], { env, input: '' }).ended;
}

const textOf = ({ requests }: LocalService) =>
  (JSON.parse(requests[0]?.body.toString() ?? '{}') as { messages?: { content: string }[] }).messages?.at(-1)?.content;

describe('what a shell can put on stdin', () => {
  test.each([
    { name: 'a pipe', line: 'printf "one\\ntwo\\n" | motif prompt', text: 'one\ntwo' },
    { name: 'a pipe after words', line: 'echo more | motif prompt hi', text: 'hi\n\nmore' },
    { name: 'a file', line: 'motif prompt < in.txt', text: 'from a file' },
    { name: 'a here-document', line: 'motif prompt <<END\none\nEND', text: 'one' },
    { name: 'an empty pipe beside words', line: 'true | motif prompt hi', text: 'hi' },
    { name: '/dev/null beside words', line: 'motif prompt hi < /dev/null', text: 'hi' },
    { name: 'closed, beside words', line: 'motif prompt hi <&-', text: 'hi' },
    { name: 'an endless device is not read', line: 'motif prompt hi < /dev/zero', text: 'hi' },
    {
      name: 'a slow pipe',
      line: '{ printf a; sleep 0.3; printf b; sleep 0.3; printf c; } | motif prompt',
      text: 'abc',
    },
    { name: 'CRLF', line: 'printf "a\\r\\nb\\r\\n" | motif prompt', text: 'a\r\nb' },
    {
      name: 'a pipe that stays open, kept out',
      line: 'mkfifo p; exec 9<>p; motif prompt hi --no-stdin < p',
      text: 'hi',
    },
  ])('$name', async ({ line, text }) => {
    const service = await localService();
    const run = await shell(service, line, { 'in.txt': 'from a file\n' });
    expect(run).toMatchObject({ code: 0, stdout: 'Hello from the service\n' });
    expect(textOf(service)).toBe(text);
  });

  test('10 MB, byte for byte', async () => {
    const service = await localService();
    const text = 'zehn Megabyte é\n'.repeat(600_000);
    const run = await shell(service, 'cat big.txt | motif prompt', { 'big.txt': text });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(textOf(service) === text.slice(0, -1)).toBe(true);
  });

  test.each([
    { name: 'an empty pipe', line: 'true | motif prompt', says: 'nothing to send' },
    { name: '/dev/null', line: 'motif prompt < /dev/null', says: 'nothing to send' },
    { name: 'closed', line: 'motif prompt <&-', says: 'nothing to send' },
    { name: 'binary', line: 'head -c 100 /dev/zero | motif prompt', says: 'binary' },
    { name: 'not UTF-8', line: 'printf "caf\\351" | motif prompt', says: 'UTF-8' },
    { name: 'an endless pipe', line: 'yes | motif prompt', says: '16 MiB' },
    {
      name: 'a FIFO as -f, which never closes',
      line: 'mkfifo p; exec 9<>p; motif prompt -f p',
      says: 'FIFO',
    },
  ])('$name: 2, and nothing is sent', async ({ line, says }) => {
    const service = await localService();
    const run = await shell(service, line);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: saying('motif: ', says) });
    expect(service.requests).toEqual([]);
  });

  test('a pipe that never speaks and never closes ends with --timeout: 7, nothing sent', async () => {
    const service = await localService();
    const child = spawn(testedNode, [motif, 'prompt', 'hi', '--timeout', '1s'], { env: service.env });
    let stderr = '';
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(7);
    expect(stderr).toEqual(saying('stdin', 'nothing was sent', '--no-stdin'));
    expect(service.requests).toEqual([]);
  });

  test('a held FIFO on stdin does the same', async () => {
    const service = await localService();
    const folder = temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    const line = `exec 9<>"$1/fifo"; ${testedNode} ${motif} prompt hi --timeout 1s < "$1/fifo"`;
    const run = await start('bash', ['-c', line, 'bash', folder], { env: service.env, input: '' }).ended;
    expect(run).toMatchObject({ code: 7, stdout: '' });
    expect(service.requests).toEqual([]);
  });
});

describe('what a shell can do to stdout', () => {
  const long = JSON.stringify({ blocked: false, response: 'x'.repeat(5_000_000), finish_reason: 'stop' });

  test('a reader that leaves early ends it quietly with 0', async () => {
    const service = await localService((response) => response.end(long));
    const run = await shell(service, 'motif prompt hi < /dev/null | head -c 1; echo " ${PIPESTATUS[0]}"');
    expect(run).toMatchObject({ stdout: 'x 0\n', stderr: '' });
  });

  test('a slow reader gets all of it', async () => {
    const service = await localService((response) => response.end(long));
    const run = await shell(service, 'motif prompt hi < /dev/null | { sleep 0.5; wc -c; }');
    expect(run.stdout.trim()).toBe('5000001');
  });

  test.each([
    { name: 'stdout on a full disk', line: 'motif prompt hi < /dev/null > /dev/full' },
    { name: '--json on a full disk', line: 'motif prompt hi --json < /dev/null > /dev/full' },
    { name: '-o on a full disk', line: 'motif prompt hi -o /dev/full < /dev/null' },
  ])('$name is 12', async ({ line }) => {
    const service = await localService();
    expect(await shell(service, line)).toMatchObject({ code: 12, stderr: saying('motif: ', 'disk is full') });
  });

  test('stdout closed from the start is no crash', async () => {
    const service = await localService();
    const run = await shell(service, 'motif prompt hi < /dev/null >&-');
    expect([0, 12]).toContain(run.code);
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });

  test('stderr closed changes nothing', async () => {
    const service = await localService();
    const run = await shell(service, 'motif prompt hi -u < /dev/null 2>&-');
    expect(run).toMatchObject({ code: 0, stdout: 'Hello from the service\n' });
  });
});
