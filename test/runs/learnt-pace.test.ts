import { describe, expect, test } from 'vitest';
import { LearntPace } from '../../src/runs/learnt-pace.ts';
import type { RunClock } from '../../src/runs/throttle.ts';
import { simulateRun } from '../support/rooms/simulated-run.ts';
import { toReply } from '../support/service.ts';

/** Milliseconds until one more request is taken at this moment: 0 where it is taken now. */
type Limiter = (now: number) => number;

/** Takes `limit` requests in each minute of the clock, or in each span of another length. */
function fixedWindow(limit: number, offsetMs: number, spanMs = 60_000): Limiter {
  let window = -1;
  let count = 0;
  return (now) => {
    const current = Math.floor((now + offsetMs) / spanMs);
    if (current !== window) [window, count] = [current, 0];
    if (count >= limit) return (current + 1) * spanMs - offsetMs - now;
    count += 1;
    return 0;
  };
}

/** Takes `limit` requests in any sixty seconds. */
function slidingWindow(limit: number): Limiter {
  const times: number[] = [];
  return (now) => {
    while (times.length > 0 && times[0]! <= now - 60_000) times.shift();
    if (times.length >= limit) return times[0]! + 60_000 - now;
    times.push(now);
    return 0;
  };
}

/** Takes requests at an even pace, of which some may come at once. */
function tokenBucket(limit: number, burst: number): Limiter {
  let tokens = burst;
  let filledAt = 0;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - filledAt) * limit) / 60_000);
    filledAt = now;
    if (tokens < 1) return ((1 - tokens) * 60_000) / limit;
    tokens -= 1;
    return 0;
  };
}

interface Job {
  readonly limiter: Limiter;
  readonly saysWhen: boolean;
  readonly latencyMs: number;
  readonly concurrency: number;
  readonly minutes: number;
}

const answer = new TextEncoder().encode('{"blocked":false,"response":"yes"}');
const refusal = new TextEncoder().encode('{"error":"slow down"}');

/** Runs a job against a service with a limit, and returns how many rows were answered, refused and failed. */
async function work(job: Job) {
  const found = { answered: 0, refused: 0, inMinutes: [] as number[] };
  const { concurrency, minutes } = job;
  const run = { rows: 600 * minutes, concurrency, service: (time: RunClock) => service(job, time, found) };
  const { failed, end, elapsedMs } = await simulateRun(run);
  return { ...found, failed, end, minutes: elapsedMs / 60_000 };
}

function service(
  { limiter, saysWhen, latencyMs }: Job,
  time: RunClock,
  found: { answered: number; refused: number; inMinutes: number[] },
) {
  return async () => {
    const waitMs = limiter(time.now());
    const minute = Math.floor(time.now() / 60_000);
    if (waitMs > 0) {
      found.refused += 1;
      await time.sleep(5);
      const headers = saysWhen ? { 'retry-after': String(Math.ceil(waitMs / 1000)) } : {};
      return toReply({ status: 429, headers, body: refusal });
    }
    found.answered += 1;
    found.inMinutes[minute] = (found.inMinutes[minute] ?? 0) + 1;
    // Between half and one and a half of it, by turns.
    await time.sleep(latencyMs * (0.5 + ((found.answered * 7) % 11) / 10));
    return toReply({ body: answer });
  };
}

const services: readonly { readonly name: string; readonly limiter: () => Limiter }[] = [
  { name: '600 in any minute', limiter: () => slidingWindow(600) },
  { name: '600 in each minute of the clock', limiter: () => fixedWindow(600, 40_000) },
  { name: '10 a second, 20 of them at once', limiter: () => tokenBucket(600, 20) },
  { name: '10 a second, 600 of them at once', limiter: () => tokenBucket(600, 600) },
];
const jobs = services.flatMap((service) =>
  [true, false].flatMap((saysWhen) =>
    [
      { latencyMs: 80, concurrency: 8 },
      { latencyMs: 2000, concurrency: 40 },
    ].map((pace) => ({ ...service, ...pace, saysWhen, says: saysWhen ? 'Retry-After' : 'nothing' })),
  ),
);

describe('a limit of 600 a minute that no --rpm names is learnt', () => {
  test.each(jobs)('$name, answers after $latencyMs ms, a refusal says $says', async ({ limiter, ...job }) => {
    const { refused, failed, end, minutes, inMinutes } = await work({ ...job, limiter: limiter(), minutes: 10 });
    const settled = inMinutes.slice(5, 9).reduce((sum, count) => sum + count, 0) / 4;
    expect({ failed, end }).toEqual({ failed: 0, end: 'done' });
    expect(refused / (600 * 10)).toBeLessThan(0.01);
    expect(settled / 600).toBeGreaterThan(0.95);
    expect(10 / minutes).toBeGreaterThan(0.95);
  });
});

describe('a job of 150 rows behind 10 a second, of which 15 s are possible, takes less than 17 s', () => {
  test.each([
    { name: '10 in each second', limiter: fixedWindow(10, 0, 1000), saysWhen: true },
    { name: '10 in each second, begun within one', limiter: fixedWindow(10, 700, 1000), saysWhen: true },
    { name: '10 a second, 10 of them at once', limiter: tokenBucket(600, 10), saysWhen: true },
    { name: '10 in each second, without Retry-After', limiter: fixedWindow(10, 0, 1000), saysWhen: false },
  ])('$name', async ({ limiter, saysWhen }) => {
    const { minutes, failed } = await work({ limiter, saysWhen, latencyMs: 5, concurrency: 16, minutes: 0.25 });
    expect(failed).toBe(0);
    expect(minutes * 60).toBeLessThan(17);
  });
});

test('only the minute before a refusal counts, also where nothing was sent for most of it', () => {
  const pace = new LearntPace();
  const send = (count: number, from: number, to: number) => {
    for (let each = 0; each < count; each++) pace.started(from + (each * (to - from)) / count);
  };
  const refuse = (at: number, until: number) => {
    pace.started(at);
    pace.refused(at, at + 5, true);
    pace.started(until);
    pace.answered(until);
  };
  send(600, 0, 5800);
  refuse(5800, 65_000);
  expect(pace.gapMs(65_000)).toBeCloseTo(65_000 / 600 / 0.98, 0);
  send(600, 65_100, 118_000);
  refuse(118_000, 119_000);
  // As many as a minute may have were sent since 65 s, so that the next one waits.
  expect(pace.gapMs(119_000)).toBeGreaterThan(400);
  pace.started(126_000);
  expect(pace.gapMs(126_000)).toBeGreaterThan(98);
  expect(pace.gapMs(126_000)).toBeLessThan(104);
});

test('a limit that is raised is followed', async () => {
  const [first, later] = [tokenBucket(600, 20), tokenBucket(1200, 20)];
  const limiter: Limiter = (now) => (now < 300_000 ? first(now) : later(now));
  const { inMinutes } = await work({ limiter, saysWhen: true, latencyMs: 20, concurrency: 8, minutes: 20 });
  expect(inMinutes[3]).toBeLessThan(630);
  expect(inMinutes[11]).toBeGreaterThan(1050);
});

test('a single refusal slows a fast service down for a short time only', async () => {
  let isRefused = false;
  const limiter: Limiter = (now) => {
    if (isRefused || now < 3000) return 0;
    isRefused = true;
    return 1000;
  };
  const { minutes } = await work({ limiter, saysWhen: true, latencyMs: 40, concurrency: 8, minutes: 20 });
  expect(minutes).toBeLessThan(1.5);
});
