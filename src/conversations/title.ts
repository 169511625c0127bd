import { MotifError } from '../errors.ts';
import { defuseLine } from '../text/defuse.ts';
import { clip } from '../text/width.ts';
import type { Message } from '../wire/request.ts';
import type { AskedMotif, Conversation } from './conversation.ts';

const columnsMax = 60;
export const titleCharactersMax = 200;
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
  return defuseLine(text.trim().replace(/\s+/g, ' '), titleCharactersMax + 1);
}

/** A title fit to be kept. */
export function checkTitle(text: string): string {
  const title = toTitle(text);
  if (title === '') throw new MotifError('usage', 'a title needs at least one character');
  if (title.length > titleCharactersMax)
    throw new MotifError('usage', `a title has at most ${titleCharactersMax} characters`);
  return title;
}

/** The name of a conversation that has no title. */
export const untitled = 'untitled';

/** The notice before a conversation goes on elsewhere than its last turn; undefined where it does not. */
export function changeOfMotif(
  { id, title, lastAsked }: Pick<Conversation, 'id' | 'title' | 'lastAsked'>,
  asked: AskedMotif,
): string | undefined {
  if (!isMoved(lastAsked, asked)) return undefined;
  const places = isElsewhere(lastAsked, asked) ? [placeOf(lastAsked), placeOf(asked)] : ['', ''];
  const [was, now] = [lastAsked, asked].map(({ motifId }, at) => `${defuseLine(motifId ?? '', 64)}${places[at]}`);
  return `conversation ${id} (${defuseLine(title ?? untitled, 200)}) was with ${was}, and goes on with ${now}`;
}

/** True for another Motif, or one of the same ID elsewhere, as far as both are known. */
export function isMoved(before: AskedMotif, asked: AskedMotif): boolean {
  if (before.motifId === null || asked.motifId === null) return false;
  return before.motifId !== asked.motifId || isElsewhere(before, asked);
}

function isElsewhere(before: AskedMotif, asked: AskedMotif): boolean {
  return before.service !== undefined && asked.service !== undefined && before.service !== asked.service;
}

function placeOf({ service = '' }: AskedMotif): string {
  if (service === 'demo') return ' of the demo';
  return service === 'local' ? ' of a gateway file' : ` at ${defuseLine(service, 200)}`;
}
