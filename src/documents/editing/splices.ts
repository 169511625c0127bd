import { Document, isMap, isNode, isScalar, isSeq, type Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import type { PathStep } from '../../text/json/json.ts';
import { lineStartOf, tightened, type YamlStyle } from './written-style.ts';

/** A text with the places and the style of its parts. */
export interface StyledText {
  readonly text: string;
  readonly style: YamlStyle;
}

type MapOrList = YAMLMap | YAMLSeq;

export function isMapOrList(node: unknown): node is MapOrList {
  return isMap(node) || isSeq(node);
}

export function pairAt(branch: MapOrList, step: PathStep): Pair | undefined {
  return isMap(branch) ? branch.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
}

/** Texts with one more entry, a pair or an item, at the end of a map or a list that has some. */
export function withEntry({ text, style }: StyledText, branch: MapOrList, added: Pair | Node): readonly string[] {
  const end = endOf(branch.items.at(-1));
  if (end === undefined || !branch.range) return [];
  const all = printings(added, branch.flow === true, style);
  if (branch.flow === true) return all.map((printed) => withFlowEntry(text, branch, end, printed));
  const columns = columnsOf(text, branch);
  return columns === undefined
    ? []
    : all.map((printed) => withLines(text, endOfLines(text, end, columns), printed, columns));
}

/** Texts with another value of a key; a map or a list that is no flow begins on the line below it. */
export function withValue(written: StyledText, branch: MapOrList, pair: Pair, value: Node): readonly string[] {
  const { text, style } = written;
  const [at, columns] = [colonEnd(text, pair), columnsOf(text, branch)];
  if (at === undefined) return [];
  const old = isNode(pair.value) && pair.value.range ? pair.value.range : ([at, at, at] as const);
  if (isBlockBranch(value) && branch.flow !== true) {
    if (columns === undefined || isBlockBranch(pair.value)) return [];
    const without = spliced(text, [at, contentOf(text, old)[1]], '');
    const indent = isSeq(value) && style.print.indentSeq === false ? 0 : (style.print.indent ?? 2);
    const below = endOfLines(without, at, Infinity);
    return valuePrintings(value, style).map((printed) => withLines(without, below, printed, columns + indent));
  }
  const all = printings(value, true, style);
  if (isBlockBranch(pair.value)) {
    if (columns === undefined) return [];
    const without = spliced(text, [lineStartOf(text, old[0]), endOfLines(text, old[1], columns + 1)], '');
    return all.map((printed) => spliced(without, [at, anchorEnd(text, at)], ` ${printed}`));
  }
  if (old[0] === old[1]) return all.map((printed) => spliced(text, [at, at], ` ${printed}`));
  return all.map((printed) => spliced(text, contentOf(text, old), printed));
}

/** Texts without an entry of a map or a list that has others. */
export function withoutEntry({ text }: StyledText, branch: MapOrList, step: PathStep): readonly string[] {
  const index = isSeq(branch) ? Number(step) : branch.items.indexOf(pairAt(branch, step)!);
  const [before, own, behind] = [-1, 0, 1].map((by) => branch.items[index + by]);
  const [start, end] = [startOf(own), endOf(own)];
  if (start === undefined || end === undefined) return [];
  if (branch.flow === true)
    return withoutFlowEntry(text, { start, end, before: endOf(before), behind: startOf(behind) });
  const columns = columnsOf(text, branch);
  if (columns === undefined) return [];
  const first = isMap(branch) ? lineStartOf(text, start) : hyphenLine(text, start, columns);
  return first === undefined ? [] : [spliced(text, [first, endOfLines(text, end, columns + 1)], '')];
}

export function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

function spliced(text: string, [start, end]: readonly [number, number], put: string): string {
  return `${text.slice(0, start)}${put}${text.slice(end)}`;
}

function isBlockBranch(node: unknown): boolean {
  return isMapOrList(node) && node.flow !== true && node.items.length > 0;
}

function startOf(entry: unknown): number | undefined {
  const node = entry instanceof Pair ? entry.key : entry;
  return isNode(node) ? node.range?.[0] : undefined;
}

function endOf(entry: unknown): number | undefined {
  const node = entry instanceof Pair ? (entry.value ?? entry.key) : entry;
  return isNode(node) ? node.range?.[1] : undefined;
}

/** The columns in which the entries of a map or a list begin; undefined where that differs, or is within a flow. */
function columnsOf(text: string, { range, flow }: MapOrList): number | undefined {
  if (!range || flow === true) return undefined;
  const lead = text.slice(lineStartOf(text, range[0]), range[0]);
  // A map may begin behind the hyphen of its item.
  return /^ *(?:- +)*$/.test(lead) ? lead.length : undefined;
}

/** The offset behind the colon of a pair. */
function colonEnd(text: string, { key }: Pair): number | undefined {
  const end = endOf(key);
  const colon = /[ \t]*:/y;
  colon.lastIndex = end ?? 0;
  return end !== undefined && colon.test(text) ? colon.lastIndex : undefined;
}

/** The offset behind the anchor of a value, if it has one. */
function anchorEnd(text: string, at: number): number {
  const anchor = /[ \t]*&\S+/y;
  anchor.lastIndex = at;
  return anchor.test(text) ? anchor.lastIndex : at;
}

/** A value without the line break that belongs to a text in a block. */
function contentOf(text: string, [start, end]: readonly [number, number, number]): readonly [number, number] {
  const lineEnd = /\r?\n$/.exec(text.slice(Math.max(start, end - 2), end))?.[0] ?? '';
  return [start, end - lineEnd.length];
}

/** The start of the line below an entry and below the comments that are indented as it is. */
function endOfLines(text: string, valueEnd: number, columns: number): number {
  const lineFeed = text[valueEnd - 1] === '\n' ? valueEnd - 1 : text.indexOf('\n', valueEnd);
  let end = lineFeed === -1 ? text.length : lineFeed + 1;
  if (columns === Infinity) return end;
  const comment = new RegExp(`(?:[ \\t]*\\r?\\n)* {${Math.max(1, columns)},}#[^\\n]*(?:\\n|$)`, 'y');
  comment.lastIndex = end;
  while (end < text.length && comment.test(text)) end = comment.lastIndex;
  return end;
}

/** The start of the line with the hyphen of an item, which may stand above the item. */
function hyphenLine(text: string, start: number, columns: number): number | undefined {
  for (let at = lineStartOf(text, start); ; at = lineStartOf(text, at - 1)) {
    const line = text.slice(at, text.indexOf('\n', at) + 1 || undefined);
    if (/^ *-\s/.test(line)) return line.indexOf('-') === columns ? at : undefined;
    if (at === 0) return undefined;
  }
}

function withLines(text: string, at: number, printed: string, columns: number): string {
  const lineEnd = lineBreakOf(text);
  const head = text.slice(0, at);
  const lines = printed.split('\n').map((line) => (line === '' ? line : `${' '.repeat(columns)}${line}`));
  return `${head === '' || head.endsWith('\n') ? head : `${head}${lineEnd}`}${lines.join(lineEnd)}${lineEnd}${text.slice(at)}`;
}

/** Inserts behind the last entry, below it and its remark where that one stands on a line of its own. */
function withFlowEntry(text: string, branch: MapOrList, end: number, printed: string): string {
  const start = startOf(branch.items.at(-1))!;
  const lead = text.slice(lineStartOf(text, start), start);
  if (!/^[ \t]+$/.test(lead)) return spliced(text, [end, end], `, ${printed}`);
  const lineEnd = lineBreakOf(text);
  const [rest, comma] = flowRest.exec(text.slice(end, endOfLines(text, end, Infinity))) ?? [];
  if (rest === undefined) return spliced(text, [end, end], `,${lineEnd}${lead}${printed}`);
  const own = comma === '' ? ',' : '';
  return spliced(text, [end, end + rest.length], `${own}${rest}${lead}${printed}${comma}${lineEnd}`);
}

/** All that may follow an entry on its line where it is the last one there. */
const flowRest = /^[ \t]*(,?)[ \t]*\r?(?:#[^\n]*)?\n$/;

/** An entry in a flow, and the ends of what is beside it. */
interface FlowEntry extends Readonly<Record<'start' | 'end', number>> {
  readonly before: number | undefined;
  readonly behind: number | undefined;
}

/** The lines of an entry where nothing else stands on them, or else what is from the entry before or to the next. */
function withoutFlowEntry(text: string, { start, end, before, behind }: FlowEntry): readonly string[] {
  const lines = [lineStartOf(text, start), endOfLines(text, end, Infinity)] as const;
  const isAlone = /^[ \t]*$/.test(text.slice(lines[0], start)) && flowRest.test(text.slice(end, lines[1]));
  return [
    ...(isAlone ? [spliced(text, lines, '')] : []),
    ...(before === undefined ? [] : [spliced(text, [before, end], '')]),
    ...(behind === undefined ? [] : [spliced(text, [start, behind], '')]),
  ];
}

/** The ways to print an entry, the nicest first; a text in quotes is for where a block would take in lines below it. */
function printings(entry: Pair | Node, isFlow: boolean, style: YamlStyle): readonly string[] {
  const branch = entry instanceof Pair ? new YAMLMap() : new YAMLSeq();
  branch.flow = isFlow;
  branch.items.push(entry as Pair);
  return valuePrintings(branch, style).map((printed) => (isFlow ? printed.slice(1, -1).trim() : printed));
}

function valuePrintings(value: Node, { print, isTight }: YamlStyle): readonly string[] {
  const document = new Document();
  document.contents = value as typeof document.contents;
  const all = [true, false].map((blockQuote) =>
    document.toString({ ...print, blockQuote, doubleQuotedMinMultiLineLength: Infinity }).trimEnd(),
  );
  return isTight ? all.flatMap((printed) => [printed.split('\n').map(tightened).join('\n'), printed]) : all;
}
