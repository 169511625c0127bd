/** Markdown as a terminal needs it: line by line, never joined, so that no input takes more than linear time. */
export type Block =
  | { readonly kind: 'blank' }
  | { readonly kind: 'rule' }
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  /** One line of prose; the bullet or number of a list item is empty where there is none. */
  | { readonly kind: 'text'; readonly indent: number; readonly bullet: string; readonly text: string }
  /** The lines without their first quote marker. */
  | { readonly kind: 'quote'; readonly lines: readonly string[] }
  | Table
  | { readonly kind: 'indented'; readonly lines: readonly string[] }
  | FencedBlock;

export interface Table {
  readonly kind: 'table';
  readonly lines: readonly string[];
  /** The header first. */
  readonly rows: readonly (readonly string[])[];
  /** By column: dashes that end in a colon, and do not begin with one. */
  readonly isRight: readonly boolean[];
}

export interface FencedBlock {
  readonly kind: 'fenced';
  readonly open: string;
  readonly lines: readonly string[];
  /** Undefined where the text ends first. */
  readonly close: string | undefined;
  /** Lower case; empty if none is named. */
  readonly language: string;
  /** The indent of the opening fence; its lines may be as well, for they stand in a list. */
  readonly indent: number;
}

const listItem = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)(.*)$/s;
const quoteMarker = /^ {0,3}> ?/;
const codeIndent = 4;

/** Reads blocks from lines that may still end in a carriage return. */
export function* readBlocks(lines: readonly string[]): Generator<Block> {
  /** The column of the current list item: code in a list is indented from there. */
  let base = 0;
  let mayStartCode = true;
  for (let at = 0; at < lines.length;) {
    const block = readBlock(lines, at, base, mayStartCode);
    yield block;
    const [line, next] = [lines[at]!, at + linesOf(block)];
    if (block.kind !== 'blank') base = listBase(line) ?? Math.min(base, indentOf(line));
    mayStartCode = block.kind === 'blank';
    at = next;
  }
}

/** Blocks with the lines of each paragraph and list item joined, for pages whose source is wrapped to another width. */
export function* joinProse(blocks: Iterable<Block>): Generator<Block> {
  let held: Block | undefined;
  for (const block of blocks) {
    if (held?.kind === 'text' && block.kind === 'text' && block.bullet === '') {
      held = { ...held, text: `${held.text} ${block.text}` };
      continue;
    }
    if (held !== undefined) yield held;
    held = block;
  }
  if (held !== undefined) yield held;
}

function readBlock(lines: readonly string[], at: number, base: number, mayStartCode: boolean): Block {
  const line = lines[at]!;
  const text = line.trim();
  if (text === '') return { kind: 'blank' };
  const fenced = readFence(lines, at, base) ?? readLateFence(lines, at);
  if (fenced !== undefined) return fenced;
  if (mayStartCode && indentOf(line) >= base + codeIndent)
    return { kind: 'indented', lines: indentedFrom(lines, at, base) };
  if (isRule(text)) return { kind: 'rule' };
  const heading = /^(#{1,6})(?:\s|$)/.exec(text);
  if (heading !== null) return { kind: 'heading', level: heading[1]!.length, text };
  if (quoteMarker.test(line)) {
    const quoted = linesWhile(lines, at, (each) => quoteMarker.test(each));
    return { kind: 'quote', lines: quoted.map((each) => each.replace(quoteMarker, '')) };
  }
  return readTable(lines, at) ?? readText(line);
}

function linesOf(block: Block): number {
  if (block.kind === 'fenced') return block.lines.length + (block.close === undefined ? 1 : 2);
  return 'lines' in block ? block.lines.length : 1;
}

function readText(line: string): Block {
  const [, , bullet = '', , text = line] = listItem.exec(line) ?? [];
  return { kind: 'text', indent: indentOf(line), bullet, text: text.trim() };
}

/** A fence may also follow a list marker at once: its closing fence then must not be taken for an opening one. */
function readFence(lines: readonly string[], at: number, base: number): FencedBlock | undefined {
  const open = lines[at]!;
  const item = listItem.exec(open);
  const indent = item === null ? indentOf(open) : listBase(open)!;
  if (item === null && indent >= base + codeIndent) return undefined;
  const fence = /^(`{3,}|~{3,})(.*)$/s.exec((item?.[4] ?? open).trim());
  if (fence === null || (fence[1]!.startsWith('`') && fence[2]!.includes('`'))) return undefined;
  const body = linesWhile(lines, at + 1, (line) => !closes(line, fence[1]!, Math.max(base, indent)));
  return {
    kind: 'fenced',
    open,
    lines: body,
    close: lines[at + 1 + body.length],
    language: languageOf(fence[2]!),
    indent,
  };
}

function languageOf(info: string): string {
  return /^\s*[{.]*([^\s{}:,]*)/.exec(info)![1]!.toLowerCase();
}

/**
 * A fence behind words, as in "Run this: ```sh", which Markdown does not know and models write. Its end must be the
 * next fence, or else the words only speak of one. Without it the closing fence would be taken for an opening one.
 */
function readLateFence(lines: readonly string[], at: number): FencedBlock | undefined {
  const open = lines[at]!;
  const start = open.indexOf('```');
  const [, fence, info = ''] = start <= 0 ? [] : (/^(`{3,})([^`]*)$/.exec(open.slice(start).trimEnd()) ?? []);
  if (fence === undefined || /\s/.test(info.trim()) || (info === '' && !/:\s*$/.test(open.slice(0, start))))
    return undefined;
  const body = linesWhile(lines, at + 1, (line) => !line.includes('```'));
  const close = lines[at + 1 + body.length];
  if (close === undefined || !/^`+$/.test(close.trim()) || close.trim().length < fence.length) return undefined;
  return { kind: 'fenced', open, lines: body, close, language: languageOf(info), indent: indentOf(close) };
}

/** As long as the opening fence or longer, of the same character, with nothing behind it. */
function closes(line: string, fence: string, base: number): boolean {
  const text = line.trim();
  return text.startsWith(fence) && indentOf(line) < base + codeIndent && text === fence[0]!.repeat(text.length);
}

function indentedFrom(lines: readonly string[], at: number, base: number): string[] {
  return linesWhile(lines, at, (line) => line.trim() !== '' && indentOf(line) >= base + codeIndent);
}

/** A header row, then a row of dashes with as many cells, then every row that has a bar. */
function readTable(lines: readonly string[], at: number): Block | undefined {
  const under = lines[at + 1];
  if (under === undefined || !lines[at]!.includes('|') || !under.includes('-')) return undefined;
  const dashes = cellsOf(under);
  if (!dashes.every((cell) => /^:?-+:?$/.test(cell)) || dashes.length !== cellsOf(lines[at]!).length) return undefined;
  const rows = linesWhile(lines, at, (line) => line.includes('|'));
  if (rows.length < 2) return undefined;
  const isRight = dashes.map((cell) => /^-+:$/.test(cell));
  return { kind: 'table', lines: rows, rows: rows.filter((_row, index) => index !== 1).map(cellsOf), isRight };
}

function cellsOf(line: string): string[] {
  const cells = line.trim().split(/(?<!\\)\|/);
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells.map((cell) => cell.trim());
}

function isRule(text: string): boolean {
  return /^(?:-{3,}|\*{3,}|_{3,})$/.test(text.replaceAll(/[ \t]/g, ''));
}

function listBase(line: string): number | undefined {
  const item = listItem.exec(line);
  return item === null ? undefined : indentColumns(item.slice(1, 4).join(''));
}

function indentOf(line: string): number {
  return indentColumns(/^[ \t]*/.exec(line)![0]);
}

/** In Markdown a tab reaches to the next multiple of four. */
function indentColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += character === '\t' ? codeIndent - (columns % codeIndent) : 1;
  return columns;
}

function linesWhile(lines: readonly string[], from: number, isPart: (line: string) => boolean): string[] {
  let to = from;
  while (to < lines.length && isPart(lines[to]!)) to += 1;
  return lines.slice(from, to);
}
