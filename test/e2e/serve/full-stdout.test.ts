import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRoot } from '../../support/processes/child.ts';
import { missingPrograms } from '../../support/processes/programs.ts';
import { startMotif } from '../../support/processes/program.ts';
import { ask, fileOf, gatewayProcess } from '../../support/servers/gateway-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Only root may mount a disk whose files others see, too. */
const noSmallDisk = isRoot ? missingPrograms('unshare', 'mount') : 'needs root';

/** Runs a program with its stdout in a file `out` of a disk of 64 KiB, which the program alone has mounted. */
const onSmallDisk = (disk: string) => [
  'unshare',
  '-m',
  'sh',
  '-c',
  `mount -t tmpfs -o size=64k tmpfs '${disk}' && exec "$0" "$@" > '${disk}/out'`,
];

test.skipIf(noSmallDisk).each([1, 2])(
  `an audit on stdout, a file on a full disk, goes on once there is room (workers: %i) ${noSmallDisk ?? ''}`,
  async (workers) => {
    const disk = temporaryFolder('/tmp');
    const gateway = await gatewayProcess(
      fileOf({ top: 'audit: { file: "-", text: true }', listen: `, workers: ${workers}` }),
      { within: onSmallDisk(disk), upTo: workers === 1 ? 'listening' : 'a worker listens' },
    );
    const at = (name: string) => join(`/proc/${gateway.pid}/root`, disk, name);
    const status = async (content: string) => (await ask(gateway.port, content)).status;
    expect(await status('first')).toBe(200);
    // Lines of 1,000 bytes fill the room that is left in the last page, and one is torn.
    const room = 64 * 1024 - Math.ceil(statSync(at('out')).size / 4096) * 4096;
    writeFileSync(at('filler'), Buffer.alloc(room));
    const full = await Promise.all(Array.from({ length: 12 * workers }, () => status('long text '.repeat(70))));
    expect(full).toContain(503);
    rmSync(at('filler'));
    await expect.poll(() => status('again'), { interval: 10, timeout: 5000 }).toBe(200);
    const last = [];
    for (let turn = 0; turn < 6 * workers; turn++) last.push(await status('last'));
    expect(last.filter((each) => each !== 200).length).toBeLessThan(workers);
    // The disk is there as long as something of it is open.
    const out = openSync(at('out'), 'r');
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ code: 0 });
    const audit = readFileSync(out, 'utf8');
    closeSync(out);
    const ids = audit.match(/"prompt_id":"\w+"/g) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(audit.split('\n').filter((line) => line !== '' && !line.endsWith('}'))).not.toEqual([]);
    const path = join(temporaryFolder(), 'audit.jsonl');
    writeFileSync(path, audit);
    const verified = await startMotif(['admin', 'audit', 'verify', path]).ended;
    expect(verified).toMatchObject({ code: 0 });
  },
  60_000,
);

test.each([
  { how: 'closed', redirect: '>&-' },
  { how: '/dev/null', redirect: '> /dev/null' },
])('an audit on a stdout that is $how keeps the gateway from its start', async ({ redirect }) => {
  const path = join(temporaryFolder(), 'gateway.yaml');
  writeFileSync(path, fileOf({ top: 'audit: { file: "-" }' }));
  const { ended } = startMotif(['serve', '-c', path], { within: ['sh', '-c', `exec "$0" "$@" ${redirect}`] });
  expect(await ended).toMatchObject({
    code: 12,
    stderr: expect.stringContaining('no line of the audit would be kept'),
  });
});
