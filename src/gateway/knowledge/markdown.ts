import { Outline, type Section } from './section.ts';

const fence = /^ {0,3}(`{3,}|~{3,})/;
const atxHeading = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const underline = /^ {0,3}(=+|-+)$/;

/** Sections by the headings of Markdown; what is inside stays Markdown. Front matter is not part of the document. */
export function markdownSections(text: string): Section[] {
  const outline = new Outline();
  const lines = withoutFrontMatter(text.split('\n'));
  let openFence = '';
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const mark = fence.exec(line)?.[1] ?? '';
    if (openFence !== '') {
      if (mark.startsWith(openFence) && line.trim() === mark) openFence = '';
    } else if (mark !== '') {
      openFence = mark;
    } else {
      const heading = headingAt(lines, index);
      if (heading !== undefined) {
        outline.open(heading.level, heading.title);
        index += heading.lines - 1;
        continue;
      }
    }
    outline.add(`${line}\n`);
  }
  return outline.end();
}

interface Heading {
  readonly level: number;
  readonly title: string;
  readonly lines: number;
}

function headingAt(lines: readonly string[], index: number): Heading | undefined {
  const line = lines[index]!;
  const atx = atxHeading.exec(line);
  if (atx !== null) return { level: atx[1]!.length, title: titleOf(atx[2]!), lines: 1 };
  const below = underline.exec(lines[index + 1]?.trimEnd() ?? '')?.[1];
  // A line under a blank one or under a list is a rule across the page, and no heading.
  const isText = /^ {0,3}[^\s>|*+#-]/.test(line) && (lines[index - 1] ?? '').trim() === '';
  return below !== undefined && isText
    ? { level: below.startsWith('=') ? 1 : 2, title: titleOf(line), lines: 2 }
    : undefined;
}

/** A title without the hashes that may close it and without the marks of emphasis and code. */
function titleOf(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === '#') end--;
  const open = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t' ? text.slice(0, end) : text;
  return open.replace(/[*`]/g, '').trim();
}

function withoutFrontMatter(lines: readonly string[]): readonly string[] {
  if (lines[0]?.trimEnd() !== '---') return lines;
  const end = lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)\s*$/.test(line));
  return end === -1 ? lines : lines.slice(end + 1);
}
