import type { CaseResult } from '../../suites/result.ts';
import { createStatusLine } from '../../terminal/status-line.ts';
import { Pace } from '../shared/pace.ts';
import { createSpinner, isAccessible, type Run } from '../shared/run.ts';

const drawMs = 250;

export interface CheckProgress {
  /** To be called after each case. */
  readonly onResult: (result: CaseResult) => void;
  stop(): void;
}

/** Progress of a run of cases: on a terminal a line that moves, or one plain line where nothing may; none elsewhere. */
export async function showCheckProgress(run: Run, total: number): Promise<CheckProgress> {
  const { world, flags } = run;
  const { stderr, env } = world;
  const mayMove = stderr.isTerminal && !flags.quiet && !isAccessible(run) && env.TERM !== 'dumb' && !env.CI;
  if (!mayMove) {
    const spinner = await createSpinner(run);
    spinner?.start('checking');
    return { onResult: () => undefined, stop: () => spinner?.stop() };
  }
  const line = createStatusLine(stderr);
  const pace = new Pace(world.monotonic(), drawMs);
  const counts = { finished: 0, blocked: 0, failed: 0, unverified: 0, retried: 0 };
  return {
    onResult({ outcome, verdict, attempts, repeat }) {
      counts.finished += 1;
      if (outcome === 'blocked') counts.blocked += 1;
      if (verdict === 'regressed') counts.failed += 1;
      if (verdict === 'unverified') counts.unverified += 1;
      if (repeat === 1 && attempts > 1) counts.retried += attempts - 1;
      if (pace.sample(world.monotonic(), counts.finished)) line.draw(progressText(counts, total, pace));
    },
    stop: () => line.clear(),
  };
}

function progressText(counts: Readonly<Record<string, number>>, total: number, pace: Pace): string {
  const { finished = 0, blocked = 0, failed = 0, ...others } = counts;
  const rare = Object.entries(others).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
  return [...pace.text(finished, total), `${blocked} blocked`, `${failed} failed`, ...rare].join(' · ');
}
