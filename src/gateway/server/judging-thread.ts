import { constants, getPriority, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createPolicy } from '../policies/index.ts';
import { type Inspected, inspectForOthers, judgeNow } from '../policies/judging.ts';
import type { Policy } from '../policies/policy.ts';
import { WorkBudget } from '../policies/readings/work-budget.ts';
import type { Side } from '../vocabulary.ts';
import type { PolicyConfig } from '../config.ts';

/** Texts for policies, which are named by numbers; those that this thread has not seen yet come with them. */
export interface ThreadJob {
  readonly side: Side;
  readonly texts: readonly string[];
  readonly policyWork: number | undefined;
  readonly areAll: boolean;
  readonly policies: readonly number[];
  readonly unseen: readonly (readonly [number, PolicyConfig])[];
  /** Those that were of an earlier version of the file alone. */
  readonly forgets: readonly number[];
}

/**
 * A message of a thread: that it is ready, also with the policies of a job, or what came of the job. A verdict that
 * leaves the texts as they are comes without them, for the job has them, and copies would be held beside them.
 */
export interface ThreadReport {
  readonly inspected?: Inspected;
  /** True where it gives the job back, because it was told to stop. */
  readonly isStopped?: true;
  /** The system's number of the thread, once it is ready; absent where the system does not tell. */
  readonly thread?: string | undefined;
}

/** Characters of work, some milliseconds of a costly text, between two looks whether to stop. */
const charactersPerLook = 50_000;

/** With this a thread gets a third of the processor time of the event loop, which thus never waits for a core. */
const niceness = 5;

/** Lowers the priority of this thread alone. Only Linux takes 0 for a thread; elsewhere it is the whole process. */
function yieldToEventLoop(): void {
  if (platform() !== 'linux') return;
  try {
    setPriority(0, Math.min(getPriority(0) + niceness, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox may forbid it; judging goes on as urgent as all else.
  }
}

/** Answers one job after the other until the thread ends. Policies that ask outside never come here, nor do keys. */
export function runJudgingThread(thread: string | undefined): void {
  const port = parentPort;
  if (port === null) return;
  yieldToEventLoop();
  /** Holds 1 while the present job is to be given back. */
  const stop = new Int32Array(workerData as SharedArrayBuffer);
  const policies = new Map<number, Policy>();
  /** Lists that are the same value for the same policies, because what is known of a list is kept by it. */
  const lists = new Map<string, readonly Policy[]>();
  const listOf = (numbers: readonly number[]): readonly Policy[] => {
    const name = numbers.join(' ');
    const list = lists.get(name) ?? numbers.map((number) => policies.get(number)!);
    lists.set(name, list);
    return list;
  };
  port.on('message', ({ side, texts, policyWork, areAll, policies: numbers, unseen, forgets }: ThreadJob) => {
    for (const number of forgets) policies.delete(number);
    if (forgets.length > 0) lists.clear();
    for (const [number, config] of unseen) policies.set(number, createPolicy(config));
    // The time in which policies are made does not count as that of the text which came with them.
    if (unseen.length > 0) port.postMessage({} satisfies ThreadReport);
    const list = listOf(numbers);
    let isStopped = false;
    const isLate = (): boolean => (isStopped ||= Atomics.load(stop, 0) === 1);
    const budget = new WorkBudget(policyWork, { isLate, charactersPerLook }, false);
    // A verdict names a hundred places of a text; a text may hold a million, which others would wait for.
    const inspected: Inspected = areAll
      ? { verdict: judgeNow(list, side, texts, budget) }
      : inspectForOthers(list, side, texts, budget);
    if (isStopped) return port.postMessage({ isStopped } satisfies ThreadReport);
    const leavesTexts = 'verdict' in inspected && inspected.verdict.texts === texts;
    const told = leavesTexts ? { verdict: { ...inspected.verdict, texts: [] } } : inspected;
    port.postMessage({ inspected: told } satisfies ThreadReport);
  });
  port.postMessage({ thread } satisfies ThreadReport);
}
