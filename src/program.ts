import { type Argument, Command, CommanderError, Option } from 'commander';
import type { RegisterCommand } from './commands/shared/declare.ts';
import {
  type LoadCommand,
  helpBehindNames,
  isMistypedVerb,
  refuseEarlyFlags,
  withVerbs,
} from './commands/shared/flags/early.ts';
import { addGlobalFlags, globalFlags, readFlags, takesNextWord } from './commands/shared/flags/options.ts';
import { topicGroups, topicLines } from './manual/topics.ts';
import { printLines } from './terminal/output.ts';
import { type ColourChoice, colourIsOn, createStyle } from './terminal/style.ts';
import type { World } from './world/world.ts';

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads the command's file: nothing of a command is read before it is the one that was typed. */
  load(): Promise<RegisterCommand>;
  /** Keys of its JSON document beside ok and error, so that even a usage error has them. */
  readonly blankDocument?: () => Promise<Blank>;
}

type Blank = Readonly<Record<string, null>>;

const blankPrompt = async (): Promise<Blank> =>
  (await import('./commands/shared/prompt/document.ts')).blankPromptDocument;

/** Every command, in the order of the help. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'login',
    summary: "store a Motif's address, token and tenant as a profile",
    load: async () => (await import('./commands/login/login.ts')).registerLogin,
  },
  {
    name: 'logout',
    summary: 'forget a profile and its token',
    load: async () => (await import('./commands/logout.ts')).registerLogout,
  },
  {
    name: 'profile',
    summary: 'list, use, show, set, rename: several Motifs side by side',
    load: async () => (await import('./commands/profile.ts')).registerProfile,
  },
  {
    name: 'whoami',
    summary: 'what would be used now, and where each value came from',
    load: async () => (await import('./commands/whoami.ts')).registerWhoami,
  },
  {
    name: 'prompt',
    summary: 'send one prompt, print the answer',
    load: async () => (await import('./commands/prompt/prompt.ts')).registerPrompt,
    blankDocument: blankPrompt,
  },
  {
    name: 'chat',
    summary: 'chat with a Motif; every turn is saved',
    load: async () => (await import('./commands/chat/chat.ts')).registerChat,
    blankDocument: blankPrompt,
  },
  {
    name: 'history',
    summary: 'saved conversations: list, search, show, export, delete',
    load: async () => (await import('./commands/history/history.ts')).registerHistory,
  },
  {
    name: 'batch',
    summary: 'many prompts, from JSONL, lines or CSV; resumable, shardable',
    load: async () => (await import('./commands/batch/batch.ts')).registerBatch,
    blankDocument: async () => (await import('./commands/batch/document.ts')).blankBatchDocument,
  },
  {
    name: 'check',
    summary: 'smoke checks for CI: what must be answered, what blocked',
    load: async () => (await import('./commands/check/register.ts')).registerCheck,
  },
  {
    name: 'serve',
    summary: 'the gateway itself, or only while a command runs',
    load: async () => (await import('./commands/gateway/serve/serve.ts')).registerServe,
  },
  {
    name: 'admin',
    summary: 'the gateway file: Motifs, tokens, policies, audit',
    load: async () => (await import('./commands/gateway/admin/admin.ts')).registerAdmin,
  },
  {
    name: 'doctor',
    summary: 'files, DNS, TLS, proxy, token: what is wrong and what to do',
    load: async () => (await import('./commands/doctor/doctor.ts')).registerDoctor,
  },
  {
    name: 'demo',
    summary: 'a short tour, on a gateway in this process',
    load: async () => (await import('./commands/demo.ts')).registerDemo,
  },
  {
    name: 'completion',
    summary: 'print completions for bash, zsh or fish',
    load: async () => (await import('./commands/completion/completion.ts')).registerCompletion,
  },
  {
    name: 'help',
    summary: 'help for a command, or on a topic',
    load: async () => (await import('./commands/help/help.ts')).registerHelp,
  },
];

/** A JSON document that a failure has to have on stdout: the whole of it, or one value. */
export interface FailureForm {
  readonly blank: Blank;
  readonly field: string | undefined;
}

/** A command line that is being run, and what it asks for where it fails. */
export interface Program {
  /** The command and its verb as they stand in argv, before anything is parsed: `admin try`. */
  readonly typed: string;
  /** Parses argv and runs the command in it; usage errors are MotifErrors like all others. */
  run(): Promise<void>;
  /** The document that a failure is to have; undefined where none was asked for. */
  failureForm(): Promise<FailureForm | undefined>;
  isDebugged(): boolean;
  /** The --color that was typed. */
  colour(): ColourChoice | undefined;
}

export function createProgram(argv: readonly string[], world: World): Program {
  const printed: string[] = [];
  const load = createLoader(world, (text) => printed.push(text));
  const root = createRoot(world, (text) => printed.push(text), load);
  return {
    typed: commandWords(argv, root).join(' '),
    async run() {
      try {
        if (typedFlags(argv).some((word) => /^-token/i.test(word))) throw (await usageErrors()).tokenRefused();
        if (argv.length === 0) root.outputHelp();
        else {
          await refuseEarlyFlags(typedFlags(argv), root, load);
          await root.parseAsync([...(await helpBehindNames(argv, root, load))], { from: 'user' });
        }
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        // A group typed without a verb shows its help; its flags are checked all the same.
        if (error.code === 'commander.help') readFlags(typedPath(root).at(-1) ?? root);
        const fault = await faultOf(error, typedPath(root), world);
        if (fault !== undefined) {
          // A flag before its command, or a verb without it: the usage error names the command that has it.
          const isVerb = fault.code === 'commander.unknownCommand';
          const isEarly = fault.code === 'commander.unknownOption';
          const meant = root.commands.filter((command) => isVerb || (isEarly && root.args.includes(command.name())));
          await Promise.all(meant.map(load));
          throw (await usageErrors()).toUsageError(fault, typedPath(root));
        }
      }
      if (printed.length === 0) return;
      const style = await createStyle(colourIsOn(this.colour(), world.env, world.stdout.isTerminal));
      await printLines(
        printed.join('').replace(/^(?:Usage:|[A-Z].*:$)/gm, (heading) => style.bold(heading)),
        world,
      );
    },
    async failureForm() {
      const path = typedPath(root);
      const { json, field } = path.at(-1)?.opts<{ json?: unknown; field?: string }>() ?? {};
      // A command line that was not understood so far may have asked for it all the same.
      const isUnread = path.at(-1)?.options.every(({ long }) => long !== '--json') === true;
      const isWhole = json === true || (isUnread && asksForJson(argv, path));
      if (!isWhole && typeof field !== 'string') return undefined;
      const entry = commandTable.find(({ name }) => name === path[1]?.name());
      const blank = (await entry?.blankDocument?.()) ?? {};
      if (isWhole) return { blank, field: undefined };
      // A --field that no document can have gets nothing on stdout.
      return (await import('./commands/shared/prompt/document.ts')).isFieldPath(field) ? { blank, field } : undefined;
    },
    colour: () =>
      typedPath(root)
        .flatMap((command) => command.opts<{ color?: ColourChoice }>().color ?? [])
        .at(-1),
    isDebugged: () => typedPath(root).some((command) => command.opts<{ debug?: boolean }>().debug === true),
  };
}

/** Loads the words of usage errors when one is needed, for help and version have to start fast. */
const usageErrors = () => import('./commands/shared/flags/usage-error.ts');

/** The words before `--`, which may be flags. */
function typedFlags(argv: readonly string[]): readonly string[] {
  return argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
}

/** The first two words that are neither flags nor values of the flags that stand before a command. */
function commandWords(argv: readonly string[], { options }: Command): readonly string[] {
  const words = typedFlags(argv);
  const isValue = (index: number): boolean => index > 0 && takesNextWord(words[index - 1] ?? '', options);
  return words.filter((word, index) => !word.startsWith('-') && !isValue(index)).slice(0, 2);
}

/** True where `--json` was typed as a flag, and not as the value of another one. */
function asksForJson(argv: readonly string[], path: readonly Command[]): boolean {
  const words = typedFlags(argv);
  const options = path.flatMap((command) => command.options);
  return words.some((word, index) => word === '--json' && !takesNextWord(words[index - 1] ?? '', options));
}

/** The program, the command that was typed and its verb, as far as they were found. */
function typedPath(root: Command): readonly [Command, ...Command[]] {
  const path: [Command, ...Command[]] = [root];
  for (let at: Command | undefined = root; at !== undefined;) {
    const [word]: string[] = at.args;
    at = at.commands.find((command) => command.name() === word);
    if (at !== undefined) path.push(at);
  }
  return path;
}

/** A usage error among commander's ways to end; undefined where it has only shown help or the version. */
async function faultOf(error: CommanderError, path: readonly [Command, ...Command[]], { files }: World) {
  if (error.exitCode !== 0 && error.code !== 'commander.help') return error;
  const group = path.at(-1) ?? path[0];
  const [word = '-'] = group.args;
  const isVerbMeant = error.code === 'commander.helpDisplayed' && !word.startsWith('-');
  if (!isVerbMeant || !(await isMistypedVerb(word, group, files))) return undefined;
  return new CommanderError(2, 'commander.unknownCommand', `unknown command '${word}'`);
}

function createRoot(world: World, print: (text: string) => void, load: LoadCommand): Command {
  const root = new Command('motif')
    .exitOverride()
    .configureOutput({
      writeOut: print,
      writeErr: print,
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(world.stdout.isTerminal ? world.stdout.columns : 80, 100),
      getErrHelpWidth: () => 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .description(overview)
    .addHelpOption(
      new Option('-h, --help', 'show help; motif help COMMAND, motif help TOPIC').helpGroup(`${globalFlags.heading}:`),
    )
    .configureHelp({ subcommandTerm })
    .addHelpText('after', () => (root.args[0] === 'help' ? describedTopics() : namedTopics()))
    .helpCommand(false)
    .hook('preSubcommand', async (_root, command) => load(command));
  addGlobalFlags(root, print);
  for (const { name, summary } of commandTable) root.command(name).summary(summary);
  return root;
}

/** A command in the list of commands: a verb with its arguments, for these are all that some verbs need. */
function subcommandTerm(command: Command): string {
  const isVerb = command.parent?.parent !== null;
  return [command.name(), ...(isVerb ? command.registeredArguments.map(humanReadableArgName) : [])].join(' ');
}

function humanReadableArgName(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Each topic with its line, under a heading for each kind of reader. */
function describedTopics(): string {
  const groups = topicGroups.map(
    ({ heading, topics }) => `\nTopics ${heading}:\n${topicLines(topics).replace(/^(?=.)/gm, '  ')}`,
  );
  return groups.join('').trimEnd();
}

/** The names of all topics in a line for each kind of reader: the whole help is to fit a terminal. */
function namedTopics(): string {
  const column = Math.max(...topicGroups.map(({ label }) => label.length));
  const lines = topicGroups.map(
    ({ label, topics }) => `  ${label.padEnd(column)}  ${topics.map(({ name }) => name).join(', ')}`,
  );
  return `\nTopics (motif help TOPIC; a line on each: motif help):\n${lines.join('\n')}`;
}

/** Fills in a command that is declared only by name and summary; once, for help may be asked about help itself. */
function createLoader(world: World, print: (text: string) => void): LoadCommand {
  const loaded = new Set<Command>();
  return async function load(command) {
    const entry = commandTable.find(({ name }) => name === command.name());
    if (entry === undefined || loaded.has(command)) return;
    loaded.add(command);
    (await entry.load())(command, world, load);
    for (const each of withVerbs(command)) addGlobalFlags(each, print);
  };
}

const overview = `Test, script and check the Motifs of a Prompt Inference Service.

Examples:
  motif login https://gw.example/api/v1/apps/support-bot
  motif prompt "How long can I return a kettle?"
  git diff | motif prompt "Review this change"`;
