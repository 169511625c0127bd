import { Throttle } from '../../runs/throttle.ts';
import { askStored, skippedIn } from '../../suites/comparison.ts';
import type { Run } from '../shared/run.ts';
import type { CheckFlags } from './check-flags.ts';
import { judgeByCommand } from './judge-command.ts';
import type { AnswerSource, ChosenSource } from './answer-source.ts';
import { readStoredRun } from './stored-files.ts';

/** Answers of an earlier run, which are judged again; nothing is sent. */
export async function replaySource({ world }: Run<CheckFlags>, file: string): Promise<ChosenSource> {
  const stored = await readStoredRun(file, world);
  const ask = askStored(stored, file);
  const source: AnswerSource = {
    name: stored.name === '' ? null : stored.name,
    profile: stored.profile,
    motifId: stored.motifId,
    throttle: new Throttle({ concurrency: 1 }, world),
    asking: () => ({ ask, judgeByCommand: judgeByCommand(world), now: () => world.now() }),
    skippedFor: skippedIn(stored),
    itemMsMax: 1,
    isReplay: true,
    destination: undefined,
  };
  return {
    motifId: stored.motifId ?? undefined,
    place: undefined,
    open: async () => source,
  };
}
