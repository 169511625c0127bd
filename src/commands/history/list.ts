import type { Summary } from '../../conversations/conversation.ts';
import { printDocument } from '../../terminal/output.ts';
import type { Run } from '../shared/run.ts';
import { openConversations, summaryDocument } from '../shared/conversation-store.ts';
import { printSummaries } from './table.ts';
import type { Notice } from '../shared/notices.ts';
import { isWanted, type ListFlags } from './flags.ts';

/** A terminal shows no more than a person reads; a pipe gets everything. */
const terminalRowsMax = 30;

export async function runHistoryList(run: Run<ListFlags>): Promise<void> {
  const { world, flags, notice } = run;
  const { limit } = flags;
  const all = await openConversations(world).list();
  sayFaults(all, notice);
  const usable = all.filter((each) => each.fault === null && isWanted(each, flags, world));
  const shown = usable.slice(0, limit ?? (world.stdout.isTerminal && !flags.json ? terminalRowsMax : undefined));
  if (flags.json) return printDocument({ ok: true, items: shown.map(summaryDocument), error: null }, flags, world);
  if (shown.length === 0) return notice(nothing(flags));
  await printSummaries(run, shown);
  if (limit === undefined && shown.length < usable.length) {
    notice(`the newest ${shown.length} of ${usable.length}; -n ${usable.length} shows all`);
  }
}

/** Said beside the list, which shows those that can be used. */
function sayFaults(summaries: readonly Summary[], notice: Notice): void {
  for (const { path, fault } of summaries) if (fault !== null) notice(`${path} is left out: ${fault}`);
}

function nothing({ motif, since }: ListFlags): string {
  if (since !== undefined) return `nothing was said since then${motif === undefined ? '' : ` with ${motif}`}`;
  if (motif !== undefined) return `there is no saved conversation with ${motif}`;
  return 'there is no saved conversation; motif chat saves what is said, and so does motif prompt --save TITLE';
}
