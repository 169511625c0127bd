import { formatDuration } from '../../text/durations.ts';
import { formatSize } from '../../text/sizes.ts';
import type { Timings } from '../../wire/http.ts';

/** The line of -v: when each phase of the last attempt ended, counted from its start. */
export function timingsLine(timings: Timings, attempts: number): string {
  const phase = (name: string, ms: number | null) => (ms === null ? [] : [`${name} ${formatDuration(ms)}`]);
  const isReused = timings.connectMs === null;
  return [
    ...(isReused ? ['connection reused'] : []),
    ...phase('dns', timings.dnsMs),
    ...phase('connect', timings.connectMs),
    ...phase('tls', timings.tlsMs),
    ...phase('first byte', timings.firstByteMs),
    ...phase('total', timings.totalMs),
    `sent ${formatSize(timings.sentBytes)}`,
    `received ${formatSize(timings.receivedBytes)}`,
    `attempts ${attempts}`,
  ].join(' · ');
}
