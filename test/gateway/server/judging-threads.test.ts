import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { PolicyConfig } from '../../../src/gateway/config.ts';
import type { Inspection } from '../../../src/gateway/contract.ts';
import { createPolicy } from '../../../src/gateway/policies/index.ts';
import { type Inspected, judge, judgeNow } from '../../../src/gateway/policies/judging.ts';
import type { Policy } from '../../../src/gateway/policies/policy.ts';
import { createLog } from '../../../src/gateway/records/log.ts';
import type { Refusal } from '../../../src/gateway/refusal.ts';
import { type JudgingLimits, JudgingThreads } from '../../../src/gateway/server/judging-threads.ts';
import type { Finding } from '../../../src/gateway/vocabulary.ts';
import { parsed } from '../file/config-file.ts';
import { bundleProgram } from '../../support/processes/bundle.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const file = `providers: { mock: { kind: mock } }
policies:
  no-pii: { kind: pii, action: redact }
  no-secrets: { kind: secrets, on: prompt, action: warn }
  house: { kind: regex, on: prompt, action: warn, pattern: 'acme-\\d+' }
motifs: { bot: { provider: mock } }
`;
const large = `${'mail ana@acme.example about acme-17 '.repeat(40)} AKIA${'IOSFODNN7EXAMPLE'} ${'x '.repeat(20_000)}`;
const limits = { deadlineAt: Infinity };
const monotonic = () => performance.now();
const folder = sharedFolder();

let program = '';
let policies: readonly PolicyConfig[] = [];
let made: readonly Policy[] = [];
beforeAll(async () => {
  policies = [...(await parsed(file)).policies.values()];
  made = policies.map((each) => createPolicy(each));
  program = await bundleProgram('src/commands/gateway/serve/judging-thread.ts', { external: [] });
});

/** The program of a thread that does something else than judging. */
function programOf(name: string, text: string): string {
  const path = join(folder, `${name}.cjs`);
  writeFileSync(path, `const { parentPort } = require('node:worker_threads');\n${text}`);
  return path;
}

const hanging = () => programOf('hangs', "parentPort.postMessage({}); parentPort.on('message', () => { for (;;); });");

function threads(
  of: string,
  more: Partial<JudgingLimits> = {},
  processorMs = monotonic,
): { pool: JudgingThreads; logged: string[] } {
  const logged: string[] = [];
  const log = createLog({ write: (line) => void logged.push(line), now: () => 0, level: 'info' });
  const pool = new JudgingThreads({ program: of, monotonic, processorMs, log, limits: more });
  onTestFinished(() => pool.close());
  return { pool, logged };
}

function inspection(more: Partial<Inspection> = {}): Inspection {
  const { signal } = new AbortController();
  return {
    policies,
    areAll: true,
    side: 'prompt',
    texts: ['hi', large],
    policyWork: undefined,
    holder: 'bot t1',
    signal,
    ...more,
  };
}

const failure = (error: unknown): unknown => error;
const verdictOf = async (inspected: Inspected) =>
  'verdict' in inspected ? inspected.verdict : judge(made, 'prompt', ['hi', large], limits, inspected);
const failed = { outcomes: [] };

test('threads find what is found without them, for each version of the policies', async () => {
  const { pool } = threads(program);
  const [one, parts, answer] = await Promise.all([
    pool.inspect(inspection()),
    pool.inspect(inspection({ areAll: false })),
    pool.inspect(inspection({ side: 'inference', texts: ['bo@acme.example'] })),
  ]);
  expect(await verdictOf(one)).toEqual(judgeNow(made, 'prompt', ['hi', large]));
  expect(await verdictOf(parts)).toEqual(await verdictOf(one));
  expect(answer).toMatchObject({ verdict: { texts: ['[EMAIL]'] } });
  pool.renew(policies.slice(1));
  expect(await pool.inspect(inspection())).toEqual(one);
});

test('others are served while a text is judged', async () => {
  const { pool } = threads(program);
  await pool.inspect(inspection());
  let turns = 0;
  let isDone = false;
  const judged = pool.inspect(inspection({ texts: [large.repeat(8)] })).finally(() => (isDone = true));
  while (!isDone) {
    await new Promise(setImmediate);
    turns += 1;
  }
  await judged;
  expect(turns).toBeGreaterThan(20);
});

describe('where policies that do not ask found more than a thread tells', () => {
  const crowded = 'a@b.co '.repeat(5001);
  const passed = 'a@b.co '.repeat(4900);
  const asking = (found: readonly Finding[], shown: string[], action: Policy['action']): Policy => ({
    name: 'hook',
    kind: 'webhook',
    on: new Set(['prompt', 'inference']),
    action,
    ask: async (texts) => {
      shown.push(...texts);
      return [found];
    },
  });
  const judged = async (text: string, found: readonly Finding[], action: Policy['action'] = 'warn') => {
    const { pool } = threads(program);
    const inspected = await pool.inspect(inspection({ areAll: false, texts: [text] }));
    if ('verdict' in inspected) throw new Error('a verdict was not to be known yet');
    const shown: string[] = [];
    const verdict = await judge([...made, asking(found, shown, action)], 'prompt', [text], limits, inspected);
    return { known: Object.keys(inspected), verdict, shown };
  };
  const topic = { rule: 'topic', start: 0, length: 7 };

  test.each([
    { name: 'one that asks and finds nothing is shown it redacted', action: 'redact', found: [], more: [] },
    {
      name: 'one that redacts what it finds has failed',
      action: 'redact',
      found: [topic],
      more: [['policy_failed', 0]],
    },
    { name: 'one that warns names all', action: 'warn', found: [topic], more: [['topic', crowded.length]] },
  ] as const)('$name', async ({ action, found, more }) => {
    const { known, verdict, shown } = await judged(crowded, found, action);
    expect(known).toEqual(['passed']);
    expect(shown).toEqual([crowded.replaceAll('a@b.co', '[EMAIL]')]);
    const alone = judgeNow(made, 'prompt', [crowded]);
    const decision = more.some(([rule]) => rule === 'policy_failed') ? 'block' : 'pass';
    expect(verdict).toMatchObject({ ...alone, decision, hits: expect.anything() });
    expect(verdict.hits.slice(0, alone.hits.length)).toEqual(alone.hits);
    expect(verdict.hits.slice(alone.hits.length).map(({ rule, length }) => [rule, length])).toEqual(more);
  });

  test('and not where they found less', async () => {
    const { known, verdict } = await judged(passed, [topic]);
    expect(known).toEqual(['outcomes']);
    expect(verdict.decision).toBe('pass');
    expect(verdict.hits.at(-1)).toMatchObject({ policy: 'hook', rule: 'topic', start: 0, length: 6 });
  });

  test('their verdict alone comes of a text that they block', async () => {
    const { pool } = threads(program);
    const blocking = policies.map((each) => ({ ...each, action: 'block' as const }));
    const inspected = await pool.inspect(inspection({ policies: blocking, areAll: false, texts: [crowded] }));
    expect(inspected).toMatchObject({ verdict: { decision: 'block', hits: { length: 100 } } });
  });
});

test('the work budget holds in a thread, too', async () => {
  const { pool } = threads(program);
  const { hits } = await verdictOf(await pool.inspect(inspection({ policyWork: 10 })));
  expect(hits).toContainEqual(expect.objectContaining({ rule: 'policy_failed' }));
});

test('a thread is ended by the clock, its policies have failed, and the next text is judged', async () => {
  const { pool, logged } = threads(hanging(), { threads: 1, judgingMsMax: 30 });
  const verdict = await verdictOf(await pool.inspect(inspection()));
  expect(verdict).toMatchObject({ decision: 'block', hits: policies.map(() => ({ rule: 'policy_failed' })) });
  expect(logged.join('')).toContain('a thread that judges was ended');
  expect(await pool.inspect(inspection({ holder: 'bot t2' }))).toEqual(failed);
});

const slow = () =>
  programOf(
    'slow',
    "parentPort.postMessage({}); parentPort.on('message', () => setTimeout(() => parentPort.postMessage({ inspected: { outcomes: ['late'] } }), 900));",
  );

test.each([
  { name: 'that the process used is counted', processorMs: monotonic, comes: failed },
  { name: 'that other programs used is not counted', processorMs: () => 0, comes: { outcomes: ['late'] } },
])('time $name', async ({ processorMs, comes }) => {
  const { pool } = threads(slow(), { threads: 1, judgingMsMax: 400 }, processorMs);
  expect(await pool.inspect(inspection())).toEqual(comes);
});

test('a thread that does nothing is ended all the same', async () => {
  const { pool } = threads(hanging(), { threads: 1, judgingMsMax: 20 }, () => 0);
  expect(await pool.inspect(inspection())).toEqual(failed);
});

test('a token that has threads ended again and again is limited, and no other one', async () => {
  const { pool } = threads(hanging(), { judgingMsMax: 10, killsMax: 2 });
  for (let kill = 0; kill < 2; kill++) await pool.inspect(inspection({ policies: [] }));
  expect(await pool.inspect(inspection()).catch(failure)).toMatchObject({ code: 'limited', status: 429 });
  expect(await pool.inspect(inspection({ holder: 'bot t2' }))).toEqual(failed);
});

test('a pool that is full says when to come again, and a token has as many places as it leaves free', async () => {
  const { pool } = threads(programOf('never-ready', "parentPort.on('message', () => {});"), { waitingMax: 8 });
  const refused: string[] = [];
  const note = (token: string) => (error: Refusal) => refused.push(`${token} ${error.code} ${error.retryAfterMs}`);
  for (const token of ['t1', 't1', 't1', 't1', 't1', 't2', 't2', 't2', 't3', 't3', 't4', 't5'])
    void pool.inspect(inspection({ holder: `bot ${token}` })).catch(note(token));
  await new Promise(setImmediate);
  expect(refused).toEqual(['t1', 't2', 't3', 't5'].map((token) => `${token} overloaded 1000`));
  for (const more of [{ holder: 'other t1' }, { holder: 'bot t5', side: 'inference' as const }]) {
    const asked = pool.inspect(inspection(more)).catch(failure);
    expect(await Promise.race([asked, new Promise((wake) => setImmediate(wake, 'waits'))])).toBe('waits');
  }
});

test('who has gone leaves the queue, or never comes to it', async () => {
  const { pool } = threads(hanging(), { threads: 1, judgingMsMax: 60_000 });
  const gone = new AbortController();
  void pool.inspect(inspection());
  const waiting = pool.inspect(inspection({ signal: gone.signal })).catch(failure);
  gone.abort();
  const late = pool.inspect(inspection({ signal: gone.signal })).catch(failure);
  expect(await Promise.all([waiting, late])).toMatchObject([{ code: 'client_gone' }, { code: 'client_gone' }]);
});

test('a thread holds none of the environment', async () => {
  const report =
    "parentPort.postMessage({}); parentPort.on('message', () => parentPort.postMessage({ inspected: { outcomes: ['told', ...Object.keys(process.env)] } }));";
  const { pool } = threads(programOf('tells', report));
  expect(await pool.inspect(inspection())).toEqual({ outcomes: ['told'] });
});

test.each([
  { how: 'cannot start', text: 'throw new Error("broken");' },
  {
    how: 'breaks',
    text: "parentPort.postMessage({}); parentPort.on('message', () => { throw new Error('broken'); });",
  },
])('a thread that $how leaves policies that have failed, not prompts that pass', async ({ how, text }) => {
  const { pool } = threads(programOf(how.replace(' ', '-'), text));
  expect(await verdictOf(await pool.inspect(inspection()))).toMatchObject({ decision: 'block' });
});

/**
 * A pool of which the system starts so many threads: Node throws for one more, as for a program without a folder, or it
 * ends while it starts.
 */
function fewThreads(count: number, next = 'program-of-no-folder'): JudgingThreads {
  let started = 0;
  const log = createLog({ write: () => undefined, now: () => 0, level: 'error' });
  const pool = new JudgingThreads({
    get program() {
      return (started += 1) <= count ? program : next;
    },
    monotonic,
    processorMs: monotonic,
    log,
  });
  onTestFinished(() => pool.close());
  return pool;
}

test('where the system starts no thread at all, policies have failed', async () => {
  expect(await fewThreads(0).inspect(inspection())).toEqual(failed);
});

test('where the system starts only one of two threads, that one judges everything', async () => {
  const pool = fewThreads(1);
  const all = await Promise.all(['t1', 't2', 't3'].map((holder) => pool.inspect(inspection({ holder }))));
  for (const each of all) expect(await verdictOf(each)).toEqual(judgeNow(made, 'prompt', ['hi', large]));
});

test('where one of two threads ends while it starts, the other one judges everything', async () => {
  const pool = fewThreads(1, programOf('ends', 'throw new Error("broken");'));
  const all = await Promise.all(['t1', 't2', 't3'].map((holder) => pool.inspect(inspection({ holder }))));
  for (const each of all) expect(await verdictOf(each)).toEqual(judgeNow(made, 'prompt', ['hi', large]));
});

/** The priority of each thread of this process, some of which may end meanwhile. */
function priorities(): Map<string, number> {
  const all = readdirSync('/proc/self/task').map((thread): [string, number] => {
    try {
      return [thread, Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]!.split(' ')[16])];
    } catch {
      return [thread, 0];
    }
  });
  return new Map(all);
}

test.runIf(process.platform === 'linux')('a thread that judges yields the processor to the event loop', async () => {
  const before = priorities();
  const own = before.get(String(process.pid))!;
  const { pool } = threads(program);
  await pool.inspect(inspection());
  const lowered = [...priorities()].filter(([thread, nice]) => !before.has(thread) && nice > own);
  expect(lowered).not.toEqual([]);
});
