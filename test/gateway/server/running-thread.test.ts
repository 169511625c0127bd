import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PolicyConfig } from '../../../src/gateway/config.ts';
import { RunningThread } from '../../../src/gateway/server/running-thread.ts';
import { bundleProgram } from '../../support/processes/bundle.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();

interface Clocks {
  monotonic(): number;
  processorMs(thread?: string): number;
}

/** A thread that is ready, and told this of itself. */
function threadThat(tells: object, parts: Clocks, busy = 1): Promise<RunningThread> {
  const program = join(folder, 'thread.cjs');
  writeFileSync(
    program,
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', () => undefined);
    parentPort.postMessage(${JSON.stringify(tells)});`,
  );
  return threadOf(program, parts, busy);
}

/** Its first text may take 100 ms, each further one half of it. */
async function threadOf(
  program: string,
  parts: Clocks,
  busy = 1,
  judged: (thread: RunningThread) => void = () => undefined,
): Promise<RunningThread> {
  const limits = { judgingMsMax: 60_000, slowMs: 50 };
  const nothing = (): undefined => undefined;
  const thread = await new Promise<RunningThread>((isReady) => {
    const owner = { countBusy: () => busy, isReady, judged, stopped: nothing, isSlow: nothing, broke: nothing };
    void new RunningThread({ program, ...parts }, limits, owner);
  });
  onTestFinished(() => {
    thread.take();
    thread.end();
  });
  return thread;
}

function giveJob(thread: RunningThread, policies: Parameters<RunningThread['give']>[1] = []): void {
  const { signal } = new AbortController();
  thread.give(
    {
      inspection: {
        policies: [],
        areAll: true,
        side: 'prompt',
        texts: [],
        policyWork: undefined,
        holder: 't1',
        signal,
      },
      characters: 0,
      settle: () => undefined,
      leave: () => undefined,
    },
    policies,
  );
}

test.each([
  { passed: 99, used: 99, busy: 1, isSlow: false },
  { passed: 101, used: 101, busy: 1, isSlow: true },
  { passed: 300, used: 99, busy: 1, isSlow: false },
  { passed: 300, used: 150, busy: 2, isSlow: false },
  { passed: 300, used: 201, busy: 2, isSlow: true },
])(
  'where the system tells nothing of threads, a job is slow by its share: $passed ms, $used used, $busy in work',
  async ({ passed, used, busy, isSlow }) => {
    let [now, processor] = [1000, 5000];
    const parts = { monotonic: () => now, processorMs: () => processor };
    const thread = await threadThat({}, parts, busy);
    giveJob(thread);
    now += passed;
    processor += used;
    expect(thread.isSlow).toBe(isSlow);
  },
);

test('the first text of a thread may take twice as long as others', async () => {
  let now = 1000;
  const program = join(folder, 'answers.cjs');
  writeFileSync(
    program,
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', () => parentPort.postMessage({ inspected: { outcomes: [] } }));
    parentPort.postMessage({});`,
  );
  const wereSlow: boolean[] = [];
  let isJudged: () => void = () => undefined;
  const clocks = { monotonic: () => now, processorMs: () => now };
  const thread = await threadOf(program, clocks, 1, (judging) => {
    now += 80;
    wereSlow.push(judging.isSlow);
    judging.take();
    isJudged();
  });
  for (let text = 0; text < 3; text++) {
    const done = new Promise<void>((resolve) => (isJudged = resolve));
    giveJob(thread);
    await done;
  }
  expect(wereSlow).toEqual([false, true, true]);
});

test.each([
  { used: 99, isSlow: false },
  { used: 101, isSlow: true },
])('what other threads use makes no job slow: $used ms of its own', async ({ used, isSlow }) => {
  let [now, own] = [1000, 5000];
  const parts = { monotonic: () => now, processorMs: (id?: string) => (id === '17' ? own : 9 * now) };
  const thread = await threadThat({ thread: '17' }, parts);
  giveJob(thread);
  now += 300;
  own += used;
  expect(thread.isSlow).toBe(isSlow);
});

test('no clock runs for a job that was taken from a thread, though that tells later of the policies it made', async () => {
  const program = join(folder, 'makes.cjs');
  const tell = 'parentPort.postMessage({});';
  writeFileSync(
    program,
    `const { parentPort } = require('node:worker_threads'); ${tell} parentPort.on('message', () => { ${tell} ${tell} });`,
  );
  let looks = 0;
  const clocks = { monotonic: () => 0, processorMs: () => (looks += 1) };
  let isReady: (thread: RunningThread) => void = () => undefined;
  const ready = (): Promise<RunningThread> => new Promise((resolve) => (isReady = resolve));
  const nothing = (): undefined => undefined;
  const owner = {
    countBusy: () => 0,
    isReady: (of: RunningThread) => isReady(of),
    judged: nothing,
    stopped: nothing,
    isSlow: nothing,
  };
  const first = ready();
  void new RunningThread({ program, ...clocks }, { judgingMsMax: 60_000, slowMs: 100 }, { ...owner, broke: nothing });
  const thread = await first;
  onTestFinished(() => thread.end());
  giveJob(thread, [[1, {} as PolicyConfig]]);
  thread.take();
  const looksBefore = looks;
  await ready();
  expect(looks).toBe(looksBefore);
});

test.runIf(process.platform === 'linux')('the thread that judges tells its number', async () => {
  const asked: (string | undefined)[] = [];
  const parts = { monotonic: () => 0, processorMs: (id?: string) => asked.push(id) };
  const program = await bundleProgram('src/commands/gateway/serve/judging-thread.ts', { external: [] });
  giveJob(await threadOf(program, parts));
  expect(readdirSync('/proc/self/task')).toContain(asked[0]);
  expect(asked[0]).not.toBe(String(process.pid));
});
