import type { Command, Option } from 'commander';
import { configFolder } from '../../settings/paths.ts';
import { listProfiles, profileKeys } from '../../settings/profile-file.ts';
import { defuseLine } from '../../text/defuse.ts';
import type { World } from '../../world/world.ts';
import { completionOfOperand } from '../shared/declare.ts';
import { FlagOption } from '../shared/flag-options.ts';
import type { Completion } from '../shared/flags.ts';
import { topicNames } from '../../manual/topics.ts';

export interface Candidate {
  readonly value: string;
  readonly about: string;
}

/** `files`: the shell completes a file name, which it knows how to quote. */
export type Candidates = readonly Candidate[] | 'files';

export interface Place {
  readonly program: Command;
  readonly world: World;
  readonly load: (command: Command) => Promise<void>;
  /** What stands before it, without the command and its verb. */
  readonly operands: readonly string[];
  /** What is there of the value already. */
  readonly current: string;
}

type Source = (place: Place) => Candidates | Promise<Candidates>;

export async function valuesOfFlag(option: Option, place: Place): Promise<Candidates> {
  const complete = option instanceof FlagOption ? option.flag.rules.complete : undefined;
  return candidatesOf(complete ?? [], place);
}

/** For the first argument of the command that has no value yet. */
export async function valuesOfArgument(command: Command, place: Place): Promise<Candidates> {
  const { registeredArguments: all } = command;
  const last = all.at(-1);
  const argument = all[place.operands.length] ?? (last?.variadic ? last : undefined);
  if (argument === undefined) return [];
  const complete = completionOfOperand(command, place.operands.length);
  return candidatesOf(complete ?? [], place);
}

async function candidatesOf(complete: Completion, place: Place): Promise<Candidates> {
  if (complete === 'files') return 'files';
  return typeof complete === 'string' ? sources[complete](place) : each(complete);
}

/** Values that are looked up when Tab is pressed. */
const sources: Readonly<Record<Exclude<Completion & string, 'files'>, Source>> = {
  profiles,
  conversations,
  'profile keys': () => [...profileKeys].map(([value, { summary }]) => ({ value, about: summary })),
  'help names': helpNames,
};

async function profiles({ world }: Place): Promise<Candidates> {
  return each(await listProfiles(world.files, configFolder(world)), 'profile');
}

const conversationsMax = 100;

/** The newest, by id and by title; no title that a shell could take for something else. */
async function conversations({ world, current }: Place): Promise<Candidates> {
  const { openConversations } = await import('../shared/conversation-store.ts');
  const all = await openConversations(world).list();
  const ids = all.map(({ id, title }) => ({ value: id, about: defuseLine(title ?? '') }));
  const titles = all.flatMap(({ id, title }) => (isPlainTitle(title) ? [{ value: title, about: id }] : []));
  const fitting = (candidates: readonly Candidate[]) =>
    candidates.filter(({ value }) => value.startsWith(current)).slice(0, conversationsMax);
  return [...fitting(ids), ...fitting(titles)];
}

function isPlainTitle(title: string | null): title is string {
  return title !== null && /^[\p{L}\p{N}][^\\]*$/u.test(title) && defuseLine(title) === title;
}

async function helpNames({ program, operands, load }: Place): Promise<Candidates> {
  const [name] = operands;
  if (name === undefined) return [...commandsOf(program), ...each(topicNames, 'topic')];
  const command = operands.length > 1 ? undefined : program.commands.find((candidate) => candidate.name() === name);
  if (command === undefined) return [];
  await load(command);
  return commandsOf(command);
}

export function commandsOf(group: Command): readonly Candidate[] {
  return group
    .createHelp()
    .visibleCommands(group)
    .map((command) => ({ value: command.name(), about: command.summary() || command.description() }));
}

function each(values: readonly string[], about = ''): readonly Candidate[] {
  return values.map((value) => ({ value, about }));
}
