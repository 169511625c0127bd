import type { Command, Option } from 'commander';
import type { World } from '../../world/world.ts';
import { type Candidate, type Candidates, commandsOf, valuesOfArgument, valuesOfFlag } from './values.ts';
import { FlagOption } from '../shared/flags/options.ts';

export interface CompletionRequest {
  /** Words after `motif`, up to the cursor; the last one, possibly empty, is to be completed. */
  readonly words: readonly string[];
  readonly program: Command;
  readonly world: World;
  readonly load: (command: Command) => Promise<void>;
}

/** The command, operands and flags in the words before the last one. */
interface Typed {
  command: Command;
  readonly operands: string[];
  /** Attribute names, so that --no-stdin stands for --stdin too. */
  readonly given: Set<string>;
  /** The flag whose value comes next. */
  awaiting: Option | undefined;
}

/** Stands last among candidates, for all files that the shell knows. */
export const filesMark: Candidate = { value: ':files', about: '' };

/** Candidates for the last word, from the declarations of the commands. */
export async function completeWords(request: CompletionRequest): Promise<readonly Candidate[]> {
  const current = request.words.at(-1) ?? '';
  const typed = await readTyped(request);
  if (typed === undefined) return [];
  const value = { ...request, operands: typed.operands, current: current.replace(/^--[^=]+=/, '') };
  if (typed.awaiting !== undefined) return startingWith(current, await valuesOfFlag(typed.awaiting, value));
  const [, head, name] = /^((--[^=]+)=)/.exec(current) ?? [];
  if (head !== undefined) {
    const option = optionsOf(typed.command).find(({ long, required }) => long === name && required);
    return option === undefined ? [] : startingWith(current, await valuesOfFlag(option, value), head);
  }
  if (current.startsWith('-')) return startingWith(current, flagsOf(typed));
  const verbs = typed.operands.length > 0 ? [] : commandsOf(typed.command);
  const values = await valuesOfArgument(typed.command, value);
  return startingWith(current, [...verbs, ...(values === 'files' ? [filesMark] : values)]);
}

/** Undefined after `--`, where everything is plain text. */
async function readTyped({ words, program, load }: CompletionRequest): Promise<Typed | undefined> {
  const typed: Typed = { command: program, operands: [], given: new Set(), awaiting: undefined };
  for (const word of words.slice(0, -1)) {
    if (typed.awaiting !== undefined) {
      // bash takes --flag=value apart into three words.
      if (word !== '=') typed.awaiting = undefined;
    } else if (word === '--') {
      return undefined;
    } else if (word.startsWith('-') && word !== '-') {
      takeFlag(word, typed);
    } else {
      await takeOperand(word, typed, load);
    }
  }
  return typed;
}

/** Notes --flag, --flag=value, -f, -fvalue and -qf, as commander reads them. */
function takeFlag(word: string, typed: Typed): void {
  const isLong = word.startsWith('--');
  const name = isLong ? word.replace(/=.*/s, '') : word.slice(0, 2);
  const option = optionsOf(typed.command).find(({ long, short }) => long === name || short === name);
  if (option === undefined) return;
  typed.given.add(option.attributeName());
  const rest = word.slice(name.length);
  if (option.required && rest === '') typed.awaiting = option;
  if (!option.required && !isLong && rest !== '') takeFlag(`-${rest}`, typed);
}

async function takeOperand(word: string, typed: Typed, load: CompletionRequest['load']): Promise<void> {
  const verb =
    typed.operands.length > 0 ? undefined : typed.command.commands.find((command) => command.name() === word);
  if (verb === undefined) return void typed.operands.push(word);
  if (typed.command.parent === null) await load(verb);
  typed.command = verb;
}

function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function flagsOf({ command, given }: Typed): Candidates {
  const open = optionsOf(command).filter((option) => isRepeatable(option) || !given.has(option.attributeName()));
  return open.flatMap(({ long, short, description }) =>
    [long, short].flatMap((value) => (value === undefined ? [] : [{ value, about: description }])),
  );
}

function isRepeatable(option: Option): boolean {
  return option instanceof FlagOption && option.flag.isRepeatable;
}

function startingWith(current: string, candidates: Candidates, head = ''): readonly Candidate[] {
  if (candidates === 'files') return [filesMark];
  return candidates.flatMap((candidate) => {
    if (candidate === filesMark) return candidate;
    const value = head + candidate.value;
    return value.startsWith(current) ? { ...candidate, value } : [];
  });
}
