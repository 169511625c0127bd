import { describe, expect, test } from 'vitest';
import { type SimulatedService, simulateRun } from '../support/rooms/simulated-run.ts';
import { toReply } from '../support/service.ts';

const answer = new TextEncoder().encode('{"blocked":false,"response":"yes"}');
const refusal = new TextEncoder().encode('{"error":"too many at once"}');

interface Places {
  readonly places: number | ((now: number) => number);
  readonly latencyMs: number;
  readonly status?: number;
  readonly saysWhen?: boolean;
  /** Answers take between half and one and a half of the time. */
  readonly varies?: boolean;
}

/** A service that works on so many prompts at once, and refuses the others. */
function placesService({ places, latencyMs, status = 429, saysWhen = true, varies = false }: Places) {
  const found = { refused: 0, answered: 0 };
  let underWay = 0;
  const service: SimulatedService = (time) => async () => {
    await time.sleep(1);
    if (underWay >= (typeof places === 'number' ? places : places(time.now()))) {
      found.refused += 1;
      await time.sleep(1);
      return toReply({
        status,
        headers: { ratelimit: '"in_flight";r=0', ...(saysWhen && { 'retry-after': '1' }) },
        body: refusal,
      });
    }
    underWay += 1;
    found.answered += 1;
    await time.sleep(varies ? latencyMs * (0.5 + ((found.answered * 7) % 11) / 10) : latencyMs);
    underWay -= 1;
    await time.sleep(1);
    return toReply({ body: answer });
  };
  return { service, found };
}

describe('a limit of prompts at once is no limit of prompts a minute', () => {
  test.each([
    { name: '3 at once, 200 rows of 100 ms, -j 12', rows: 200, concurrency: 12, places: 3, latencyMs: 100 },
    { name: '3 at once, 50 rows of 100 ms, -j 4', rows: 50, concurrency: 4, places: 3, latencyMs: 100 },
    { name: '3 at once told by 503', rows: 200, concurrency: 8, places: 3, latencyMs: 50, status: 503 },
    { name: 'nothing said of when', rows: 200, concurrency: 8, places: 3, latencyMs: 100, saysWhen: false },
    { name: '1 at once', rows: 100, concurrency: 8, places: 1, latencyMs: 100 },
    { name: '20 at once, -j 64', rows: 2000, concurrency: 64, places: 20, latencyMs: 300, varies: true },
    { name: 'answers after 4 s', rows: 400, concurrency: 12, places: 5, latencyMs: 4000, varies: true },
  ])('$name', async ({ rows, concurrency, ...service }) => {
    const { service: asked, found } = placesService(service);
    const { failed, end, elapsedMs } = await simulateRun({ rows, concurrency, service: asked });
    const idealMs = (rows / service.places) * (service.latencyMs + 2);
    expect({ failed, end }).toEqual({ failed: 0, end: 'done' });
    expect(elapsedMs / idealMs).toBeLessThan(1.5);
    expect(found.refused - concurrency).toBeLessThan(Math.max(8, 0.03 * rows));
  });

  test('more places are found when there are more', async () => {
    const places = (now: number) => (now < 60_000 ? 3 : 12);
    const { service } = placesService({ places, latencyMs: 100 });
    const { elapsedMs } = await simulateRun({ rows: 1800 + 7200, concurrency: 16, service });
    expect(elapsedMs).toBeLessThan(60_000 + 1.5 * 60_000);
  });
});
