import type { AskedMotif, Conversation, Conversations, Summary } from '../../conversations/conversation.ts';
import { createConversations } from '../../conversations/store.ts';
import { MotifError } from '../../errors.ts';
import { conversationsFolder, stateFolder } from '../../settings/paths.ts';
import { defuseLine } from '../../text/defuse.ts';
import { counted } from '../../text/sizes.ts';
import type { Settings } from '../../settings/resolve.ts';
import { motifUrl } from '../../wire/request.ts';
import type { World } from '../../world/world.ts';
import { profileOf } from './connection/connection.ts';
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
  notice(`${path}: ${counted(brokenLines, 'broken line')} left out`);
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
 * Refuses to send a conversation to another Motif than that of its last turn, where nobody chose that one and nobody
 * sees it said: the profile in use may have changed since, and what was said may not be for its service.
 */
export async function refuseUnseenMove(
  { lastAsked }: Pick<Conversation, 'lastAsked'>,
  change: string,
  { world, flags }: Pick<Run, 'world' | 'flags'>,
  { settings: { profile, baseUrl, motifId }, typedProfile }: MotifChoice,
): Promise<void> {
  const isSeen = world.stderr.isTerminal && flags.quiet !== true;
  const isNamed = typedProfile !== undefined || Boolean(world.env.MOTIF_PROFILE);
  const isOfProfile = baseUrl?.level === 'profile' && motifId?.level === 'profile';
  if (isSeen || isNamed || !isOfProfile || profile === undefined) return;
  const before = await wayTo(lastAsked, world);
  throw new MotifError('usage', `the profile in use leads elsewhere now: ${change}`, {
    hint: [
      ...(before === undefined ? [] : [`where it was: ${before}`]),
      `to go on with the profile in use: -p ${profile}`,
    ],
  });
}

/** The profile of a Motif as it is typed, else its address; undefined where no address of it is known. */
async function wayTo({ motifId, service }: AskedMotif, world: World): Promise<string | undefined> {
  if (motifId === null || service === undefined || service === 'local') return undefined;
  if (service === 'demo') return '--demo';
  const target = { baseUrl: service, motifId };
  const profile = await profileOf(target, world);
  return profile === undefined ? `${defuseLine(motifUrl(target), 300)}, to which no profile leads` : `-p ${profile}`;
}
