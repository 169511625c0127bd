import { MotifError } from '../errors.ts';
import { defuseLine } from '../text/defuse.ts';
import { clip } from '../text/width.ts';
import type { Message } from '../wire/request.ts';
import type { Head, Service } from './conversation.ts';

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

/** The Motif that is asked, and what answers for it. */
export interface AskedMotif {
  readonly motifId: string | null;
  readonly service: Service;
}

/**
 * The notice before a conversation goes on with another Motif, or with one of the same ID elsewhere; undefined where
 * both are the same, or not known.
 */
export function changeOfMotif(before: AskedMotif & Pick<Head, 'id' | 'title'>, asked: AskedMotif): string | undefined {
  if (before.motifId === null || asked.motifId === null) return undefined;
  const isElsewhere = before.service !== asked.service && [before, asked].every(({ service }) => service !== undefined);
  if (before.motifId === asked.motifId && !isElsewhere) return undefined;
  const [was, now] = [before, asked].map((one) => `${defuseLine(one.motifId!, 64)}${isElsewhere ? placeOf(one) : ''}`);
  const title = defuseLine(before.title ?? untitled, 200);
  return `conversation ${before.id} (${title}) was with ${was}, and goes on with ${now}`;
}

function placeOf({ service = '' }: AskedMotif): string {
  if (service === 'demo') return ' of the demo';
  return service === 'local' ? ' of a gateway file' : ` at ${defuseLine(service, 200)}`;
}
