import type { FoundConversation } from '../../conversations/conversation.ts';
import { bestLines, parseQuery } from '../../conversations/searching.ts';
import { speaker } from '../../conversations/export.ts';
import { untitled } from '../../conversations/title.ts';
import { counted } from '../../text/sizes.ts';
import { defuseLine, plainWord } from '../../text/defuse.ts';
import { toSearchable } from '../../text/searchable.ts';
import { closest } from '../../text/similar.ts';
import { clip } from '../../text/width.ts';
import type { World } from '../../world/world.ts';
import { printDocument, printLines } from '../../terminal/output.ts';
import { type Run, styleOf } from '../shared/run.ts';
import { tabbed } from '../shared/table.ts';
import { flagWords } from '../shared/flags/typed-command.ts';
import { isWanted, listingFlags, type ListFlags } from './flags.ts';
import { openConversations, summaryDocument } from '../shared/conversation-store.ts';
import { ageOf } from './table.ts';

const foundOnTerminal = 10;
/** Lines of each conversation that a terminal shows; a pipe and a document have all of them. */
const linesOnTerminal = 3;
/** Conversations that a pipe gets at once: the texts of ten thousand as one string would cost a third more. */
const printedAtOnce = 25;
/** Characters of a long line that are shown before the word found in it. */
const leadCharacters = 24;

export async function runHistorySearch(run: Run<ListFlags>, words: readonly string[]): Promise<void> {
  const { world, flags, notice } = run;
  const { limit } = flags;
  const { query, found } = await search(words, world);
  const fitting = found.filter(({ summary }) => isWanted(summary, flags, world));
  const shown = fitting.slice(0, limit ?? (world.stdout.isTerminal && !flags.json ? foundOnTerminal : undefined));
  if (flags.json) return printDocument({ ok: true, items: shown.map(foundDocument), error: null }, flags, world);
  if (shown.length === 0) return notice(await nothingFound(query, found.length, run));
  if (!world.stdout.isTerminal) {
    for (let at = 0; at < shown.length; at += printedAtOnce)
      await printLines(
        shown
          .slice(at, at + printedAtOnce)
          .map(foundRows)
          .join(''),
        world,
      );
    return;
  }
  await printFound(run, shown, parseQuery(query));
  if (limit === undefined && shown.length < fitting.length) {
    notice(`the best ${shown.length} of ${fitting.length}; -n ${fitting.length} shows all`);
  }
  if (shown.some(({ lines }) => lines.length > linesOnTerminal)) {
    notice(`every matching line: ${searchCommand(words, flags)} | less`);
  }
}

/** Words for a search that found nothing: what else may have been meant, and where all titles are. */
async function nothingFound(query: string, unfiltered: number, { world, flags }: Run<ListFlags>): Promise<string> {
  if (unfiltered > 0) {
    const filters = flagWords([listingFlags], { motif: flags.motif, since: flags.since }).join(' ');
    return `nothing was found with ${filters}; without: ${counted(unfiltered, 'conversation')}`;
  }
  const saved = await openConversations(world).list();
  const titles = saved.flatMap(({ title }) => toSearchable(title ?? '').match(/[\p{L}\p{N}]+/gu) ?? []);
  const words = toSearchable(query).match(/[\p{L}\p{N}]+/gu) ?? [];
  const meant = words.map((word) => closest(word, [...new Set(titles)]) ?? word).join(' ');
  const near = meant === words.join(' ') ? [] : [`  did you mean ${plainWord(meant)}?`];
  return ['nothing was found', ...near, '  motif history list shows the titles'].join('\n');
}

/** The command that was typed, as far as it says what is found. */
function searchCommand(words: readonly string[], typed: ListFlags): string {
  const end = words.some((word) => word.startsWith('-')) ? ['--'] : [];
  return ['motif history search', ...flagWords([listingFlags], typed), ...[...end, ...words].map(plainWord)].join(' ');
}

/**
 * Words that the shell kept together are meant together; where nobody said them so, they are looked for one by one,
 * because quotes around all of a query are a habit.
 */
async function search(
  words: readonly string[],
  world: World,
): Promise<{ readonly query: string; readonly found: readonly FoundConversation[] }> {
  const saved = openConversations(world);
  const loose = words.join(' ');
  const query = words.map((word) => (/\S\s+\S/.test(word) && !word.includes('"') ? `"${word}"` : word)).join(' ');
  const found = await saved.search(query);
  if (found.length > 0 || query === loose) return { query, found };
  return { query: loose, found: await saved.search(loose) };
}

function foundDocument({ summary, score, lines }: FoundConversation): Record<string, unknown> {
  const texts = lines.map(({ role, text }) => ({ role, text }));
  return { ...summaryDocument(summary), score, lines: texts, line_count: lines.length };
}

/** A line each, as `grep` would; one without role and text where only the title fits. */
function foundRows({ summary: { id, title }, lines }: FoundConversation): string {
  const all = lines.length === 0 ? [{ role: '', text: '' }] : lines;
  const head = tabbed([id, title ?? '']);
  return all.map(({ role, text }) => `${head}\t${tabbed([role, text])}\n`).join('');
}

async function printFound(run: Run, found: readonly FoundConversation[], words: readonly string[]): Promise<void> {
  const { world } = run;
  const style = await styleOf(run, world.stdout);
  const { columns } = world.stdout;
  const blocks = found.map(({ summary: { id, title, updated }, lines }) => {
    const place = lines.length === 0 ? 'in the title' : counted(lines.length, 'line');
    const facts = [id, ageOf(updated, world.now()), place].join(' · ');
    const texts = bestLines(lines, linesOnTerminal).map(({ role, text }) =>
      clip(`  ${speaker(defuseLine(role, 20))}: ${excerpt(text, words)}`, columns),
    );
    const left = lines.length - texts.length;
    return [
      style.bold(clip(defuseLine(title ?? untitled), columns)),
      style.dim(clip(facts, columns)),
      ...texts,
      ...(left === 0 ? [] : [style.dim(clip(`  and ${left} more`, columns))]),
    ].join('\n');
  });
  await printLines(blocks.join('\n\n'), world);
}

/** The part of a line around the first word that was found. */
function excerpt(line: string, words: readonly string[]): string {
  const text = toSearchable(line);
  const places = words.map((word) => text.indexOf(word)).filter((at) => at !== -1);
  // Folding may shorten a text, so that the place is near rather than exact; what stands before it makes up for that.
  const at = places.length === 0 ? 0 : Math.min(...places);
  const start = at <= 2 * leadCharacters ? 0 : line.lastIndexOf(' ', at - leadCharacters) + 1 || at - leadCharacters;
  return (start === 0 ? '' : '…') + defuseLine(line.slice(start).trim());
}
