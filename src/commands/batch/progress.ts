import type { Batch } from '../../batch/batch.ts';
import type { Hold } from '../../runs/outage.ts';
import { createStatusLine, type StatusLine } from '../../terminal/status-line.ts';
import { formatDuration } from '../../text/durations.ts';
import { createNotice, type Notice } from '../shared/notices.ts';
import { Pace } from '../shared/pace.ts';
import { isAccessible, type Run } from '../shared/run.ts';
import type { BatchFlags } from './flags.ts';

const drawMs = 250;
const sayMs = 30_000;

/** Progress of a run while it goes on: a line that moves on a terminal, a line every 30 s elsewhere. */
interface BatchProgress {
  /** Says something above the line that moves. */
  readonly notice: Notice;
  readonly onHold: (hold: Hold) => void;
  /** To be called after each row. */
  readonly onRow: () => void;
  stop(): void;
}

export function showProgress(run: Run<BatchFlags>, batch: Batch, { place }: { readonly place: string }): BatchProgress {
  const { world, flags } = run;
  const line = mayMove(run) ? createStatusLine(world.stderr) : undefined;
  const notice = noticeAbove(run, line);
  const everyMs = line === undefined ? sayMs : drawMs;
  const pace = new Pace(world.monotonic(), everyMs);
  let heldSince: number | undefined;
  let drawing: NodeJS.Immediate | undefined;
  const draw = (): void => {
    drawing = undefined;
    line?.draw(joined(progressParts(batch, pace), world.stderr.columns - 1));
  };
  return {
    notice,
    onHold({ since, nextTryMs }) {
      const text = holdText(place, since, nextTryMs);
      if (line !== undefined) line.draw(text);
      else if (heldSince !== since) notice(text);
      heldSince = since;
    },
    onRow() {
      const { finished, earlier } = batch.tally;
      if (flags.quiet || !pace.sample(world.monotonic(), finished - earlier)) return;
      if (line === undefined) notice(joined(progressParts(batch, pace)));
      // The place of the row is given to the next one first, so that it counts among those under way.
      else drawing ??= setImmediate(draw);
    },
    stop() {
      clearImmediate(drawing);
      line?.clear();
    },
  };
}

/** On a stdout that is the terminal too, its lines would run into one that moves. */
function mayMove(run: Run<BatchFlags>): boolean {
  const { world, flags } = run;
  const { stderr, stdout, env } = world;
  if (!stderr.isTerminal || flags.quiet || isAccessible(run)) return false;
  return env.TERM !== 'dumb' && !env.CI && !(stdout.isTerminal && flags.output === undefined);
}

function noticeAbove({ world, flags }: Run<BatchFlags>, line: StatusLine | undefined): Notice {
  const say = createNotice(world, flags);
  return (text) => {
    line?.clear();
    say(text);
  };
}

function progressParts({ tally, run }: Batch, pace: Pace): readonly string[] {
  const atOnce = run?.inFlight ?? 0;
  const { finished, total, blocked, failed, tokens } = tally;
  return [
    ...pace.text(finished, total),
    `${shown(blocked)} blocked`,
    `${failed === 1 ? '1 error' : `${shown(failed)} errors`}`,
    ...(atOnce > 0 ? [`${atOnce} at once`] : []),
    ...(tokens.total_tokens === null ? [] : [`${shortCount(tokens.total_tokens)} tokens`]),
  ];
}

/** One line of the parts; the last ones are left out where they do not fit. */
function joined(parts: readonly string[], columns = Infinity): string {
  const text = parts.join(' · ');
  return text.length <= columns || parts.length === 1 ? text : joined(parts.slice(0, -1), columns);
}

function holdText(place: string, since: number, nextTryMs: number): string {
  const time = new Date(since).toISOString().slice(11, 16);
  return `held: ${place} out of reach since ${time} UTC; next try in ${formatDuration(nextTryMs)}`;
}

/** A count with its thousands apart: `20,000`. */
export function shown(count: number): string {
  return count.toLocaleString('en-US');
}

/** A large count in short: `3.1 M`, `61.2 k`. */
export function shortCount(count: number): string {
  if (count < 10_000) return shown(count);
  return count < 1_000_000 ? `${Math.round(count / 100) / 10} k` : `${Math.round(count / 100_000) / 10} M`;
}
