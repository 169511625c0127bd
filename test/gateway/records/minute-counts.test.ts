import { expect, test } from 'vitest';
import { createLog, createPlainLog } from '../../../src/gateway/records/log.ts';
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
  metrics.count('dropped', { reason: 'reset' }, 1000);
  minute();
  metrics.count('dropped', { reason: 'reset' }, 999);
  minute();
  metrics.count('requests', { status: '401' });
  metrics.count('requests', { status: '429' });
  stop();
  expect(logged).toMatchObject([
    { message: 'requests refused with 401 in the last minute', count: 900 },
    { message: 'connections dropped in the last minute: too many are open', count: 3 },
    { message: 'connections dropped in the last minute: their clients reset them before a reply', count: 1000 },
    { message: 'requests refused with 401 in the last minute', count: 1 },
    { message: 'requests refused with 429 in the last minute', count: 1 },
  ]);
});

test('a person reads of one request, and of several requests', () => {
  const said: string[] = [];
  const metrics = createMetrics();
  const log = createPlainLog((line) => void said.push(line));
  const stop = logMinuteCounts({ metrics, log, every: () => () => undefined });
  metrics.count('requests', { status: '401' });
  metrics.count('requests', { status: '429' }, 2);
  metrics.count('dropped', { reason: 'limit' });
  metrics.count('dropped', { reason: 'descriptors' });
  stop();
  expect(said).toEqual([
    '1 request refused with 401 in the last minute',
    '2 requests refused with 429 in the last minute',
    '1 connection dropped in the last minute: too many are open',
    '1 second without a free file descriptor in the last minute: new connections are dropped',
  ]);
});
