import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../src/gateway/records/log.ts';
import { JudgingThreads } from '../../../src/gateway/server/judging-threads.ts';
import { parsed } from '../file/config-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const file = `providers: { mock: { kind: mock } }
policies:
  no-pii: { kind: pii }
  house: { kind: regex, pattern: 'acme-\\d+' }
  other-pii: { kind: pii, action: redact }
  no-secrets: { kind: secrets }
motifs: { bot: { provider: mock } }
`;
const policies = [...(await parsed(file)).policies.values()];

/** Threads that write the names of the policies which they are given, and judge nothing. */
function telling(): { pool: JudgingThreads; told: () => string } {
  const folder = temporaryFolder();
  const path = join(folder, 'told');
  const program = join(folder, 'tells.cjs');
  writeFileSync(
    program,
    `const { appendFileSync } = require('node:fs');
    const { parentPort } = require('node:worker_threads');
    parentPort.postMessage({});
    parentPort.on('message', ({ unseen }) => {
      appendFileSync(${JSON.stringify(path)}, unseen.map(([, { name }]) => name + ' ').join(''));
      parentPort.postMessage({ inspected: { outcomes: [] } });
    });`,
  );
  const monotonic = () => performance.now();
  const log = createLog({ write: () => undefined, now: () => 0, level: 'info' });
  const pool = new JudgingThreads({ program, monotonic, processorMs: monotonic, log, limits: { beginMs: 1 } });
  onTestFinished(() => pool.close());
  return { pool, told: () => (existsSync(path) ? readFileSync(path, 'utf8') : '') };
}

test('before the first large text a thread makes the tables of one policy for each kind that has some', async () => {
  const { pool, told } = telling();
  pool.begin(policies);
  await expect.poll(told).toBe('no-pii no-secrets ');
  const { signal } = new AbortController();
  const asking = { holder: 'bot t1', signal, side: 'prompt', areAll: true, policyWork: undefined } as const;
  await pool.inspect({ ...asking, policies, texts: ['hi'] });
  expect(told()).toBe('no-pii no-secrets house other-pii ');
});

test('no thread is started where no policy has tables, or the gateway ends before', async () => {
  const without = telling();
  without.pool.begin(policies.filter(({ kind }) => kind === 'regex'));
  const ended = telling();
  ended.pool.begin(policies);
  ended.pool.close();
  await delay(300);
  expect(without.told() + ended.told()).toBe('');
});
