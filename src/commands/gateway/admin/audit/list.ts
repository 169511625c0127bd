import { matchesFilter, type PromptFacts, toPromptFacts } from '../../../../gateway/records/audit/prompt-facts.ts';
import type { AuditRecord } from '../../../../gateway/records/audit/reading.ts';
import { printLines } from '../../../../terminal/output.ts';
import { defuseLine, escapeJson } from '../../../../text/defuse.ts';
import { fold } from '../../../../text/width.ts';
import type { JsonFlags } from '../../../shared/flag-options.ts';
import type { FlagsOf } from '../../../shared/flags.ts';
import type { Run } from '../../../shared/run.ts';
import type { AdminFlags } from '../flags.ts';
import { type FilterFlags, type listFlags, toFilter } from './flags.ts';
import { auditInputs, LeftOut, readAudits } from './inputs.ts';

export type ListRun = Run<AdminFlags & JsonFlags & FilterFlags & FlagsOf<typeof listFlags>>;

/** Prints the prompts that were asked for, as they are read, so that memory does not grow with the files. */
export async function runAuditList({ world, flags, notice }: ListRun, files: readonly string[]): Promise<void> {
  const { isTerminal, columns } = world.stdout;
  const rowOf = (facts: PromptFacts) => (isTerminal ? fold(rowText(facts), columns, '  ') : rowText(facts));
  const filter = toFilter(flags, world);
  const { inputs } = await auditInputs(files, flags, world);
  const leftOut = new LeftOut();
  let count = 0;
  if (flags.json) await printLines('{"ok":true,"items":[', world);
  for await (const { file, lines } of readAudits(inputs)) {
    let text = '';
    for (const line of lines) {
      leftOut.take(file, line);
      if (line.kind !== 'prompt') continue;
      const facts = toPromptFacts(line.record);
      if (!matchesFilter(facts, filter)) continue;
      if (flags.json) text += `${count === 0 ? '' : ','}${documentText(line.record)}`;
      else text += flags.jsonl ? `${documentText(line.record)}\n` : `${rowOf(facts)}\n`;
      count += 1;
    }
    await printLines(text, world);
  }
  if (flags.json) await printLines('],"error":null}', world);
  else if (count === 0) notice('no such prompt in these files');
  leftOut.say(notice);
}

function documentText(record: AuditRecord): string {
  return escapeJson(JSON.stringify(record));
}

const decisionColumns = 7;

function rowText(facts: PromptFacts): string {
  const { time, promptId, decision, motif, rules, reason, user, token } = facts;
  const found = new Set(rules.map(({ policy, rule }) => `${policy}/${rule}`));
  const cells = [
    time.slice(0, 19).replace('T', ' '),
    promptId,
    decision.padEnd(decisionColumns),
    motif,
    user ?? token ?? '-',
    ...(reason === null ? [] : [reason]),
    ...found,
  ];
  return cells.map((cell) => defuseLine(cell, 200)).join('  ');
}
