import type { Asked } from '../../chat/chat.ts';
import { createClient } from '../../client/client.ts';
import { MotifError } from '../../errors.ts';
import { promptBytesMax } from '../../text/limits.ts';
import type { World } from '../../world/world.ts';
import type { ChatFlags } from './chat.ts';
import { chooseDestination, type Destination, type DestinationChoice } from '../target.ts';
import { createNotice, createSpinner } from '../shared/notices.ts';
import { knownOf } from '../shared/prompt-document.ts';
import { showResult } from '../shared/prompt-result.ts';
import { tooLarge } from '../shared/stdin.ts';

/** A Motif that can be made ready before it is asked. */
export interface ChatMotif extends Asked {
  /** Opens it; rejects as the first turn would. */
  open(): Promise<void>;
}

/** A Motif as a chat asks it: with a spinner, and its outcomes shown as `motif prompt` shows them. */
export function toAsked({ settings, open }: DestinationChoice, world: World, flags: ChatFlags): ChatMotif {
  const known = knownOf(settings);
  let opening: Promise<Destination> | undefined;
  return {
    profile: known.profile,
    motifId: known.motif_id,
    async open() {
      await (opening ??= open());
    },
    async prompt(messages, signal) {
      const size = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
      if (size > promptBytesMax) throw tooLarge('the conversation with this message');
      const { connection, tools } = await (opening ??= open());
      const spinner = await createSpinner(world, flags);
      const client = createClient(connection, tools, { notice: createNotice(world, flags, spinner) });
      spinner?.start('waiting for the answer');
      const either = AbortSignal.any([signal, world.interrupted]);
      return await client.prompt(messages, either).finally(() => spinner?.stop());
    },
    async show(outcome, line, stop) {
      const showing = { known, settings, flags, output: undefined, line, stop };
      try {
        await showResult(outcome, showing, world, createNotice(world, flags));
      } catch (error) {
        if (!(error instanceof MotifError) || error.kind !== 'blocked') throw error;
      }
    },
  };
}

/** What was said at the start of how to reach a service; who and where is the profile's to say. */
const stays: ReadonlySet<string> = new Set(
  'timeout connectTimeout retries proxy cacert blockedNotice quiet color accessible debug'.split(' '),
);

export async function askProfile(profile: string, world: World, flags: ChatFlags): Promise<Asked> {
  const others = Object.fromEntries(Object.entries(flags).filter(([name]) => stays.has(name)));
  const choice = await chooseDestination({ ...others, profile }, world, createNotice(world, flags));
  const asked = toAsked(choice, world, flags);
  await asked.open();
  return asked;
}
