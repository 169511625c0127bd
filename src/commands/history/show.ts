import type { Conversation } from '../../conversations/conversation.ts';
import { exportForms, speaker, toDocument } from '../../conversations/export.ts';
import { untitled } from '../../conversations/title.ts';
import { renderAnswer } from '../../terminal/answer.ts';
import { counted } from '../../text/sizes.ts';
import { defuse, defuseLine, escapeJson } from '../../text/defuse.ts';
import { fold } from '../../text/width.ts';
import { printDocument, printReceived, withNewline } from '../../terminal/output.ts';
import { type Run, styleOf } from '../shared/run.ts';
import type { ExportFlags, ShowFlags } from './flags.ts';
import { openNamed, refuseOurs } from '../shared/conversation-store.ts';
import { openOutputFile } from '../shared/output-file.ts';

export async function runHistoryShow(run: Run<ShowFlags>, name: string | undefined): Promise<void> {
  const { world, flags, notice } = run;
  const conversation = await openNamed(name, world, notice);
  if (flags.json) return printDocument({ ok: true, ...toDocument(conversation), error: null }, flags, world);
  const parts = conversation.messages.map(({ role, content }) => `${role}:\n${withNewline(content)}`);
  if (parts.length === 0 && !world.stdout.isTerminal) return;
  await printReceived(parts.join('\n'), world, { show: () => rendered(run, conversation) });
}

async function rendered(run: Run<ShowFlags>, conversation: Conversation): Promise<string> {
  const { world, flags } = run;
  const { id, title, motifId, profile, turns, totalTokens, created, messages } = conversation;
  const { columns } = world.stdout;
  const style = await styleOf(run, world.stdout);
  const facts = [
    id,
    ...(motifId === null ? [] : [`Motif ${motifId}`]),
    ...(profile === null ? [] : [`profile ${profile}`]),
    counted(turns, 'turn'),
    `${totalTokens} tokens`,
    created.slice(0, 16).replace('T', ' '),
  ];
  const parts = messages.map(({ role, content }) => {
    const raw = flags.raw === true || role !== 'assistant';
    return `${style.bold(defuseLine(speaker(role), 40))}\n${withNewline(renderAnswer(content, { style, columns, raw }))}`;
  });
  const head = `${style.bold(defuseLine(title ?? untitled))}\n${style.dim(fold(defuseLine(facts.join(' · ')), columns, ''))}\n`;
  return [head, ...parts].join('\n');
}

export async function runHistoryExport(
  { world, flags: { format, output }, notice }: Run<ExportFlags>,
  name: string | undefined,
): Promise<void> {
  const conversation = await openNamed(name, world, notice);
  const { isJson, render } = exportForms[format];
  const text = render(conversation);
  if (output === undefined || output === '-') {
    // A terminal obeys nothing that was ever said; JSON loses nothing by that.
    return printReceived(text, world, { show: () => (isJson ? escapeJson(text) : defuse(text)) });
  }
  await refuseOurs(output, '-o', world);
  await (await openOutputFile(output, world, { mode: 0o600 })).write(text);
  notice(`conversation ${conversation.id} is in ${output}`);
}
