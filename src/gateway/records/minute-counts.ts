import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Fewer resets are those of load balancers, which ask in this way after a service that is well. */
const resetsLeast = 1000;

/** The samples whose growth is logged, each at most once a minute; a log must not grow with an attack. */
const rows: readonly { readonly sample: string; readonly message: string; readonly least?: number }[] = [
  { sample: 'motif_gateway_requests_total{status="401"}', message: 'requests refused with 401 in the last minute' },
  { sample: 'motif_gateway_requests_total{status="403"}', message: 'requests refused with 403 in the last minute' },
  { sample: 'motif_gateway_requests_total{status="429"}', message: 'requests refused with 429 in the last minute' },
  {
    sample: 'motif_gateway_connections_dropped_total{reason="limit"}',
    message: 'connections dropped in the last minute: too many are open',
  },
  {
    sample: 'motif_gateway_connections_dropped_total{reason="unread"}',
    message: 'connections dropped in the last minute: the reply was not read',
  },
  {
    sample: 'motif_gateway_connections_dropped_total{reason="waiting"}',
    message: 'connections dropped in the last minute: too many requests waited',
  },
  {
    sample: 'motif_gateway_connections_dropped_total{reason="descriptors"}',
    message: 'seconds without a free file descriptor in the last minute: new connections are dropped',
  },
  {
    sample: 'motif_gateway_connections_dropped_total{reason="reset"}',
    message: 'connections dropped in the last minute: their clients reset them before a reply',
    least: resetsLeast,
  },
];

interface MinuteCountsParts {
  readonly metrics: Metrics;
  readonly log: Log;
  /** Runs a task again and again until the result is called. */
  readonly every: (ms: number, task: () => void) => () => void;
}

const minuteMs = 60_000;

/** Logs once a minute how much was refused and dropped, until the result is called, which logs the rest. */
export function logMinuteCounts({ metrics, log, every }: MinuteCountsParts): () => void {
  let before = metrics.snapshot();
  const report = (): void => {
    const now = metrics.snapshot();
    for (const { sample, message, least = 1 } of rows) {
      const count = (now[sample] ?? 0) - (before[sample] ?? 0);
      if (count >= least) log.warn(message, { count });
    }
    before = now;
  };
  const stop = every(minuteMs, report);
  return () => {
    stop();
    report();
  };
}
