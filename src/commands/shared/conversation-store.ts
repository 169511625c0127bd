import type { Conversation, Conversations, Summary } from '../../conversations/conversation.ts';
import { createConversations } from '../../conversations/store.ts';
import { MotifError } from '../../errors.ts';
import { conversationsFolder, stateFolder } from '../../settings/paths.ts';
import { counted } from '../../text/sizes.ts';
import type { Settings } from '../../settings/resolve.ts';
import type { World } from '../../world/world.ts';
import type { Notice } from './notices.ts';
import type { Run } from './run.ts';

export function openConversations(world: World): Conversations {
  const state = stateFolder(world);
  if (state !== undefined) return createConversations(world, conversationsFolder(state));
  throw new MotifError('io', 'there is no home folder to keep conversations in', {
    hint: 'set XDG_STATE_HOME to an absolute path',
  });
}

/** The named one, or the latest. */
export async function openNamed(name: string | undefined, world: World, notice: Notice): Promise<Conversation> {
  const saved = openConversations(world);
  const conversation = await (name === undefined ? saved.latest() : saved.find(name));
  sayBroken(conversation, notice);
  return conversation;
}

export function sayBroken({ brokenLines, path }: Conversation, notice: Notice): void {
  if (brokenLines === 0) return;
  notice(`${counted(brokenLines, 'broken line')} of ${path} are left out`);
}

/** An export would take the place of what it is an export of. */
export async function refuseOurs(output: string, flag: string, world: World): Promise<void> {
  const state = stateFolder(world);
  const ours = state === undefined ? undefined : await world.files.info(conversationsFolder(state));
  const folder = world.files.absolute(`${output}/..`);
  if (ours === undefined || (await world.files.info(folder))?.identity !== ours.identity) return;
  throw new MotifError('usage', `${flag}: ${folder} is where motif keeps conversations`, {
    hint: 'name a file elsewhere',
  });
}

/** A summary as `--json` lists it. */
export function summaryDocument(summary: Summary): Record<string, unknown> {
  const { id, title, created, updated, motifId, profile, turns, totalTokens, blocked, path } = summary;
  return { id, title, created, updated, motif_id: motifId, profile, turns, total_tokens: totalTokens, blocked, path };
}

/** The way in which a command came by its Motif. */
export interface MotifChoice {
  readonly settings: Settings;
  /** The value of -p. */
  readonly typedProfile: string | undefined;
}

/**
 * Refuses to send a conversation to the Motif of another profile, where nobody chose that one and nobody sees it said:
 * the profile in use may have changed since, and what was said may not be for its service.
 */
export function refuseUnseenMove(
  { profile: begunWith }: Pick<Conversation, 'profile'>,
  change: string,
  { world, flags }: Pick<Run, 'world' | 'flags'>,
  { settings: { profile, baseUrl, motifId }, typedProfile }: MotifChoice,
): void {
  const isSeen = world.stderr.isTerminal && flags.quiet !== true;
  const isNamed = typedProfile !== undefined || Boolean(world.env.MOTIF_PROFILE);
  const isOfProfile = baseUrl?.level === 'profile' && motifId?.level === 'profile';
  if (isSeen || isNamed || !isOfProfile || profile === undefined || profile === begunWith) return;
  throw new MotifError('usage', `another profile is in use now: ${change}`, {
    hint: [
      ...(begunWith === null ? [] : [`where it was: -p ${begunWith}`]),
      `to go on with the profile in use: -p ${profile}`,
    ],
  });
}
