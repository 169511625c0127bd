import { createClient, type Listener, type PromptOutcome } from '../../client/client.ts';
import type { TimeoutSource } from '../../client/failures.ts';
import { MotifError } from '../../errors.ts';
import type { Throttle } from '../../runs/throttle.ts';
import type { Case } from '../../suites/case.ts';
import type { AskTools, JudgeByCommand, CaseReply } from '../../suites/verdict.ts';
import { hasFailedPolicy } from '../../wire/reply.ts';
import type { Settings } from '../../settings/resolve.ts';
import { profileOf } from '../shared/connection/connection.ts';
import type { Destination } from '../shared/connection/destination.ts';
import type { EmbeddedFlags } from '../shared/flags/embedded.ts';
import type { Run } from '../shared/run.ts';

interface AskParts {
  readonly destination: Destination;
  readonly throttle: Throttle;
  readonly judgeByCommand?: JudgeByCommand | undefined;
}

const listener: Listener = { notice: () => undefined };

const ofSuite: TimeoutSource = { from: 'the suite', more: (duration) => `timeout: ${duration} there` };

/** Asks the Motif of a destination by the client that every command uses; a gateway in this process is watched. */
export function createAskTools({ destination, throttle, judgeByCommand }: AskParts, signal?: AbortSignal): AskTools {
  const { connection, tools, inside } = destination;
  let asked = 0;
  return {
    now: () => tools.now(),
    judgeByCommand,
    async ask(messages, of) {
      // The run itself waits for the first prompt of a case; repetitions and turns are as many prompts as others.
      if (asked++ > 0) await throttle.turn(signal);
      const observed = inside?.observe(of.providerAnswer);
      const settings =
        of.timeoutMs === undefined ? connection : { ...connection, timeoutMs: of.timeoutMs, timeoutSource: ofSuite };
      const send = observed?.send ?? tools.send;
      const client = createClient(
        settings,
        throttle.tools({
          send,
          now: () => tools.now(),
          monotonic: () => tools.monotonic(),
          sleep: (ms, stop) => tools.sleep(ms, stop),
        }),
        listener,
      );
      const outcome = await client.prompt(messages, signal);
      return toCaseReply(outcome, observed?.sight());
    },
  };
}

/** The outcome of a prompt as it is judged. */
export function toCaseReply({ reply, attempts, elapsedMs }: PromptOutcome, sight?: CaseReply['sight']): CaseReply {
  const answer = reply.blocked ? '' : reply.response;
  return {
    outcome: reply.blocked ? 'blocked' : answer === '' ? 'empty' : 'answered',
    answer,
    hasLeaked: reply.blocked && reply.hasText === true,
    finishReason: reply.finishReason,
    usage: reply.usage,
    elapsedMs,
    sight,
    promptId: reply.promptId,
    attempts,
    isPolicyFailure: hasFailedPolicy(reply),
  };
}

/**
 * Refuses to send to a Motif that a case was not written for, before anything is paid. Without a login there is none:
 * that is told where the connection is opened. `by` is the flag that names the profile.
 */
export async function checkMotif(
  cases: readonly Case[],
  settings: Settings,
  { world, flags, by = '-p' }: Pick<Run<EmbeddedFlags>, 'world' | 'flags'> & { readonly by?: '-p' | '--against' },
): Promise<void> {
  const motifId = settings.motifId?.value;
  if (motifId === undefined) return;
  const odd = cases.find(({ motif }) => motif !== undefined && motif !== motifId);
  if (odd === undefined) return;
  const motif = odd.motif!;
  const { file, line } = odd.motifAt ?? odd;
  const place = `${file}:${line}`;
  const owner = settings.baseUrl && (await profileOf({ baseUrl: settings.baseUrl.value, motifId: motif }, world));
  const profile = owner === undefined ? `motif login with its address, then ${by} ${motif}` : `${by} ${owner}`;
  const way = flags.demo ? [] : [flags.local === undefined ? profile : `--motif ${motif}`];
  throw new MotifError('usage', `${place} is for the Motif ${motif}, but ${motifId} is asked`, {
    hint: [...way, `to ask any Motif, take motif: ${motif} out of ${place}`],
  });
}
