import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PolicyConfig } from '../../../src/gateway/config.ts';
import { createLog } from '../../../src/gateway/records/log.ts';
import type { Refusal } from '../../../src/gateway/refusal.ts';
import { JudgingThreads } from '../../../src/gateway/server/judging-threads.ts';
import { threadMs } from '../../../src/world/threads.ts';
import { runs } from '../../support/runs.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();
const slowMs = 20;
const charactersOfLong = slowMs * 1000 + 1;

/** A thread that works as long as a text says, or ends with it; some do not start. */
const programOf = (tellsNumber: boolean, unstartable: number): string => `
const { readlinkSync } = require('node:fs');
const { parentPort } = require('node:worker_threads');
const work = (ms) => { for (const until = performance.now() + ms; performance.now() < until;); };
if (Math.random() < ${unstartable}) throw new Error('no start');
let thread;
try { thread = ${tellsNumber} ? readlinkSync('/proc/thread-self').split('/').at(-1) : undefined; } catch {}
const known = new Set();
parentPort.postMessage({ thread });
parentPort.on('message', ({ texts: [text], policies, unseen, forgets }) => {
  const { id, ms, makingMs, ends } = JSON.parse(text);
  for (const number of forgets) known.delete(number);
  for (const [number] of unseen) known.add(number);
  if (unseen.length > 0) { work(makingMs); parentPort.postMessage({}); }
  if (ends) throw new Error('ends');
  work(ms);
  parentPort.postMessage({ inspected: { outcomes: [policies.every((each) => known.has(each)) ? id : 'unknown'] } });
});
`;

const someText = fc.record({
  holder: fc.nat(5),
  ms: fc.oneof({ weight: 3, arbitrary: fc.nat(8) }, fc.nat(80)),
  makingMs: fc.nat(30),
  isLong: fc.boolean(),
  ends: fc.nat(15).map((each) => each === 0),
  side: fc.constantFrom('prompt' as const, 'inference' as const),
  leavesAfterMs: fc.option(fc.nat(60), { freq: 8 }),
  pauseMs: fc.option(fc.nat(40), { freq: 2 }),
  policies: fc.subarray([0, 1, 2]),
  /** The policies that are in a new version of the file. */
  renews: fc.option(fc.subarray([0, 1, 2]), { freq: 15 }),
});
const history = fc.record({
  threads: fc.integer({ min: 1, max: 3 }),
  tellsNumber: fc.boolean(),
  unstartable: fc.constantFrom(0, 0, 0.3),
  keptMs: fc.constantFrom(0, 100),
  texts: fc.array(someText, { minLength: 20, maxLength: 60 }),
});

test('each text gets its own result, once, or none for a reason, however threads are ended and begun', async () => {
  const log = createLog({ write: () => undefined, now: () => 0, level: 'error' });
  const policies = [0, 1, 2].map((number) => ({ name: `p${number}` }) as PolicyConfig);
  let histories = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ threads, tellsNumber, unstartable, keptMs, texts }) => {
      const program = join(folder, `thread-${(histories += 1)}.cjs`);
      writeFileSync(program, programOf(tellsNumber, unstartable));
      const limits = { threads, slowMs, keptMs, waitingMax: 1000, killsMax: 1 };
      const processorMs = (thread?: string): number =>
        thread === undefined ? process.cpuUsage().user / 1000 : threadMs(thread);
      const pool = new JudgingThreads({ program, monotonic: () => performance.now(), processorMs, log, limits });
      const outcomes: Promise<unknown>[] = [];
      for (const [id, { holder, isLong, side, leavesAfterMs, pauseMs, renews, ...more }] of texts.entries()) {
        const gone = new AbortController();
        if (leavesAfterMs !== null) setTimeout(() => gone.abort(), leavesAfterMs);
        if (renews !== null) pool.renew(policies.filter((_, at) => renews.includes(at)));
        const inspected = pool.inspect({
          policies: policies.filter((_, at) => more.policies.includes(at)),
          areAll: false,
          side,
          texts: [JSON.stringify({ ...more, id }).padEnd(isLong ? charactersOfLong : 0)],
          policyWork: undefined,
          holder: `t${holder}`,
          signal: gone.signal,
        });
        outcomes.push(inspected.then((told) => ('outcomes' in told ? (told.outcomes[0] ?? 'failed') : told)));
        outcomes[id]!.catch(() => undefined);
        if (pauseMs !== null) await wait(pauseMs);
      }
      for (const [id, { ends, leavesAfterMs }] of texts.entries()) {
        // A token whose text was begun anew, or ended with its thread, had none ended by the clock.
        const outcome = await outcomes[id]!.catch(({ code }: Refusal) => code);
        const possible: unknown[] = ends ? ['failed'] : unstartable > 0 ? [id, 'failed'] : [id];
        expect([...possible, ...(leavesAfterMs === null ? [] : ['client_gone'])]).toContain(outcome);
      }
      pool.close();
    }),
    { ...runs(30), endOnFailure: true },
  );
}, 120_000);
