import type { Batch } from '../../batch/batch.ts';
import { Interrupted } from '../../errors.ts';
import type { Throttle } from '../../runs/throttle.ts';
import type { Notice } from '../shared/notices.ts';
import type { Run } from '../shared/run.ts';
import { counted, grouped } from '../../text/sizes.ts';

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

interface InterruptedBatch {
  readonly batch: Batch;
  readonly throttle: Throttle;
  readonly notice: Notice;
}

export function listenForInterrupts({ world }: Run, { batch, throttle, notice }: InterruptedBatch): Interruption {
  const stop = new AbortController();
  const abandon = new AbortController();
  let isStopping = false;
  const unlisten = world.onInterrupt(() => {
    if (isStopping) return abandon.abort(new Interrupted('SIGINT'));
    isStopping = true;
    const { waiting } = throttle;
    const underWay = (batch.run?.inFlight ?? 0) - waiting;
    stop.abort();
    notice(
      [
        'stopping: no new rows',
        ...(waiting > 0
          ? [`${counted(waiting, 'row')} that only waited to be sent again ${waiting === 1 ? 'is' : 'are'} left`]
          : []),
        ...(waiting > 0 && underWay === 0
          ? []
          : [`${grouped(underWay)} under way may finish (Ctrl-C again ends at once)`]),
      ].join('; '),
    );
  });
  return { stop, signal: AbortSignal.any([world.interrupted, abandon.signal]), isStopping: () => isStopping, unlisten };
}
