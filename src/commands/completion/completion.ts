import type { Command } from 'commander';
import { MotifError } from '../../errors.ts';
import { printLines } from '../../terminal/output.ts';
import { defuseLine } from '../../text/defuse.ts';
import type { World } from '../../world/world.ts';
import { completionScripts, isShell, shellNames } from './scripts.ts';
import type { Candidate } from './values.ts';
import { type CompletionRequest, completeWords, filesMark } from './words.ts';
import { declare } from '../shared/declare.ts';
import type { Run } from '../shared/run.ts';

export function registerCompletion(command: Command, world: World, load: (other: Command) => Promise<void>): void {
  declare(command, world, {
    summary: 'Print what makes the Tab key complete commands, flags and profile names',
    examples: [
      'eval "$(motif completion bash)"            # in ~/.bashrc',
      'source <(motif completion zsh)             # in ~/.zshrc, below compinit',
      'motif completion fish | source             # in ~/.config/fish/config.fish',
    ],
    operands: [['[shell]', shellNames.join(', '), shellNames]],
    run: runCompletion,
  }).usage(shellNames.join('|'));
  declare(command.command('words', { hidden: true }), world, {
    summary: 'candidates for the last of these words; the scripts ask this',
    examples: [],
    operands: [['[words...]']],
    run: (run, words) => runCompletionWords(run, words, command.parent ?? command, load),
  });
}

async function runCompletion({ world }: Run, shell: string | undefined): Promise<void> {
  if (shell !== undefined && isShell(shell)) return printLines(completionScripts[shell], world);
  const names = shellNames.join(', ');
  const message =
    shell === undefined ? `name the shell: ${names}` : `no completions for ${defuseLine(shell, 64)}, only for ${names}`;
  throw new MotifError('usage', message, { hint: 'motif help completion' });
}

/** Prints a candidate a line with its description after a tab, and `:files` last: the scripts rely on that. */
async function runCompletionWords(
  { world }: Run,
  words: readonly string[],
  program: Command,
  load: (other: Command) => Promise<void>,
): Promise<void> {
  const candidates = await completeQuietly({ words, program, world, load });
  const lines = candidates.map((each) => (each === filesMark ? each.value : `${each.value}\t${each.about}`));
  await printLines(lines.join('\n'), world);
}

/** The candidates, or none where something fails: an error would be written across the line that is being typed. */
async function completeQuietly(request: CompletionRequest): Promise<readonly Candidate[]> {
  try {
    return await completeWords(request);
  } catch {
    return [];
  }
}
