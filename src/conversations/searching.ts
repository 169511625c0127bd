import { MotifError } from '../errors.ts';
import { toSearchable } from '../text/searchable.ts';
import type { Message } from '../wire/request.ts';
import type { Found, Summary } from './conversation.ts';

const wordsMax = 20;
const linesMax = 3;
const linePoints = 1;
const wholeWordPoints = 1;
const titlePoints = 10;
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
 * Whether a file can hold all of the words: looks at its bytes as they are, which spares reading most files. Only what
 * JSON writes as it is can be looked for that way.
 */
export function mayHold(json: string, title: string | null, words: readonly string[]): boolean {
  const text = toSearchable(json);
  const name = toSearchable(title ?? '');
  return words.every((word) =>
    word.split(' ').every((part) => /["\\\p{C}]/u.test(part) || text.includes(part) || name.includes(part)),
  );
}

/** How well a conversation fits, and where; undefined unless it holds each of the words. */
export function rate(summary: Summary, messages: readonly Message[], words: readonly string[]): Found | undefined {
  const points = new Map(words.map((word) => [word, 0]));
  const title = toSearchable(summary.title ?? '');
  for (const word of words) if (title.includes(word)) points.set(word, titlePoints);
  const lines: Rated[] = [];
  for (const { role, content } of messages) {
    const apart = words.filter((word) => word.includes(' ') && isBrokenUp(content, word));
    for (const word of apart) points.set(word, Math.min((points.get(word) ?? 0) + linePoints, pointsMax));
    const wanted = [...words, ...apart.map((phrase) => phrase.slice(0, phrase.indexOf(' ')))];
    for (const text of content.split('\n')) {
      const found = rateLine(text, wanted, points);
      if (found > 0) lines.push({ role, text, points: found });
    }
  }
  if ([...points.values()].includes(0)) return undefined;
  const score = [...points.values()].reduce((sum, each) => sum + each, 0);
  const best = lines.toSorted((one, other) => other.points - one.points).slice(0, linesMax);
  const shown = lines.filter((line) => best.includes(line)).map(({ role, text }) => ({ role, text }));
  return { summary, score, lines: shown, lineCount: lines.length };
}

interface Rated {
  readonly role: string;
  readonly text: string;
  readonly points: number;
}

/** Whether a phrase is there, but goes over the end of a line; then the line of its first word is shown. */
function isBrokenUp(content: string, phrase: string): boolean {
  const text = toSearchable(content);
  return !text.includes(phrase) && text.replace(/\s+/g, ' ').includes(phrase);
}

/** What a line is worth; adds to what each word is worth so far. */
function rateLine(line: string, words: readonly string[], points: Map<string, number>): number {
  const text = toSearchable(line);
  let sum = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at === -1) continue;
    const gained = linePoints + (isWhole(text, at, word.length) ? wholeWordPoints : 0);
    sum += gained;
    const known = points.get(word);
    if (known !== undefined) points.set(word, Math.min(known + gained, pointsMax));
  }
  return sum;
}

const letter = /[\p{L}\p{N}]/u;

function isWhole(text: string, at: number, length: number): boolean {
  return !letter.test(text.charAt(at - 1)) && !letter.test(text.charAt(at + length));
}
