import type { Command } from 'commander';
import type { World } from '../../world/world.ts';
import { declare, declareVerb, showedHelp } from '../shared/declare.ts';
import { batchFlags, mergeFlags } from './flags.ts';
import { runMerge } from './merge.ts';
import { runBatch } from './run.ts';

export function registerBatch(command: Command, world: World): void {
  declare(command, world, {
    summary: 'Send many prompts: one for each row of a file or of stdin',
    examples: [
      'motif batch prompts.txt -o out.jsonl',
      'motif batch tickets.csv -t classify.txt -o out.jsonl',
      'motif batch tickets.csv --column text -s "Answer with one word" -o out.jsonl',
      'motif batch tickets.csv -t classify.txt --dry-run',
      'motif batch merge out.jsonl -o out.csv',
    ],
    operands: [['[file]', 'JSONL, lines, CSV or TSV, gzip too; - or none for stdin', 'files']],
    flags: batchFlags,
    run: async (run, path) => {
      if (!(await showedHelp(command, [path], world))) await runBatch(run, path);
    },
  });
  declareVerb(command, world, {
    name: 'merge',
    summary: 'put the parts of a job together, and prove that none of its rows is missing',
    examples: ['motif batch merge out-*.jsonl -o out.jsonl', 'motif batch merge out.jsonl -o out.csv'],
    operands: [['<part...>', 'finished output files of one job', 'files']],
    flags: [mergeFlags],
    run: runMerge,
  });
}
