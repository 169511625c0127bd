import type { Command } from 'commander';
import { exportFormats } from '../../conversations/export.ts';
import type { World } from '../../world/world.ts';
import { describe } from '../shared/flags.ts';
import { type ChangeFlags, runHistoryDelete, runHistoryPrune, runHistoryRename } from './change.ts';
import { type ListFlags, runHistoryList } from './list.ts';
import { runHistorySearch } from './search.ts';
import { type ExportFlags, runHistoryExport, runHistoryShow, type ShowFlags } from './show.ts';

export function registerHistory(group: Command, world: World): void {
  describe(group, 'Saved conversations: a conversation is named by its id, its title, or the beginning of either', [
    'motif history list',
    `motif history search kettle '"free shipping"'`,
    'motif history show',
    'motif history export 3f2a --format messages -o talk.json',
    'motif history delete 3f2a 81cc',
    'motif history prune --older-than 30d',
  ]);
  registerReading(group, world);
  registerChanging(group, world);
}

function registerReading(group: Command, world: World): void {
  const list = withListing(verb(group, 'list', 'list the conversations, the newest first'));
  list.action(() => runHistoryList(world, list.optsWithGlobals<ListFlags>()));

  const search = withListing(verb(group, 'search', 'find conversations by words and "phrases" in texts and titles'));
  search
    .argument('<words...>', 'all of them have to be there; case and accents do not count')
    .action((words: string[]) => runHistorySearch(world, words, search.optsWithGlobals<ListFlags>()));

  const show = verb(group, 'show', 'print a conversation')
    .option('--raw', 'no Markdown on a terminal')
    .argument('[name]', 'id or title; default: the latest');
  show.action((name: string | undefined) => runHistoryShow(world, name, show.optsWithGlobals<ShowFlags>()));

  const write = group
    .command('export')
    .summary('write a conversation as Markdown, JSON, or messages')
    .description('write a conversation as Markdown, JSON, or messages, which --messages of prompt and chat reads.')
    .option('--format <format>', `${exportFormats.join(', ')} (markdown)`)
    .option('-o, --output <file>', 'into this file instead of stdout')
    .argument('[name]', 'id or title; default: the latest');
  write.action((name: string | undefined) => runHistoryExport(world, name, write.optsWithGlobals<ExportFlags>()));
}

function registerChanging(group: Command, world: World): void {
  const rename = verb(group, 'rename', 'give a conversation another title')
    .argument('<name>', 'id or title')
    .argument('<title...>', 'the new one');
  rename.action((name: string, title: string[]) =>
    runHistoryRename(world, name, title, rename.optsWithGlobals<ChangeFlags>()),
  );

  const remove = verb(group, 'delete', 'delete conversations for good')
    .option('--yes', 'without asking')
    .argument('<name...>', 'ids or titles');
  remove.action((names: string[]) => runHistoryDelete(world, names, remove.optsWithGlobals<ChangeFlags>()));

  const prune = verb(group, 'prune', 'delete what nothing was said in for long; without --yes only show it')
    .option('--older-than <duration>', 'for example 30d')
    .option('--yes', 'delete them');
  prune.action(() => runHistoryPrune(world, prune.optsWithGlobals<ChangeFlags>()));
}

function verb(group: Command, name: string, summary: string): Command {
  const command = group.command(name).summary(summary).description(`${summary}.`);
  return command.option('--json', 'print the result as a JSON document');
}

function withListing(command: Command): Command {
  return command
    .option('-n, --limit <n>', 'at most so many')
    .option('--motif <id>', 'only conversations with this Motif');
}
