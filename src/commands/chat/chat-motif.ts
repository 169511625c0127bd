import type { ConnectedMotif } from '../../chat/chat.ts';
import { createClient } from '../../client/client.ts';
import { MotifError } from '../../errors.ts';
import { promptBytesMax } from '../../text/limits.ts';
import { createRun, createSpinner, type Run } from '../shared/run.ts';
import { reachFlags, retryFlags } from '../shared/flags/connection.ts';
import { globalFlags } from '../shared/flags/options.ts';
import type { ChatFlags } from './flags.ts';
import { chooseTarget, type Target } from '../target.ts';
import type { Destination } from '../shared/connection/destination.ts';
import { createNotice } from '../shared/notices.ts';
import { identityOf } from '../shared/prompt/document.ts';
import { showResult } from '../shared/prompt/result.ts';
import { tooLarge } from '../shared/stdin.ts';

/** A Motif that can be made ready before it is asked. */
export interface ChatMotif extends ConnectedMotif {
  /** Opens it; rejects as the first turn would. */
  open(): Promise<void>;
}

/** A Motif as a chat asks it: with a spinner, and its outcomes shown as `motif prompt` shows them. */
export function createChatMotif(run: Run<ChatFlags>, { settings, service, open }: Target): ChatMotif {
  const { world, flags } = run;
  const identity = identityOf(settings);
  let opening: Promise<Destination> | undefined;
  return {
    profile: identity.profile,
    motifId: identity.motif_id,
    service,
    async open() {
      await (opening ??= open());
    },
    async prompt(messages, signal) {
      const size = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
      if (size > promptBytesMax) throw tooLarge('the conversation with this message');
      const { connection, tools } = await (opening ??= open());
      const spinner = await createSpinner(run);
      const client = createClient(connection, tools, { notice: createNotice(world, flags, spinner) });
      spinner?.start('waiting for the answer');
      const either = AbortSignal.any([signal, world.interrupted]);
      return await client.prompt(messages, either).finally(() => spinner?.stop());
    },
    async show(outcome, line, stop) {
      try {
        await showResult(run, outcome, { identity, settings, output: undefined, line, stop });
      } catch (error) {
        if (!(error instanceof MotifError) || error.kind !== 'blocked') throw error;
      }
    },
  };
}

/** Settings of one service alone, though they stand in the same group of flags. */
const boundFlags = ['cert', 'key', 'allowHttp'];

/** Flags that stay in force when a chat goes on with another profile: that says who asks, and where. */
function lastingFlags(flags: ChatFlags): Partial<ChatFlags> {
  const inForce = [reachFlags, retryFlags, globalFlags].flatMap(({ fields }) => Object.keys(fields));
  const lasting = new Set([...inForce, 'blockedNotice'].filter((name) => !boundFlags.includes(name)));
  return Object.fromEntries(Object.entries(flags).filter(([name]) => lasting.has(name)));
}

export async function openProfile({ world, flags }: Run<ChatFlags>, profile: string): Promise<ConnectedMotif> {
  const run = createRun<ChatFlags>(world, { ...lastingFlags(flags), profile });
  const motif = createChatMotif({ ...run, flags }, await chooseTarget(run));
  await motif.open();
  return motif;
}
