import {
  Composer,
  type CST,
  type Document,
  isMap,
  isPair,
  isSeq,
  Lexer,
  Parser,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Piecework } from '../text/turns.ts';

/** The parser's own look for repeated keys compares each with all before it. */
export const parserOptions = { schema: 'core', uniqueKeys: false, stringKeys: true, prettyErrors: false } as const;

const signsPerPiece = 500;
const itemsPerPiece = 16;
/** Sections and what stands in them are read in pieces, however few there are. */
const levelsInPieces = 2;

type Block = CST.BlockMap | CST.BlockSequence;

/**
 * The same document as the parser makes of a text at once, with the same faults. It finds where everything stands in
 * one go, which takes turns; then it makes the values of some entries at a time. Undefined for what is no map or list
 * in lines.
 */
export function* composeInPieces(text: string): Piecework<Document | undefined> {
  const [token, ...faulty] = yield* tokensOf(text);
  if (token?.type !== 'document' || faulty.some(({ type }) => type !== 'error') || !isBlock(token.value))
    return undefined;
  const { end: rest = [], value, ...head } = token;
  const document = compose([{ ...head, value: emptied(value) }]);
  const end = yield* fill(document, document?.contents, value, levelsInPieces);
  if (document === undefined || end === undefined) return undefined;
  take(compose([{ type: 'document', offset: end, start: [], end: rest }, ...faulty]), document);
  return document;
}

/** Signs of a file that mean nothing of their own. */
const unread: ReadonlySet<string> = new Set(['byte-order-mark', 'comment', 'newline', 'space']);

function* tokensOf(text: string): Piecework<CST.Token[]> {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let signs = 0;
  for (const sign of new Lexer().lex(text)) {
    tokens.push(...parser.next(sign));
    if ((signs += 1) % signsPerPiece === 0) yield;
  }
  tokens.push(...parser.end());
  return tokens.filter(({ type }) => !unread.has(type));
}

/**
 * Puts the entries of a block into the map or list that was made of it without them, and their faults into the
 * document. Returns the offset behind the last one, from which the parser goes on.
 */
function* fill(
  document: Document | undefined,
  into: unknown,
  block: Block,
  levels: number,
): Piecework<number | undefined> {
  if (document === undefined || (!isMap(into) && !isSeq(into))) return undefined;
  let { offset } = block;
  let behind = offset;
  for (let from = 0; from < block.items.length;) {
    const count = piecesAt(block, from, levels);
    const { value } = block.items[from]!;
    const inner = count === 1 && isSplit(value, levels) ? value : undefined;
    const items = block.items.slice(from, from + count);
    const made = composeBlock(document, { ...block, offset }, inner ? [{ ...items[0], value: emptied(inner) }] : items);
    if (made === undefined) return undefined;
    for (const item of made.items) into.items.push(item as never);
    const last: unknown = made.items.at(-1);
    const end = inner && (yield* fill(document, isPair(last) ? last.value : last, inner, levels - 1));
    if (inner !== undefined && end === undefined) return undefined;
    offset = end ?? made.range?.[1] ?? offset;
    // Remarks behind the last entry belong to what is around it.
    behind = end ?? made.range?.[2] ?? offset;
    from += count;
    yield;
  }
  return behind;
}

/** The number of entries that are made together: those which are large stand alone. */
function piecesAt({ items }: Block, from: number, levels: number): number {
  let count = 0;
  while (count < itemsPerPiece && from + count < items.length && !isSplit(items[from + count]!.value, levels)) count++;
  return Math.max(1, count);
}

function isSplit(value: CST.Token | null | undefined, levels: number): value is Block {
  return isBlock(value) && (levels > 0 || value.items.length > itemsPerPiece);
}

function isBlock(value: CST.Token | null | undefined): value is Block {
  return value?.type === 'block-map' || value?.type === 'block-seq';
}

function emptied(block: Block): Block {
  return { ...block, items: [] };
}

/** The map or list of some entries of a block, as though there were no others; their faults go into the document. */
function composeBlock(document: Document, block: Block, items: readonly unknown[]): YAMLMap | YAMLSeq | undefined {
  const value = { ...block, items } as Block;
  const part = compose([{ type: 'document', offset: block.offset, start: [], value }]);
  take(part, document);
  const contents: unknown = part?.contents;
  return isMap(contents) || isSeq(contents) ? contents : undefined;
}

function compose(tokens: readonly CST.Token[]): Document | undefined {
  const [document] = new Composer(parserOptions).compose(tokens);
  return document as Document | undefined;
}

function take(part: Document | undefined, { errors, warnings }: Document): void {
  for (const each of part?.errors ?? []) errors.push(each);
  for (const each of part?.warnings ?? []) warnings.push(each);
}
