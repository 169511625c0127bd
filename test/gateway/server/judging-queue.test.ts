import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Inspection } from '../../../src/gateway/contract.ts';
import { createLog } from '../../../src/gateway/records/log.ts';
import { type JudgingLimits, JudgingThreads } from '../../../src/gateway/server/judging-threads.ts';
import { parsed } from '../file/config-file.ts';
import { bundleProgram } from '../../support/processes/bundle.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();
const fileOfOne = `providers: { mock: { kind: mock } }
policies: { no-pii: { kind: pii } }
motifs: { bot: { provider: mock } }
`;

/** A pool whose threads do this with each text. */
function poolOf(onText: string, more: Partial<JudgingLimits> = {}, started = (): void => undefined): JudgingThreads {
  const path = join(folder, 'thread.cjs');
  const answer = 'const answer = (text) => parentPort.postMessage({ inspected: { outcomes: [text] } });';
  const program = `const { parentPort } = require('node:worker_threads');\n${answer}\nparentPort.postMessage({});\nparentPort.on('message', ({ texts: [text] }) => ${onText});`;
  writeFileSync(path, program);
  return poolWith(path, more, started);
}

function poolWith(path: string, more: Partial<JudgingLimits> = {}, started = (): void => undefined): JudgingThreads {
  const log = createLog({ write: () => undefined, now: () => 0, level: 'error' });
  const monotonic = () => performance.now();
  const pool = new JudgingThreads({
    get program() {
      started();
      return path;
    },
    monotonic,
    processorMs: monotonic,
    log,
    limits: more,
  });
  onTestFinished(() => pool.close());
  return pool;
}

function inspection(token: string, more: Partial<Inspection> = {}): Inspection {
  const holder = token.includes(' ') ? token : `bot ${token}`;
  const { signal } = new AbortController();
  return { policies: [], areAll: false, side: 'prompt', texts: [''], policyWork: undefined, holder, signal, ...more };
}

/** The holders of texts that are judged, in the order in which they are done. */
const orderOf = async (pool: JudgingThreads, asked: readonly (readonly [holder: string, text: string])[]) => {
  const order: string[] = [];
  await Promise.all(
    asked.map(async ([holder, text]) => {
      await pool.inspect(inspection(holder, { texts: [text] }));
      order.push(holder);
    }),
  );
  return order;
};

test('answers that wait, of which one token may have hundreds, fill no place of a prompt', async () => {
  const pool = poolOf('undefined', { waitingMax: 8 });
  const failure = (error: unknown): unknown => error;
  for (let count = 0; count < 40; count++) void pool.inspect(inspection('t1', { side: 'inference' })).catch(failure);
  const prompt = pool.inspect(inspection('t2')).catch(failure);
  expect(await Promise.race([prompt, new Promise((wake) => setImmediate(wake, 'waits'))])).toBe('waits');
});

test('small texts have more places, of their own: an honest token may seem costly for a while', async () => {
  const pool = poolOf('undefined', { waitingMax: 8, smallWaitingMax: 32 });
  const refused: string[] = [];
  const ask = async (token: string, isSmall: boolean, count: number) => {
    for (let asked = 0; asked < count; asked++)
      void pool.inspect(inspection(token, { isSmall })).catch(({ message }: Error) => refused.push(message));
    await new Promise(setImmediate);
  };
  await ask('t1', true, 16);
  await ask('t2', false, 4);
  expect(refused).toEqual([]);
  await ask('t1', true, 1);
  await ask('t2', false, 1);
  expect(refused).toEqual(['too many costly texts are being judged', 'too many large texts are being judged']);
});

test('a thread that is ended while it makes policies was ended by no token', async () => {
  const policies = [...(await parsed(fileOfOne)).policies.values()];
  const pool = poolOf('undefined', { threads: 1, judgingMsMax: 10, killsMax: 1 });
  const ended = { outcomes: [] };
  expect(await pool.inspect(inspection('t1', { policies }))).toEqual(ended);
  expect(await pool.inspect(inspection('t1'))).toEqual(ended);
  expect(await pool.inspect(inspection('t1')).catch(({ code }) => code)).toBe('limited');
});

test.each([1, 2])('tokens take turns, however many texts of others have come before: %i threads', async (count) => {
  const pool = poolOf('setTimeout(answer, 5, text)', { threads: count });
  const order: string[] = [];
  const holders = [...Array<string>(9).fill('t1'), ...Array<string>(9).fill('t2'), 't3'];
  await Promise.all(holders.map((holder) => pool.inspect(inspection(holder)).then(() => order.push(holder))));
  // The third that is begun; on a busy machine others are done before it.
  expect(order.indexOf('t3')).toBeLessThan(12);
});

describe('tokens whose texts take long', () => {
  const slowOnes = ['t1', 't2'];
  const takesMs = 'setTimeout(answer, Number(text), text)';
  /** A pool that knows of these tokens that they are slow. */
  const poolThatKnows = async (threads: number) => {
    const pool = poolOf(takesMs, { threads, slowMs: 50 });
    await Promise.all(slowOnes.map((holder) => pool.inspect(inspection(holder, { texts: ['200'] }))));
    return pool;
  };

  test('leave a thread to others, all of them together', async () => {
    const pool = await poolThatKnows(2);
    for (const holder of [...slowOnes, ...slowOnes]) void pool.inspect(inspection(holder, { texts: ['60000'] }));
    expect(await pool.inspect(inspection('t3', { texts: ['1'] }))).toEqual({ outcomes: ['1'] });
  });

  test('leave one with the first of them, however many they are', async () => {
    const pool = poolOf(takesMs, { slowMs: 50 });
    for (const holder of ['t1', 't2', 't3', 't4', 't5'])
      void pool.inspect(inspection(holder, { texts: ['60000'] })).catch(() => undefined);
    expect(await pool.inspect(inspection('t6', { texts: ['1'] }))).toEqual({ outcomes: ['1'] });
  });

  test('leave one with the first text of the token, before that is known to be slow', async () => {
    let started = 0;
    const pool = poolOf(takesMs, { slowMs: 100 }, () => void (started += 1));
    const slow = ['t1', 't1', 't1'].map((holder) => pool.inspect(inspection(holder, { texts: ['600'] })));
    await expect.poll(() => started).toBe(2);
    await new Promise((wake) => setTimeout(wake, 100));
    expect(await pool.inspect(inspection('t2', { texts: ['1'] }))).toEqual({ outcomes: ['1'] });
    await Promise.all(slow);
    expect(started).toBe(2);
  });

  test('leave one to shorter texts, as do tokens with longer texts than they could have quickly', async () => {
    const pool = poolOf(takesMs, { slowMs: 10_000 });
    await pool.inspect(inspection('t0', { texts: ['1'] }));
    for (const holder of slowOnes)
      void pool.inspect(inspection(holder, { texts: ['60000'.padEnd(10_000_001)] })).catch(() => undefined);
    expect(await pool.inspect(inspection('t3', { texts: ['1'] }))).toEqual({ outcomes: ['1'] });
  });

  test('have them judged all the same, once, behind those of others', async () => {
    const pool = poolOf(takesMs, { slowMs: 50 });
    const order: string[] = [];
    const ask = async (holder: string, text: string) => {
      expect(await pool.inspect(inspection(holder, { texts: [text] }))).toEqual({ outcomes: [text] });
      order.push(holder);
    };
    await Promise.all([ask('t1', '400'), ask('t2', '400'), ask('t3', '1'), ask('t4', '1')]);
    expect(order.slice(0, 2).toSorted()).toEqual(['t3', 't4']);
  });

  test('have no thread ended while nobody else waits', async () => {
    let started = 0;
    const pool = poolOf(takesMs, { slowMs: 50 }, () => void (started += 1));
    await Promise.all([...slowOnes, ...slowOnes].map((holder) => pool.inspect(inspection(holder, { texts: ['200'] }))));
    expect(started).toBeLessThan(5);
  });

  test('are given up where their clients have gone meanwhile', async () => {
    const pool = poolOf(takesMs, { slowMs: 50 });
    const ask = (holder: string, text: string, more: Partial<Inspection> = {}) =>
      pool.inspect(inspection(holder, { texts: [text], ...more })).catch((error: unknown) => error);
    for (const holder of slowOnes) void ask(holder, '60000');
    await ask('t3', '1');
    const gone = new AbortController();
    // Begun at once: one thread has nothing else to do.
    const slow = ask('t4', '60000', { signal: gone.signal });
    gone.abort();
    expect(await ask('t5', '1')).toEqual({ outcomes: ['1'] });
    expect(await slow).toMatchObject({ code: 'client_gone' });
  });

  test('take turns in what they have', async () => {
    const pool = await poolThatKnows(2);
    const holders = [...Array<string>(5).fill('t1'), 't2'];
    const order = await orderOf(
      pool,
      holders.map((holder) => [holder, '100']),
    );
    expect(order.indexOf('t2')).toBeLessThan(5);
  });

  test('come behind others where there is one thread', async () => {
    const pool = await poolThatKnows(1);
    const holders = ['t1', 't2', 't1', 't3', 't3'];
    const order = await orderOf(
      pool,
      holders.map((holder) => [holder, '']),
    );
    expect(order.slice(1, 3)).toEqual(['t3', 't3']);
  });

  test('have another thread started at once, so that none is ended for a short text of another', async () => {
    let started = 0;
    const pool = poolOf(takesMs, { slowMs: 10_000 }, () => void (started += 1));
    await pool.inspect(inspection('t0', { texts: ['1'] }));
    expect(started).toBe(1);
    for (const holder of slowOnes)
      void pool.inspect(inspection(holder, { texts: ['60000'.padEnd(10_000_001)] })).catch(() => undefined);
    expect(started).toBe(2);
    expect(await pool.inspect(inspection('t3', { texts: ['1'] }))).toEqual({ outcomes: ['1'] });
    expect(started).toBe(2);
  });

  test('come last of those that wait, as do longer texts', async () => {
    const pool = poolOf(takesMs, { threads: 1 });
    await pool.inspect(inspection('t0', { texts: ['1'] }));
    await orderOf(pool, [
      ['t1', '100'],
      ['t0', '1'],
    ]);
    const order = await orderOf(pool, [
      ['t0', '50'],
      ['t1', '1'],
      ['t2', '1'.padEnd(10_000)],
      ['t3', '1'],
    ]);
    expect(order).toEqual(['t0', 't3', 't2', 't1']);
  });
});

test.each([
  { name: 'broke', onText: '{ throw new Error(text); }' },
  { name: 'was ended by the clock', onText: 'undefined' },
])('no thread is started in place of the only one that $name, before a text comes', async ({ onText }) => {
  let started = 0;
  const pool = poolOf(onText, { judgingMsMax: 10 }, () => void (started += 1));
  expect(await pool.inspect(inspection('t1', { texts: ['1'] }))).toEqual({ outcomes: [] });
  expect(started).toBe(1);
});

test('a thread that does not start is tried again after a while alone, while another one judges', async () => {
  const onText = "{ require('node:fs').writeFileSync(__filename, 'throw 1'); setTimeout(answer, 400, text); }";
  let started = 0;
  const pool = poolOf(onText, { slowMs: 4 }, () => void (started += 1));
  const judged = await Promise.all(['t1', 't2'].map((holder) => pool.inspect(inspection(holder, { texts: ['1'] }))));
  expect(judged).toEqual([{ outcomes: ['1'] }, { outcomes: ['1'] }]);
  expect(started).toBeLessThan(5);
});

const policies = [...(await parsed(fileOfOne)).policies.values()];

test('of the Motifs that wait, the one that used the threads least comes first, however many tokens the other has', async () => {
  const pool = poolOf('setTimeout(answer, 20, text)', { threads: 1 });
  const busy = Array.from({ length: 30 }, (_, index) => [`busy t${index}`, ''] as const);
  await orderOf(pool, [['other t', '']]);
  const order = await orderOf(pool, [...busy, ['other t', '']]);
  expect(order.indexOf('other t')).toBeLessThan(4);
});

test('one that used threads which nobody else wanted comes in its turn once others come', async () => {
  const pool = poolOf('setTimeout(answer, Number(text), text)', { threads: 1 });
  for (const holder of ['own t1', 'other t1']) for (const text of ['60', '60']) await orderOf(pool, [[holder, text]]);
  const noisy = Array.from({ length: 12 }, (_, index) => [`noisy${index % 3} t1`, '10'] as const);
  const order = await orderOf(pool, [...noisy, ['own t1', '1'], ['other t2', '1']]);
  expect(order.indexOf('own t1')).toBeLessThan(6);
  expect(order.indexOf('other t2')).toBeLessThan(6);
});

test.each([
  { name: 'of a text makes its token slow', with: [], reports: '', order: ['t2', 't1'] },
  {
    name: 'of policies that come with it does not',
    with: policies,
    reports: 'parentPort.postMessage({});',
    order: ['t1', 't2'],
  },
])('time $name', async ({ with: given, reports, order: expected }) => {
  const pool = poolOf(`setTimeout(() => { ${reports} answer(text); }, Number(text))`, { threads: 1, slowMs: 50 });
  await pool.inspect(inspection('t1', { texts: ['200'], policies: given }));
  const order = await orderOf(pool, [
    ['t0', '50'],
    ['t1', ''],
    ['t2', ' '.repeat(40_000)],
  ]);
  expect(order).toEqual(['t0', ...expected]);
});

test('texts that stay as they are come back as those that were given: a copy of each would be held beside them', async () => {
  const pool = poolWith(await bundleProgram('src/commands/gateway/serve/judging-thread.ts', { external: [] }));
  const texts = ['nothing to find'];
  const inspected = await pool.inspect(inspection('t1', { areAll: true, texts }));
  expect(inspected).toEqual({ verdict: { decision: 'pass', hits: [], texts } });
  expect('verdict' in inspected && inspected.verdict.texts).toBe(texts);
});
