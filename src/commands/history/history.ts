import type { Command } from 'commander';
import type { World } from '../../world/world.ts';
import { declareGroup, declareVerb } from '../shared/declare.ts';
import { jsonFlags } from '../shared/flags/options.ts';
import { runHistoryDelete, runHistoryPrune, runHistoryRename } from './change.ts';
import { deleteFlags, exportFlags, listingFlags, pruneFlags, showFlags } from './flags.ts';
import { runHistoryList } from './list.ts';
import { runHistorySearch } from './search.ts';
import { runHistoryExport, runHistoryShow } from './show.ts';

export function registerHistory(group: Command, world: World): void {
  declareGroup(group, 'Saved conversations: a conversation is named by its id, its title, or the beginning of either', [
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

const latest = [['[name]', 'id or title; default: the latest', 'conversations']] as const;

function registerReading(group: Command, world: World): void {
  declareVerb(group, world, {
    name: 'list',
    summary: 'list the conversations, the newest first',
    examples: ['motif history list', 'motif history list -n 5 --motif support-bot'],
    flags: [listingFlags, jsonFlags],
    run: runHistoryList,
  });
  declareVerb(group, world, {
    name: 'search',
    summary: 'find conversations by words and "phrases" in texts and titles',
    examples: ['motif history search kettle', `motif history search '"free shipping"' --json`],
    operands: [['<words...>', 'all of them have to be there; case and accents do not count']],
    flags: [listingFlags, jsonFlags],
    run: runHistorySearch,
  });
  declareVerb(group, world, {
    name: 'show',
    summary: 'print a conversation',
    examples: ['motif history show', 'motif history show 3f2a --raw'],
    operands: latest,
    flags: [showFlags, jsonFlags],
    run: runHistoryShow,
  });
  declareVerb(group, world, {
    name: 'export',
    summary: 'write a conversation as Markdown, JSON, or messages',
    examples: ['motif history export 3f2a -o talk.md', 'motif history export --format messages -o talk.json'],
    operands: latest,
    flags: [exportFlags],
    footer: 'The format messages is what --messages of prompt and chat reads.',
    run: runHistoryExport,
  });
}

function registerChanging(group: Command, world: World): void {
  declareVerb(group, world, {
    name: 'rename',
    summary: 'give a conversation another title',
    examples: ['motif history rename 3f2a Kettles and toasters'],
    operands: [
      ['<name>', 'id or title', 'conversations'],
      ['<title...>', 'the new one', []],
    ],
    flags: [jsonFlags],
    run: runHistoryRename,
  });
  declareVerb(group, world, {
    name: 'delete',
    summary: 'delete conversations for good',
    examples: ['motif history delete 3f2a 81cc', 'motif history delete "Kettles" --yes'],
    operands: [['<name...>', 'ids or titles', 'conversations']],
    flags: [deleteFlags, jsonFlags],
    run: runHistoryDelete,
  });
  declareVerb(group, world, {
    name: 'prune',
    summary: 'delete old conversations; without --yes they are only listed',
    examples: ['motif history prune --older-than 30d', 'motif history prune --older-than 90d --yes'],
    flags: [pruneFlags, jsonFlags],
    run: runHistoryPrune,
  });
}
