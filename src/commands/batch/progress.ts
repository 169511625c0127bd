import type { Batch } from '../../batch/batch.ts';
import type { Hold } from '../../runs/outage.ts';
import type { Throttle } from '../../runs/throttle.ts';
import { createStatusLine } from '../../terminal/status-line.ts';
import { formatDuration } from '../../text/durations.ts';
import { createNotice, type Notice } from '../shared/notices.ts';
import { finishedText, fittingParts, Pace } from '../shared/pace.ts';
import { isAccessible, type Run } from '../shared/run.ts';
import type { BatchFlags } from './flags.ts';
import { grouped } from '../../text/sizes.ts';

const appearsAfterMs = 300;
const drawMs = 250;
/** The line is drawn again this often although no row ends. */
const redrawMs = 1000;
const sayMs = 30_000;
/** A shorter wait is part of the pace, and not said. */
const waitShownMsMin = 1000;
const limitStatus = 429;

/** Progress of a run while it goes on: a line that moves on a terminal, a line every 30 s elsewhere. */
interface BatchProgress {
  /** Says something above the line that moves. */
  readonly notice: Notice;
  readonly onHold: (hold: Hold | undefined) => void;
  /** To be called where a prompt begins to wait for its next attempt. */
  readonly onWait: () => void;
  /** To be called after each row. */
  readonly onRow: () => void;
  stop(): void;
}

interface ProgressParts {
  /** The service, for words. */
  readonly place: string;
  readonly throttle: Throttle;
}

export function showProgress(run: Run<BatchFlags>, batch: Batch, parts: ProgressParts): BatchProgress {
  return mayMove(run) ? movingProgress(run, batch, parts) : saidProgress(run, batch, parts);
}

/** A line every 30 s, where rows end or the service asks to wait. */
function saidProgress({ world, flags }: Run<BatchFlags>, batch: Batch, parts: ProgressParts): BatchProgress {
  const { place, throttle } = parts;
  const notice = createNotice(world, flags);
  const pace = new Pace(world.monotonic(), sayMs);
  let held: (Pick<Hold, 'startedAt' | 'status'> & { readonly saidAt: number }) | undefined;
  let waitSaidAt = -Infinity;
  let saying: NodeJS.Immediate | undefined;
  const sayWait = (): void => {
    saying = undefined;
    const now = world.monotonic();
    if (flags.quiet || now - waitSaidAt < sayMs || waitText(throttle) === undefined) return;
    waitSaidAt = now;
    pace.sample(now, batch.tally.ended - batch.tally.earlier);
    notice(fittingParts(progressParts(batch, pace, throttle)));
  };
  return {
    notice,
    onHold(hold) {
      const now = world.monotonic();
      if (hold === undefined) {
        const isBack = held?.status === limitStatus ? 'takes prompts again' : 'is back';
        notice(`${place} ${isBack} after ${formatDuration(now - (held?.startedAt ?? now))}`);
        pace.restart(now, batch.tally.ended - batch.tally.earlier);
        held = undefined;
      } else if (held === undefined || now - held.saidAt >= sayMs) {
        notice(holdText(place, hold, now));
        held = { startedAt: hold.startedAt, status: hold.status, saidAt: now };
      }
    },
    // Said once all that came together is counted.
    onWait: () => void (saying ??= setImmediate(sayWait)),
    onRow() {
      const { ended, earlier } = batch.tally;
      if (flags.quiet || batch.run?.hold !== undefined || !pace.sample(world.monotonic(), ended - earlier)) return;
      notice(fittingParts(progressParts(batch, pace, throttle)));
    },
    stop: () => clearImmediate(saying),
  };
}

/** A line that moves, from the start, for the first row may be slow. */
function movingProgress({ world, flags }: Run<BatchFlags>, batch: Batch, parts: ProgressParts): BatchProgress {
  const { place, throttle } = parts;
  const line = createStatusLine(world.stderr);
  const say = createNotice(world, flags);
  const startedAt = world.monotonic();
  const pace = new Pace(startedAt, drawMs);
  const stopped = new AbortController();
  let drawing: NodeJS.Immediate | undefined;
  let isShown = false;
  const draw = (): void => {
    drawing = undefined;
    isShown = true;
    const hold = batch.run?.hold;
    if (hold !== undefined) return line.draw(holdText(place, hold, world.monotonic()));
    const shown =
      batch.tally.ended > 0
        ? progressParts(batch, pace, throttle)
        : [...firstParts(batch, throttle), `${formatDuration(world.monotonic() - startedAt)} elapsed`];
    line.draw(progressText(shown, line.columns));
  };
  const redraw = async (): Promise<void> => {
    for (let ms = appearsAfterMs; ; ms = redrawMs) {
      await world.sleep(ms, stopped.signal);
      draw();
    }
  };
  // Ends by being stopped or by a signal, neither of which is a fault of the run.
  redraw().catch(() => undefined);
  return {
    notice(text) {
      line.clear();
      say(text);
      if (isShown) draw();
    },
    onHold(hold) {
      if (hold === undefined) pace.restart(world.monotonic(), batch.tally.ended - batch.tally.earlier);
      draw();
    },
    onWait: () => undefined,
    onRow() {
      const { ended, earlier } = batch.tally;
      // The place of the row is given to the next one first, so that it counts among those under way.
      if (pace.sample(world.monotonic(), ended - earlier)) drawing ??= setImmediate(draw);
    },
    stop() {
      stopped.abort();
      clearImmediate(drawing);
      line.clear();
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

/** Before the first row has ended. */
function firstParts({ tally, run }: Batch, throttle: Throttle): readonly string[] {
  if (run === undefined) return ['reading the rows'];
  const total = tally.total === undefined ? '0 rows' : `0 of ${grouped(tally.total)}`;
  const atOnce = run.inFlight - throttle.waiting;
  return [total, waitText(throttle) ?? [], atOnce > 0 ? `${atOnce} at once` : []].flat();
}

function progressParts({ tally, run }: Batch, pace: Pace, throttle: Throttle): readonly string[] {
  const atOnce = (run?.inFlight ?? 0) - throttle.waiting;
  const { ended, total, answered, blocked, failed, tokens } = tally;
  const wait = waitText(throttle);
  return [
    // No speed of before tells when a service that asks to wait will be through.
    ...(wait === undefined ? pace.text(ended, total) : [finishedText(ended, total), wait]),
    `${grouped(answered)} answered`,
    `${grouped(blocked)} blocked`,
    `${failed === 1 ? '1 error' : `${grouped(failed)} errors`}`,
    ...(tokens.total_tokens === null ? [] : [`${shortCount(tokens.total_tokens)} tokens`]),
    ...(atOnce > 0 ? [`${atOnce} at once`] : []),
  ];
}

/** Parts that say least, from the least on: the rows at once, and counts of nothing. */
const lessNeeded = [/^\d+ at once$/, /^0 errors$/, /^0 blocked$/];

/** One line of the parts; where they do not fit, those that say least are left out first, then the last ones. */
export function progressText(parts: readonly string[], columns: number): string {
  let shown = parts;
  for (const pattern of lessNeeded)
    if (shown.join(' · ').length > columns) shown = shown.filter((part) => !pattern.test(part));
  return fittingParts(shown, columns);
}

/** The wait that a service asked for, with its status; undefined where it is hardly any. */
function waitText({ pause }: Throttle): string | undefined {
  if (pause === undefined || pause.leftMs < waitShownMsMin) return undefined;
  return `waiting ${formatDuration(pause.leftMs)} (${pause.status})`;
}

function holdText(place: string, { since: begin, nextTryAt, status }: Hold, now: number): string {
  const time = new Date(begin).toISOString().slice(11, 16);
  // In whole seconds, as it is drawn once a second.
  const leftMs = Math.ceil(Math.max(0, (nextTryAt ?? now) - now) / 1000) * 1000;
  const next = leftMs === 0 ? 'trying now' : `next try in ${formatDuration(leftMs)}`;
  const since = `since ${time} UTC; ${next}`;
  if (status === limitStatus) return `waiting: ${place} has answered ${status} (a limit) ${since}`;
  return `held: ${place} ${status === undefined ? 'has been out of reach' : `has answered ${status}`} ${since}`;
}

/** A large count in short: `3.1 M`, `61.2 k`. */
export function shortCount(count: number): string {
  if (count < 10_000) return grouped(count);
  return count < 1_000_000 ? `${Math.round(count / 100) / 10} k` : `${Math.round(count / 100_000) / 10} M`;
}
