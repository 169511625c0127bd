import type { PromptOutcome } from '../../client/client.ts';
import { refuseTakenTitle } from '../../conversations/finding.ts';
import { changeOfMotif, checkTitle } from '../../conversations/title.ts';
import {
  type AskedMotif,
  type Conversation,
  type Head,
  type Service,
  toTurnOutcome,
} from '../../conversations/conversation.ts';
import { withSystem } from '../../conversations/state.ts';
import { MotifError } from '../../errors.ts';
import { composeMessages, type Parts } from '../../messages/compose.ts';
import { isSwitchedOn } from '../../settings/table.ts';
import type { Message } from '../../wire/request.ts';
import type { World } from '../../world/world.ts';
import { type MotifChoice, openConversations, refuseUnseenMove, sayBroken } from '../shared/conversation-store.ts';
import type { Run } from '../shared/run.ts';
import type { ConversationFlags } from './flags.ts';
import type { PromptIdentity } from '../shared/prompt/document.ts';

export interface ComposedPrompt {
  readonly messages: readonly Message[];
  /** Messages of this turn; where there are none, nothing is sent. */
  readonly own: readonly Message[];
}

/** The conversation that a prompt is a turn of. */
export interface PromptConversation {
  compose(parts: Parts, editedText: string | undefined): ComposedPrompt;
  /** Saves the outcome; a block leaves no text. Nothing of it is said or thrown yet, for the answer is shown first. */
  keep(composed: ComposedPrompt, outcome: PromptOutcome): Promise<Kept>;
}

/** Words and a failure that are told after the answer of a turn. */
interface Kept {
  readonly failure?: MotifError;
  readonly notices: readonly string[];
}

/**
 * Opens the conversation before anything is read or asked, so that a mistyped name costs nothing. `choice` is absent
 * where nothing is sent.
 */
export async function openPromptConversation(
  run: Run<ConversationFlags>,
  { profile, motif_id: motifId, service }: PromptIdentity & { readonly service: Service },
  choice: MotifChoice | undefined,
): Promise<PromptConversation> {
  const { world, flags } = run;
  refuseUnkept(world);
  if (flags.save !== undefined) {
    await refuseTakenTitle(flags.save, openConversations(world), { hint: () => takenHint });
    if (choice !== undefined) await openConversations(world).needWritable();
  }
  const asked = { profile, motifId, service };
  const way = flags.save === undefined ? await continued(run, asked, choice) : begun(flags.save, asked, world);
  return {
    compose: way.compose,
    async keep(composed, outcome) {
      try {
        const conversation = await way.save(composed, outcome);
        if (conversation === undefined) return { notices: [] };
        const { id, title } = conversation;
        const isOther = flags.save !== undefined && title !== checkTitle(flags.save);
        const why = isOther ? ': another motif has begun one of that title meanwhile' : '';
        return { notices: [`saved in conversation ${id} (${title})${why}`] };
      } catch (error) {
        if (error instanceof MotifError) return { failure: error, notices: [] };
        throw error;
      }
    },
  };
}

const takenHint = [
  'to go on with it: --conversation in place of --save',
  'to begin another one: --save with another title',
];

/** Refuses to save where nothing may be saved, for a person asked for it by name. */
function refuseUnkept({ env }: World): void {
  if (!isSwitchedOn(env.MOTIF_NO_HISTORY)) return;
  throw new MotifError('usage', 'MOTIF_NO_HISTORY is set, so no conversation is saved or continued', {
    hint: 'unset it, or leave --save, -c and --conversation out',
  });
}

/** A conversation that is begun or continued. */
interface Way {
  readonly compose: PromptConversation['compose'];
  /** The conversation, if anything of the outcome is kept. */
  save(composed: ComposedPrompt, outcome: PromptOutcome): Promise<Conversation | undefined>;
}

function begun(title: string, asked: AskedMotif & Pick<Head, 'profile'>, world: World): Way {
  return {
    compose(parts, editedText) {
      const messages = composeMessages(parts, editedText);
      return { messages, own: messages.slice(-1) };
    },
    async save({ messages, own }, outcome) {
      if (outcome.reply.blocked) return undefined;
      const opening = messages.slice(0, -1);
      const answer = outcome.reply.response;
      const saved = openConversations(world);
      // The title was free when the prompt was sent; its answer is paid for.
      return saved.withFreeTitle(title, async (free) => {
        const conversation = await saved.create({ ...asked, title: free, opening });
        await conversation.addTurn({ messages: own, answer, outcome: toTurnOutcome(outcome.reply, outcome.elapsedMs) });
        return conversation;
      });
    },
  };
}

async function continued(
  run: Run<ConversationFlags>,
  asked: AskedMotif,
  choice: MotifChoice | undefined,
): Promise<Way> {
  const { world, flags, notice } = run;
  const saved = openConversations(world);
  const { conversation: name } = flags;
  const conversation = name === undefined ? await saved.latest() : await saved.find(name);
  sayBroken(conversation, notice);
  const change = changeOfMotif(conversation, asked);
  if (choice !== undefined) await conversation.needWritable();
  if (change !== undefined) {
    if (choice !== undefined) await refuseUnseenMove(conversation, change, run, choice);
    notice(change);
  }
  let system: string | undefined;
  return {
    compose({ system: given, ...others }, editedText) {
      system = given;
      const own = composeMessages(others, editedText);
      const before = given === undefined ? conversation.messages : withSystem(conversation.messages, given);
      return { messages: [...before, ...own], own };
    },
    async save({ own }, outcome) {
      const kept = toTurnOutcome(outcome.reply, outcome.elapsedMs);
      if (outcome.reply.blocked) {
        await conversation.addBlocked(kept);
        return undefined;
      }
      const turn = { messages: own, answer: outcome.reply.response, outcome: kept, asked };
      const others = await conversation.addTurn(system === undefined ? turn : { ...turn, system });
      if (others > 0) notice(`another motif has added ${others === 1 ? 'a turn' : `${others} turns`} to it meanwhile`);
      return conversation;
    },
  };
}
