import { matchesFilter, type PromptFacts, toPromptFacts } from '../../../../gateway/records/audit/prompt-facts.ts';
import type { AuditRecord } from '../../../../gateway/records/audit/reading.ts';
import { printLines } from '../../../../terminal/output.ts';
import type { Style } from '../../../../terminal/style.ts';
import { defuseLine, escapeJson } from '../../../../text/defuse.ts';
import { columnsOf } from '../../../../text/width.ts';
import type { JsonFlags } from '../../../shared/flag-options.ts';
import type { FlagsOf } from '../../../shared/flags.ts';
import { type Run, styleOf } from '../../../shared/run.ts';
import { type Cell, layOutRow, outcome } from '../../../shared/table.ts';
import type { AdminFlags } from '../flags.ts';
import { type FilterFlags, type listFlags, toFilter } from './flags.ts';
import { auditInputs, LeftOut, readAudits } from './inputs.ts';
import { AuditNames } from './names.ts';

type ListRun = Run<AdminFlags & JsonFlags & FilterFlags & FlagsOf<typeof listFlags>>;

/** Prints the prompts that were asked for, as they are read, so that memory does not grow with the files. */
export async function runAuditList(run: ListRun, files: readonly string[]): Promise<void> {
  const { world, flags, notice } = run;
  const { isTerminal, columns } = world.stdout;
  const style = await styleOf(run, world.stdout);
  const rowOf = (facts: PromptFacts) => rowText(facts, style, isTerminal ? columns : Infinity);
  const filter = toFilter(flags, world);
  const { inputs, config } = await auditInputs(files, flags, world);
  const names = new AuditNames(filter, config);
  const leftOut = new LeftOut();
  let count = 0;
  for await (const { file, lines } of readAudits(inputs)) {
    let text = '';
    for (const line of lines) {
      leftOut.take(file, line);
      if (line.kind === 'config') names.takeConfig(line.record);
      if (line.kind !== 'prompt') continue;
      const facts = toPromptFacts(line.record);
      names.take(facts);
      if (!matchesFilter(facts, filter)) continue;
      if (flags.json) text += `${count === 0 ? documentHead : ','}${documentText(line.record)}`;
      else text += flags.jsonl ? `${documentText(line.record)}\n` : `${rowOf(facts)}\n`;
      count += 1;
    }
    await printLines(text, world);
  }
  if (count === 0) await names.check();
  const remarks = count === 0 ? names.remarks() : [];
  for (const remark of remarks) notice(remark);
  if (flags.json) await printLines(`${count === 0 ? documentHead : ''}],"error":null}`, world);
  else if (count === 0 && remarks.length === 0) notice('no such prompt in these files');
  leftOut.say(notice);
}

const documentHead = '{"ok":true,"items":[';

function documentText(record: AuditRecord): string {
  return escapeJson(JSON.stringify(record));
}

const cellCharactersMax = 1000;
const decisionColumns = 7;
/** Narrower terminals get neither seconds nor tokens, so that most rows keep to one line. */
const wholeColumns = 100;

/** A line of the list; rows are printed as they are read, so that a column is as wide as its cells usually are. */
function rowText(facts: PromptFacts, style: Style, width: number): string {
  const { time, promptId, decision, motif, rules, reason, user, token } = facts;
  const found = new Set(rules.map(({ policy, rule }) => `${policy}/${rule}`));
  const told = [...(reason === null ? [] : [reason]), ...found].join('  ');
  const isWhole = width >= wholeColumns;
  const cell = (text: string, paint = (shown: string) => shown): Cell => {
    const shown = defuseLine(text, cellCharactersMax);
    return { text: shown, width: columnsOf(shown), paint };
  };
  const cells = [
    cell(time.slice(0, isWhole ? 19 : 16).replace('T', ' '), (shown) => style.dim(shown)),
    cell(promptId),
    { ...cell(decision, (shown) => outcome(style, shown)), width: decisionColumns },
    cell(motif, (shown) => style.bold(shown)),
    ...(isWhole ? [cell(user ?? token ?? '-', (shown) => style.dim(shown))] : []),
    ...(told === '' ? [] : [cell(told)]),
  ];
  return layOutRow(cells, width);
}
