import type { Message } from '../wire/request.ts';
import type { Hit, Place } from './vocabulary.ts';
import { knowledgeMessage, type RetrievedPassage, spansOf } from './knowledge/message.ts';

/** The messages for a provider: the Motif's own first, then passages of its knowledge, then the client's. */
export interface Composition {
  readonly messages: readonly Message[];
  readonly hasSystem: boolean;
  /** Those of the message after the Motif's own; none: there is no such message. */
  readonly passages: readonly RetrievedPassage[];
}

interface CompositionParts {
  readonly system: string | undefined;
  readonly retrieve: (question: string) => readonly RetrievedPassage[];
}

export function compose(prompt: readonly Message[], { system, retrieve }: CompositionParts): Composition {
  const question = prompt.findLast(({ role }) => role === 'user')?.content ?? '';
  const passages = retrieve(question);
  const hasSystem = system !== undefined && system !== '';
  const before: Message[] = hasSystem ? [{ role: 'system', content: system }] : [];
  if (passages.length > 0) before.push({ role: 'system', content: knowledgeMessage(passages) });
  return { messages: [...before, ...prompt], hasSystem, passages };
}

/** The hit with its place as people count it: the client's messages alone, and passages each by its file. */
export function placed<H extends Hit>(hit: H, { hasSystem, passages }: Omit<Composition, 'messages'>): H {
  const { message, start } = hit;
  if (message === null) return hit;
  const own = hasSystem ? 1 : 0;
  const first = own + (passages.length > 0 ? 1 : 0);
  if (message >= first) return { ...hit, place: { of: 'client', message: message - first, start } };
  if (message < own) return { ...hit, place: { of: 'system', start } };
  return { ...hit, place: placeInPassages(passages, start) };
}

function placeInPassages(passages: readonly RetrievedPassage[], start: number): Place {
  const spans = spansOf(passages);
  const found = spans.findLastIndex((span) => span.start <= start);
  // A finding that begins before the first passage is in the line that introduces them.
  if (found === -1) return { of: 'system', start };
  const { base, file, number } = passages[found]!;
  const { textStart } = spans[found]!;
  const isInTitle = start < textStart;
  const part = isInTitle ? 'source' : 'text';
  return {
    of: 'knowledge',
    base,
    file,
    passage: number,
    part,
    start: start - (isInTitle ? spans[found]!.start : textStart),
  };
}
