import { Throttle } from '../../runs/throttle.ts';
import type { Case } from '../../suites/case.ts';
import type { AskTools } from '../../suites/verdict.ts';
import type { Destination } from '../shared/connection/destination.ts';
import type { World } from '../../world/world.ts';
import type { Serving } from '../shared/connection/serving.ts';

/** Source of answers: a Motif, or the result of an earlier run. */
export interface AnswerSource {
  /** Subject of a report: the profile whose Motif is asked, else the Motif. */
  readonly name: string | null;
  /** The profile whose address is used. */
  readonly profile: string | null;
  readonly motifId: string | null;
  readonly throttle: Throttle;
  readonly asking: (signal: AbortSignal) => AskTools;
  /** The expectations for whose sake a case is skipped and not asked; none of one that is asked. */
  readonly skippedFor: (of: Case) => readonly string[];
  readonly itemMsMax: number;
  readonly isReplay: boolean;
  /** Undefined where nothing is asked. */
  readonly destination: Destination | undefined;
}

/** A source that is known by its Motif, and can be asked once it is opened. */
export interface ChosenSource {
  readonly motifId: string | undefined;
  /** Words for the Motif that answers, the same in each run that asks it; undefined where none is asked or known. */
  readonly place: string | undefined;
  /** The `motif serve` in whose command this run is. */
  readonly serving?: Serving | undefined;
  open(): Promise<AnswerSource>;
}

/** A source that has no answers, for a report on no case. */
export function emptySource(motifId: string | null, world: World): AnswerSource {
  return {
    name: motifId,
    profile: null,
    motifId,
    throttle: new Throttle({ concurrency: 1 }, world),
    asking: () => {
      throw new Error('there is no case to ask');
    },
    skippedFor: () => [],
    itemMsMax: 1,
    isReplay: false,
    destination: undefined,
  };
}
