import type { Command } from 'commander';
import { exitTable, MotifError, signalTable } from '../../errors.ts';
import { settingTable } from '../../settings/table.ts';
import { defuseLine } from '../../text/defuse.ts';
import { closest } from '../../text/similar.ts';
import { fold } from '../../text/width.ts';
import type { World } from '../../world/world.ts';
import { describe } from '../shared/flags.ts';
import { topicNames, type TopicName } from '../shared/topics.ts';

export function registerHelp(command: Command, world: World, load: (other: Command) => Promise<void>): void {
  describe(command, 'Help for a command, or on a topic', [
    'motif help prompt',
    'motif help profile set',
    'motif help exit-codes',
  ])
    .argument('[name...]', `a command, or a topic: ${topicNames.join(', ')}`)
    .action((names: string[]) => runHelp(world, names, command.parent ?? command, load));
}

export async function runHelp(
  world: World,
  names: readonly string[],
  program: Command,
  load: (other: Command) => Promise<void>,
): Promise<void> {
  const [name, verb] = names;
  if (name === undefined) return program.outputHelp();
  if (isTopic(name)) return world.stdout.write(`${topicTexts[name]()}\n`);
  const command = program.commands.find((candidate) => candidate.name() === name);
  if (command === undefined) throw unknownTopic(name, program);
  await load(command);
  (command.commands.find((candidate) => candidate.name() === verb) ?? command).outputHelp();
}

/** The width of a terminal that nobody made wider. */
const topicColumns = 80;

function isTopic(name: string): name is TopicName {
  return (topicNames as readonly string[]).includes(name);
}

function unknownTopic(name: string, program: Command): MotifError {
  const names = [...program.commands.map((command) => command.name()), ...topicNames];
  const near = closest(name, names);
  return new MotifError('usage', `there is no help on ${defuseLine(name, 64)}`, {
    hint: [...(near === undefined ? [] : [`did you mean ${near}?`]), `the topics are ${topicNames.join(', ')}`],
  });
}

const topicTexts: Record<TopicName, () => string> = {
  'exit-codes': () =>
    [
      'Exit codes are by cause, and never change.',
      '',
      ...exitTable.map(({ kind, code, cause }) => exitLine(code, kind, cause)),
      ...signalTable.map(({ signal, code, cause }) => exitLine(code, signal, cause)),
      '',
      'A reader of stdout that goes away (| head) is a quiet end with 0.',
      'The name is also error.kind in JSON.',
    ].join('\n'),

  environment: () =>
    [
      'Order: flag, environment, profile, default; each value by itself. A profile',
      'named by -p goes before MOTIF_URL, MOTIF_ID, MOTIF_TOKEN, MOTIF_TOKEN_FILE and',
      'MOTIF_TENANT_ID. What a profile holds for its service (token, tenant,',
      'certificates) goes nowhere else.',
      'motif whoami shows what counts, and why.',
      '',
      ...table([
        ['MOTIF_PROFILE', 'which profile'],
        ...Object.values(settingTable).flatMap(({ env, summary }) =>
          env === undefined ? [] : [[env, summary] as const],
        ),
        ['MOTIF_TOKEN', 'access token; never a flag'],
        ['MOTIF_TOKEN_FILE', 'a file that holds it'],
        ['MOTIF_NO_STDIN', '1: never read a piped stdin (loops, cron, agents)'],
        ['HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY', 'either case; loopback is always direct'],
        ['MOTIF_NO_HISTORY', '1: no conversation and no line typed in a chat is saved'],
        ['MOTIF_CONFIG_DIR, XDG_CONFIG_HOME', 'where profiles live'],
        ['XDG_STATE_HOME', 'where conversations live'],
        ['VISUAL, EDITOR', 'the editor of -e'],
        ['NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM', 'colour, in this order; --color goes before all'],
        ['ACCESSIBLE', '1: no spinner, no redrawing'],
      ]),
    ].join('\n'),

  messages: () =>
    `What is sent, in this order:

  1. -s TEXT or -S FILE            the system message
  2. --messages FILE               a JSON array, or an object with "messages"
  3. -m role:text                  each one; system, user or assistant
  4. the prompt, one user message  template, words, files, stdin,
                                   joined with one blank line

Words are text, never file names. -f adds a file; with several, each stands
under --- NAME ---. A pipe or a redirected file is added last; a device never
is. - names stdin where a file is expected, once. One newline at the end of a
file or of stdin is dropped. Text must be UTF-8; a byte order mark is dropped.
-t FILE starts the prompt with a template: each \${name} in it is replaced by
the --var name=value, once; what a value holds is never looked at again.
-e edits the prompt first; an emptied file, or :cq in vi, sends nothing.
--dry-run shows the request that would be sent, --curl the same as a command.`,

  json: () =>
    `--json prints one document on stdout: for an answer, a block and a failure.

  {"ok":true,"blocked":false,"response":"...","finish_reason":"stop",
   "prompt_id":"...","usage":{"prompt_tokens":1,"completion_tokens":2,
   "total_tokens":3},"profile":"...","motif_id":"...","status":200,
   "attempts":1,"elapsed_ms":412,"error":null}

What is unknown is null. A block has ok true, blocked true, response null.
A failure has ok false, blocked null and
  "error":{"kind":"auth","exit_code":8,"message":"...","detail":...,
           "hint":"..."}
where kind is a name of motif help exit-codes, and detail the service's own
error. Lists are {"ok":true,"items":[...],"error":null}. Keys are only ever
added.

--field usage.total_tokens prints one value of the document as it is; a null
prints an empty line. error.detail.* reaches into the service's own error.`,

  files: () =>
    [
      'Folders are 0700, files 0600; each is written whole or not at all.',
      '',
      ...table([
        ['$XDG_CONFIG_HOME/motif/', 'or ~/.config/motif/, or MOTIF_CONFIG_DIR'],
        ['  config.json', 'the profile in use'],
        ['  profiles/NAME.json', 'a profile: address, tenant, settings; no token'],
        ['  tokens/NAME.ID.json', 'its token, where no keyring holds it'],
        ['$XDG_STATE_HOME/motif/', 'or ~/.local/state/motif/'],
        ['  conversations/ID.jsonl', 'a saved conversation; lines are only added'],
        ['  conversations/summaries.json', 'makes their list quick; may be deleted'],
        ['  input-history.jsonl', 'what was typed in chats and answered'],
      ]),
      '',
      'A broken file is named and left as it is. Nothing is read from the working',
      'directory.',
    ].join('\n'),
};

function table(rows: readonly (readonly [string, string])[]): string[] {
  const wide = rows.map(([name]) => name.length).filter((length) => length <= 26);
  const column = Math.max(...wide) + 2;
  return rows.map(([name, words]) =>
    name.length > 26
      ? `  ${name}\n  ${''.padEnd(column)}${words}`
      : fold(`  ${name.padEnd(column)}${words}`, topicColumns, ''.padEnd(column + 2)),
  );
}

function exitLine(code: number, name: string, cause: string): string {
  return fold(`  ${String(code).padStart(3)}  ${name.padEnd(9)} ${cause}`, topicColumns, ''.padEnd(17));
}
