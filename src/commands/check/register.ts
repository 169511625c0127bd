import type { Command } from 'commander';
import { printDocument } from '../../terminal/output.ts';
import type { World } from '../../world/world.ts';
import { declare, declareVerb, showedHelp } from '../shared/declare.ts';
import { addCaseFlags, checkFlags, checkMergeFlags } from './check-flags.ts';
import { initFlags, runInit } from './init.ts';

export function registerCheck(command: Command, world: World): void {
  declare(command, world, {
    summary: 'Run suites of cases against a Motif: what it must answer, what it must block',
    examples: [
      'motif check  # every *.motif.yaml below this folder',
      'motif check cases.csv -p staging',
      'motif check --local gateway.yaml --prove',
      'motif check --report junit=check.xml --max-unverified 2%',
    ],
    operands: [['[suite...]', 'suites, folders of suites, files of rows, or one case: smoke.motif.yaml:12', 'files']],
    flags: checkFlags,
    run: async (run, operands) => {
      if (await showedHelp(command, operands, world)) return;
      if (run.flags.watch) return (await import('./watch.ts')).runWatch(run, operands);
      const [{ runCheck }, { remarking }] = await Promise.all([import('./check.ts'), import('../shared/annotate.ts')]);
      return remarking('motif check', world, () => runCheck(run, operands));
    },
  });
  registerWriting(command, world);
  registerMerge(command, world);
  registerSchema(command, world);
}

/** Declares the verbs that write a suite. */
function registerWriting(command: Command, world: World): void {
  declareVerb(command, world, {
    name: 'init',
    summary: 'write a first suite: two controls and two blocks',
    examples: ['motif check init', 'motif check init checks/smoke.motif.yaml', 'motif check init --attacks'],
    operands: [['[file]', 'default: smoke.motif.yaml, or attacks.motif.yaml', 'files']],
    flags: [initFlags],
    run: runInit,
  });
  declareVerb(command, world, {
    name: 'add',
    summary: 'send a prompt, show what comes back, and make a case of both',
    examples: [
      'motif check add "How long can I return a kettle?"',
      'motif check add "May I have my money back?" --contains refund',
      'motif check add --demo --expect blocked "My card is 4111 1111 1111 1111"',
    ],
    operands: [['[words...]', 'the prompt; a piped stdin is added after it']],
    flags: addCaseFlags,
    run: async (run, words) => (await import('./add.ts')).runAdd(run, words),
  });
}

function registerMerge(command: Command, world: World): void {
  declareVerb(command, world, {
    name: 'merge',
    summary: 'put the shards of a suite together in one result; 2 if one is missing',
    examples: ['motif check merge part-*.json --report junit=check.xml'],
    operands: [['<blob...>', 'what --report blob=FILE wrote, one a shard', 'files']],
    flags: checkMergeFlags,
    run: async (run, files) => {
      const [{ runCheckMerge }, { remarking }] = await Promise.all([
        import('./merge.ts'),
        import('../shared/annotate.ts'),
      ]);
      return remarking('motif check merge', world, () => runCheckMerge(run, files));
    },
  });
}

function registerSchema(command: Command, world: World): void {
  declareVerb(command, world, {
    name: 'schema',
    summary: 'print the JSON Schema of suites',
    examples: ['motif check schema > suite.schema.json'],
    run: async () => printDocument((await import('../../suites/suite-shape.ts')).suiteSchema, {}, world),
  });
}
