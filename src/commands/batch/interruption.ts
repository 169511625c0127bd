import type { Batch } from '../../batch/batch.ts';
import { Interrupted } from '../../errors.ts';
import type { Notice } from '../shared/notices.ts';
import type { Run } from '../shared/run.ts';

/** Effect of Ctrl-C: first that no new row is begun, then that all ends at once. */
export interface Interruption {
  readonly stop: AbortController;
  readonly signal: AbortSignal;
  isAsked(): boolean;
  end(): void;
}

export function listenForInterrupts({ world }: Run, batch: Batch, notice: Notice): Interruption {
  const stop = new AbortController();
  const now = new AbortController();
  let isAsked = false;
  const end = world.onInterrupt(() => {
    if (isAsked) return now.abort(new Interrupted('SIGINT'));
    isAsked = true;
    stop.abort();
    notice(`stopping: no new rows; ${batch.run?.inFlight ?? 0} under way may finish (Ctrl-C again ends at once)`);
  });
  return { stop, signal: AbortSignal.any([world.interrupted, now.signal]), isAsked: () => isAsked, end };
}
