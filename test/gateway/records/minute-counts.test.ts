import { expect, test } from 'vitest';
import { createLog } from '../../../src/gateway/records/log.ts';
import { createMetrics } from '../../../src/gateway/records/metrics.ts';
import { logMinuteCounts } from '../../../src/gateway/records/minute-counts.ts';

test('a storm leaves one line a minute and kind, with its count', () => {
  const logged: unknown[] = [];
  const metrics = createMetrics();
  let minute = (): void => undefined;
  const stop = logMinuteCounts({
    metrics,
    log: createLog({ write: (line) => void logged.push(JSON.parse(line)), now: () => 0, level: 'warn' }),
    every: (_ms, task) => {
      minute = task;
      return () => undefined;
    },
  });
  for (let each = 0; each < 900; each++) metrics.count('requests', { status: '401' });
  metrics.count('requests', { status: '200' });
  metrics.count('dropped', { reason: 'limit' }, 3);
  minute();
  minute();
  metrics.count('requests', { status: '401' });
  metrics.count('requests', { status: '429' });
  stop();
  expect(logged).toMatchObject([
    { message: 'requests refused with 401 in the last minute', count: 900 },
    { message: 'connections dropped in the last minute: too many are open', count: 3 },
    { message: 'requests refused with 401 in the last minute', count: 1 },
    { message: 'requests refused with 429 in the last minute', count: 1 },
  ]);
});
