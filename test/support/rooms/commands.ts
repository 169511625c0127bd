import { Command } from 'commander';
import { FlagOption } from '../../../src/commands/shared/flags/options.ts';
import { commandTable } from '../../../src/program.ts';
import type { World } from '../../../src/world/world.ts';

export interface DeclaredCommand {
  /** As typed: `['profile', 'set']`. */
  readonly path: readonly string[];
  readonly command: Command;
  readonly options: readonly FlagOption[];
}

/** Every command and verb with the flags that it declares, as the program has them. */
export async function declaredCommands(): Promise<readonly DeclaredCommand[]> {
  const root = new Command('motif');
  // Declaring a command does nothing in the world.
  const world = {} as World;
  const found: DeclaredCommand[] = [];
  for (const entry of commandTable) {
    const { name } = entry;
    const command = root.command(name);
    (await entry.load())(command, world, async () => undefined);
    found.push(...toDeclared([name], command));
  }
  return found;
}

/** A command, and its verbs behind it. */
function toDeclared(path: readonly string[], command: Command): readonly DeclaredCommand[] {
  const options = command.options.filter((option) => option instanceof FlagOption);
  return [{ path, command, options }, ...command.commands.flatMap((verb) => toDeclared([...path, verb.name()], verb))];
}
