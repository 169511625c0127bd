import type { Piecework } from '../../text/turns.ts';
import { readHtml } from './html.ts';
import { Lines, Pauses, withNewlines } from './lines.ts';
import { readMarkdown } from './markdown.ts';
import { Outline, type Passage } from './outline.ts';

/** Splits a document into passages, at its headings first. `fileName` decides how it is read and names the source. */
export function* readPassages(text: string, fileName: string): Piecework<Passage[]> {
  const [, stem = fileName, ending = ''] = /^(.+)\.([A-Za-z0-9]+)$/.exec(fileName) ?? [];
  const outline = new Outline(stem);
  if (/^(?:x?html|htm)$/i.test(ending)) yield* readHtml(text, outline);
  else if (/^(?:md|markdown)$/i.test(ending)) yield* readMarkdown(yield* withNewlines(text), outline);
  else yield* readPlainText(yield* withNewlines(text), outline);
  return outline.end();
}

function* readPlainText(text: string, outline: Outline): Piecework<void> {
  const lines = new Lines(text);
  const pauses = new Pauses();
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    yield* outline.add(line);
    if (pauses.isDue(lines.at)) yield;
  }
}
