import type { Span } from '../../readings/view.ts';
import type { Entity } from './entity.ts';

/** Words right beside a number that say that it is something else, and what counts for more than they do. */

/** So far before a number such a word may begin. */
export const leadCharacters = 40;

/** True where a word of the topic of a number stands in a part of a text, or so near it. */
export type IsNamed = (span: Span, before?: number, behind?: number) => boolean;

/** The fault of a number that a word right beside it calls something else; undefined: there is no such word. */
export function otherNumber({ notAfter, notBefore }: Entity, text: string, { start, end }: Span): string | undefined {
  if (endsInMoment(text, start, end)) return 'it reaches into the moment that the next line begins with';
  const from = Math.max(0, start - leadCharacters);
  if (notAfter !== undefined) notAfter.lastIndex = start - from;
  if (notAfter?.test(text.slice(from, end)) === true) return 'the word before it says that it is something else';
  return notBefore?.test(text.slice(end, end + leadCharacters)) === true
    ? 'the word behind it says that it is something else'
    : undefined;
}

/** The date and the time that a line of a log begins with. */
const moment = /^\d{2,4}[-/.]?\d\d(?:[-/.]?\d\d)?[-T ,]{1,2}\d\d:\d\d/;
const momentCharacters = 24;

function endsInMoment(text: string, start: number, end: number): boolean {
  const line = start + text.slice(start, end).lastIndexOf('\n') + 1;
  return line > start && moment.test(text.slice(line, line + momentCharacters));
}

/** True where the word of the topic stands right before it, or its form is that of no other number. */
export function isCalledSo({ unless }: Entity, text: string, { start, end }: Span, isNamed: IsNamed): boolean {
  if (unless === undefined) return false;
  if (unless.form.test(text.slice(start, end))) return true;
  const from = Math.max(0, start - leadCharacters);
  const lead = text.slice(from, start);
  const to = lead.search(unless.label);
  const word = /(?:travel )?\p{L}+$/iu.exec(lead.slice(0, to))?.index;
  return word !== undefined && isNamed({ start: from + word, end: from + to }, 0, 0);
}
