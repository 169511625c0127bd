import { join } from 'node:path';
import { createConversations } from '../../../src/conversations/store.ts';
import { turn } from './conversations.ts';
import { motif, type MotifSetup, type Run } from '../motif.ts';
import { fakeWorld, type FakeWorld } from '../world.ts';

/** The moment of the clock in all that is below. */
export const now = Date.UTC(2026, 10, 21, 12);
const dayMs = 24 * 3600 * 1000;

interface Told {
  readonly title?: string;
  readonly motifId?: string | null;
  /** Age; absent: just now. */
  readonly daysAgo?: number;
  /** Questions, or pairs of a question and its answer. */
  readonly turns?: readonly (string | readonly [question: string, answer: string])[];
}

export function historyFolder({ home = '' }: FakeWorld): string {
  return join(home, '.local/state/motif/conversations');
}

/** A home in which these conversations are saved, and their ids in the same order. */
export async function homeWith(
  ...talks: readonly Told[]
): Promise<{ readonly after: FakeWorld; readonly ids: readonly string[] }> {
  const after = fakeWorld({});
  const ids: string[] = [];
  for (const { title, motifId = 'support-bot', daysAgo = 0, turns = ['one'] } of talks) {
    const world = { ...after, now: () => now - daysAgo * dayMs };
    const facts = { motifId, profile: null, ...(title === undefined ? {} : { title }) };
    const talk = await createConversations(world, historyFolder(after)).create(facts);
    for (const each of turns) await talk.addTurn(typeof each === 'string' ? turn(each) : turn(...each));
    ids.push(talk.id);
  }
  return { after, ids };
}

/** `motif history` at that moment. */
export async function history(argv: readonly string[], setup: MotifSetup = {}): Promise<Run> {
  return motif(['history', ...argv], { now, env: {}, ...setup });
}
