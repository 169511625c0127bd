import type { Message } from '../../wire/request.ts';
import type { Passage } from './passages.ts';

const heading = 'Answer from the passages below where they apply, and name the source in brackets that you used.';

/** The system message that hands passages to a model, each under its source. */
export function knowledgeMessage(passages: readonly Passage[]): string {
  return [heading, ...passages.map(({ source, text }) => `[${source}]\n${text}`)].join('\n\n');
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
