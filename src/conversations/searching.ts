import { MotifError } from '../errors.ts';
import { isLatin, toSearchable } from '../text/searchable.ts';
import type { Message } from '../wire/request.ts';
import type { FoundConversation, FoundLine, Summary } from './conversation.ts';

const wordsMax = 20;
const linePoints = 1;
const wholeWordPoints = 1;
/** More than texts alone can reach. */
const titlePoints = 30;
/** A conversation that repeats a word a thousand times is not a thousand times better. */
const pointsMax = 20;

/** Words and "phrases" as they are compared. */
export function parseQuery(query: string): readonly string[] {
  const parts = [...query.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([all, phrase]) => phrase ?? all);
  const words = parts.map((part) => toSearchable(part.trim().replace(/\s+/g, ' '))).filter((word) => word !== '');
  if (words.length === 0) {
    throw new MotifError('usage', 'there is nothing to search for', {
      hint: `words, or a phrase in quotes: motif history search 'kettle "free shipping"'`,
    });
  }
  if (words.length > wordsMax) throw new MotifError('usage', `a search takes at most ${wordsMax} words and phrases`);
  return [...new Set(words)];
}

/**
 * True where a file may hold all of the words, as far as its text tells at once: that spares taking most files apart.
 * Only what JSON writes as it is can be looked for that way, and only where a look costs less than taking it apart.
 */
export function mayHold(json: string, words: readonly string[]): boolean {
  if (!isLatin(json)) return true;
  const text = toSearchable(json);
  const parts = words.flatMap((word) => word.split(' '));
  return parts.every((part) => /["\\\p{C}]/u.test(part) || text.includes(part));
}

/** Rank of a conversation, and its matching lines; undefined unless it holds each of the words. */
export function rate(
  summary: Summary,
  messages: readonly Message[],
  words: readonly string[],
): FoundConversation | undefined {
  const points = new Map(words.map((word) => [word, 0]));
  const title = toSearchable(summary.title ?? '');
  for (const word of words) if (title.includes(word)) points.set(word, titlePoints);
  const lines: FoundLine[] = [];
  for (const { role, content } of messages) {
    const text = toSearchable(content);
    const apart = words.filter((word) => word.includes(' ') && isBrokenUp(text, word));
    for (const word of apart) gain(word, linePoints, points);
    const wanted = [...words, ...apart.map((phrase) => phrase.slice(0, phrase.indexOf(' ')))];
    const here = wanted.filter((word) => text.includes(word));
    if (here.length > 0) rateLines(role, content, { text, here, points, lines });
  }
  if ([...points.values()].includes(0)) return undefined;
  const score = [...points.values()].reduce((sum, each) => sum + each, 0);
  return { summary, score, lines };
}

/** The lines with the most points, in the order of the conversation. */
export function bestLines(lines: FoundConversation['lines'], max: number): FoundConversation['lines'] {
  const best = new Set(lines.toSorted((one, other) => other.points - one.points).slice(0, max));
  return lines.filter((line) => best.has(line));
}

/** True where a phrase is there, but goes over the end of a line; then the line of its first word is shown. */
function isBrokenUp(text: string, phrase: string): boolean {
  if (text.includes(phrase) || !text.includes('\n')) return false;
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join(' ')
    .includes(phrase);
}

/** The first word of a phrase is searched for too, but is not a word of the query. */
function gain(word: string, gained: number, points: Map<string, number>): void {
  const known = points.get(word);
  if (known === undefined) return;
  points.set(word, Math.min(known + gained, pointsMax + (known < titlePoints ? 0 : titlePoints)));
}

interface Rating {
  /** The content as it is compared; its lines are those of the content. */
  readonly text: string;
  readonly here: readonly string[];
  readonly points: Map<string, number>;
  readonly lines: FoundLine[];
}

/** Adds to the rate of each word, and keeps the lines in which one stands. */
function rateLines(role: string, content: string, { text, here, points, lines }: Rating): void {
  const originals = content.split('\n');
  for (const [index, line] of text.split('\n').entries()) {
    let sum = 0;
    for (const word of here) {
      const at = line.indexOf(word);
      if (at === -1) continue;
      const gained = linePoints + (isWhole(line, at, word.length) ? wholeWordPoints : 0);
      sum += gained;
      gain(word, gained, points);
    }
    if (sum > 0) lines.push({ role, text: originals[index] ?? '', points: sum });
  }
}

const letter = /[\p{L}\p{N}]/u;

function isWhole(text: string, at: number, length: number): boolean {
  return !letter.test(text.charAt(at - 1)) && !letter.test(text.charAt(at + length));
}
