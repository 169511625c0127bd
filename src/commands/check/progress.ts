import type { CaseResult } from '../../suites/result.ts';
import { createStatusLine } from '../../terminal/status-line.ts';
import { formatDuration } from '../../text/durations.ts';
import { fittingParts, Pace } from '../shared/pace.ts';
import { createSpinner, isAccessible, type Run } from '../shared/run.ts';
import { grouped } from '../../text/sizes.ts';

const appearsAfterMs = 300;
const drawMs = 250;
/** The line is drawn again this often although no case ends. */
const redrawMs = 1000;

interface CheckProgress {
  /** To be called after each case. */
  readonly onResult: (result: CaseResult) => void;
  /** Begins a further pass over cases. The name is a constant of ours, never text from outside. */
  begin(pass: string): void;
  /** To be called after each case of a further pass. */
  readonly onStep: () => void;
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
    const nothing = () => undefined;
    return { onResult: nothing, begin: nothing, onStep: nothing, stop: () => spinner?.stop() };
  }
  const line = createStatusLine(stderr);
  const stopped = new AbortController();
  let startedAt = world.monotonic();
  const pace = new Pace(startedAt, drawMs);
  const counts = { finished: 0, blocked: 0, failed: 0, unverified: 0, retried: 0 };
  let pass: { readonly name: string; steps: number } | undefined;
  let drawsFrom = startedAt + appearsAfterMs;
  const draw = (): void => {
    const elapsed = `${formatDuration(world.monotonic() - startedAt)} elapsed`;
    drawsFrom = world.monotonic() + drawMs;
    if (pass !== undefined) line.draw(`${pass.name} · ${grouped(pass.steps)} judged · ${elapsed}`);
    else if (counts.finished === 0) line.draw(`0 of ${grouped(total)} · ${elapsed}`);
    else line.draw(fittingParts(progressParts(counts, total, pace), line.columns));
  };
  const redraw = async (): Promise<void> => {
    for (let ms = appearsAfterMs; ; ms = redrawMs) {
      await world.sleep(ms, stopped.signal);
      // A sample without a case that ended: the rate falls while nothing does.
      pace.sample(world.monotonic(), counts.finished);
      draw();
    }
  };
  // Ends by being stopped or by a signal, neither of which is a fault of the run.
  redraw().catch(() => undefined);
  return {
    onResult({ outcome, verdict, attempts, repeat }) {
      counts.finished += 1;
      if (outcome === 'blocked') counts.blocked += 1;
      if (verdict === 'regressed') counts.failed += 1;
      if (verdict === 'unverified') counts.unverified += 1;
      if (repeat === 1 && attempts > 1) counts.retried += attempts - 1;
      if (pace.sample(world.monotonic(), counts.finished)) draw();
    },
    begin(name) {
      pass = { name, steps: 0 };
      startedAt = world.monotonic();
      drawsFrom = startedAt + appearsAfterMs;
    },
    // Judging in this process may leave no timer a turn.
    onStep() {
      if (pass !== undefined) pass.steps += 1;
      if (world.monotonic() >= drawsFrom) draw();
    },
    stop() {
      stopped.abort();
      line.clear();
    },
  };
}

function progressParts(counts: Readonly<Record<string, number>>, total: number, pace: Pace): readonly string[] {
  const { finished = 0, blocked = 0, failed = 0, ...others } = counts;
  const rare = Object.entries(others).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
  return [...pace.text(finished, total), `${blocked} blocked`, `${failed} failed`, ...rare];
}
