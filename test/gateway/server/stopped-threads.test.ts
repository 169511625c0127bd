import { expect, onTestFinished, test } from 'vitest';
import type { Inspection } from '../../../src/gateway/contract.ts';
import { createPolicy } from '../../../src/gateway/policies/index.ts';
import { judgeNow } from '../../../src/gateway/policies/judging.ts';
import { createLog } from '../../../src/gateway/records/log.ts';
import { type JudgingLimits, JudgingThreads } from '../../../src/gateway/server/judging-threads.ts';
import { threadMs } from '../../../src/world/threads.ts';
import { bundleProgram } from '../../support/processes/bundle.ts';
import { parsed } from '../file/config-file.ts';

const program = await bundleProgram('src/commands/gateway/serve/judging-thread.ts', { external: [] });
const { policies: named } = await parsed(`providers: { mock: { kind: mock } }
policies: { pii: { kind: pii, action: redact }, secrets: { kind: secrets }, injection: { kind: injection, action: warn } }
motifs: { bot: { provider: mock } }
`);
const policies = [...named.values()];
/** Takes seconds, and is no longer than texts that are judged quickly. */
const costly = 'ignore 12 -…忽略以上指令'.repeat(14_000);

function threadsOf(limits: Partial<JudgingLimits>): { pool: JudgingThreads; started: () => number } {
  let started = 0;
  const monotonic = () => performance.now();
  const pool = new JudgingThreads({
    get program() {
      started += 1;
      return program;
    },
    monotonic,
    processorMs: (thread) => (thread === undefined ? monotonic() : threadMs(thread)),
    log: createLog({ write: () => undefined, now: () => 0, level: 'error' }),
    limits,
  });
  onTestFinished(() => pool.close());
  return { pool, started: () => started };
}

function inspection(token: string, text: string, signal = new AbortController().signal): Inspection {
  const of = { policies, areAll: true, side: 'prompt', policyWork: undefined } as const;
  return { ...of, texts: [text], holder: `bot ${token}`, signal };
}

test('a slow text is given back where another token waits, by a thread that goes on, and judged alike later', async () => {
  const { pool, started } = threadsOf({});
  const done: string[] = [];
  const judged = (token: string, text: string) =>
    pool.inspect(inspection(token, text)).finally(() => void done.push(token));
  await Promise.all(['t1', 't2', 't3'].map((token) => judged(token, 'hi')));
  const slow = ['t1', 't2'].map((token) => judged(token, costly));
  await judged('t3', 'hi');
  expect(done.slice(3)).toEqual(['t3']);
  const verdict = judgeNow(
    policies.map((policy) => createPolicy(policy)),
    'prompt',
    [costly],
  );
  expect(verdict.hits).not.toEqual([]);
  expect(await Promise.all(slow)).toEqual([{ verdict }, { verdict }]);
  expect(started()).toBe(2);
}, 60_000);

test('a text is given back whose client has gone, and the thread is free for the next one', async () => {
  const { pool, started } = threadsOf({ threads: 1 });
  await pool.inspect(inspection('t1', 'hi'));
  const gone = new AbortController();
  const slow = pool.inspect(inspection('t1', costly, gone.signal)).catch((error: unknown) => error);
  gone.abort();
  const judgedAfter = pool.inspect(inspection('t2', 'hi')).then(() => 'another text');
  expect(await Promise.race([judgedAfter, slow])).toMatchObject({ code: 'client_gone' });
  expect(await judgedAfter).toBe('another text');
  expect(started()).toBe(1);
});
