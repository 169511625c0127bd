import type { Command, Option } from 'commander';
import { configFolder } from '../../settings/paths.ts';
import { listProfiles, profileKeys } from '../../settings/profile-file.ts';
import { defuseLine } from '../../text/defuse.ts';
import type { World } from '../../world/world.ts';
import { completionOfOperand } from '../shared/declare.ts';
import { FlagOption } from '../shared/flags/options.ts';
import type { Completion } from '../shared/flags/flags.ts';
import { topicNames } from '../../manual/topics.ts';

/** A value that Tab offers, and the words beside it. */
export interface Candidate {
  readonly value: string;
  readonly about: string;
}

/** Candidates, or `files`: the shell completes file names, which it knows how to quote. */
export type Candidates = readonly Candidate[] | 'files';

/** A value to be completed, and what is known of its place. */
interface ValueRequest {
  readonly program: Command;
  readonly world: World;
  readonly load: (command: Command) => Promise<void>;
  /** Words before it, without flags, the command and its verb. */
  readonly operands: readonly string[];
  /** The beginning of the value, as typed so far. */
  readonly current: string;
}

type Source = (request: ValueRequest) => Candidates | Promise<Candidates>;

export async function valuesOfFlag(option: Option, request: ValueRequest): Promise<Candidates> {
  const complete = option instanceof FlagOption ? option.flag.rules.complete : undefined;
  return candidatesOf(complete ?? [], request);
}

/** Candidates for the first argument of the command that has no value yet. */
export async function valuesOfArgument(command: Command, request: ValueRequest): Promise<Candidates> {
  const { registeredArguments: all } = command;
  const last = all.at(-1);
  const argument = all[request.operands.length] ?? (last?.variadic ? last : undefined);
  if (argument === undefined) return [];
  const complete = completionOfOperand(command, request.operands.length);
  return candidatesOf(complete ?? [], request);
}

async function candidatesOf(complete: Completion, request: ValueRequest): Promise<Candidates> {
  if (complete === 'files') return 'files';
  return typeof complete === 'string' ? sources[complete](request) : each(complete);
}

/** Values that are looked up when Tab is pressed. */
const sources: Readonly<Record<Exclude<Completion & string, 'files'>, Source>> = {
  profiles,
  conversations,
  'profile keys': () => [...profileKeys].map(([value, { summary }]) => ({ value, about: summary })),
  'help names': helpNames,
};

async function profiles({ world }: ValueRequest): Promise<Candidates> {
  return each(await listProfiles(world.files, configFolder(world)), 'profile');
}

const conversationsMax = 100;

/** The newest, by id and by title; no title that a shell could take for something else. */
async function conversations({ world, current }: ValueRequest): Promise<Candidates> {
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

async function helpNames({ program, operands, load }: ValueRequest): Promise<Candidates> {
  const [name] = operands;
  if (name === undefined) return [...commandsOf(program), ...each(['topics', ...topicNames], 'topic')];
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
