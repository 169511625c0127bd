import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type {
  Conversation,
  Conversations,
  NewConversation,
  Turn,
  TurnOutcome,
} from '../../../src/conversations/conversation.ts';
import { createConversations } from '../../../src/conversations/store.ts';
import { MotifError } from '../../../src/errors.ts';
import { FileFault, type Files } from '../../../src/world/world.ts';
import { fakeWorld, type FakeWorld } from '../world.ts';

export const outcome: TurnOutcome = {
  promptId: '01JD0000000000000000000000',
  finishReason: 'stop',
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  elapsedMs: 12,
};

/** A turn that asks one thing and gets one answer. */
export function turn(question: string, answer = `answer to ${question}`): Turn {
  return { messages: [{ role: 'user', content: question }], answer, outcome };
}

export const user = (content: string) => ({ role: 'user', content });
export const assistant = (content: string) => ({ role: 'assistant', content });
export const system = (content: string) => ({ role: 'system', content });

export interface Shelf {
  readonly world: FakeWorld;
  readonly saved: Conversations;
  readonly folder: string;
  /** Another process on the same folder. */
  readonly other: Conversations;
  /** From here on, saving meets this fault; undefined: none any more. */
  readonly fail: (code: string | undefined) => void;
  /** A conversation with these questions asked in it. */
  readonly told: (facts: Partial<NewConversation>, ...questions: readonly string[]) => Promise<Conversation>;
}

/** A folder of conversations of a test's own, where saving can be made to fail. */
export function shelf(): Shelf {
  const world = fakeWorld({ now: Date.UTC(2026, 10, 21, 12) });
  const folder = join(world.home ?? '', '.local/state/motif/conversations');
  let failing: string | undefined;
  const files: Files = {
    ...world.files,
    append: async (path, line, options) => {
      if (failing !== undefined) throw new FileFault(path, failing, 'the disk is full');
      await world.files.append(path, line, options);
    },
  };
  const saved = createConversations({ ...world, files }, folder);
  return {
    world,
    folder,
    saved,
    other: createConversations(world, folder),
    fail: (code) => void (failing = code),
    async told(facts, ...questions) {
      const conversation = await saved.create({ motifId: 'support-bot', profile: null, ...facts });
      for (const question of questions) {
        await world.advance(1000);
        await conversation.addTurn(turn(question));
      }
      return conversation;
    },
  };
}

/** The lines of a conversation's file, as JSON. */
export function linesOf({ path }: { readonly path: string }): readonly Record<string, unknown>[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

export const headLine = {
  v: 1,
  id: 'x',
  title: 'From a file',
  created: '2026-11-21T10:00:00.000Z',
  motif_id: 'support-bot',
  profile: null,
};

/** Puts a file into the folder as somebody else would have; texts go in as they are, objects as JSON. */
export function put(folder: string, id: string, ...lines: readonly (object | string | Uint8Array)[]): string {
  const path = join(folder, `${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, '', { mode: 0o600 });
  for (const line of lines) {
    const isRaw = typeof line === 'string' || line instanceof Uint8Array;
    appendFileSync(path, isRaw ? line : `${JSON.stringify(line)}\n`);
  }
  return path;
}

/** The failure that some work ends in. */
export async function failure(work: Promise<unknown>): Promise<MotifError> {
  const error: unknown = await work.then(
    () => 'no failure',
    (thrown: unknown) => thrown,
  );
  if (error instanceof MotifError) return error;
  throw new Error(String(error));
}
