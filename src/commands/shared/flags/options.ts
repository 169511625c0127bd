import { type Command, CommanderError, Option } from 'commander';
import { MotifError } from '../../../errors.ts';
import { closest } from '../../../text/similar.ts';
import { choice, type Flag, type FlagGroup, type FlagsOf, flags, listed, toggle } from './flags.ts';

declare const MOTIF_VERSION: string | undefined;

/** Put in by the build; a run from source has none. */
export const version = typeof MOTIF_VERSION === 'undefined' ? '0.0.0' : MOTIF_VERSION;

/** Flags that every command understands, before its name and behind it. */
export const globalFlags = flags(
  {
    quiet: toggle('-q, --quiet', 'no notices; errors and blocks are still shown'),
    color: choice('--color <when>', ['always', 'never', 'auto'], 'always, never or auto'),
    accessible: toggle('--accessible', 'no spinner and no redrawing (or ACCESSIBLE=1)'),
    debug: toggle('--debug', 'show where in the program an error came from'),
  },
  { heading: 'Everywhere' },
);

export type GlobalFlags = FlagsOf<typeof globalFlags>;

/** The flag of every command whose result is a document. */
export const jsonFlags = flags(
  { json: toggle('--json', 'print the result as a JSON document') },
  { heading: 'Output' },
);

export type JsonFlags = FlagsOf<typeof jsonFlags>;

/** Commander's option of a declared flag. */
export class FlagOption extends Option {
  readonly field: string;
  readonly flag: Flag<unknown>;

  constructor(field: string, flag: Flag<unknown>, heading: string) {
    super(flag.spelling, flag.help);
    this.field = field;
    this.flag = flag;
    this.helpGroup(`${heading}:`);
    if (flag.isRepeatable) this.argParser((text, earlier: readonly string[] | undefined) => [...(earlier ?? []), text]);
    else if (flag.rules.once !== undefined)
      this.argParser((text, earlier?: unknown) => (earlier === undefined || earlier === text ? text : [earlier, text]));
  }
}

/**
 * Adds the flags that every command understands. Each command has its own, so that the word behind a flag that takes a
 * value is that value, whatever it looks like.
 */
export function addGlobalFlags(command: Command, print: (text: string) => void): void {
  command.enablePositionalOptions();
  command.addOption(new Option('-V, --version', 'print the version').helpGroup(`${globalFlags.heading}:`));
  command.on('option:version', () => {
    print(`motif ${version}\n`);
    throw new CommanderError(0, 'commander.version', version);
  });
  addFlags(command, globalFlags);
}

export function addFlags(command: Command, { heading, fields }: FlagGroup): void {
  for (const [field, flag] of Object.entries(fields)) command.addOption(new FlagOption(field, flag, heading));
}

/** A flag that was typed, by name and value. */
type TypedFlags = Readonly<Record<string, unknown>>;

/**
 * The second stage of a command line: what was typed becomes values, or a usage error. Help and version have been shown
 * by then, whatever else is wrong.
 */
export function readFlags(command: Command): TypedFlags {
  const options = declaredOptions(command);
  const raw: Record<string, unknown> = {};
  for (const option of options) {
    const typed = rawValue(option, command);
    if (typed !== undefined) raw[option.field] = typed;
  }
  const values: Record<string, unknown> = {};
  for (const option of options) {
    const found = option.field in raw ? readValue(option, raw[option.field], command) : option.flag.fallback;
    if (found !== undefined) values[option.field] = found;
  }
  const typed = options.filter(({ field }) => field in raw);
  for (const option of typed) checkConflicts(option, raw, options, command);
  for (const option of typed) checkNeeds(option, raw, options, command);
  return values;
}

/** The number of words behind the `--` that ends the flags; one that is the value of a flag does not. */
export function countLiteralWords({ parent, options }: Command): number {
  // Commander keeps what follows the name of a command with the command around it.
  const words = parent?.args.slice(1) ?? [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return words.length - at - 1;
    if (takesNextWord(word, options)) at += 1;
  }
  return 0;
}

/** True for `--system`, `-s` and `-xs`, whose value is the next word. */
export function takesNextWord(word: string, options: readonly Option[]): boolean {
  if (word.startsWith('--')) return options.some(({ long, required }) => required && long === word);
  const letters = word.startsWith('-') ? word.slice(1).split('') : [];
  const at = letters.findIndex((letter) => options.some(({ short, required }) => required && short === `-${letter}`));
  return at !== -1 && at === letters.length - 1;
}

/** Its own flags and those of the commands around it; of two that were typed the inner one counts. */
function declaredOptions(command: Command): readonly FlagOption[] {
  const own = command.options.filter((option) => option instanceof FlagOption);
  if (command.parent === null) return own;
  const known = new Set(own.map(({ field }) => field));
  return [...own, ...declaredOptions(command.parent).filter(({ field }) => !known.has(field))];
}

function rawValue(option: FlagOption, command: Command): unknown {
  const name = option.attributeName();
  for (let at: Command | null = command; at !== null; at = at.parent) {
    if (!at.options.some((each) => each instanceof FlagOption && each.field === option.field)) continue;
    if (at.getOptionValueSource(name) !== 'cli') continue;
    const typed: unknown = at.getOptionValue(name);
    return option.negate ? typed === false || undefined : typed;
  }
  return undefined;
}

function readValue(option: FlagOption, typed: unknown, command: Command): unknown {
  if (typed === true) return true;
  const { flag } = option;
  if (Array.isArray(typed) && !flag.isRepeatable)
    throw usage(`${nameOf(option)} can be given once`, flag.rules.once, command);
  const read = (each: unknown): unknown => {
    const found = flag.read(String(each));
    if (found !== undefined) return found;
    const isList = flag.isRepeatable && String(each).includes(',');
    const hint = isList ? repeated(option) : (flag.rules.hint ?? meantBy(String(each), flag));
    throw usage(`${nameOf(option)} takes ${flag.takes}`, hint, command);
  };
  return Array.isArray(typed) ? typed.map(read) : read(typed);
}

/** The choice that was most likely meant, of several with commas between them by the first that is none. */
function meantBy(typed: string, { rules: { complete } }: Flag<unknown>): string | undefined {
  if (complete === undefined || typeof complete === 'string') return undefined;
  const names = typed.split(',').map((name) => name.trim());
  const near = closest(names.find((name) => !complete.includes(name)) ?? '', complete);
  return near === undefined ? undefined : `did you mean ${near}?`;
}

/** Refuses a flag beside one that it does not go with. */
function checkConflicts(option: FlagOption, raw: TypedFlags, options: readonly FlagOption[], command: Command): void {
  for (const [field, rule] of Object.entries(option.flag.rules.not ?? {})) {
    const other = options.find((each) => each.field === field);
    const conflict = typeof rule === 'string' ? { reason: rule } : rule;
    if (other === undefined || !(field in raw) || conflict.when?.(raw) === false) continue;
    const message = `${nameOf(option)} and ${nameOf(other)} ${conflict.reason}`;
    throw usage(message, conflict.hint ?? 'give one of them', command);
  }
}

/** Refuses a flag without any of those that it goes with. */
function checkNeeds(option: FlagOption, raw: TypedFlags, options: readonly FlagOption[], command: Command): void {
  const { needs = [] } = option.flag.rules;
  if (needs.length === 0 || needs.some((field) => field in raw)) return;
  const others = needs
    .flatMap((field) => options.find((each) => each.field === field) ?? [])
    .map((other) => spelled(other));
  throw usage(`${nameOf(option)} needs ${listed(others)}`, undefined, command);
}

/** As people name it: `-x` where there is a letter, `--json` else. */
function nameOf({ short, long }: FlagOption): string {
  return short ?? long ?? '';
}

/** With its value: `--local FILE`. */
export function spelled(option: FlagOption, name = nameOf(option)): string {
  const [, placeholder] = /<([^>]+)>/.exec(option.flags) ?? [];
  return placeholder === undefined ? name : `${name} ${placeholder.toUpperCase()}`;
}

/** `--policy once for each: --policy NAME --policy NAME` */
export function repeated(option: FlagOption): string {
  return `${nameOf(option)} once for each: ${spelled(option)} ${spelled(option)}`;
}

function usage(message: string, hint: string | undefined, command: Command): MotifError {
  return new MotifError('usage', message, { hint: hint ?? `motif help ${pathOf(command)}` });
}

/** As typed after `motif`: `profile use`. */
export function pathOf(command: Command): string {
  return command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
