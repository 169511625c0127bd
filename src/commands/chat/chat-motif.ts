import type { ConnectedMotif } from '../../chat/chat.ts';
import { createClient } from '../../client/client.ts';
import { addingFacts, MotifError } from '../../errors.ts';
import { formatDuration } from '../../text/durations.ts';
import { promptBytesMax } from '../../text/limits.ts';
import { createRun, createSpinner, type Run } from '../shared/run.ts';
import { reachFlags, retryFlags } from '../shared/flags/connection.ts';
import { globalFlags } from '../shared/flags/options.ts';
import type { ChatFlags } from './flags.ts';
import { chooseTarget, type Target } from '../target.ts';
import type { Destination } from '../shared/connection/destination.ts';
import { createNotice } from '../shared/notices.ts';
import { identityOf } from '../shared/prompt/document.ts';
import { showResult } from '../shared/prompt/result.ts';
import { tooLarge } from '../shared/stdin.ts';
import type { World } from '../../world/world.ts';

/** A chat with the time that /timeout gave each prompt, whichever Motif is asked; undefined until it was typed. */
export interface ChatRun extends Run<ChatFlags> {
  readonly typed: { timeoutMs?: number };
}

/** A Motif that can be made ready before it is asked. */
export interface ChatMotif extends ConnectedMotif {
  /** Opens it; rejects as the first turn would. */
  open(): Promise<void>;
}

/** A Motif as a chat asks it: with a spinner, and its outcomes shown as `motif prompt` shows them. */
export function createChatMotif(run: ChatRun, { settings, service, open }: Target): ChatMotif {
  const { world, flags, typed } = run;
  // Lines of stdin end with the first failure.
  const more = (duration: string): string => `${isInteractive(world) ? '/timeout' : '--timeout'} ${duration}`;
  const timeLimit = () =>
    typed.timeoutMs === undefined
      ? { timeoutMs: settings.timeout.value, from: settings.timeout.from }
      : { timeoutMs: typed.timeoutMs, from: '/timeout' };
  const identity = identityOf(settings);
  let opening: Promise<Destination> | undefined;
  return {
    profile: identity.profile,
    motifId: identity.motif_id,
    service,
    timeLimit: () => `${formatDuration(timeLimit().timeoutMs)} (${timeLimit().from})`,
    async open() {
      await (opening ??= open());
    },
    async prompt(messages, signal) {
      const size = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
      if (size > promptBytesMax) throw tooLarge('the conversation with this message');
      const { connection, tools } = await (opening ??= open());
      const spinner = await createSpinner(run);
      const { timeoutMs, from } = timeLimit();
      const limits = { timeoutMs, timeoutSource: { from, more } };
      const client = createClient({ ...connection, ...limits }, tools, {
        notice: createNotice(world, flags, spinner),
      });
      spinner?.start('waiting for the answer');
      const either = AbortSignal.any([signal, world.interrupted]);
      const startedAt = world.monotonic();
      const facts = () => ({ elapsed_ms: Math.round(world.monotonic() - startedAt) });
      return await addingFacts(facts, () => client.prompt(messages, either)).finally(() => spinner?.stop());
    },
    async show(outcome, line, stop) {
      try {
        await showResult(run, outcome, { identity, settings, output: undefined, line, stop });
      } catch (error) {
        if (!(error instanceof MotifError) || error.kind !== 'blocked') throw error;
      }
    },
  };
}

/** A person sits there, who can edit a text before it is sent. */
export function isInteractive({ stdin, stderr }: World): boolean {
  return stdin.kind === 'terminal' && stderr.isTerminal;
}

/** Settings of one service alone, though they stand in the same group of flags. */
const boundFlags = ['cert', 'key', 'allowHttp'];

/** Flags that stay in force when a chat goes on with another profile: that says who asks, and where. */
function lastingFlags(flags: ChatFlags): Partial<ChatFlags> {
  const inForce = [reachFlags, retryFlags, globalFlags].flatMap(({ fields }) => Object.keys(fields));
  const lasting = new Set([...inForce, 'blockedNotice'].filter((name) => !boundFlags.includes(name)));
  return Object.fromEntries(Object.entries(flags).filter(([name]) => lasting.has(name)));
}

export async function openProfile({ world, flags, typed }: ChatRun, profile: string): Promise<ConnectedMotif> {
  const run = createRun<ChatFlags>(world, { ...lastingFlags(flags), profile });
  const motif = createChatMotif({ ...run, flags, typed }, await chooseTarget(run));
  await motif.open();
  return motif;
}
