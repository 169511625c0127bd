import type { Command } from 'commander';
import { createClient, type PromptOutcome } from '../../client/client.ts';
import { addingFacts, MotifError, StdoutClosed } from '../../errors.ts';
import { composeMessages, composeText, isPromptEmpty, type Parts } from '../../messages/compose.ts';
import type { Service } from '../../conversations/conversation.ts';
import type { Settings } from '../../settings/resolve.ts';
import { promptBytesMax } from '../../text/limits.ts';
import type { Timings } from '../../wire/http.ts';
import type { Message } from '../../wire/request.ts';
import type { World } from '../../world/world.ts';
import { declare } from '../shared/declare.ts';
import { editText, type Edited } from '../shared/edit.ts';
import { isEmbedded } from '../shared/flags/embedded.ts';
import { createNotice } from '../shared/notices.ts';
import { openOutputFile, type OutputFile } from '../shared/output-file.ts';
import { identityOf, type PromptIdentity } from '../shared/prompt/document.ts';
import type { ComposedPrompt, PromptConversation } from './conversation.ts';
import { type PromptFlags, promptFlags } from './flags.ts';
import type { Destination } from '../shared/connection/destination.ts';
import { readParts } from '../shared/prompt/parts.ts';
import { isLanguageName } from '../../terminal/code-blocks.ts';
import { createSpinner, type Run } from '../shared/run.ts';
import { showRequest } from './request.ts';
import { chooseTarget, type Target } from '../target.ts';
import { sayTimings, showResult } from '../shared/prompt/result.ts';
import { tooLarge } from '../shared/stdin.ts';

export function registerPrompt(command: Command, world: World): void {
  declare(command, world, {
    summary: 'Send one prompt to a Motif and print the answer',
    examples: [
      'motif prompt "How long can I return a kettle?"',
      'git diff | motif prompt "Review this change"',
      `motif prompt -s "Answer in French" -f notes.md -f 'src/*.ts' Summarize`,
      'motif prompt -t reply.txt --var name=Ana -o reply.md',
      'motif prompt --json --expect blocked -- "$UNTRUSTED"',
      'motif prompt -c "And a toaster?"  # a turn of the latest conversation',
      'motif prompt --dry-run hello      # what would be sent; --curl as a command',
    ],
    operands: [['[words...]', 'the prompt; a piped stdin is added after it']],
    flags: promptFlags,
    run: runPrompt,
  });
}

async function runPrompt(run: Run<PromptFlags>, words: readonly string[]): Promise<void> {
  const { world } = run;
  const startedAt = world.monotonic();
  let identity: PromptIdentity | undefined;
  const facts = ({ status, attempts }: MotifError) => ({
    ...identity,
    elapsed_ms: Math.round(world.monotonic() - startedAt),
    status: status ?? null,
    attempts,
  });
  await addingFacts(facts, async () => {
    const choice = await chooseTarget(run);
    identity = identityOf(choice.settings);
    await promptWith(run, choice, identity, words);
  });
}

async function promptWith(
  run: Run<PromptFlags>,
  { settings, service, open }: Target,
  identity: PromptIdentity,
  words: readonly string[],
): Promise<void> {
  const { world, flags } = run;
  const isShown = flags.dryRun === true || flags.curl === true;
  const destination = isShown ? undefined : await open();
  if (destination !== undefined && !isEmbedded(flags)) await world.expectShortRun();
  const conversation = await openPromptConversation(run, { ...identity, service }, isShown ? undefined : settings);
  const composed = await composePrompt(run, words, { settings, conversation });
  let isKept = false;
  try {
    if (destination === undefined) return await showRequest(run, settings, composed.messages);
    const outcome = await ask(run, destination, composed.messages);
    const kept = await conversation?.keep(composed, outcome);
    try {
      await showResult(run, outcome, { identity, settings, output: composed.output, unsaved: kept?.failure });
    } finally {
      for (const text of kept?.notices ?? []) run.notice(text);
    }
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
async function openPromptConversation(
  run: Run<PromptFlags>,
  asked: PromptIdentity & { readonly service: Service },
  settings: Settings | undefined,
): Promise<PromptConversation | undefined> {
  const { save, continue: isContinued, conversation } = run.flags;
  if (save === undefined && !isContinued && conversation === undefined) return undefined;
  return (await import('./conversation.ts')).openPromptConversation(
    run,
    asked,
    settings && {
      settings,
      typedProfile: run.flags.profile,
    },
  );
}

/** Waits for the outcome with a spinner. A failure has timings too, which -v shows. */
async function ask(
  run: Run<PromptFlags>,
  { connection, tools }: Destination,
  messages: readonly Message[],
): Promise<PromptOutcome> {
  const { world, flags } = run;
  const spinner = await createSpinner(run);
  const seen: { timings?: Timings } = {};
  const client = createClient(connection, tools, {
    notice: createNotice(world, flags, spinner),
    timed: (timings) => void (seen.timings = timings),
  });
  spinner?.start('waiting for the answer');
  try {
    return await client.prompt(messages, world.interrupted).finally(() => spinner?.stop());
  } catch (error) {
    if (error instanceof MotifError && seen.timings !== undefined) {
      await sayTimings(run, seen.timings, error.attempts);
    }
    throw error;
  }
}

/** A prompt that is ready to be sent, and where its answer goes. */
interface ReadyPrompt extends ComposedPrompt {
  readonly output: OutputFile | undefined;
  readonly edited: Edited | undefined;
}

async function composePrompt(
  run: Run<PromptFlags>,
  words: readonly string[],
  { settings, conversation }: { readonly settings: Settings; readonly conversation: PromptConversation | undefined },
): Promise<ReadyPrompt> {
  const { world, flags, notice } = run;
  const [word = ''] = words;
  const isWord = flags.extract === true && flags.block === undefined && words.length > run.literalWords;
  if (isWord && isLanguageName(word)) notice(`${word} is taken as a word; --block ${word} takes the first block in it`);
  const parts = await readParts(run, words, settings.timeout.value);
  const output =
    flags.output === undefined || flags.output === '-' ? undefined : await openOutputFile(flags.output, world);
  const edited = flags.edit ? await editText(composeText(parts), world) : undefined;
  const { messages, own } =
    conversation === undefined ? composeAlone(parts, edited?.text) : conversation.compose(parts, edited?.text);
  const size = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (size > promptBytesMax) {
    const error = tooLarge('the prompt');
    await edited?.sayKept(error);
    throw error;
  }
  if (!isPromptEmpty(own)) return { messages, own, output, edited };
  await edited?.discard();
  throw new MotifError('usage', 'there is nothing to send: the prompt is empty', {
    hint: ['motif prompt "your question", a pipe, or -f FILE', 'motif help prompt'],
  });
}

function composeAlone(parts: Parts, editedText: string | undefined): ComposedPrompt {
  const messages = composeMessages(parts, editedText);
  return { messages, own: messages };
}
