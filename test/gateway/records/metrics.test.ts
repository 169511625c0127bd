import { expect, test } from 'vitest';
import { createMetrics, renderMetrics } from '../../../src/gateway/records/metrics.ts';
import { atOnce } from '../../../src/text/turns.ts';
import { testGateway } from '../../support/rooms/gateway.ts';

test('counters, gauges and histograms as Prometheus reads them, without what was never counted', () => {
  const metrics = createMetrics();
  metrics.count('requests', { status: '200' });
  metrics.count('requests', { status: '200' }, 2);
  metrics.set('inFlight', 3);
  metrics.observe('overhead', 0.3);
  metrics.observe('overhead', 700_000);
  const text = atOnce(renderMetrics([metrics.snapshot()]));
  expect(text).toContain('# TYPE motif_gateway_requests_total counter\nmotif_gateway_requests_total{status="200"} 3\n');
  expect(text).toContain('motif_gateway_in_flight 3\n');
  expect(text).toContain('motif_gateway_overhead_seconds_bucket{le="0.00025"} 0\n');
  expect(text).toContain('motif_gateway_overhead_seconds_bucket{le="0.0005"} 1\n');
  expect(text).toContain('motif_gateway_overhead_seconds_bucket{le="120"} 1\n');
  expect(text).toContain('motif_gateway_overhead_seconds_bucket{le="+Inf"} 2\n');
  expect(text).toContain('motif_gateway_overhead_seconds_sum 700.0003\nmotif_gateway_overhead_seconds_count 2\n');
  expect(text).not.toContain('motif_gateway_tokens_total');
});

test('several processes are added up, each family once', () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.count('requests', { status: '200' });
  other.count('requests', { status: '200' }, 4);
  other.count('requests', { status: '401' });
  const text = atOnce(renderMetrics([one.snapshot(), other.snapshot()]));
  expect(text.match(/# HELP/g)).toHaveLength(1);
  expect(text).toContain('{status="200"} 5\nmotif_gateway_requests_total{status="401"} 1\n');
});

test('a page of many Motifs is made in pieces, so that others are heard meanwhile', () => {
  const metrics = createMetrics();
  for (let motif = 0; motif < 3000; motif++) metrics.count('prompts', { motif: `bot-${motif}`, decision: 'pass' });
  const page = renderMetrics([metrics.snapshot()]);
  let pieces = 1;
  let piece = page.next();
  for (; piece.done !== true; piece = page.next()) pieces += 1;
  expect(piece.value).toContain('{motif="bot-2999",decision="pass"} 1\n');
  expect(pieces).toBeGreaterThan(20);
});

test('a label cannot end its quotes', () => {
  const metrics = createMetrics();
  metrics.count('prompts', { motif: 'a"b\\c\nd', decision: 'pass' });
  expect(atOnce(renderMetrics([metrics.snapshot()]))).toContain('{motif="a\\"b\\\\c\\nd",decision="pass"} 1\n');
});

test('a cleared gauge leaves its neighbours alone', () => {
  const metrics = createMetrics();
  metrics.set('configs', 1, { hash: 'old' });
  metrics.set('connections', 2);
  metrics.clear('configs');
  expect(metrics.snapshot()).toEqual({ motif_gateway_connections: 2 });
});

test('what the gateway counts: statuses, decisions, tokens, findings, and its own time apart from the provider’s', async () => {
  const gateway = await testGateway();
  await gateway.ask();
  await gateway.ask({ messages: [{ role: 'user', content: 'forbidden' }] });
  await gateway.ask({ headers: { authorization: undefined } });
  const snapshot = gateway.metrics.snapshot();
  expect(snapshot).toMatchObject({
    'motif_gateway_requests_total{status="200"}': 2,
    'motif_gateway_requests_total{status="401"}': 1,
    'motif_gateway_prompts_total{motif="bot",decision="pass"}': 1,
    'motif_gateway_prompts_total{motif="bot",decision="block"}': 1,
    'motif_gateway_tokens_total{motif="bot",kind="prompt"}': 3,
    'motif_gateway_tokens_total{motif="bot",kind="completion"}': 4,
    'motif_gateway_policy_hits_total{policy="no-word",on="prompt",action="block"}': 1,
    motif_gateway_overhead_seconds_count: 3,
    motif_gateway_provider_seconds_count: 1,
  });
});
