import { MotifError } from '../errors.ts';
import { defuseLine } from '../text/defuse.ts';
import { clip } from '../text/width.ts';
import type { Message } from '../wire/request.ts';
import type { Head } from './conversation.ts';

const columnsMax = 60;
const charactersMax = 200;
/** A long text is not read to its end for its first words. */
const headCharacters = 1000;

/** The first words that the person said; undefined where there are none. */
export function defaultTitle(messages: readonly Message[]): string | undefined {
  const said = messages.findLast(({ role, content }) => role === 'user' && content.trim() !== '');
  if (said === undefined) return undefined;
  const words = defuseLine(said.content.trim().slice(0, headCharacters).replace(/\s+/g, ' '), headCharacters);
  return clip(words, columnsMax);
}

/** A typed title as it is kept: on one line and harmless. */
export function toTitle(text: string): string {
  return defuseLine(text.trim().replace(/\s+/g, ' '), charactersMax + 1);
}

/** A title fit to be kept. */
export function checkTitle(text: string): string {
  const title = toTitle(text);
  if (title === '') throw new MotifError('usage', 'a title needs at least one character');
  if (title.length > charactersMax) throw new MotifError('usage', `a title has at most ${charactersMax} characters`);
  return title;
}

/** The name of a conversation that has no title. */
export const untitled = 'untitled';

/** The notice before a conversation goes on with another Motif; undefined where it is the same, or one is not known. */
export function changeOfMotif(
  { id, title, motifId }: Pick<Head, 'id' | 'title' | 'motifId'>,
  askedId: string | null,
): string | undefined {
  if (motifId === null || askedId === null || motifId === askedId) return undefined;
  const [before, now] = [defuseLine(motifId, 64), defuseLine(askedId, 64)];
  return `conversation ${id} (${defuseLine(title ?? untitled, 200)}) was with ${before}, and goes on with ${now}`;
}
