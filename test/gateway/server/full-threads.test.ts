import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Inspection } from '../../../src/gateway/contract.ts';
import { createLog } from '../../../src/gateway/records/log.ts';
import { JudgingThreads } from '../../../src/gateway/server/judging-threads.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();

const filling = `const { parentPort } = require('node:worker_threads');
parentPort.postMessage({});
parentPort.on('message', () => { for (const all = []; ; ) all.push(new Array(1e6).fill(0.5)); });`;

test('a token whose texts fill the memory of threads again and again is limited, and no other one', async () => {
  const program = join(folder, 'fills.cjs');
  writeFileSync(program, filling);
  const monotonic = () => performance.now();
  const log = createLog({ write: () => undefined, now: () => 0, level: 'error' });
  const pool = new JudgingThreads({
    program,
    monotonic,
    processorMs: monotonic,
    log,
    limits: { killsMax: 2 },
  });
  onTestFinished(() => pool.close());
  const { signal } = new AbortController();
  const textOf = (holder: string): Inspection => ({
    policies: [],
    areAll: true,
    side: 'prompt',
    texts: ['hi'],
    policyWork: undefined,
    holder,
    signal,
  });
  for (let kill = 0; kill < 2; kill++) expect(await pool.inspect(textOf('bot t1'))).toEqual({ outcomes: [] });
  await expect(pool.inspect(textOf('bot t1'))).rejects.toMatchObject({ code: 'limited', status: 429 });
  expect(await pool.inspect(textOf('bot t2'))).toEqual({ outcomes: [] });
});
