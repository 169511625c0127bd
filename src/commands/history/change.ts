import type { Summary } from '../../conversations/conversation.ts';
import { refuseTakenTitle } from '../../conversations/finding.ts';
import { untitled } from '../../conversations/title.ts';
import { MotifError } from '../../errors.ts';
import { confirm, requireConfirmation } from '../../terminal/ask.ts';
import { counted } from '../../text/sizes.ts';
import { defuseLine } from '../../text/defuse.ts';
import type { World } from '../../world/world.ts';
import { printDocument } from '../../terminal/output.ts';
import type { JsonFlags } from '../shared/flags/options.ts';
import type { Run } from '../shared/run.ts';
import { openConversations, openNamed, summaryDocument } from '../shared/conversation-store.ts';
import { printSummaries } from './table.ts';
import { forgetTyped } from './typed.ts';
import type { DeleteFlags, PruneFlags } from './flags.ts';

export async function runHistoryRename(
  { world, flags, notice }: Run<JsonFlags>,
  name: string,
  words: readonly string[],
): Promise<void> {
  const conversation = await openNamed(name, world, notice);
  const typed = words.join(' ');
  const hint = () => ['take another title'];
  await refuseTakenTitle(typed, openConversations(world), { own: conversation.id, hint });
  await conversation.rename(typed);
  const { id, title } = conversation;
  notice(`conversation ${id} is called ${title} now`);
  if (flags.json) await printDocument({ ok: true, id, title, error: null }, flags, world);
}

/** Nothing is deleted unless every name was understood. */
export async function runHistoryDelete(run: Run<DeleteFlags>, names: readonly string[]): Promise<void> {
  const { world, flags, notice } = run;
  const saved = openConversations(world);
  const chosen = new Map<string, Summary>();
  for (const name of names) {
    const summary = await saved.look(name);
    chosen.set(summary.id, summary);
  }
  const summaries = [...chosen.values()];
  if (!flags.yes && !(await isConfirmed(summaries, world))) return notice('nothing was deleted');
  await deleteAll(run, summaries);
}

async function isConfirmed(summaries: readonly Summary[], world: World): Promise<boolean> {
  requireConfirmation(world, '--yes deletes without asking');
  for (const { id, title, turns } of summaries) {
    await world.stderr.write(`${id}  ${defuseLine(title ?? untitled, 60)}  (${counted(turns, 'turn')})\n`);
  }
  return confirm(world, `Delete ${counted(summaries.length, 'conversation')} for good?`, false);
}

/** Without --yes it shows what would go. */
export async function runHistoryPrune(run: Run<PruneFlags>): Promise<void> {
  const { world, flags, notice } = run;
  if (flags.olderThan === undefined) {
    throw new MotifError('usage', 'prune needs an age', { hint: 'for example: motif history prune --older-than 30d' });
  }
  const limit = new Date(Math.max(0, world.now() - flags.olderThan)).toISOString();
  const old = (await openConversations(world).list()).filter(({ updated }) => updated < limit);
  if (flags.yes) return deleteAll(run, old);
  const words = `${counted(old.length, 'conversation')} would be deleted`;
  notice(old.length === 0 ? 'no conversation is older than that' : `${words}; --yes deletes them`);
  if (flags.json) return printDocument({ ok: true, items: old.map(summaryDocument), error: null }, flags, world);
  if (old.length > 0) await printSummaries(run, old);
}

async function deleteAll({ world, flags, notice }: Run<JsonFlags>, summaries: readonly Summary[]): Promise<void> {
  const saved = openConversations(world);
  const ids = summaries.map(({ id }) => id);
  if (ids.length > 0) await forgetTyped(world, () => saved.said(ids));
  await saved.delete(ids);
  notice(`${counted(summaries.length, 'conversation')} deleted`);
  if (!flags.json) return;
  await printDocument({ ok: true, items: summaries.map(summaryDocument), error: null }, flags, world);
}
