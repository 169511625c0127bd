import { spawnSync } from 'node:child_process';

/** Node cannot ask what a child cost; bash can, to the millisecond, and is on every machine that runs these. */
const timed = `TIMEFORMAT='%3U %3S'; { time "$@" >/dev/null 2>&1 </dev/null; } 2>&1`;

/** User and system milliseconds of one run. Throws when the command fails, for then it measured something else. */
export function cpuMs(command, env) {
  const { status, stdout } = spawnSync('bash', ['-c', timed, 'bash', ...command], { env, encoding: 'utf8' });
  const [user, system] = stdout.trim().split(' ').map(Number);
  if (status === 0 && Number.isFinite(user) && Number.isFinite(system)) return (user + system) * 1000;
  throw new Error(`status ${status} from: ${command.join(' ')}`);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * The median and the least of each named command, with the runs interleaved, so that a machine that slows down slows
 * all of them. Null for a command that fails, with the reason in `faults`.
 */
export function medians(commands, rounds) {
  const faults = new Map();
  const times = new Map(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { command, env }] of Object.entries(commands)) {
      if (faults.has(name)) continue;
      try {
        const ms = cpuMs(command, env);
        // The first round only warms the caches.
        if (round > 0) times.get(name).push(ms);
      } catch (error) {
        faults.set(name, error.message);
      }
    }
  }
  const each = (of) =>
    Object.fromEntries([...times].map(([name, values]) => [name, faults.has(name) ? null : of(values)]));
  return { medianMs: each(median), leastMs: each((values) => Math.min(...values)), faults };
}
