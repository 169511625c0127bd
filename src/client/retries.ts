import { TransportError } from '../errors.ts';
import type { HttpReply } from '../wire/http.ts';
import { parseRetryAfter } from '../wire/retry-after.ts';
import { noTimeWords, type RetryAfter, type TimeLimit, timeoutWords, tooLongWords } from './failures.ts';

/** The first wait where the service does not say how long; each further one is twice as long, up to a cap. */
const firstBackoffMs = 1000;
/** The longest wait for a service that cannot be reached: one that has just started is asked soon. */
const unreachedWaitMsMax = 5000;
/** The longest wait after a 429 that does not say how long: most limits are those of a minute. */
const limitedWaitMsMax = 60_000;
/** The most time that is kept free for an attempt, of a short timeout a quarter. */
const attemptMsMax = 5000;
/** The retries that are offered where fewer were made. */
const retriesOffered = 5;
/** The most retries that any setting allows. */
const retriesMax = 99;

interface RetryLimits extends TimeLimit {
  readonly retries: number;
  /** Origin of that number, for words. */
  readonly retriesFrom?: string;
}

/** A failed attempt, and where its prompt stands. */
interface Attempt {
  readonly result: HttpReply | TransportError;
  /** The number of attempts so far. */
  readonly attempts: number;
  /** The part of the timeout that is over. */
  readonly spentMs: number;
  /** The time of day. */
  readonly now: number;
}

interface RetryPlan {
  /** The wait before the next attempt; undefined where there is none. */
  readonly waitMs: number | undefined;
  /** True where another attempt pays for nothing twice, now or in a further run. */
  readonly isRepeatable: boolean;
  /** The wait that the service asked for. */
  readonly retryAfter?: RetryAfter;
  /** Words for why nothing is tried again, where the failure alone does not tell. */
  readonly ending?: string;
}

/** The next attempt after one that failed: only where the prompt surely did not run, and while there is time. */
export function planRetry(attempt: Attempt, limits: RetryLimits): RetryPlan {
  const { result, attempts, spentMs, now } = attempt;
  const { retries, timeoutMs } = limits;
  if (result instanceof TransportError) {
    return result.transient
      ? planBackoff(attempt, limits, unreachedWaitMsMax)
      : { waitMs: undefined, isRepeatable: false };
  }
  const asked = parseRetryAfter(result.headers['retry-after'], now);
  if (asked !== undefined && (result.status === 429 || result.status === 503)) {
    const isLate = spentMs + asked >= timeoutMs;
    const isOver = attempts > retries || isLate;
    return {
      waitMs: isOver ? undefined : asked,
      isRepeatable: true,
      retryAfter: { ms: asked, until: now + asked, obstacle: obstacleTo(asked, spentMs, limits) },
      ...(isOver && retries > 0 && attempts > 1 && { ending: isLate ? gaveUp(attempts, retries) : allMade(limits) }),
    };
  }
  return result.status === 429
    ? planBackoff(attempt, limits, limitedWaitMsMax)
    : { waitMs: undefined, isRepeatable: false };
}

/** A wait that the service did not ask for is shortened, so that there is time for the attempt. */
function planBackoff({ result, attempts, spentMs }: Attempt, limits: RetryLimits, waitMsMax: number): RetryPlan {
  const { retries, timeoutMs } = limits;
  const over = { waitMs: undefined, isRepeatable: true };
  // More time is not offered for a service that is not there.
  const neededMs = result instanceof TransportError ? Infinity : 0;
  const isDeadline = result instanceof TransportError && result.isDeadline;
  if (isDeadline) return over;
  if (retries === 0) return result instanceof TransportError ? over : { ...over, ending: `retries are ${off(limits)}` };
  const leftMs = Math.floor(timeoutMs - Math.min(attemptMsMax, timeoutMs / 4) - spentMs);
  if (attempts > retries) {
    const isTooMuch = offeredTo(retries) > retries && leftMs < backoffsMs(attempts, offeredTo(retries), waitMsMax);
    return {
      ...over,
      ending: `${allMade(limits)}${isTooMuch ? `; the timeout is ${timeoutWords(limits, neededMs)}` : ''}`,
    };
  }
  if (leftMs <= 0) return { ...over, ending: `${gaveUp(attempts, retries)}: ${noTimeWords(limits, neededMs)}` };
  return { waitMs: Math.min(backoffMs(attempts, waitMsMax), leftMs), isRepeatable: true };
}

/** The wait after so many attempts. */
function backoffMs(attempts: number, waitMsMax: number): number {
  return Math.min(firstBackoffMs * 2 ** (attempts - 1), waitMsMax);
}

/** All waits from so many attempts on, until so many retries are made. */
function backoffsMs(attempts: number, retries: number, waitMsMax: number): number {
  const waits = Array.from({ length: retries - attempts + 1 }, (_, index) => backoffMs(attempts + index, waitMsMax));
  return waits.reduce((sum, each) => sum + each, 0);
}

/** The retries that are offered after so many. */
function offeredTo(retries: number): number {
  return Math.min(Math.max(retriesOffered, retries * 2), retriesMax);
}

/** Words for the reason for which nothing waits as long as the service asks. */
function obstacleTo(ms: number, spentMs: number, limits: RetryLimits): string | undefined {
  if (limits.retries === 0) return `and retries are ${off(limits)}`;
  return spentMs + ms < limits.timeoutMs ? undefined : tooLongWords(ms, spentMs, limits);
}

function off({ retriesFrom }: RetryLimits): string {
  return `off (retries 0${retriesFrom === undefined ? '' : ` from ${retriesFrom}`})`;
}

function allMade({ retries, retriesFrom }: RetryLimits): string {
  const from = retriesFrom === undefined ? '' : ` (${retriesFrom})`;
  const words = `${gaveUp(retries + 1, retries)}${from}`;
  const offered = offeredTo(retries);
  return offered > retries ? `${words}; allow more: --retries ${offered}` : words;
}

function gaveUp(attempts: number, retries: number): string {
  return `gave up after ${attempts - 1} of ${retries} retries`;
}
