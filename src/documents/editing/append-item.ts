import { Document, isCollection, isNode, isSeq, type Node, visit, YAMLSeq } from 'yaml';
import type { Path } from '../fault.ts';
import { lineStartOf, tightened, type YamlStyle } from './written-style.ts';
import { parseYaml } from '../yaml.ts';

export interface NewItem {
  readonly path: Path;
  readonly item: unknown;
  /** True for an item with a line for each key, where the items before it are not one line each. */
  readonly isAlike: boolean;
}

export function isOfWords(list: YAMLSeq): boolean {
  return !list.items.some(isCollection);
}

export function itemNode(document: Document, { path, item, isAlike }: NewItem): Node {
  const list = document.getIn(path);
  const last = isSeq(list) ? list.items.at(-1) : undefined;
  const isOneLine = !isAlike || (isSeq(list) && list.flow === true) || (isCollection(last) && last.flow === true);
  const node = document.createNode(item, { flow: isOneLine });
  visit(node, { Seq: (_, inner) => void (inner.flow = isOneLine || isOfWords(inner)) });
  return node;
}

/**
 * The text with one more item at the end of a list, in the column of those before it, and every other byte as it was.
 * Undefined where the list has no item yet, or begins behind something else on its line.
 */
export function appendItem(
  text: string,
  added: NewItem,
  { document, style, bytesMax }: { readonly document: Document; readonly style: YamlStyle; readonly bytesMax: number },
): string | undefined {
  const list = document.getIn(added.path);
  const last = isSeq(list) ? list.items.at(-1) : undefined;
  if (!isSeq(list) || !isNode(last) || !last.range || !list.range) return undefined;
  const isFlow = list.flow === true;
  const insert = isFlow ? flowInsert(text, last.range) : blockInsert(text, list.range, last.range);
  const wanted = meaningWith(text, added, bytesMax);
  return printings(itemNode(document, added), isFlow, style)
    .flatMap((printed) => insert?.(printed) ?? [])
    .find((candidate) => JSON.stringify(parseYaml(candidate, '', { bytesMax }).value) === wanted);
}

type Range = readonly [number, number, number];
type Insert = (printed: string) => string;

/** Inserts behind the last item, on a line of its own where that one is. */
function flowInsert(text: string, [start, end]: Range): Insert {
  const lead = text.slice(lineStartOf(text, start), start);
  const between = /^[ \t]+$/.test(lead) ? `,${lineEndOf(text)}${lead}` : ', ';
  return (printed) => `${text.slice(0, end)}${between}${printed}${text.slice(end)}`;
}

/** Inserts below the last item and the comments that are indented as it is. */
function blockInsert(text: string, [start]: Range, [, valueEnd]: Range): Insert | undefined {
  const lead = text.slice(lineStartOf(text, start), start);
  if (!/^ *$/.test(lead)) return undefined;
  const lineEnd = lineEndOf(text);
  const at = endOfItem(text, valueEnd, Math.max(1, lead.length));
  const head = text.slice(0, at);
  const before = head.endsWith('\n') ? head : `${head}${lineEnd}`;
  return (printed) => {
    const lines = printed.split('\n').map((line) => (line === '' ? line : `${lead}${line}`));
    return `${before}${lines.join(lineEnd)}${lineEnd}${text.slice(at)}`;
  };
}

/** The start of the line below an item. */
function endOfItem(text: string, valueEnd: number, columns: number): number {
  const lineFeed = text[valueEnd - 1] === '\n' ? valueEnd - 1 : text.indexOf('\n', valueEnd);
  let end = lineFeed === -1 ? text.length : lineFeed + 1;
  const comment = new RegExp(`(?:[ \\t]*\\r?\\n)* {${columns},}#.*(?:\\n|$)`, 'y');
  comment.lastIndex = end;
  while (end < text.length && comment.test(text)) end = comment.lastIndex;
  return end;
}

function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** The ways to print an item, the nicest first; a text in quotes is for where a block would take in lines below it. */
function printings(node: Node, isFlow: boolean, { print, isTight }: YamlStyle): string[] {
  const list = new YAMLSeq();
  list.flow = isFlow;
  list.add(node);
  const document = new Document();
  document.contents = list as typeof document.contents;
  const all = [true, false].map((blockQuote) => {
    const printed = document.toString({ ...print, blockQuote, doubleQuotedMinMultiLineLength: Infinity }).trimEnd();
    return isFlow ? printed.slice(1, -1).trim() : printed;
  });
  return isTight ? all.flatMap((printed) => [printed.split('\n').map(tightened).join('\n'), printed]) : all;
}

function meaningWith(text: string, { path, item }: NewItem, bytesMax: number): string {
  const { value } = parseYaml(text, '', { bytesMax });
  const list = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], value);
  (list as unknown[]).push(item);
  return JSON.stringify(value);
}
