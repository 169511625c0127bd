import type { Piecework } from '../../text/turns.ts';
import { Lines, Pauses } from './lines.ts';
import type { Outline } from './outline.ts';

const fence = /^ {0,3}(`{3,}|~{3,})/;
const atxHeading = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const underline = /^ {0,3}(=+|-+)$/;

/** Reads sections by the headings of Markdown; what is inside stays Markdown. Front matter is no part of a document. */
export function* readMarkdown(text: string, outline: Outline): Piecework<void> {
  const lines = new Lines(text, yield* endOfFrontMatter(text));
  const pauses = new Pauses();
  let openFence = '';
  let isBelowBlank = true;
  let line = lines.next();
  while (line !== undefined) {
    let next = lines.next();
    const isBlank = line.trim() === '';
    const mark = (isBlank ? null : fence.exec(line))?.[1] ?? '';
    const isText = isBlank || openFence !== '' || mark !== '';
    const heading = isText ? undefined : headingAt(line, next, isBelowBlank);
    if (openFence === '') openFence = mark;
    else if (mark.startsWith(openFence) && line.trim() === mark) openFence = '';
    if (heading === undefined) {
      yield* outline.add(line);
      isBelowBlank = isBlank;
    } else {
      outline.open(heading.level, heading.title);
      isBelowBlank = false;
      if (heading.isUnderlined) next = lines.next();
    }
    line = next;
    if (pauses.isDue(lines.at)) yield;
  }
}

interface Heading {
  readonly level: number;
  readonly title: string;
  readonly isUnderlined: boolean;
}

function headingAt(line: string, next: string | undefined, isBelowBlank: boolean): Heading | undefined {
  const atx = atxHeading.exec(line);
  if (atx !== null) return { level: atx[1]!.length, title: titleOf(atx[2]!), isUnderlined: false };
  // A line under a blank one or under a list is a rule across the page, and no heading.
  if (!isBelowBlank || !/^ {0,3}[^\s>|*+#-]/.test(line)) return undefined;
  const below = underline.exec(next?.trimEnd() ?? '')?.[1];
  if (below === undefined) return undefined;
  return { level: below.startsWith('=') ? 1 : 2, title: titleOf(line), isUnderlined: true };
}

/** A title without the hashes that may close it and without the marks of emphasis and code. */
function titleOf(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === '#') end--;
  const open = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t' ? text.slice(0, end) : text;
  return open.replace(/[*`]/g, '').trim();
}

function* endOfFrontMatter(text: string): Piecework<number> {
  const lines = new Lines(text);
  if (lines.next()?.trimEnd() !== '---') return 0;
  const pauses = new Pauses();
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (/^(---|\.\.\.)\s*$/.test(line)) return lines.at;
    if (pauses.isDue(lines.at)) yield;
  }
  return 0;
}
