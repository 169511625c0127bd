import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Inspection } from '../../../src/gateway/contract.ts';
import { createLog } from '../../../src/gateway/records/log.ts';
import { type JudgingLimits, JudgingThreads } from '../../../src/gateway/server/judging-threads.ts';
import { bundleProgram } from '../../support/processes/bundle.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();

/** A pool whose threads do this with each text. */
function poolOf(onText: string, more: Partial<JudgingLimits> = {}): JudgingThreads {
  const path = join(folder, 'thread.cjs');
  const answer = 'const answer = () => parentPort.postMessage({ inspected: { outcomes: [] } });';
  const program = `const { parentPort } = require('node:worker_threads');\n${answer}\nparentPort.postMessage({});\nparentPort.on('message', ({ texts: [text] }) => ${onText});`;
  writeFileSync(path, program);
  return poolWith(path, more);
}

function poolWith(path: string, more: Partial<JudgingLimits> = {}): JudgingThreads {
  const log = createLog({ write: () => undefined, now: () => 0, level: 'error' });
  const monotonic = () => performance.now();
  const pool = new JudgingThreads({ program: path, monotonic, processorMs: monotonic, log, limits: more });
  onTestFinished(() => pool.close());
  return pool;
}

function inspection(holder: string, more: Partial<Inspection> = {}): Inspection {
  const { signal } = new AbortController();
  return { policies: [], areAll: false, side: 'prompt', texts: [''], policyWork: undefined, holder, signal, ...more };
}

test('answers that wait, of which one token may have hundreds, fill no place of a prompt', async () => {
  const pool = poolOf('undefined', { waitingMax: 8 });
  const failure = (error: unknown): unknown => error;
  for (let count = 0; count < 40; count++) void pool.inspect(inspection('t1', { side: 'inference' })).catch(failure);
  const prompt = pool.inspect(inspection('t2')).catch(failure);
  expect(await Promise.race([prompt, new Promise((wake) => setImmediate(wake, 'waits'))])).toBe('waits');
});

test.each([1, 2])('tokens take turns, however many texts of others have come before: %i threads', async (count) => {
  const pool = poolOf('setTimeout(answer, 5)', { threads: count });
  const order: string[] = [];
  const holders = [...Array<string>(9).fill('t1'), ...Array<string>(9).fill('t2'), 't3'];
  await Promise.all(holders.map((holder) => pool.inspect(inspection(holder)).then(() => order.push(holder))));
  expect(order.indexOf('t3')).toBeLessThan(6);
});

describe('tokens whose texts take long', () => {
  const slowOnes = ['t1', 't2'];
  /** A pool that knows of these tokens that they are slow. */
  const poolThatKnows = async (threads: number) => {
    const pool = poolOf('setTimeout(answer, Number(text))', { threads });
    await Promise.all(slowOnes.map((holder) => pool.inspect(inspection(holder, { texts: ['1100'] }))));
    return pool;
  };

  test('leave a thread to others, all of them together', async () => {
    const pool = await poolThatKnows(2);
    for (const holder of [...slowOnes, ...slowOnes]) void pool.inspect(inspection(holder, { texts: ['60000'] }));
    expect(await pool.inspect(inspection('t3'))).toEqual({ outcomes: [] });
  });

  test('take turns in what they have', async () => {
    const pool = await poolThatKnows(2);
    const order: string[] = [];
    const holders = ['t1', 't1', 't1', 't2', 't2'];
    await Promise.all(holders.map((holder) => pool.inspect(inspection(holder)).then(() => order.push(holder))));
    expect(order).toEqual(['t1', 't1', 't2', 't1', 't2']);
  });

  test('come behind others where there is one thread', async () => {
    const pool = await poolThatKnows(1);
    const order: string[] = [];
    const holders = ['t1', 't2', 't1', 't3', 't3'];
    await Promise.all(holders.map((holder) => pool.inspect(inspection(holder)).then(() => order.push(holder))));
    expect(order).toEqual(['t1', 't3', 't3', 't2', 't1']);
  });
});

test.each([
  { name: 'of a text makes its token slow', reports: '', order: ['t2', 't1'] },
  { name: 'of policies that come with it does not', reports: 'parentPort.postMessage({});', order: ['t1', 't2'] },
])('time $name', async ({ reports, order: expected }) => {
  const pool = poolOf(`setTimeout(() => { ${reports} answer(); }, Number(text))`, { threads: 1 });
  await pool.inspect(inspection('t1', { texts: ['1100'] }));
  const order: string[] = [];
  void pool.inspect(inspection('t0', { texts: ['50'] }));
  await Promise.all(['t1', 't2'].map((holder) => pool.inspect(inspection(holder)).then(() => order.push(holder))));
  expect(order).toEqual(expected);
});

test('texts that stay as they are come back as those that were given: a copy of each would be held beside them', async () => {
  const pool = poolWith(await bundleProgram('src/gateway/server/judging-thread.ts', { external: [] }));
  const texts = ['nothing to find'];
  const inspected = await pool.inspect(inspection('t1', { areAll: true, texts }));
  expect(inspected).toEqual({ verdict: { decision: 'pass', hits: [], texts } });
  expect('verdict' in inspected && inspected.verdict.texts).toBe(texts);
});
