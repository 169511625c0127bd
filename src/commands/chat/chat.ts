import type { Command } from 'commander';
import { type Chat, createChat } from '../../chat/chat.ts';
import { talk } from '../../chat/loop.ts';
import { tellChangeOfMotif } from '../../chat/slash/saved.ts';
import { changeOfMotif } from '../../conversations/title.ts';
import { addingFacts, MotifError } from '../../errors.ts';
import type { Settings } from '../../settings/resolve.ts';
import type { World } from '../../world/world.ts';
import { type ChatRun, createChatMotif, isInteractive } from './chat-motif.ts';
import { type ChatFlags, chatFlags } from './flags.ts';
import { readTurns } from './lines.ts';
import { openOpening } from './opening.ts';
import { createPorts } from './ports.ts';
import { chooseTarget } from '../target.ts';
import { refuseUnseenMove } from '../shared/conversation-store.ts';
import { declare } from '../shared/declare.ts';
import { identityOf, type PromptIdentity } from '../shared/prompt/document.ts';
import type { Run } from '../shared/run.ts';

const footer = [
  'From stdin each line is a turn of one conversation: every turn is sent with all turns before it.\n\nKeys: Enter sends;',
  'Ctrl-J, Alt-Enter or a \\ at the end of a line begins a new one; a paste is one message; Up and Ctrl-R bring back what',
  'was typed; Tab completes; Ctrl-O opens $EDITOR; Ctrl-C stops the request. /help lists the commands; Ctrl-D, or Ctrl-C',
  'twice on an empty line, leaves.',
].join(' ');

export function registerChat(command: Command, world: World): void {
  declare(command, world, {
    summary: 'Talk to a Motif; elsewhere than on a terminal each line of stdin is a turn',
    examples: [
      'motif chat',
      'motif chat -c                      # go on with the latest conversation',
      'motif chat -s "Answer in French" -f notes.md',
      'motif chat --demo                  # no service, no login',
      'motif chat --json < questions.txt  # each line with all turns before it',
    ],
    flags: chatFlags,
    footer,
    run: runChat,
  });
}

async function runChat(typed: Run<ChatFlags>): Promise<void> {
  const run: ChatRun = { ...typed, typed: {} };
  const { world, flags } = run;
  let identity: PromptIdentity | undefined;
  const facts = ({ status, attempts }: MotifError) => ({ ...identity, status: status ?? null, attempts });
  await addingFacts(facts, async () => {
    checkStdin(flags, world);
    const hasPerson = isInteractive(world);
    const target = await chooseTarget(run, { isDemoLate: hasPerson });
    const { settings } = target;
    identity = identityOf(settings);
    const motif = createChatMotif(run, target);
    if (!hasPerson || !flags.demo) await motif.open();
    const begun = await openOpening(run, { asked: motif, settings });
    if (!hasPerson) return readAll(createChat(createPorts(run, begun), begun), run, settings);
    const { talkAtTerminal } = await import('./typing.ts');
    await talkAtTerminal(run, begun, motif);
  });
}

/** Asks a line of stdin after the other. A block ends nothing; but a script can tell by the code that there was one. */
async function readAll(chat: Chat, run: ChatRun, settings: Settings): Promise<void> {
  const { continue: isLatest, conversation: named } = run.flags;
  // A script that names none needs no writable home, and a person is told after the first turn.
  if (chat.saves && (isLatest || named !== undefined)) await chat.conversation.needWritable();
  const change = changeOfMotif(chat.conversation, chat.asked);
  if (change !== undefined) {
    await refuseUnseenMove(chat.conversation, change, run, { settings, typedProfile: run.flags.profile });
  }
  tellChangeOfMotif(chat);
  await talk(readTurns(run.world), chat);
  if (chat.blockedTurns === 0) return;
  const error = new MotifError('blocked', 'blocked by policy');
  error.isPrinted = true;
  error.hasDocument = true;
  throw error;
}

function checkStdin({ systemFile, messages, template, file = [] }: ChatFlags, { stdin }: World): void {
  const usage = (message: string, hint: string) => new MotifError('usage', message, { hint });
  if ([systemFile, messages, template, ...file].includes('-'))
    throw usage('- cannot be used here, for a chat reads its turns from stdin', 'name a file');
  if (stdin.kind === 'none') throw usage('a chat needs a terminal or a pipe, and stdin is neither', 'motif help chat');
}
