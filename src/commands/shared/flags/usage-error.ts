import type { Command, CommanderError } from 'commander';
import { MotifError } from '../../../errors.ts';
import { defuseLine } from '../../../text/defuse.ts';
import { counted } from '../../../text/sizes.ts';
import { topicNames } from '../../../manual/topics.ts';
import { closest } from '../../../text/similar.ts';
import { FlagOption, pathOf, repeated, spelled } from './options.ts';
import { otherCommand, otherFlag } from './other-words.ts';

const tokenHint =
  'a token is never a flag, for others could see it: MOTIF_TOKEN, MOTIF_TOKEN_FILE, or motif login with --token-stdin or --token-file';

const pipedTokenHint = (command: Command): string =>
  `a token is never a flag, for others could see it: motif ${pathOf(command)} --token-stdin < FILE`;

const chatHint = 'a chat takes no words: motif prompt sends one prompt, and --conversation goes on with a saved one';

const streamHint = 'answers come whole: motif does not stream';

/** For `-token=SECRET`, which would be read as `-t` with a file of that name, and that name shown. */
export function tokenRefused(): MotifError {
  return new MotifError('usage', 'unknown option -token', { hint: tokenHint });
}

/**
 * The usage error for what commander found wrong, in our words and without what was typed in the wrong place: that may
 * be a secret. `path` leads from the program to the command that was typed.
 */
export function toUsageError(error: CommanderError, path: readonly [Command, ...Command[]]): MotifError {
  const command = path.at(-1) ?? path[0];
  const [, typed = ''] = /'([^]*)'/.exec(error.message.replace(/\n\(Did you mean[^]*$/, '')) ?? [];
  const help = command.parent === null ? 'motif --help' : `motif help ${pathOf(command)}`;
  const of = (message: string, hints: readonly string[]) =>
    new MotifError('usage', message, { hint: [...hints, help] });
  const name = command.parent === null ? undefined : path[1]?.name();
  switch (error.code) {
    case 'commander.unknownCommand':
      return of(unknownWords(typed), commandHints(typed, command));
    case 'commander.unknownOption':
      return unknownOption(typed, command, help);
    case 'commander.optionMissingArgument':
      return of(`${missingValue(typed, command)}`, []);
    case 'commander.missingArgument':
      return of(
        `${typed} is missing: motif ${pathOf(command)} ${command.usage().replace(/^\[options\] ?/, '')}`,
        operandHints(typed, command),
      );
    case 'commander.excessArguments':
      if (name === 'login') return new MotifError('usage', tooMany(command), { hint: tokenHint });
      return of(tooMany(command), excessHints(command));
    default:
      return of(defuseLine(error.message.replace(/^error: /, '')), []);
  }
}

/** `value: "" removes the one that is there` */
function operandHints(name: string, command: Command): readonly string[] {
  const operand = command.registeredArguments.find((each) => each.name() === name);
  return operand === undefined || operand.description === '' ? [] : [`${name}: ${operand.description}`];
}

/** `--policy once for each: --policy NAME --policy NAME`, for a flag that was typed with several values behind it. */
function onceForEach(command: Command): readonly string[] {
  const typed = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli');
  return typed
    .filter((option) => option instanceof FlagOption && option.flag.isRepeatable)
    .map((option) => repeated(option as FlagOption));
}

function excessHints(command: Command): readonly string[] {
  if (pathOf(command) === 'chat') return [chatHint];
  if (pathOf(command) === 'profile set') return ['several words stand in quotes: motif profile set KEY "WORD WORD"'];
  return onceForEach(command);
}

function tooMany(command: Command): string {
  const most = command.registeredArguments.length;
  return `too many arguments: motif ${pathOf(command)} takes ${most === 0 ? 'none' : counted(most, 'argument')}`;
}

/** `--expect needs a value: answered, blocked or any` */
function missingValue(spelling: string, command: Command): string {
  const option = command.options.find(({ flags }) => flags === spelling);
  const takes = option instanceof FlagOption ? option.flag.takes : undefined;
  return `${option instanceof FlagOption ? spelled(option) : spelling} lacks its value${takes === undefined ? '' : `: ${takes}`}`;
}

function unknownOption(typed: string, command: Command, help: string): MotifError {
  const of = (hint: readonly string[]) => new MotifError('usage', `unknown option '${nameOf(typed)}'`, { hint });
  const longs = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
  const [name = ''] = typed.split('=', 1);
  const near = closest(name, ['--help', ...longs]);
  const meant = near === undefined || !typed.startsWith('--') ? [] : [`did you mean ${near}?`];
  if (/^--?token/.test(typed)) return of([longs.includes('--token-stdin') ? pipedTokenHint(command) : tokenHint]);
  if (typed === '--insecure' || typed === '-k') {
    return of(['motif has no switch that trusts any certificate; a private CA is named by --cacert FILE']);
  }
  if (/^--(no-)?stream$/.test(name)) return of([streamHint, help]);
  const behind = behindCommand(name, command);
  if (behind !== undefined) return of([behind, help]);
  if (name === '--field' && longs.includes('--json'))
    return of([`one value of its document: motif ${pathOf(command)} --json | jq -r .KEY; motif help json`, help]);
  const said = otherFlag(name, pathOf(command), longs);
  if (said.length > 0) return of([...said, help]);
  const others = flagOwners(name, command).slice(0, ownersMax);
  if (others.length > 0)
    return of([...meant, ...others.map((other) => `${name} is a flag of motif ${pathOf(other)}`), help]);
  const isText = command.parent !== null && command.name() === 'prompt';
  const takesWords = command.registeredArguments.length > 0 && !typed.startsWith('--');
  return of([
    ...meant,
    help,
    ...(isText ? ['a prompt that starts with - goes after --: motif prompt -- "-1 is odd"'] : []),
    ...(takesWords && !isText ? [`a word that starts with - goes after --: motif ${pathOf(command)} -- WORD`] : []),
  ]);
}

/** More are no help. */
const ownersMax = 5;

/** The commands below this one that have a flag of that name, else those beside it. */
function flagOwners(name: string, command: Command): readonly Command[] {
  const below = (group: Command): readonly Command[] =>
    group.commands.flatMap((verb) => [
      ...(verb.options.some(({ long }) => long === name) ? [verb] : []),
      ...below(verb),
    ]);
  const own = below(command);
  // The commands of the program are not loaded.
  return own.length > 0 || command.parent?.parent === null ? own : below(command.parent ?? command);
}

/**
 * `-p goes behind the command: motif prompt -p NAME`, for a flag that was typed before the command or verb that has it.
 * The text behind the flag is never shown, for it may be anything.
 */
function behindCommand(name: string, group: Command): string | undefined {
  const meant: Command[] = [];
  for (const word of group.args) {
    const next = (meant.at(-1) ?? group).commands.find((command) => command.name() === word);
    if (next !== undefined) meant.push(next);
  }
  for (const command of meant.toReversed()) {
    const option = command.options.find(({ long, short }) => long === name || short === name.slice(0, 2));
    if (option instanceof FlagOption) {
      const flag = name.startsWith('--') ? name : name.slice(0, 2);
      return `${flag} goes behind the command: motif ${pathOf(command)} ${spelled(option, flag)}`;
    }
  }
  return undefined;
}

/** The topic of the manual that a person most likely meant; many are plurals: policy means policies. */
export function closestTopic(word: string): string | undefined {
  return closest(word, topicNames) ?? closest(`${word}s`, topicNames);
}

/** A sentence typed in the place of a command is not shown, for it may be anything. */
function unknownWords(typed: string): string {
  return nameOf(typed).endsWith('...') ? 'a command has to come first' : `unknown command '${nameOf(typed)}'`;
}

/** The verbs of that name below a command, wherever they stand. */
export function verbsNamed(name: string, group: Command): readonly Command[] {
  const shown = group.createHelp().visibleCommands(group);
  return shown.flatMap((verb) => [...(verb.name() === name ? [verb] : []), ...verbsNamed(name, verb)]);
}

/** For a first word that is no command. */
function commandHints(typed: string, group: Command): readonly string[] {
  const known = otherCommand(typed, pathOf(group));
  if (known !== undefined) return [known];
  const below = verbsNamed(typed, group);
  if (below.length > 0) return below.map((verb) => `did you mean motif ${pathOf(verb)}?`);
  const names = group
    .createHelp()
    .visibleCommands(group)
    .map((command) => command.name());
  const near = closest(typed, names);
  if (near !== undefined) return [`did you mean ${near}?`];
  if (group.parent !== null) return [`its verbs: ${names.filter((name) => name !== 'help').join(', ')}`];
  const page = closestTopic(typed);
  return [
    ...(page === undefined ? [] : [`a page of the manual: motif help ${page}`]),
    `to send a prompt: motif prompt "${nameOf(typed)}"`,
  ];
}

/** Only what looks like the name of a flag or a command is shown of a word. */
function nameOf(typed: string): string {
  const [name = ''] = typed.split('=', 1);
  if (!/^(-{0,2}[a-z][a-z-]{0,23}|-[a-z0-9]{1,2})$/i.test(name)) return `${/^-{0,2}/.exec(name)?.[0] ?? ''}...`;
  return name === typed ? name : `${name}=...`;
}
