import { type Document, isCollection, isMap, isScalar, visit } from 'yaml';
import type { Piecework } from '../text/turns.ts';
import { faultsMax } from './fault.ts';
import type { Problem } from './quick-yaml.ts';

/** An error of the parser: it says where it noticed that something ends too late. */
interface ParserError {
  readonly message: string;
  readonly pos: readonly [number, number];
}

const bracketEnd = /^flow (?:map|sequence) .*end with a ([\]}])/i;
const quoteEnd = /^missing closing (["'])/i;

/** A bracket or quote at the place where it was opened; the parser noticed at the end that it is not closed. */
interface Unclosed extends Problem {
  readonly end: number;
}

/**
 * Brackets and quotes that are not closed, each told where it was opened: the parser notices that one is missing at the
 * next key, which may be lines below and in order.
 */
export function* findUnclosed(document: Document, text: string): Piecework<readonly Unclosed[]> {
  const found: Unclosed[] = [];
  for (const error of document.errors.slice(0, faultsMax)) {
    const unclosed = unclosedOf(error, document, text);
    // A bracket around one that is not closed seems to be open as well.
    if (unclosed !== undefined && unclosed.at >= (found.at(-1)?.end ?? 0)) found.push(unclosed);
    yield;
  }
  return found;
}

function unclosedOf({ message, pos: [end] }: ParserError, document: Document, text: string): Unclosed | undefined {
  const [, missing] = bracketEnd.exec(message) ?? quoteEnd.exec(message) ?? [];
  const at = missing === undefined ? undefined : openingOf(missing, end, document);
  if (missing === undefined || at === undefined) return undefined;
  const what = quoteEnd.test(message) ? 'this quote' : 'this bracket';
  return { at, end, expected: `${what} is not closed: ${missing} is missing${beforeWords(text, at, end)}` };
}

/** The start of the innermost part that begins so and is open at `end`. */
function openingOf(missing: string, end: number, document: Document): number | undefined {
  let opening: number | undefined;
  visit(document, {
    Node(_, node) {
      const [from, to] = node.range ?? [end, end];
      if (from < end && to >= end && from >= (opening ?? 0) && endingOf(node) === missing) opening = from;
    },
  });
  return opening;
}

/** The sign that has to stand at the end of a node; undefined where none has to. */
function endingOf(node: object): string | undefined {
  if (isScalar(node)) return node.type === 'QUOTE_DOUBLE' ? '"' : node.type === 'QUOTE_SINGLE' ? "'" : undefined;
  if (!isCollection(node) || node.flow !== true) return undefined;
  return isMap(node) ? '}' : ']';
}

function beforeWords(text: string, at: number, end: number): string {
  const between = text.slice(at, end);
  if (!between.includes('\n')) return '';
  if (text.slice(end).trim() === '') return ' before the end of the file';
  return ` before line ${text.slice(0, end).split('\n').length}`;
}
