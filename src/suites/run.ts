import { setMaxListeners } from 'node:events';
import { type Kind, MotifError } from '../errors.ts';
import type { Throttle } from '../runs/throttle.ts';
import { WorkRun } from '../runs/work-run.ts';
import type { ClientTools } from '../client/client.ts';
import type { Case } from './case.ts';
import type { CaseResult } from './result.ts';
import { type AskTools, checkCase, skippedResult } from './verdict.ts';

/** Which prompts and answers a report holds. */
export type TextChoice = 'failed' | 'all' | 'none';

export interface SuiteRunOptions {
  readonly throttle: Throttle;
  readonly clock: Pick<ClientTools, 'now' | 'monotonic' | 'sleep'>;
  /** Asks a case; its signal aborts when the run does. */
  readonly asking: (signal: AbortSignal) => AskTools;
  /** The expectations for whose sake a case is skipped and not asked; none of one that is asked. */
  readonly skippedFor: (of: Case) => readonly string[];
  readonly texts: TextChoice;
  /** Ends the run after so many regressions. */
  readonly bail: number | undefined;
  readonly itemMsMax: number;
  readonly interrupted: AbortSignal;
  /** The answers come from an earlier run. */
  readonly isReplay?: boolean;
  /** Called after each case. */
  readonly onResult?: ((result: CaseResult) => void) | undefined;
}

export interface SuiteRun {
  /** In the order of the cases. */
  readonly results: readonly CaseResult[];
  /** Number of cases that were not asked any more. */
  readonly left: number;
}

interface Item {
  readonly of: Case;
  readonly index: number;
}

/** So many cases without any answer are a service that is away, as two rounds of a usual run. */
const unreachedMax = 16;

/** Failures of a service that is away, rather than of one that has something to say. */
const awayKinds: ReadonlySet<Kind> = new Set(['network', 'timeout', 'service']);

/**
 * Asks all cases, several at once. What can be verified in no case ends the run early: a wrong token, a service that
 * was away from the start. One that goes away later may come back, and the cases behind it are asked.
 */
export async function runCases(cases: readonly Case[], options: SuiteRunOptions): Promise<SuiteRun> {
  const stop = new AbortController();
  const results: (CaseResult | undefined)[] = Array.from({ length: cases.length }, () => undefined);
  let regressions = 0;
  let unreached = 0;
  let either: AbortSignal | undefined;
  const eitherOf = (signal: AbortSignal): AbortSignal => {
    if (either === undefined) {
      either = AbortSignal.any([signal, options.interrupted]);
      setMaxListeners(0, either);
    }
    return either;
  };
  const run = new WorkRun(
    cases.map((of, index): Item => ({ of, index })),
    // The signal is that of the whole run, so that one for both is enough.
    ({ of }, signal) => checkOne(of, eitherOf(signal), options),
    {
      throttle: options.throttle,
      clock: options.clock,
      order: 'finished',
      // A case that could not be verified says so itself; asking it again and again would hide an outage.
      troubleOf: () => undefined,
      stop: AbortSignal.any([stop.signal, options.interrupted]),
      itemMsMax: options.itemMsMax,
    },
  );
  await run.each(({ item, result }) => {
    if (result === undefined) return;
    results[item.index] = result;
    options.onResult?.(result);
    if (result.verdict === 'regressed') regressions += 1;
    if (result.verdict !== 'skipped') unreached += isAway(result) ? 1 : -Infinity;
    const isHopeless = result.error?.kind === 'auth' || unreached >= unreachedMax;
    if (isHopeless || regressions >= (options.bail ?? Infinity)) stop.abort();
  });
  const finished = results.filter((each) => each !== undefined);
  return { results: finished, left: cases.length - finished.length };
}

function isAway({ error }: CaseResult): boolean {
  return error !== null && awayKinds.has(error.kind as Kind);
}

/** Undefined where the person ended the run meanwhile. */
async function checkOne(of: Case, signal: AbortSignal, options: SuiteRunOptions): Promise<CaseResult | undefined> {
  const replayed = options.isReplay === true;
  const unjudged = options.skippedFor(of);
  if (unjudged.length > 0) return { ...skippedResult(of, unjudged), replayed };
  try {
    const result = await checkCase(of, options.asking(signal));
    return withTexts({ ...result, replayed }, options.texts);
  } catch (error) {
    if (options.interrupted.aborted && !(error instanceof MotifError)) return undefined;
    throw error;
  }
}

function withTexts(result: CaseResult, texts: TextChoice): CaseResult {
  const isFailed = result.verdict === 'regressed' || result.verdict === 'unverified';
  if (texts === 'all' || (texts === 'failed' && isFailed)) return result;
  const misses = result.misses.map(({ expectation, message }) => ({ expectation, message }));
  return { ...result, misses, messages: null, answer: null };
}
