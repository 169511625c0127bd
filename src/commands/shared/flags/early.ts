import { type Command, CommanderError } from 'commander';
import { closest } from '../../../text/similar.ts';
import type { World } from '../../../world/world.ts';
import { takesNextWord } from './options.ts';

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

/**
 * The command line with a help flag that stands before the name of a command moved behind that name: `--help profile
 * list` as `profile list --help`, so that both say the same and a mistyped name is one in either order.
 */
export async function helpBehindNames(
  words: readonly string[],
  around: Command,
  load: LoadCommand,
): Promise<readonly string[]> {
  if (around.commands.length === 0 || !words.some(isHelpFlag)) return words;
  const early: string[] = [];
  let at = 0;
  for (let word = words[at]; word === undefined || word.startsWith('-'); word = words[at]) {
    if (word === undefined || word === '--') return words;
    const length = takesNextWord(word, around.options) ? 2 : 1;
    if (!isHelpFlag(word)) early.push(...words.slice(at, at + length));
    at += length;
  }
  const [name = '', ...behind] = words.slice(at);
  const rest = early.length < at ? ['--help', ...behind] : behind;
  const named = around.commands.find((command) => command.name() === name);
  if (named === undefined) return [...early, name, ...rest];
  if (around.parent === null) await load(named);
  return [...early, name, ...(await helpBehindNames(rest, named, load))];
}

const isHelpFlag = (word: string): boolean => word === '--help' || word === '-h';

/**
 * True for a word that stands where a verb may stand, and is none. Of a command that takes words of its own, such as
 * the names of files, only one that is near a verb and names no file is meant so.
 */
export async function isMistypedVerb(word: string, { commands, registeredArguments }: Command, files: World['files']) {
  const verbs = commands.map((verb) => verb.name());
  if (verbs.length === 0 || verbs.includes(word)) return false;
  if (registeredArguments.length === 0) return true;
  return /^[a-z]+$/.test(word) && closest(word, verbs) !== undefined && (await files.info(word)) === undefined;
}

/** A command, its verbs, and theirs. */
export function withVerbs(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withVerbs)];
}
