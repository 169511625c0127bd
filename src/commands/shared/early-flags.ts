import { type Command, CommanderError } from 'commander';
import { takesNextWord } from './flag-options.ts';

/** Fills in a command of the program that is declared only by name and summary. */
export type LoadCommand = (command: Command) => Promise<void>;

/**
 * Refuses a flag of a command that stands before it, where the word behind is its value and looks like a flag that
 * commander would obey, as in `-p --version prompt`. The other early flags are found by commander itself.
 */
export async function refuseEarlyFlags(words: readonly string[], around: Command, load: LoadCommand): Promise<void> {
  const end = words.findIndex((word) => around.commands.some((command) => command.name() === word));
  const named = around.commands.find((command) => command.name() === words[end]);
  if (named === undefined) return;
  if (around.parent === null) await load(named);
  for (let at = 0; at < end; at += 1) {
    const [word = '', next = ''] = words.slice(at);
    if (takesNextWord(word, around.options)) at += 1;
    else if (next.startsWith('-') && withVerbs(named).some(({ options }) => takesNextWord(word, options))) {
      around.args = [...words];
      throw new CommanderError(2, 'commander.unknownOption', `error: unknown option '${word}'`);
    }
  }
  // The words of the usage error are found by the way to the command, as commander would have left it.
  around.args = words.slice(end);
  await refuseEarlyFlags(words.slice(end + 1), named, load);
}

/** A command, its verbs, and theirs. */
export function withVerbs(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withVerbs)];
}
