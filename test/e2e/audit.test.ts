import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, fileOf, gatewayProcess } from '../support/servers/gateway-process.ts';
import { startMotif } from '../support/processes/program.ts';

const audit = 'audit: { file: audit.jsonl }';

test('an audit of several workers, rotated while one of them is killed, is proven afterwards, and counted', async () => {
  const gateway = await gatewayProcess(fileOf({ top: audit, listen: ', workers: 2' }));
  const askMany = async (count: number) => {
    const asked = Array.from({ length: count }, () => ask(gateway.port).catch(() => undefined));
    return (await Promise.all(asked)).filter((reply) => reply?.status === 200).length;
  };
  let answered = await askMany(20);
  const [victim] = execFileSync('pgrep', ['-P', String(gateway.pid)], { encoding: 'utf8' }).split('\n');
  process.kill(Number(victim), 'SIGKILL');
  await gateway.logged('a worker ended and is replaced');
  answered += await askMany(20);
  const path = join(gateway.folder, 'audit.jsonl');
  renameSync(path, `${path}.1`);
  gateway.kill('SIGHUP');
  await gateway.logged('the gateway file was read again');
  answered += await askMany(20);
  gateway.kill('SIGTERM');
  expect(await gateway.ended).toMatchObject({ code: 0 });
  const files = [`${path}.1`, path];
  const verified = await startMotif(['admin', 'audit', 'verify', '--json', ...files]).ended;
  expect(verified).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, faults: [], torn: 0, foreign: 0 });
  const stats = await startMotif(['admin', 'audit', 'stats', '--json', '--by', 'motif', '--policy', 'words', ...files])
    .ended;
  const { total, policy } = JSON.parse(stats.stdout) as { total: { prompts: number }; policy: { judged: number } };
  expect(total.prompts).toBeGreaterThanOrEqual(answered);
  expect(policy.judged).toBe(total.prompts);
});
