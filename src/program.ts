import { Command, CommanderError } from 'commander';
import type { RegisterCommand } from './commands/shared/flags.ts';
import { blankPromptDocument } from './commands/shared/prompt-document.ts';
import { MotifError } from './errors.ts';
import { topicNames } from './manual/topics.ts';
import { defuseLine } from './text/defuse.ts';
import type { World } from './world/world.ts';

declare const MOTIF_VERSION: string | undefined;

/** Put in by the build; a run from source has none. */
export const version = typeof MOTIF_VERSION === 'undefined' ? '0.0.0' : MOTIF_VERSION;

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads the command's file: nothing of a command is read before it is the one that was typed. */
  load(): Promise<RegisterCommand>;
  /** Keys of its JSON document beside ok and error, so that even a usage error has them. */
  readonly blankDocument?: Readonly<Record<string, null>>;
}

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
    summary: 'what would be used now, and where each value came from; offline',
    load: async () => (await import('./commands/whoami.ts')).registerWhoami,
  },
  {
    name: 'prompt',
    summary: 'send one prompt, print the answer',
    load: async () => (await import('./commands/prompt/prompt.ts')).registerPrompt,
    blankDocument: blankPromptDocument,
  },
  {
    name: 'chat',
    summary: 'talk; a conversation that survives everything',
    load: async () => (await import('./commands/chat/chat.ts')).registerChat,
    blankDocument: blankPromptDocument,
  },
  {
    name: 'history',
    summary: 'saved conversations: list, search, show, export, rename, delete, prune',
    load: async () => (await import('./commands/history/history.ts')).registerHistory,
  },
  {
    name: 'serve',
    summary: 'the gateway itself, on this machine; with a command: up for it, down after it',
    load: async () => (await import('./commands/gateway/serve/serve.ts')).registerServe,
  },
  {
    name: 'admin',
    summary: 'the gateway file: init, create, show, rotate, revoke, validate, try, audit',
    load: async () => (await import('./commands/gateway/admin/admin.ts')).registerAdmin,
  },
  {
    name: 'doctor',
    summary: 'config, permissions, DNS, TLS, proxy, auth: what is wrong and what to do',
    load: async () => (await import('./commands/doctor/doctor.ts')).registerDoctor,
  },
  {
    name: 'demo',
    summary: 'the two-minute tour, on a gateway in this process',
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

/** The command of a command line, as far as one can tell without its flags. */
export function typedCommand(argv: readonly string[]): CommandEntry | undefined {
  const names = commandTable.map(({ name }) => name);
  const name = argv.find((word) => word === '--' || names.includes(word));
  return commandTable.find((entry) => entry.name === name);
}

/** Parses argv and runs the command in it; usage errors are MotifErrors like all others. */
export async function runProgram(argv: readonly string[], world: World): Promise<void> {
  const printed: string[] = [];
  const program = createProgram(world, (text) => printed.push(text));
  try {
    refuseToken(argv);
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0 && error.code !== 'commander.help') throw toUsageError(error, argv, program);
  }
  if (printed.length > 0) await world.stdout.write(printed.join(''));
}

/** `-token=SECRET` would be read as `-t` with a file of that name, and the name of a file that is missing is shown. */
function refuseToken(argv: readonly string[]): void {
  const typed = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
  if (typed.some((word) => /^-token/i.test(word)))
    throw new MotifError('usage', 'unknown option -token', { hint: tokenHint });
}

function createProgram(world: World, print: (text: string) => void): Command {
  const load = createLoader(world);
  const program = new Command('motif')
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
    .configureHelp({ showGlobalOptions: true })
    .description(overview)
    .version(`motif ${version}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help; motif help COMMAND, motif help TOPIC')
    .addHelpText('after', () => `\nTopics: ${topicNames.join(', ')} (motif help TOPIC)`)
    .helpCommand(false)
    .option('-q, --quiet', 'no notices; errors and blocks are still said')
    .option('--color <when>', 'always, never or auto', colourChoice)
    .option('--accessible', 'no spinner and no redrawing (or ACCESSIBLE=1)')
    .option('--debug', 'show where in the program an error came from')
    .hook('preSubcommand', async (_program, command) => load(command));
  for (const { name, summary } of commandTable) program.command(name).summary(summary);
  return program;
}

/** Refused before anything is asked: the answer has been paid for by the time that colour is wanted. */
function colourChoice(text: string): string {
  if (['always', 'never', 'auto'].includes(text)) return text;
  throw new MotifError('usage', '--color takes always, never or auto', { hint: 'motif --help' });
}

/** Fills in a command that is declared only by name and summary; once, for help may be asked about help itself. */
function createLoader(world: World): (command: Command) => Promise<void> {
  const loaded = new Set<Command>();
  return async function load(command) {
    const entry = commandTable.find(({ name }) => name === command.name());
    if (entry === undefined || loaded.has(command)) return;
    loaded.add(command);
    (await entry.load())(command, world, load);
  };
}

const overview = `Test, script and check the Motifs of a Prompt Inference Service.

Examples:
  motif login https://gw.example/api/v1/apps/support-bot
  motif prompt "How long can I return a kettle?"
  git diff | motif prompt "Review this change"
  motif prompt --json --expect blocked "My card is 4111 1111 1111 1111"`;

const tokenHint = 'a token is never a flag, for others could see it: --token-stdin, --token-file or MOTIF_TOKEN';

const chatHint = 'a chat asks for its texts; motif prompt sends one, and --conversation names what to go on with';

/** What commander found wrong, without what was typed in the wrong place: that may be a secret. */
function toUsageError(error: CommanderError, argv: readonly string[], program: Command): MotifError {
  const suggestion = /\n(\(Did you mean [^\n]*)$/.exec(error.message);
  const suggestions = suggestion?.[1] === undefined ? [] : [suggestion[1]];
  const first = error.message.slice(0, suggestion?.index).replace(/^error: /, '');
  const isUnknown = error.code === 'commander.unknownOption' || error.code === 'commander.unknownCommand';
  const message = defuseLine(isUnknown ? first.replace(/'(.*)'/s, (_, typed: string) => `'${nameOf(typed)}'`) : first);
  return new MotifError('usage', message, { hint: [...suggestions.map(asHint), ...usageHints(error, argv, program)] });
}

/** Only what looks like the name of a flag or a command is shown of a word. */
function nameOf(typed: string): string {
  const [name = ''] = typed.split('=', 1);
  if (!/^(-{0,2}[a-z][a-z-]{0,23}|-[a-z0-9]{1,2})$/i.test(name)) return `${/^-{0,2}/.exec(name)?.[0] ?? ''}...`;
  return name === typed ? name : `${name}=...`;
}

/** For a first word that is no command: what was typed is never shown, for it may be anything. */
function wordHints(message: string): string[] {
  if (/'\S+\s[^]*'/.test(message)) return ['to send a prompt: motif prompt "..."'];
  return message.includes("'version'") ? ['motif --version'] : [];
}

function asHint(suggestion: string): string {
  return defuseLine(suggestion.replace(/^\((.*)\)$/, '$1').replace(/^Did/, 'did'));
}

/** `motif help history search` where the verb is known as well. */
function helpFor(name: string | undefined, argv: readonly string[], program: Command): string {
  if (name === undefined) return 'motif --help';
  const verbs = program.commands.find((command) => command.name() === name)?.commands ?? [];
  const next = argv[argv.indexOf(name) + 1];
  const verb = verbs.find((command) => command.name() === next)?.name();
  return ['motif help', name, verb].filter((word) => word !== undefined).join(' ');
}

function usageHints({ code, message }: CommanderError, argv: readonly string[], program: Command): string[] {
  const command = typedCommand(argv)?.name;
  const help = helpFor(command, argv, program);
  if (code === 'commander.excessArguments' && command === 'login') return [tokenHint];
  if (code === 'commander.excessArguments' && command === 'chat') return [chatHint, help];
  if (code === 'commander.unknownCommand') return [...wordHints(message), help];
  if (code !== 'commander.unknownOption') return [help];
  if (/'--?token/.test(message)) return [tokenHint];
  if (/'(--insecure|-k)'/.test(message)) {
    return ['motif has no switch that trusts any certificate; a private CA is named by --cacert FILE'];
  }
  return command === 'prompt'
    ? [help, 'a prompt that starts with - goes after --: motif prompt -- "-1 is odd"']
    : [help];
}
