import { defuseLine } from '../text/defuse.ts';
import { counted } from '../text/sizes.ts';
import { type FencedBlock, readBlocks } from './markdown/blocks.ts';

const quotesMax = 8;
const listedMax = 20;

/** Names that people and models give one language; a block under any of them is in it. */
const sameLanguage = [
  'sh bash shell zsh console shell-session',
  'py python python3',
  'js javascript mjs cjs node jsx',
  'ts typescript tsx',
  'yml yaml',
  'md markdown',
  'rb ruby',
  'rs rust',
  'go golang',
  'kt kotlin',
  'cs csharp c#',
  'cpp c++ cc',
  'ps1 powershell pwsh',
  'docker dockerfile',
  'make makefile',
].map((names) => names.split(' '));

const languages = new Set(
  'json html css sql xml toml java c c++ php perl lua swift scala haskell csv diff'.split(' ').concat(...sameLanguage),
);
/** Names of languages that begin sentences as well. */
const ordinaryWords = new Set('go make node shell console docker swift c'.split(' '));

/** True for a word that most likely names a language, and is no part of a sentence. */
export function isLanguageName(word: string): boolean {
  return languages.has(word) && !ordinaryWords.has(word);
}

/**
 * The content of one fenced block, byte for byte with its final newline: the first, the one of that number (from 1), or
 * the first in that language: of that very name, else of another one for it. In a list the indentation of the opening
 * fence is taken off each line.
 */
export function extractBlock(markdown: string, which: number | string | undefined): string | undefined {
  const blocks = [...fencedBlocks(markdown.split('\n'), quotesMax)];
  const found = typeof which === 'string' ? blockIn(which.toLowerCase(), blocks) : blocks[(which ?? 1) - 1];
  return found && contentOf(found);
}

function blockIn(language: string, blocks: readonly FencedBlock[]): FencedBlock | undefined {
  const names = sameLanguage.find((each) => each.includes(language)) ?? [];
  return blocks.find((block) => block.language === language) ?? blocks.find((block) => names.includes(block.language));
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
