import { describe, expect, test } from 'vitest';
import { type SimulatedService, simulateRun } from '../support/rooms/simulated-run.ts';
import { toReply } from '../support/service.ts';

const answer = new TextEncoder().encode('{"blocked":false,"response":"yes"}');

/** Milliseconds of the answer to a request, by the number under way with it, its number and the time. */
type LatencyModel = (underWay: number, count: number, now: number) => number;

/** Pseudo-random numbers from 0 to 1, the same in each run. */
const chance = (count: number): number => (((count * 2_654_435_761) % 4_294_967_296) + 0.5) / 4_294_967_296;
const bell = (count: number): number =>
  Math.sqrt(-2 * Math.log(chance(count * 2))) * Math.cos(2 * Math.PI * chance(count * 2 + 1));

/** A service of which each request takes as long as the model says of the moment that it begins. */
function modelled(model: LatencyModel) {
  const found = { most: 0, count: 0, underWaySum: 0 };
  let underWay = 0;
  const service: SimulatedService = (time) => async () => {
    underWay += 1;
    found.count += 1;
    found.underWaySum += underWay;
    await time.sleep(model(underWay, found.count, time.now()));
    underWay -= 1;
    return toReply({ body: answer });
  };
  return { service, found };
}

/** A service with so many workers, each of which takes one request after the other. */
function queueing(workers: number, latencyMs: number): SimulatedService {
  const freeAt = Array.from({ length: workers }, () => 0);
  return (time) => async () => {
    const first = freeAt.indexOf(Math.min(...freeAt));
    freeAt[first] = Math.max(freeAt[first]!, time.now()) + latencyMs;
    await time.sleep(freeAt[first]! - time.now());
    return toReply({ body: answer });
  };
}

const overloaded = (underWay: number): number => (underWay <= 4 ? 40 : 2 * underWay ** 2);

describe('a service that is as fast with all of them keeps all of them', () => {
  test.each<{ name: string; model: LatencyModel; meanMs: number; share?: number }>([
    { name: 'always as fast', model: () => 200, meanMs: 200 },
    { name: 'slow for everybody', model: () => 8000, meanMs: 8000 },
    { name: 'half to twice as long', model: (_, count) => 200 * 2 ** (2 * chance(count) - 1), meanMs: 216 },
    { name: 'widely scattered', model: (_, count) => 1000 * Math.exp(0.6 * bell(count)), meanMs: 1197 },
    {
      name: 'two lengths of prompts',
      model: (_, count) => (chance(count) < 0.2 ? 5000 : 500),
      meanMs: 1400,
    },
    { name: 'twice as slow after a while', model: (_, count) => (count < 1000 ? 300 : 600), meanMs: 450 },
  ])('$name', async ({ model, meanMs }) => {
    const { service } = modelled(model);
    const { elapsedMs } = await simulateRun({ rows: 2000, concurrency: 16, service });
    expect((2000 / 16) * meanMs).toBeGreaterThan(0.85 * elapsedMs);
  });

  test('a small job loses nothing', async () => {
    const { service } = modelled(() => 1000);
    expect(await simulateRun({ rows: 32, concurrency: 8, service })).toMatchObject({ elapsedMs: 4000 });
  });
});

describe('a service that more requests make slower gets fewer', () => {
  test('slow from the start', async () => {
    const { service, found } = modelled(overloaded);
    const { elapsedMs } = await simulateRun({ rows: 3000, concurrency: 32, service });
    expect(3000 / (elapsedMs / 1000)).toBeGreaterThan(60);
    expect(found.underWaySum / found.count).toBeLessThan(10);
  });

  test('fast first, then slow, then fast again', async () => {
    const isSlow = (now: number): boolean => now > 5000 && now < 29_000;
    const inSlow = { count: 0, underWay: 0 };
    const { service } = modelled((underWay, _, now) => {
      if (!isSlow(now)) return 40;
      if (now > 10_000) inSlow.count += 1;
      if (now > 10_000) inSlow.underWay += underWay;
      return overloaded(underWay);
    });
    const { elapsedMs } = await simulateRun({ rows: 20_000, concurrency: 32, service });
    // Of a service that takes 4 at once without delay, 100 a second.
    expect(inSlow.count / 19).toBeGreaterThan(60);
    expect(inSlow.underWay / inSlow.count).toBeLessThan(10);
    // As fast as 32 at once before and after, but for the way up.
    expect(elapsedMs).toBeLessThan(29_000 + ((20_000 - 4000 - 1500) / 800) * 1000 * 1.4);
  });

  test.each([
    { workers: 4, concurrency: 32 },
    { workers: 20, concurrency: 32 },
    { workers: 1, concurrency: 8 },
  ])('$workers workers and a queue: as many answers, and hardly a queue', async ({ workers, concurrency }) => {
    const latencies: number[] = [];
    const inner = queueing(workers, 200);
    const service: SimulatedService = (time) => {
      const ask = inner(time);
      return async () => {
        const startedAt = time.now();
        const reply = await ask();
        latencies.push(time.now() - startedAt);
        return reply;
      };
    };
    const { elapsedMs } = await simulateRun({ rows: 2000, concurrency, service });
    expect(((2000 / workers) * 200) / elapsedMs).toBeGreaterThan(0.85);
    const settled = latencies.slice(500).toSorted((one, other) => one - other);
    expect(settled[settled.length >> 1]!).toBeLessThanOrEqual(450);
  });
});
