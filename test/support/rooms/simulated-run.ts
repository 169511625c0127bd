import { createClient } from '../../../src/client/client.ts';
import { MotifError } from '../../../src/errors.ts';
import { type RunClock, Throttle } from '../../../src/runs/throttle.ts';
import { troubleOf } from '../../../src/runs/trouble.ts';
import { WorkRun } from '../../../src/runs/work-run.ts';
import { Secret } from '../../../src/text/secret.ts';
import type { HttpReply } from '../../../src/wire/http.ts';
import { createSimulatedTime } from '../simulated-time.ts';

interface SimulatedJob {
  readonly rows: number;
  readonly concurrency: number;
  readonly service: SimulatedService;
}

/** Answers one request after its time, by the clock that it is given. */
export type SimulatedService = (time: RunClock) => () => Promise<HttpReply>;

const settings = {
  target: { baseUrl: 'https://gw.example', motifId: 'bench' },
  token: new Secret('mtf_pace'),
  tokenFrom: 'the test',
  connection: { connectTimeoutMs: 1000 },
  timeoutMs: 120_000,
  retries: 2,
};

/** Runs a job in simulated time; returns how it ended, how many rows failed and how long it took. */
export async function simulateRun({ rows, concurrency, service }: SimulatedJob) {
  const time = createSimulatedTime();
  const throttle = new Throttle({ concurrency }, time);
  const tools = throttle.tools({ ...time, send: service(time) });
  const client = createClient(settings, tools, { notice: () => undefined });
  const ask = async (row: number, signal: AbortSignal): Promise<MotifError | undefined> => {
    try {
      await client.prompt([{ role: 'user', content: String(row) }], signal);
      return undefined;
    } catch (error) {
      if (error instanceof MotifError) return error;
      throw error;
    }
  };
  const items = Array.from({ length: rows }, (_, index) => index);
  const run = new WorkRun(items, ask, {
    throttle,
    clock: time,
    order: 'finished',
    itemMsMax: settings.timeoutMs,
    outageMsMax: 900_000,
    troubleOf: (error) => (error === undefined ? undefined : troubleOf(error)),
  });
  let failed = 0;
  await time.run(run.each(({ result }) => void (failed += result === undefined ? 0 : 1)));
  return { failed, end: run.end, elapsedMs: time.now() };
}
