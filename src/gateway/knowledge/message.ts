import type { Message } from '../../wire/request.ts';
import type { Passage } from './outline.ts';

const heading = 'Answer from the passages below where they apply, and name the source in brackets that you used.';

/** A passage, and where it stands for whoever has to find it: its knowledge base, its file, its number in that. */
export interface RetrievedPassage extends Passage {
  readonly base: string;
  readonly file: string;
  readonly number: number;
}

/** The system message that hands passages to a model, each under its source. */
export function knowledgeMessage(passages: readonly Passage[]): string {
  return [heading, ...passages.map(({ source, text }) => `[${source}]\n${text}`)].join('\n\n');
}

/** The place of each passage in such a message, from the line of its source on, and where its text begins. */
export function spansOf(passages: readonly Passage[]): { readonly start: number; readonly textStart: number }[] {
  let at = heading.length;
  return passages.map(({ source, text }) => {
    const start = at + '\n\n'.length;
    const textStart = start + `[${source}]\n`.length;
    at = textStart + text.length;
    return { start, textStart };
  });
}

/** Reads such a message back; empty for every other text. */
export function parseKnowledgeMessage({ content }: Message): Pick<Passage, 'source' | 'text'>[] {
  if (!content.startsWith(`${heading}\n`)) return [];
  const passages: { source: string; lines: string[] }[] = [];
  for (const line of content.slice(heading.length).split('\n')) {
    const source = /^\[([^\]]+)\]$/.exec(line)?.[1];
    if (source !== undefined) passages.push({ source, lines: [] });
    else passages.at(-1)?.lines.push(line);
  }
  return passages.map(({ source, lines }) => ({ source, text: lines.join('\n').trim() }));
}
