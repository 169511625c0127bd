import { defuse } from '../text/defuse.ts';
import { joinProse, readBlocks, type Block } from './markdown/blocks.ts';
import { flow, paint } from './markdown/flow.ts';
import { fitCode } from './markdown/page-code.ts';
import { parseInline, type InlineSpan } from './markdown/inline.ts';
import { tableLines } from './markdown/table.ts';
import type { Style } from './style.ts';

interface AnswerOptions {
  readonly style: Style;
  readonly columns: number;
  /** No Markdown; defused all the same. */
  readonly raw: boolean;
}

interface Page {
  readonly style: Style;
  readonly columns: number;
  readonly quotesLeft: number;
  readonly isManual?: boolean;
}

const quotesMax = 8;
const ruleColumnsMax = 40;
/** The longest answer that is marked up: more would take memory, and nobody reads it on a terminal. */
const markdownCharactersMax = 1_048_576;

/**
 * An answer for a terminal. It is made harmless first, so that the only control sequences in the result are our own; a
 * final newline is there if the answer has one. Code blocks come out exactly as they are, for they are there to be
 * copied.
 */
export function renderAnswer(markdown: string, { style, columns, raw }: AnswerOptions): string {
  const text = defuse(markdown);
  if (raw || text.length > markdownCharactersMax) return text;
  return renderLines(text.split('\n'), { style, columns: Math.max(1, columns), quotesLeft: quotesMax }).join('\n');
}

/**
 * A page of the manual: code is indented instead of fenced, a link to another page shows its words alone, and headings
 * are bold; where nothing is, they keep their marks.
 */
export function renderPage(markdown: string, { style, columns }: Omit<AnswerOptions, 'raw'>): string {
  const text = markdown.replace(/\[([^\]]+)\]\([\w-]+\.md\)/g, '$1').trimEnd();
  return `${renderLines(text.split('\n'), { style, columns, quotesLeft: quotesMax, isManual: true }).join('\n')}\n`;
}

function renderLines(lines: readonly string[], page: Page): string[] {
  const rendered: string[] = [];
  const blocks = readBlocks(lines);
  for (const block of page.isManual === true ? joinProse(blocks) : blocks) {
    for (const line of renderBlock(block, page)) rendered.push(line);
  }
  return rendered;
}

function renderBlock(block: Block, page: Page): readonly string[] {
  const { style, columns } = page;
  switch (block.kind) {
    case 'blank':
      return [''];
    case 'rule':
      return [style.dim('-'.repeat(Math.min(columns, ruleColumnsMax)))];
    case 'heading':
      return hang(
        spansOf(page.isManual && style.on ? block.text.replace(/^#+ /, '') : block.text, style).map((span) => ({
          ...span,
          bold: true,
        })),
        '',
        page,
      );
    case 'text':
      return hang(spansOf(block.text, style), markOf(block, columns), page);
    case 'quote':
      return renderQuote(block.lines, page);
    case 'table':
      return tableLines(block, style, columns);
    case 'indented':
      return block.lines;
    case 'fenced': {
      const { open, lines, close } = block;
      if (page.isManual) {
        const fitted = fitCode(lines, columns - 2, /^`+(?:console|text)$/.test(open));
        return fitted.map((line) => (line === '' ? '' : `  ${line}`));
      }
      return [style.dim(open), ...lines, ...(close === undefined ? [] : [style.dim(close)])];
    }
  }
}

/** Without colour, code keeps its backticks, because nothing else would tell it from the words around it. */
function spansOf(text: string, style: Style): InlineSpan[] {
  return parseInline(text.replaceAll('\t', '    '), style.on ? '' : '`');
}

/** The text behind its mark, and under itself where it takes several rows. */
function hang(spans: readonly InlineSpan[], mark: string, { style, columns }: Page): string[] {
  const rows = flow(spans, Math.max(1, columns - mark.length));
  return rows.map((row, index) => (index === 0 ? mark : ' '.repeat(mark.length)) + paint(row, style));
}

/** An indentation may take half of the columns at most. */
function markOf({ indent, bullet }: { indent: number; bullet: string }, columns: number): string {
  return ' '.repeat(Math.min(indent, Math.floor(columns / 2))) + (bullet === '' ? '' : `${bullet} `);
}

/** Each level of quotes is a call of its own; what is quoted more deeply than anyone means to is shown as it is. */
function renderQuote(quoted: readonly string[], page: Page): string[] {
  const inner = { ...page, columns: Math.max(1, page.columns - 2), quotesLeft: page.quotesLeft - 1 };
  const lines = page.quotesLeft > 0 ? renderLines(quoted, inner) : quoted;
  return lines.map((line) => page.style.dim('>') + (line === '' ? '' : ` ${line}`));
}
