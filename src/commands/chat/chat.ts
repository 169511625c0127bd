import type { Command } from 'commander';
import { type Chat, createChat } from '../../chat/chat.ts';
import { talk } from '../../chat/loop.ts';
import { tellChangeOfMotif } from '../../chat/slash/saved.ts';
import { MotifError } from '../../errors.ts';
import type { World } from '../../world/world.ts';
import { toAsked } from './asked.ts';
import { readLines } from './lines.ts';
import { openOpening } from './opening.ts';
import { createPorts } from './ports.ts';
import { chooseDestination, type EmbeddedFlags, withEmbedded } from '../target.ts';
import { documentingFailure } from '../shared/documents.ts';
import { type ConnectionFlags, describe, withConnection } from '../shared/flags.ts';
import { createNotice } from '../shared/notices.ts';
import { blankPromptDocument, type Known, knownOf } from '../shared/prompt-document.ts';
import { type PartFlags, withParts } from '../shared/prompt-parts.ts';
import type { ResultFlags } from '../shared/prompt-result.ts';

export interface ChatFlags extends ConnectionFlags, EmbeddedFlags, Omit<PartFlags, 'stdin'>, ResultFlags {
  readonly continue?: boolean;
  readonly conversation?: string;
  /** False with --no-save. */
  readonly save: boolean;
  readonly maxContextTokens?: string;
  readonly blockedNotice?: string;
}

const keys = `
Keys: Enter sends; Ctrl-J, Alt-Enter or a \\ at the end of a line begins a new one; a paste is one message;
Up and Ctrl-R bring back what was typed; Tab completes; Ctrl-O opens $EDITOR; Ctrl-C stops the request.
/help lists the commands; Ctrl-D, or Ctrl-C twice on an empty line, leaves.`;

export function registerChat(command: Command, world: World): void {
  describe(command, 'Talk to a Motif; elsewhere than on a terminal each line of stdin is a turn', [
    'motif chat',
    'motif chat -c                      go on with the latest conversation',
    'motif chat -s "Answer in French" -f notes.md',
    'motif chat --demo                  no service, no login',
    'motif chat --json < questions.txt',
  ]).addHelpText('after', keys);
  withEmbedded(withConnection(withParts(command, { fromStdin: false })))
    .option('-c, --continue', 'go on with the latest conversation')
    .option('--conversation <id|title>', 'go on with this one')
    .option('--no-save', 'keep nothing of this chat (or MOTIF_NO_HISTORY=1)')
    .option('--max-context-tokens <n>', 'leave the oldest turns out beyond about so many tokens')
    .option('--json', 'print one JSON document a turn')
    .option('--raw', 'no Markdown on a terminal')
    .option('-u, --usage', 'say tokens and time, also where stderr is no terminal')
    .option('--blocked-notice <text>', "your organization's words after a block")
    .action(() => runChat(world, command.optsWithGlobals<ChatFlags>()));
}

/** `greeting`: instead of the words that a person at a terminal is greeted with. */
export async function runChat(world: World, flags: ChatFlags, greeting?: string): Promise<void> {
  let known: Known | undefined;
  const facts = () => ({ ...blankPromptDocument, ...known });
  await documentingFailure(flags, facts, world, async () => {
    checkFlags(flags, world);
    const notice = createNotice(world, flags);
    const isInteractive = world.stdin.kind === 'terminal' && world.stderr.isTerminal;
    const choice = await chooseDestination(flags, world, notice, { isDemoLate: isInteractive });
    const { settings } = choice;
    known = knownOf(settings);
    const asked = toAsked(choice, world, flags);
    if (!isInteractive || !flags.demo) await asked.open();
    const begun = await openOpening({ asked, settings, flags, notice }, world);
    if (!isInteractive) return readAll(createChat(createPorts(begun, flags, world), begun), world);
    const { talkAtTerminal } = await import('./typing.ts');
    await talkAtTerminal(begun, { asked, flags, greeting }, world);
  });
}

/** A block is an answer, so it ends nothing; but a script can tell by the code that there was one. */
async function readAll(chat: Chat, world: World): Promise<void> {
  tellChangeOfMotif(chat);
  await talk(readLines(world), chat);
  if (chat.blockedTurns === 0) return;
  const error = new MotifError('blocked', 'blocked by policy');
  error.said = true;
  error.documented = true;
  throw error;
}

function checkFlags(flags: ChatFlags, { stdin }: World): void {
  const usage = (message: string, hint: string) => new MotifError('usage', message, { hint });
  if (flags.continue && flags.conversation !== undefined)
    throw usage('-c and --conversation both say which conversation to go on with', 'give one of them');
  const { systemFile, messages, template, file = [], maxContextTokens } = flags;
  if ([systemFile, messages, template, ...file].includes('-'))
    throw usage('- names stdin, which is what is said in a chat', 'name a file');
  if (maxContextTokens !== undefined && !/^[1-9]\d{0,8}$/.test(maxContextTokens))
    throw usage('--max-context-tokens takes a number from 1 on', 'for example --max-context-tokens 8000');
  if (stdin.kind === 'none')
    throw usage('there is nobody to talk to: stdin is neither a terminal nor a pipe', 'motif help chat');
}
