import type { CST } from 'yaml';

const entriesPerPart = 16;

type Block = CST.BlockMap | CST.BlockSequence;
/** A map or list, in lines or in brackets. */
export type Branch = Block | CST.FlowCollection;
type Entry = CST.CollectionItem;

export function isBranch(value: CST.Token | null | undefined): value is Branch {
  return value?.type === 'flow-collection' || value?.type === 'block-map' || value?.type === 'block-seq';
}

export function isInBrackets(branch: Branch): branch is CST.FlowCollection {
  return branch.type === 'flow-collection';
}

/** Some entries of a branch, which are made together. */
interface BranchPart {
  readonly from: number;
  readonly to: number;
  /** The value of the only one, where that is read in parts itself. */
  readonly inner: Branch | undefined;
}

/** The entries from a place on that are made together: one whose value is read in parts stands alone. */
export function partAt(branch: Branch, from: number, levels: number): BranchPart {
  const { items } = branch;
  const inner = from < items.length ? splitValue(branch, items[from]!, levels) : undefined;
  if (inner !== undefined) return { from, to: from + 1, inner };
  let to = from;
  const isOpen = (): boolean =>
    to < items.length && to < from + entriesPerPart && splitValue(branch, items[to]!, levels) === undefined;
  while (isOpen()) to += 1;
  // Nothing between two commas is a fault, and none behind the last one: the parser has to see which it is.
  while (isInBrackets(branch) && to > from && to < items.length && isNothing(items[to - 1]!)) to += 1;
  return { from, to, inner: undefined };
}

function isNothing({ sep, value }: Entry): boolean {
  return sep === undefined && !value;
}

/**
 * The value of an entry where it is read in parts. In brackets, a pair in a list is a map that nobody wrote, so that
 * its value is none of the list; and lines are a fault there, of which the parser tells last.
 */
function splitValue(branch: Branch, { sep, value }: Entry, levels: number): Branch | undefined {
  if (!isBranch(value)) return undefined;
  const isWhole = isInBrackets(branch) && (!isInBrackets(value) || (branch.start.source === '[' && sep !== undefined));
  return !isWhole && (levels > 0 || value.items.length > entriesPerPart) ? value : undefined;
}

/** The branch as though it had no entries. */
export function emptied(branch: Branch): Branch {
  return isInBrackets(branch)
    ? { ...branch, items: [], end: closing(branch, branch.offset + 1) }
    : { ...branch, items: [] };
}

/**
 * The branch as though it had these entries alone, the first of which the parser reads from an offset. In brackets an
 * entry that is not the first needs another one before it, for the comma between the two: nothing, at that offset.
 */
export function withEntries(branch: Branch, { from, to, inner }: BranchPart, offset: number): Branch {
  const entries = branch.items.slice(from, to);
  const items = inner === undefined ? entries : [{ ...entries[0]!, value: emptied(inner) }];
  if (!isInBrackets(branch)) return { ...branch, items, offset } as Branch;
  const nothing: CST.FlowScalar = { type: 'scalar', offset, indent: branch.indent, source: '' };
  const before: Entry =
    branch.start.source === '{' ? { start: [], key: nothing, sep: [] } : { start: [], value: nothing };
  const next = branch.items[to];
  const isLast = next === undefined && inner === undefined;
  const end = isLast ? branch.end : closing(branch, next === undefined ? offset : startOf(next));
  return { ...branch, items: from === 0 ? items : [before, ...items], end };
}

/** The sign that ends brackets, right before an offset. */
function closing({ start, indent }: CST.FlowCollection, offset: number): CST.SourceToken[] {
  return start.source === '{'
    ? [{ type: 'flow-map-end', source: '}', offset: offset - 1, indent }]
    : [{ type: 'flow-seq-end', source: ']', offset: offset - 1, indent }];
}

function startOf({ start: [first], key, sep, value }: Entry): number {
  return (first ?? key ?? sep?.[0] ?? value)?.offset ?? 0;
}
