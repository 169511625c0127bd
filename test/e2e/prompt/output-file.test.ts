import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { asNobody, start } from '../../support/processes/child.ts';
import { startMotif } from '../../support/processes/program.ts';
import { localService, type LocalService } from '../../support/servers/local-service.ts';
import { saying } from '../../support/rooms/prompt.ts';
import { answered } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const motif = fileURLToPath(new URL('../../../bin/motif.js', import.meta.url));
const program = `${process.execPath} ${motif}`;

const run = async ({ env }: LocalService, line: string, folder: string) =>
  await start('bash', ['-c', `cd "$1" && ${line}`, 'bash', folder], { env, input: '' }).ended;

test.each([
  { umask: '022', mode: '644' },
  { umask: '077', mode: '600' },
  { umask: '002', mode: '664' },
])('-o leaves a new file as the shell would: umask $umask, mode $mode', async ({ umask, mode }) => {
  const service = await localService();
  const ended = await run(
    service,
    `umask ${umask} && ${program} prompt hi -o out.md && stat -c %a out.md`,
    temporaryFolder(),
  );
  expect(ended).toMatchObject({ code: 0, stdout: `${mode}\n` });
});

test('-o does not overwrite the file that stdin is read from', async () => {
  const line = `echo question > q.md; ${program} prompt -o q.md < q.md; echo "code $?"; cat q.md`;
  const ended = await run(await localService(), line, temporaryFolder());
  expect(ended).toMatchObject({ stdout: 'code 2\nquestion\n', stderr: saying('also an input') });
});

test('a folder where nothing may be written ends with 12 before anything is asked', async () => {
  const { env, requests } = await localService();
  const folder = temporaryFolder();
  chmodSync(folder, 0o555);
  const path = join(folder, 'out.md');
  const ended = await startMotif(['prompt', 'hi', '-o', path], {
    within: asNobody,
    env: { MOTIF_URL: env.MOTIF_URL ?? '', MOTIF_TOKEN: env.MOTIF_TOKEN ?? '' },
  }).ended;
  expect(ended).toMatchObject({ code: 12, stdout: '', stderr: saying(`-o: ${path}: permission denied`) });
  expect(requests).toEqual([]);
});

/** A disk of 64 KiB that needs no root. */
const smallDisk = ['--dev-bind', '/', '/', '--size', '65536', '--tmpfs'];
const hasSmallDisk = spawnSync('bwrap', [...smallDisk, tmpdir(), 'true']).status === 0;

describe.runIf(hasSmallDisk)('a disk that fills up, where bubblewrap may make one', () => {
  test('the old file is whole, nothing lies beside it, and the answer is on stdout', async () => {
    const response = 'x'.repeat(200_000);
    const service = await localService((reply) => reply.end(JSON.stringify({ ...answered, response })));
    const disk = temporaryFolder();
    const line = `echo old > out.md; ${program} prompt hi -o out.md > "$2"; echo "code $?"; cat out.md; ls -A`;
    const shell = ['bash', '-c', `cd "$1" && ${line}`, 'bash', disk, join(temporaryFolder(), 'stdout')];
    const ended = await start('bwrap', [...smallDisk, disk, ...shell], { env: service.env, input: '' }).ended;
    expect(ended).toMatchObject({ stdout: 'code 12\nold\nout.md\n', stderr: saying('out.md', 'disk is full') });
    expect(readFileSync(shell.at(-1) ?? '', 'utf8') === `${response}\n`).toBe(true);
  });
});
