import { MotifError } from '../errors.ts';
import { defuseLine, quotedLine } from '../text/defuse.ts';
import { toSearchable } from '../text/searchable.ts';
import { closest } from '../text/similar.ts';
import type { Conversations, Summary } from './conversation.ts';
import { isId } from './file-name.ts';
import { checkTitle, titleCharactersMax, toTitle, untitled } from './title.ts';

const shownMax = 5;
/** The most titles that a mistyped one is compared with, the newest first. */
const comparedMax = 2000;

/** The newest first. */
export function byAge(summaries: readonly Summary[]): readonly Summary[] {
  return summaries.toSorted((one, other) => (one.updated < other.updated ? 1 : one.updated > other.updated ? -1 : 0));
}

/**
 * The one that a person means by an id, a title, or the beginning of either; the whole of one goes before a beginning,
 * and a title as it was typed before one that only looks like it.
 */
export function chooseConversation(name: string, summaries: readonly Summary[]): Summary {
  const wanted = toSearchable(name.trim());
  const titleOf = ({ title }: Summary) => (title === null ? '' : toSearchable(title));
  const typed = toTitle(name);
  const exact: readonly ((summary: Summary) => boolean)[] = [
    ({ id }) => id === name,
    ({ title }) => title !== null && (title === name || title === typed),
  ];
  const similar: readonly ((summary: Summary) => boolean)[] = [
    (summary) => titleOf(summary) === wanted,
    ({ id }) => isId(wanted) && id.startsWith(wanted),
    (summary) => titleOf(summary).startsWith(wanted),
  ];
  // Marks alone compare as nothing, and everything begins with nothing.
  for (const isMeant of wanted === '' ? exact : [...exact, ...similar]) {
    const meant = summaries.filter(isMeant);
    if (meant.length > 1) throw ambiguous(name, byAge(meant));
    if (meant[0] !== undefined) return meant[0];
  }
  if (wanted === '') {
    throw new MotifError('usage', 'the name of a conversation needs a letter or a digit', { hint: listHint });
  }
  throw unknown(name, byAge(summaries));
}

interface TitleContext {
  /** The conversation that may keep its title. */
  readonly own?: string | undefined;
  readonly hint: (id: string) => readonly string[];
}

/** The fault of a title that another conversation has, for only their IDs would tell the two apart. `hint` leads on. */
export async function takenTitle(
  typed: string,
  saved: Pick<Conversations, 'list'>,
  { own, hint }: TitleContext,
): Promise<MotifError | undefined> {
  const title = checkTitle(typed);
  const all = await saved.list().catch(() => []);
  const taken = all.find((summary) => summary.title === title && summary.id !== own);
  if (taken === undefined) return undefined;
  return new MotifError('usage', `there is a conversation ${quotedLine(title)} already: ${taken.id}`, {
    hint: hint(taken.id),
  });
}

/** Refuses such a title. */
export async function refuseTakenTitle(...asked: Parameters<typeof takenTitle>): Promise<void> {
  const taken = await takenTitle(...asked);
  if (taken !== undefined) throw taken;
}

/** The title of a copy: with a number behind it that no conversation of that title but `own` has yet. */
export async function copyTitle(title: string, saved: Pick<Conversations, 'list'>, own?: string): Promise<string> {
  const others = (await saved.list().catch(() => [])).filter(({ id }) => id !== own);
  const taken = new Set(others.map((summary) => summary.title));
  const stem = title.replace(/ \(\d+\)$/, '').slice(0, titleCharactersMax - 10);
  for (let number = 2; ; number += 1) {
    const copy = `${stem} (${number})`;
    if (!taken.has(copy) && copy !== title) return copy;
  }
}

export function noConversation(): MotifError {
  return new MotifError('usage', 'there is no saved conversation', {
    hint: ['motif chat saves what is said', 'and so does a prompt with a title: motif prompt --save TITLE ...'],
  });
}

const listHint = 'motif history list shows them; the beginning of an ID is enough';

function ambiguous(name: string, meant: readonly Summary[]): MotifError {
  const more = meant.length > shownMax ? [`and ${meant.length - shownMax} more`] : [];
  return new MotifError('usage', `${meant.length} conversations fit ${quotedLine(name)}`, {
    notes: [...meant.slice(0, shownMax).map((one) => `${describe(one)}, ${minuteOf(one)}`), ...more],
    hint: 'name one by its ID',
  });
}

function unknown(name: string, newest: readonly Summary[]): MotifError {
  if (newest.length === 0) return noConversation();
  const near = suggest(toSearchable(name), newest.slice(0, comparedMax));
  return new MotifError('usage', `there is no conversation ${quotedLine(name)}`, {
    hint: near === undefined ? [searchHint, listHint] : [`did you mean ${describe(near)}?`, listHint],
  });
}

const searchHint = 'motif history search WORDS looks into their texts';

function suggest(wanted: string, summaries: readonly Summary[]): Summary | undefined {
  const titles = summaries.map(({ title }) => toSearchable(title ?? ''));
  const near = closest(wanted, titles) ?? titles.find((title) => title.includes(wanted));
  if (near !== undefined) return summaries[titles.indexOf(near)];
  // The beginning of a title is a name as well, and mistyped as easily.
  const words = wanted.split(' ').length;
  const beginnings = titles.map((title) => title.split(' ', words).join(' '));
  const begun = closest(wanted, beginnings);
  if (begun !== undefined) return summaries[beginnings.indexOf(begun)];
  const ids = summaries.map(({ id }) => id);
  const nearId = isId(wanted) ? closest(wanted, ids) : undefined;
  return nearId === undefined ? undefined : summaries[ids.indexOf(nearId)];
}

function minuteOf({ updated }: Summary): string {
  return updated.slice(0, 16).replace('T', ' ');
}

function describe({ id, title }: Summary): string {
  return `${id} (${defuseLine(title ?? untitled, 60)})`;
}
