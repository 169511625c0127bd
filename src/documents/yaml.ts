import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument, visit } from 'yaml';
import { defuseLine } from '../text/defuse.ts';
import { nestingMax } from '../text/limits.ts';
import { atOnce, type Piecework } from '../text/turns.ts';
import { faultsMax, type Path } from './fault.ts';
import { createPlacer, offsetAt, type Places, Placing } from './places.ts';
import { composeInPieces, parserOptions } from './yaml-pieces.ts';
import { plainWords } from './yaml-words.ts';
import { findUnclosed } from './unclosed.ts';
import { parseQuickly, type Problem, toFault, unread, type Yaml, type YamlOptions } from './quick-yaml.ts';

/** However often a part is named again, so many values at most are made of it. */
const repeatedValuesMax = 10_000;

/**
 * YAML 1.2 with the types of its core schema, so that `no` and `2026-11-20` are texts. Refused are tags, directives, a
 * second document, a key that appears twice, and whatever is built to be large.
 */
export function parseYaml(text: string, file: string, options?: YamlOptions): Yaml {
  return atOnce(parseQuickly(text, file, options)) ?? atOnce(readWholeYaml(text, file));
}

type Compose = (text: string) => Piecework<Document>;

/** Reads a text by the whole of the language. */
export function* readWholeYaml(text: string, file: string, compose: Compose = composed): Piecework<Yaml> {
  const { document, unquoted } = yield* readPlaceholders(text, compose);
  const problems = yield* problemsOf(document, unquoted, text);
  return problems.length > 0 ? unread(text, file, problems) : yield* valuesOf(document, text, file);
}

/** The same in a single piece. */
export function readAtOnce(text: string, file: string): Yaml {
  const compose: Compose = function* (each) {
    yield;
    return readDocument(each);
  };
  return atOnce(readWholeYaml(text, file, compose));
}

function* composed(text: string): Piecework<Document> {
  return (yield* composeInPieces(text)) ?? readDocument(text);
}

/** As many faults as are told; of several at one spot the first one says the cause. Thousands may be in a file. */
function* problemsOf(document: Document, unquoted: readonly Problem[], text: string): Piecework<readonly Problem[]> {
  const unclosed = yield* findUnclosed(document, text);
  const openFrom = unclosed[0]?.at ?? Infinity;
  const found = new Map(unquoted.map((problem) => [problem.at, problem]));
  for (const { message, pos } of [...document.errors, ...document.warnings]) {
    const [at] = pos;
    // Of what follows something that is not closed the parser makes no sense.
    if (at >= openFrom || found.has(at) || found.size >= faultsMax) continue;
    found.set(at, { at, expected: deeperLineWords(message, at, text) ?? plainWords(message) });
    yield;
  }
  for (const problem of unclosed) if (!found.has(problem.at)) found.set(problem.at, problem);
  return [...found.values()].slice(0, faultsMax);
}

function* valuesOf(document: Document, text: string, file: string): Piecework<Yaml> {
  const reader = new ValueReader(document);
  const value = yield* reader.read(document.contents, []);
  const place = createPlacer(text);
  return {
    value,
    faults: reader.problems.slice(0, faultsMax).map((problem) => toFault(problem, file, place)),
    at: (path) => place(offsetAt(reader.places, value, path)),
  };
}

/**
 * Words for a value to which the parser adds a line that is indented deeper, as text goes on: it then finds the colon
 * of that line, and no second one is in this line. Undefined for all other faults.
 */
function deeperLineWords(message: string, at: number, text: string): string | undefined {
  if (!/^nested mappings are not allowed in compact/i.test(message)) return undefined;
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const [line = '', next = ''] = text.slice(lineStart).split('\n', 2);
  if (/:(?:\s|$)/.test(line.slice(at - lineStart))) return undefined;
  const indentOf = (each: string): number => each.length - each.trimStart().length;
  const number = text.slice(0, lineStart).split('\n').length + 1;
  return indentOf(next) > indentOf(line)
    ? `the next line, ${number}, is indented deeper than this one: begin both at the same column`
    : `line ${number} is taken as a part of this value, because a line above is indented less: mend that one first`;
}

/** The most placeholders without quotes that are named; each is found by reading the text once more. */
const unquotedMax = 20;

/**
 * The document, and each `${NAME}` in brackets that lacks its quotes: its brace begins a map there, after which YAML
 * makes no sense of the rest. In place of its braces other characters are read, so that everything else is judged as
 * well.
 */
function* readPlaceholders(
  text: string,
  compose: Compose,
): Piecework<{ readonly document: Document; readonly unquoted: readonly Problem[] }> {
  const unquoted: Problem[] = [];
  let mended = text;
  for (;;) {
    const document = yield* compose(mended);
    const at = (document.errors[0]?.pos[0] ?? 0) - 1;
    const [placeholder] = /^\$\{[^\s{}"']{1,100}\}/.exec(mended.slice(Math.max(0, at), at + 104)) ?? [];
    if (at < 0 || placeholder === undefined || unquoted.length === unquotedMax) return { document, unquoted };
    unquoted.push({ at, expected: `${defuseLine(placeholder)} needs quotes here: "${defuseLine(placeholder)}"` });
    mended = `${mended.slice(0, at)}${placeholder.replace(/[${}]/g, '_')}${mended.slice(at + placeholder.length)}`;
  }
}

/** The document with all that a person put around its values, for an edit that keeps it. */
export function readDocument(text: string): Document {
  return parseDocument(text, parserOptions);
}

class ValueReader {
  readonly problems: Problem[] = [];
  readonly places: Places = new Map();
  readonly #document: Document;
  #repeated = 0;
  #isRepeating = false;
  #targets: ReadonlyMap<Alias, Node | undefined> | undefined;

  constructor(document: Document) {
    this.#document = document;
  }

  *read(node: unknown, path: Path): Piecework<unknown> {
    if (!isNode(node)) return null;
    if (path.length > nestingMax) return this.#refuse(node, path, 'is nested too deep');
    if (this.#isRepeating && ++this.#repeated > repeatedValuesMax) return this.#refuseRepeats(node, path);
    if (isAlias(node)) return yield* this.#readAlias(node, path);
    if (node.tag !== undefined) this.#refuse(node, path, `has the tag ${defuseLine(node.tag, 60)}: tags are not read`);
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return yield* this.#readList(node, path);
    return isMap(node) ? yield* this.#readMap(node, path) : null;
  }

  *#readAlias(node: Alias, path: Path): Piecework<unknown> {
    this.#targets ??= targetsIn(this.#document);
    const target = this.#targets.get(node);
    if (target === undefined) return this.#refuse(node, path, 'names a part with *, and no & before it says which');
    const wasRepeating = this.#isRepeating;
    this.#isRepeating = true;
    const value = yield* this.read(target, path);
    this.#isRepeating = wasRepeating;
    return value;
  }

  *#readList({ items }: { readonly items: readonly unknown[] }, path: Path): Piecework<unknown> {
    const list = new Placing(this.places, 'list');
    for (const [index, item] of items.entries())
      list.add(index, yield* this.read(item, [...path, index]), startOf(item));
    yield;
    return list.value;
  }

  *#readMap(
    { items }: { readonly items: readonly { key: unknown; value: unknown }[] },
    path: Path,
  ): Piecework<unknown> {
    const map = new Placing(this.places, 'map');
    for (const { key, value } of items) {
      const name = nameOf(key);
      if (map.has(name)) this.#refuse(key, [...path, name], 'stands here for the second time');
      map.add(name, yield* this.read(value, [...path, name]), startOf(isOneLine(value) ? value : key));
    }
    yield;
    return map.value;
  }

  /** Once: every further value would be one more fault of the same kind. */
  #refuseRepeats(node: Node, path: Path): undefined {
    if (this.#repeated === repeatedValuesMax + 1) this.#refuse(node, path, 'repeats too many values by *');
  }

  #refuse(node: unknown, path: Path, expected: string): undefined {
    this.problems.push({ at: startOf(node), path, expected });
  }
}

/** The part that each alias names: the last one before it of that name. Found at once, for there may be thousands. */
function targetsIn(document: Document): ReadonlyMap<Alias, Node | undefined> {
  const named = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) targets.set(node, named.get(node.source));
      else if (node.anchor !== undefined && node.anchor !== '') named.set(node.anchor, node);
    },
  });
  return targets;
}

/** The parser refuses keys that are no scalars. */
function nameOf(key: unknown): string {
  return isScalar(key) ? (key.source ?? '') : '';
}

function startOf(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}

function isOneLine(node: unknown): boolean {
  return isScalar(node) && node.value !== null && node.type !== 'BLOCK_LITERAL' && node.type !== 'BLOCK_FOLDED';
}
