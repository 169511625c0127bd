import type { Command } from 'commander';
import { createClient, type Outcome } from '../../client/client.ts';
import { MotifError, StdoutClosed } from '../../errors.ts';
import { composeMessages, composeText, type Parts } from '../../messages/compose.ts';
import type { Settings } from '../../settings/resolve.ts';
import { promptBytesMax } from '../../text/limits.ts';
import type { Timings } from '../../wire/http.ts';
import type { Message } from '../../wire/request.ts';
import type { World } from '../../world/world.ts';
import { documentingFailure } from '../shared/documents.ts';
import { editText, type Edited } from '../shared/edit.ts';
import { type ConnectionFlags, describe, withConnection } from '../shared/flags.ts';
import { createNotice, createSpinner, type Notice } from '../shared/notices.ts';
import { openOutputFile, type OutputFile } from '../shared/output-file.ts';
import { blankPromptDocument, checkFieldPath, type Known, knownOf } from '../shared/prompt-document.ts';
import type { Composition, Talk } from './conversation.ts';
import { type PartFlags, readParts, withParts } from '../shared/prompt-parts.ts';
import { showRequest } from './request.ts';
import {
  chooseDestination,
  type EmbeddedFlags,
  type Destination,
  type DestinationChoice,
  isEmbedded,
  withEmbedded,
} from '../target.ts';
import { type ResultFlags, sayTimings, showResult } from '../shared/prompt-result.ts';
import { tooLarge } from '../shared/stdin.ts';

/** The flags that make a prompt a turn of a conversation. */
export interface ConversationFlags {
  readonly save?: string;
  readonly continue?: boolean;
  readonly conversation?: string;
}

export interface PromptFlags extends ConnectionFlags, EmbeddedFlags, PartFlags, ResultFlags, ConversationFlags {
  readonly edit?: boolean;
  readonly dryRun?: boolean;
  readonly curl?: boolean;
  readonly output?: string;
  readonly blockedNotice?: string;
}

export function registerPrompt(command: Command, world: World): void {
  describe(command, 'Send one prompt to a Motif and print the answer', [
    'motif prompt "How long can I return a kettle?"',
    'git diff | motif prompt "Review this change"',
    `motif prompt -s "Answer in French" -f notes.md -f 'src/*.ts' Summarize`,
    'motif prompt -t reply.txt --var name=Ana -o reply.md',
    'motif prompt --json --expect blocked -- "$UNTRUSTED"',
    'motif prompt -c "And a toaster?"   a turn of the latest conversation',
    'motif prompt --dry-run hello       what would be sent; --curl as a command',
  ]).argument('[words...]', 'the prompt; a piped stdin is added after it');
  withResult(withConversation(withParts(command)));
  withEmbedded(withConnection(command))
    .option('--blocked-notice <text>', "your organization's words after a block")
    .action((words: string[]) => runPrompt(world, words, command.optsWithGlobals<PromptFlags>()));
}

function withConversation(command: Command): Command {
  return command
    .option('--save <title>', 'keep prompt and answer as a new conversation')
    .option('-c, --continue', 'a turn of the latest conversation, which is sent before it')
    .option('--conversation <id|title>', 'the same with this one; -s replaces its system message');
}

function withResult(command: Command): Command {
  return command
    .option('--no-stdin', 'do not read a piped stdin (or MOTIF_NO_STDIN=1)')
    .option('-e, --edit', 'edit the prompt in $EDITOR first')
    .option('-o, --output <file>', 'the answer into this file, if there is one')
    .option('-x, --extract', 'only the first code block of the answer')
    .option('--block <n|language>', 'only that code block')
    .option('--raw', 'no Markdown on a terminal')
    .option('--json', 'print the whole result as one JSON document')
    .option('--field <path>', 'print one value of it, for example usage.total_tokens')
    .option('-u, --usage', 'say tokens and time, also where stderr is no terminal')
    .option('-v, --verbose', 'say how long each phase took')
    .option('--expect <outcome>', 'answered, blocked or any: exit 0 if so, 1 if not')
    .option('--dry-run', 'print the request instead of sending it')
    .option('--curl', 'print the request as a curl command instead');
}

export async function runPrompt(world: World, words: string[], flags: PromptFlags): Promise<void> {
  const startedAt = world.monotonic();
  let known: Known | undefined;
  const facts = () => ({ ...blankPromptDocument, ...known, elapsed_ms: Math.round(world.monotonic() - startedAt) });
  await documentingFailure(flags, facts, world, async () => {
    checkFlags(flags);
    const choice = await chooseDestination(flags, world, createNotice(world, flags));
    known = knownOf(choice.settings);
    await promptWith(choice, known, world, words, flags);
  });
}

async function promptWith(
  { settings, open }: DestinationChoice,
  known: Known,
  world: World,
  words: string[],
  flags: PromptFlags,
): Promise<void> {
  const notice = createNotice(world, flags);
  const isShown = flags.dryRun === true || flags.curl === true;
  const destination = isShown ? undefined : await open();
  if (destination !== undefined && !isEmbedded(flags)) await world.expectShortRun();
  const talk = await openTalk(flags, known, world, notice);
  const composed = await composePrompt(words, { flags, settings, talk, notice }, world);
  let isKept = false;
  try {
    if (destination === undefined) return await showRequest(settings, composed.messages, flags, world, notice);
    const outcome = await ask(destination, composed.messages, flags, world);
    const unsaved = await talk?.keep(composed, outcome);
    await showResult(outcome, { known, settings, flags, output: composed.output, unsaved }, world, notice);
  } catch (error) {
    const isOver = error instanceof StdoutClosed || (error instanceof MotifError && error.kind === 'blocked');
    if (!isOver) await composed.edited?.sayKept(error);
    isKept = !isOver;
    throw error;
  } finally {
    if (!isKept) await composed.edited?.discard();
  }
}

/** The conversation that this prompt is a turn of, if a flag says so. */
async function openTalk(flags: PromptFlags, known: Known, world: World, notice: Notice): Promise<Talk | undefined> {
  if (flags.save === undefined && !flags.continue && flags.conversation === undefined) return undefined;
  return (await import('./conversation.ts')).openTalk(flags, known, world, notice);
}

/** Waits for the outcome with a spinner. A failure after a reply has timings too, which -v shows. */
async function ask(
  { connection, tools }: Destination,
  messages: readonly Message[],
  flags: PromptFlags,
  world: World,
): Promise<Outcome> {
  const spinner = await createSpinner(world, flags);
  const seen: { timings?: Timings } = {};
  const client = createClient(connection, tools, {
    notice: createNotice(world, flags, spinner),
    replied: (timings) => void (seen.timings = timings),
  });
  spinner?.start('waiting for the answer');
  try {
    return await client.prompt(messages, world.interrupted).finally(() => spinner?.stop());
  } catch (error) {
    if (error instanceof MotifError && seen.timings !== undefined) {
      await sayTimings(seen.timings, error.attempts, flags, world);
    }
    throw error;
  }
}

interface Composed extends Composition {
  readonly output: OutputFile | undefined;
  readonly edited: Edited | undefined;
}

interface Composing {
  readonly flags: PromptFlags;
  readonly settings: Settings;
  readonly talk: Talk | undefined;
  readonly notice: Notice;
}

async function composePrompt(
  words: string[],
  { flags, settings, talk, notice }: Composing,
  world: World,
): Promise<Composed> {
  const { parts, identities } = await readParts(words, flags, world, { timeoutMs: settings.timeout.value, notice });
  const output =
    flags.output === undefined || flags.output === '-'
      ? undefined
      : await openOutputFile(flags.output, identities, world);
  const edited = flags.edit ? await editText(composeText(parts), world) : undefined;
  const { messages, own } = talk === undefined ? composeAlone(parts, edited?.text) : talk.compose(parts, edited?.text);
  const size = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (size > promptBytesMax) {
    const error = tooLarge('the prompt');
    await edited?.sayKept(error);
    throw error;
  }
  if (own.length > 0) return { messages, own, output, edited };
  await edited?.discard();
  throw new MotifError('usage', 'there is nothing to send: the prompt is empty', {
    hint: ['motif prompt "your question", a pipe, or -f FILE', 'motif help prompt'],
  });
}

function composeAlone(parts: Parts, editedText: string | undefined): Composition {
  const messages = composeMessages(parts, editedText);
  return { messages, own: messages };
}

function checkFlags(flags: PromptFlags): void {
  const { json, field, output, expect, block } = flags;
  const isExtracting = flags.extract === true || block !== undefined;
  const usage = (message: string, hint: string) => new MotifError('usage', message, { hint });
  if (expect !== undefined && !['answered', 'blocked', 'any'].includes(expect))
    throw usage('--expect takes answered, blocked or any', 'motif help prompt');
  if (json && field !== undefined) throw usage('--json and --field both say what stdout gets', 'give one of them');
  if (flags.curl && (flags.demo || flags.local !== undefined)) {
    throw usage('--curl needs an address, and an embedded gateway has none', 'motif serve gives it one');
  }
  if (flags.curl && (json || field !== undefined))
    throw usage(
      `--curl and ${json ? '--json' : '--field'} both say what stdout gets`,
      '--dry-run --json is a document',
    );
  if (flags.dryRun && flags.curl) throw usage('--dry-run and --curl both say what stdout gets', 'give one of them');
  if (isExtracting && (json || field !== undefined) && output === undefined) {
    throw usage(`-x and ${json ? '--json' : '--field'} both say what stdout gets`, 'give -x a file: -o FILE');
  }
  if (block !== undefined && /^0*$/.test(block))
    throw usage('--block takes a number from 1 on, or a language', 'for example --block 2 or --block python');
  if (field !== undefined) checkFieldPath(field);
  const { save, continue: isContinued, conversation } = flags;
  if (isContinued && conversation !== undefined)
    throw usage('-c and --conversation both name a conversation', 'give one');
  if (save !== undefined && (isContinued || conversation !== undefined))
    throw usage('--save begins a conversation, and -c or --conversation continue one', 'give one of them');
}
