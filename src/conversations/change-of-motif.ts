import { defuseLine } from '../text/defuse.ts';
import type { Head } from './conversation.ts';
import { untitled } from './title.ts';

/** What is said before a conversation goes on with another Motif; undefined where it is the same, or one is not known. */
export function changeOfMotif(
  { id, title, motifId }: Pick<Head, 'id' | 'title' | 'motifId'>,
  askedId: string | null,
): string | undefined {
  if (motifId === null || askedId === null || motifId === askedId) return undefined;
  const [before, now] = [defuseLine(motifId, 64), defuseLine(askedId, 64)];
  return `conversation ${id} (${defuseLine(title ?? untitled, 200)}) was with ${before}, and goes on with ${now}`;
}
