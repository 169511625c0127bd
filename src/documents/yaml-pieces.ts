import {
  Composer,
  type CST,
  type Document,
  isMap,
  isNode,
  isPair,
  isSeq,
  Lexer,
  Parser,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Piecework } from '../text/turns.ts';
import { type Branch, emptied, isBranch, isInBrackets, partAt, withEntries } from './branches.ts';

/** The parser's own look for repeated keys compares each with all before it. */
export const parserOptions = { schema: 'core', uniqueKeys: false, stringKeys: true, prettyErrors: false } as const;

const signsPerPiece = 500;
/** Sections and what stands in them are read in pieces, however few there are. */
const levelsInPieces = 2;

/**
 * The same document as the parser makes of a text at once, with the same faults. It finds where everything stands in
 * one go, which takes turns; then it makes the values of some entries at a time. Undefined for what is no map or list.
 */
export function* composeInPieces(text: string): Piecework<Document | undefined> {
  const [token, ...faulty] = yield* tokensOf(text);
  if (token?.type !== 'document' || faulty.some(({ type }) => type !== 'error') || !isBranch(token.value))
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
 * Puts the entries of a branch into the map or list that was made of it without them, and their faults into the
 * document. Returns the offset behind it, from which the parser goes on.
 */
function* fill(
  document: Document | undefined,
  into: unknown,
  branch: Branch,
  levels: number,
): Piecework<number | undefined> {
  if (document === undefined || (!isMap(into) && !isSeq(into))) return undefined;
  let { offset } = branch;
  let behind = offset;
  let at = 0;
  // The end of brackets is read with the last entry, or by itself where that one was read in parts.
  for (let isEnded = !isInBrackets(branch); at < branch.items.length || !isEnded;) {
    const part = partAt(branch, at, levels);
    const made = composeBranch(document, withEntries(branch, part, offset));
    if (made === undefined) return undefined;
    if (isInBrackets(branch) && at > 0) made.items.shift();
    for (const item of made.items) into.items.push(item as never);
    at = part.to;
    isEnded ||= at === branch.items.length && part.inner === undefined;
    const last: unknown = made.items.at(-1);
    const end = part.inner && (yield* fill(document, isPair(last) ? last.value : last, part.inner, levels - 1));
    if (part.inner !== undefined && end === undefined) return undefined;
    offset = end ?? (isEnded ? undefined : endOf(last)) ?? made.range?.[1] ?? offset;
    // Remarks behind the last entry belong to what is around it.
    behind = end ?? made.range?.[2] ?? offset;
    yield;
  }
  if (isInBrackets(branch)) into.range = [branch.offset, offset, behind];
  return behind;
}

/** The offset behind an entry, if its value is there: the brackets around it go on then. */
function endOf(entry: unknown): number | undefined {
  const node = isPair(entry) ? entry.value : entry;
  return isNode(node) ? node.range?.[2] : undefined;
}

/** The map or list of some entries of a branch, as though there were no others; their faults go into the document. */
function composeBranch(document: Document, branch: Branch): YAMLMap | YAMLSeq | undefined {
  const part = compose([{ type: 'document', offset: branch.offset, start: [], value: branch }]);
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
