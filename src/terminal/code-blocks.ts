import { defuseLine } from '../text/defuse.ts';
import { counted } from '../text/sizes.ts';
import { type FencedBlock, readBlocks } from './markdown/blocks.ts';

const quotesMax = 8;
const listedMax = 20;

/**
 * The content of one fenced block, byte for byte with its final newline: the first, the one of that number (from 1), or
 * the first in that language. In a list the indentation of the opening fence is taken off each line.
 */
export function extractBlock(markdown: string, which: number | string | undefined): string | undefined {
  const language = typeof which === 'string' ? which.toLowerCase() : undefined;
  const ordinal = typeof which === 'number' ? which : 1;
  let count = 0;
  for (const block of fencedBlocks(markdown.split('\n'), quotesMax)) {
    if (language === undefined || block.language === language) count += 1;
    if (count === ordinal) return contentOf(block);
  }
  return undefined;
}

/** The note about the blocks that there are, by number and language: `it has 2 code blocks: 1 python, 2 sh`. */
export function blockNotes(markdown: string): readonly string[] {
  const blocks = [...fencedBlocks(markdown.split('\n'), quotesMax)];
  const shown = blocks.slice(0, listedMax).map(({ language }, at) => `${at + 1} ${language || 'without a language'}`);
  if (blocks.length === 0) return [];
  const list = [...shown, ...(blocks.length > listedMax ? ['...'] : [])].join(', ');
  return [`it has ${defuseLine(`${counted(blocks.length, 'code block')}: ${list}`, 300)}`];
}

function* fencedBlocks(lines: readonly string[], quotesLeft: number): Generator<FencedBlock> {
  for (const block of readBlocks(lines)) {
    if (block.kind === 'fenced' && !isStray(block)) yield block;
    else if (block.kind === 'quote' && quotesLeft > 0) yield* fencedBlocks(block.lines, quotesLeft - 1);
  }
}

/** True for a fence behind which there is nothing: it ends no block and begins none. */
function isStray({ lines, close }: FencedBlock): boolean {
  return close === undefined && lines.every((line) => line.trim() === '');
}

function contentOf({ lines, close, indent }: FencedBlock): string {
  const content = lines.map((line) => withoutIndent(line, indent)).join('\n');
  return close === undefined || lines.length === 0 ? content : `${content}\n`;
}

/** A tab is taken off only if it is indentation as a whole: in a Makefile it is content. */
function withoutIndent(line: string, indent: number): string {
  let from = 0;
  let columns = 0;
  while (columns < indent && (line[from] === ' ' || line[from] === '\t')) {
    columns += line[from] === ' ' ? 1 : 4 - (columns % 4);
    if (columns <= indent) from += 1;
  }
  return line.slice(from);
}
