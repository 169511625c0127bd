import type { Batch } from '../../batch/batch.ts';
import { Interrupted } from '../../errors.ts';
import type { Notice } from '../shared/notices.ts';
import type { Run } from '../shared/run.ts';

/** Effect of Ctrl-C, and the way back to what it did before. */
interface Interruption {
  /** The first Ctrl-C: no new row is begun. Other reasons to stop may abort it, too. */
  readonly stop: AbortController;
  /** The second one, or another signal: all ends at once. */
  readonly signal: AbortSignal;
  /** True once Ctrl-C was typed. */
  isStopping(): boolean;
  unlisten(): void;
}

export function listenForInterrupts({ world }: Run, batch: Batch, notice: Notice): Interruption {
  const stop = new AbortController();
  const abandon = new AbortController();
  let isStopping = false;
  const unlisten = world.onInterrupt(() => {
    if (isStopping) return abandon.abort(new Interrupted('SIGINT'));
    isStopping = true;
    stop.abort();
    notice(`stopping: no new rows; ${batch.run?.inFlight ?? 0} under way may finish (Ctrl-C again ends at once)`);
  });
  return { stop, signal: AbortSignal.any([world.interrupted, abandon.signal]), isStopping: () => isStopping, unlisten };
}
