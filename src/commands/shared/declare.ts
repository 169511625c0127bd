import type { Command } from 'commander';
import { wrap } from '../../text/width.ts';
import type { World } from '../../world/world.ts';
import { addFlags, countLiteralWords, readFlags } from './flags/options.ts';
import type { Completion, FlagGroup, FlagsOf } from './flags/flags.ts';
import { createRun, type Run } from './run.ts';

/** Declares a command's arguments and flags. `load` does the same for another one, for help and completion. */
export type RegisterCommand = (command: Command, world: World, load: (other: Command) => Promise<void>) => void;

/** An argument that is no flag: `[name]`, `<name>` or `[words...]`, what it is, and what the Tab key offers. */
export type Operand = readonly [spelling: string, help?: string, complete?: Completion];

type OperandValue<S> = S extends `${string}...${string}`
  ? string[]
  : S extends `[${string}`
    ? string | undefined
    : string;
type OperandValues<O extends readonly Operand[]> = { [K in keyof O]: OperandValue<O[K][0]> };

type Groups = readonly FlagGroup[];
type Both<U> = (U extends unknown ? (each: U) => void : never) extends (both: infer I) => void ? I : never;

/** The typed values of several groups together. */
export type FlagsOfAll<G extends Groups> = G extends readonly [] ? object : Both<FlagsOf<G[number]>> & object;

/** A command as it is typed and as help shows it. */
interface Declaration<G extends Groups, O extends readonly Operand[]> {
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly examples: readonly string[];
  readonly operands?: O;
  /** In the order of help, each group under its heading. */
  readonly flags?: G;
  /** Text below everything else, a paragraph a line. */
  readonly footer?: string;
  /** Does the command's work, once its flags and operands are understood. */
  readonly run: (run: Run<FlagsOfAll<G>>, ...operands: OperandValues<O>) => Promise<void>;
}

/** Declares a command with its flags, its operands and its work. */
export function declare<const G extends Groups = readonly [], const O extends readonly Operand[] = readonly []>(
  command: Command,
  world: World,
  { summary, examples, operands, flags, footer, run }: Declaration<G, O>,
): Command {
  describe(command, summary, examples);
  if (footer !== undefined) command.addHelpText('after', () => `\n${wrap(footer, helpWidth(command)).join('\n')}`);
  for (const [spelling, help] of operands ?? []) command.argument(spelling, help);
  if (operands !== undefined)
    operandCompletions.set(
      command,
      operands.map(([, , complete]) => complete),
    );
  for (const group of flags ?? []) addFlags(command, group);
  return command.action(async (...typed: unknown[]) => {
    const values = readFlags(command) as Run<FlagsOfAll<G>>['flags'];
    const work = () =>
      run(
        createRun(world, values, countLiteralWords(command)),
        ...(typed.slice(0, operands?.length ?? 0) as unknown as OperandValues<O>),
      );
    await (world.env.GITHUB_ACTIONS === 'true' ? (await import('./annotate.ts')).annotating(world, work) : work());
  });
}

function helpWidth(command: Command): number {
  return command.configureOutput().getOutHelpWidth?.() ?? 80;
}

/** Declares a verb of a command such as `profile`, under the same summary in the list of verbs and in its own help. */
export function declareVerb<const G extends Groups = readonly [], const O extends readonly Operand[] = readonly []>(
  group: Command,
  world: World,
  { name, ...declaration }: Declaration<G, O> & { readonly name: string },
): Command {
  return declare(group.command(name).summary(declaration.summary), world, declaration);
}

/** Declares a command that is nothing but its verbs. */
export function declareGroup(group: Command, summary: string, examples: readonly string[]): void {
  describe(group, summary, examples).helpCommand('help [verb]', 'show the help of one of them');
}

/** True once `help`, typed where no file has that name, has shown the help of the command or of the verb behind it. */
export async function showedHelp(
  command: Command,
  [word, verb, ...rest]: readonly (string | undefined)[],
  { files }: World,
): Promise<boolean> {
  if (word !== 'help' || rest.length > 0 || (await files.info(word)) !== undefined) return false;
  const about = verb === undefined ? command : command.commands.find((each) => each.name() === verb);
  about?.outputHelp();
  return about !== undefined;
}

/** Examples stand between the summary and the flags, for they are read first. */
function describe(command: Command, words: string, examples: readonly string[]): Command {
  const summary = words.charAt(0).toUpperCase() + words.slice(1);
  const shown = examples.map((example) => `  ${example}`).join('\n');
  return command.description(examples.length === 0 ? `${summary}.` : `${summary}.\n\nExamples:\n${shown}`);
}

const operandCompletions = new WeakMap<Command, readonly (Completion | undefined)[]>();

/** The values that the Tab key offers for the operand of that number. */
export function completionOfOperand(command: Command, index: number): Completion | undefined {
  const all = operandCompletions.get(command) ?? [];
  const isVariadic = command.registeredArguments.at(-1)?.variadic === true;
  return all[isVariadic ? Math.min(index, all.length - 1) : index];
}
