import { type Document, isAlias, isCollection, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import { MotifError } from '../../errors.ts';
import { pathText } from '../../text/json/json.ts';
import type { Path } from '../fault.ts';
import type { YamlEdit } from './edit.ts';
import { shorten, type Shortened } from './nearby-entries.ts';
import { appendItem, isOfWords, itemNode, type NewItem } from './append-item.ts';
import { editJson, isJson } from './json-edit.ts';
import { keepAround, squeezed } from './kept-lines.ts';
import { readYamlStyle, tightened } from './written-style.ts';
import { parseYaml, readDocument } from '../yaml.ts';

/**
 * Makes changes and leaves all else as it is: comments, order, quotes, and the blanks of every line outside the part
 * that changed. The text must be YAML without faults; one that is JSON stays JSON.
 */
export function editYaml(text: string, bytesMax: number, change: (edit: YamlEdit) => void): string {
  if (isJson(text)) return editJson(text, change);
  const parse = (each: string): unknown => parseYaml(each, '', { bytesMax }).value;
  let current: { readonly text: string; readonly value?: unknown } = { text };
  let opened: Opened | undefined;
  const shortenFor = (path: Path): Shortened | undefined => {
    if (current.text.length < shortCharacters) return undefined;
    current = { text: current.text, value: current.value ?? parse(current.text) };
    return shorten(current.text, path, current.value, parse);
  };
  const open = (path: Path): Document => {
    if (opened?.short?.holds(path) === false) close();
    if (opened === undefined) {
      const short = shortenFor(path);
      opened = { ...openDocument(short?.text ?? current.text), short, changes: [] };
    }
    return opened.document;
  };
  const close = (): void => {
    if (opened === undefined) return;
    const { short, changes } = opened;
    const edited = printChanged(short?.text ?? current.text, opened, bytesMax);
    current = (short === undefined ? { text: edited } : short.restored(edited)) ?? { text: wholly(changes) };
    opened = undefined;
  };
  /** The text where the change is made in all of it. */
  const wholly = (changes: Opened['changes']): string => {
    const whole = openDocument(current.text);
    for (const make of changes) make(whole.document);
    return printChanged(current.text, whole, bytesMax);
  };
  const make = (path: Path, one: (document: Document) => void): void => {
    one(open(path));
    opened!.changes.push(one);
  };
  const appended = (text: string, added: NewItem): string | undefined => {
    const document = readDocument(text);
    needOwn(document, added.path);
    return appendItem(text, added, { document, style: readYamlStyle(text, document), bytesMax });
  };
  change({
    set: (path, value) =>
      make(path, (document) => {
        needOwn(document, path.slice(0, -1));
        // A word that replaces a word keeps the remark behind it.
        if (isScalar(document.getIn(path, true)) && !isObject(value)) document.setIn(path, value);
        else place(document, path, nodeOf(document, value));
      }),
    append(path, item, { isAlike } = { isAlike: false }) {
      close();
      const added = { path, item, isAlike };
      const short = shortenFor(path);
      const edited = short && appended(short.text, added);
      const restored = edited === undefined ? undefined : short!.restored(edited);
      const whole = restored ?? (short && edited === undefined ? undefined : toText(appended(current.text, added)));
      if (whole === undefined) make(path, (document) => addItem(document, added));
      else current = whole;
    },
    remove: (path) =>
      make(path, (document) => {
        needOwn(document, path.slice(0, -1));
        document.deleteIn(path);
      }),
    isShared: (path) => findAlias(open(path), path) !== undefined,
  });
  close();
  return current.text;
}

/** Shorter texts are edited as they are. */
const shortCharacters = 16_384;

type Opened = ReturnType<typeof openDocument> & {
  /** The text without entries far from the changes, where it has thousands. */
  readonly short: Shortened | undefined;
  readonly changes: ((document: Document) => void)[];
};

function toText(text: string | undefined): { readonly text: string } | undefined {
  return text === undefined ? undefined : { text };
}

function openDocument(text: string) {
  const document = readDocument(text);
  const style = readYamlStyle(text, document);
  return { document, style, before: document.toString(style.print) };
}

function printChanged(
  text: string,
  { document, style, before }: ReturnType<typeof openDocument>,
  bytesMax: number,
): string {
  needAnchors(document);
  const after = document.toString(style.print);
  const isCrlf = /\n/.test(text) && !/(?:^|[^\r])\n/.test(text);
  const ended = (yaml: string) => (isCrlf ? yaml.replace(/\r?\n/g, '\r\n') : yaml);
  const meaning = (yaml: string) => JSON.stringify(parseYaml(yaml, '', { bytesMax }).value);
  const wanted = meaning(after);
  for (const kept of keepLines(text, before, after)) {
    const candidates = [style.isTight ? tightenedOutside(kept, text) : kept, kept];
    const found = candidates.find((candidate) => meaning(candidate) === wanted);
    if (found !== undefined) return ended(found);
  }
  return ended(after);
}

/** Adds an item by printing the list anew, which may have to be made first. */
function addItem(document: Document, added: NewItem): void {
  const list = document.getIn(added.path);
  const node = itemNode(document, added);
  if (isSeq(list)) list.add(node);
  else place(document, added.path, document.createNode([node]));
}

/** Refuses a change of what an alias stands for: it belongs to another part of the file too. */
function needOwn(document: Document, path: Path): void {
  const alias = findAlias(document, path);
  if (alias === undefined) return;
  throw new MotifError('usage', `${alias.place} is shared with another part of the file, so it stays as it is`, {
    hint: `change the file by hand, where &${alias.source} is, or write ${alias.place} out`,
  });
}

/** The alias on the way to a part of the document. */
function findAlias(document: Document, path: Path): { readonly place: string; readonly source: string } | undefined {
  for (let length = 1; length <= path.length; length++) {
    const node = document.getIn(path.slice(0, length), true);
    if (isAlias(node)) return { place: pathText(path.slice(0, length)), source: node.source };
  }
  return undefined;
}

/** Refuses a change that takes away what an alias stands for, and leaves the alias. */
function needAnchors(document: Document): void {
  const anchors = new Set<string>();
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor);
        return;
      }
      const { source } = node;
      if (anchors.has(source)) return;
      throw new MotifError('usage', `another part of the file is *${source}, so what is &${source} stays`, {
        hint: `change the file by hand, or write out what *${source} stands for`,
      });
    },
  });
}

/** Tightens the lines that were not in the text before. */
function tightenedOutside(kept: string, text: string): string {
  const known = new Set(text.split('\n'));
  return kept
    .split('\n')
    .map((line) => (known.has(line) ? line : tightened(line)))
    .join('\n');
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Lists of words stand on one line, and so does each entry of other lists. */
function nodeOf(document: Document, value: unknown): unknown {
  const node = document.createNode(value);
  visit(node as Node, {
    Seq(_, list) {
      if (isOfWords(list)) list.flow = true;
      for (const each of list.items) if (isCollection(each)) each.flow = true;
    },
  });
  return node;
}

/** A new key in `{}` would pull everything onto one line. */
function place(document: Document, path: Path, node: unknown): void {
  const around = document.getIn(path.slice(0, -1));
  if (isCollection(around) && around.items.length === 0) around.flow = false;
  document.setIn(path, node);
  if (isMap(around) && around.flow === true && isCollection(node)) node.flow = true;
}

/**
 * A document that is printed anew loses the blanks between its words, and a comment may move to a line of its own.
 * Lines that the edit did not touch are taken from the text as it was; the likelier form comes first.
 */
function* keepLines(text: string, before: string, after: string): Iterable<string> {
  const [was, printed, edited] = [text.split('\n'), before.split('\n'), after.split('\n')] as const;
  if (squeezed(text) === squeezed(before)) {
    const head = sharedStart(was, printed, edited);
    const restOf = (lines: readonly string[], from: number) => lines.slice(from).reverse();
    const tail = sharedStart(restOf(was, head.was), restOf(printed, head.edited), restOf(edited, head.edited));
    const changed = edited.slice(head.edited, edited.length - tail.edited);
    yield [...was.slice(0, head.was), ...changed, ...was.slice(was.length - tail.was)].join('\n');
  }
  yield* keepAround(was, printed, edited);
}

/** Counts the lines that two prints begin with alike, and the lines of the text as it was that stand for them. */
function sharedStart(
  was: readonly string[],
  printed: readonly string[],
  edited: readonly string[],
): { readonly was: number; readonly edited: number } {
  let shared = { was: 0, edited: 0 };
  let wasLetters = 0;
  let printedLetters = 0;
  let line = 0;
  for (let index = 0; index < edited.length && index < printed.length && printed[index] === edited[index]; index++) {
    printedLetters += squeezed(printed[index]!).length;
    while (line < was.length && wasLetters + squeezed(was[line]!).length <= printedLetters) {
      const letters = squeezed(was[line]!).length;
      // One blank line for one, so that none of the next part's are taken.
      if (letters === 0 && wasLetters === printedLetters && squeezed(printed[index]!) !== '') break;
      wasLetters += letters;
      line += 1;
      if (letters === 0 && wasLetters === printedLetters) break;
    }
    if (wasLetters === printedLetters) shared = { was: line, edited: index + 1 };
  }
  return shared;
}
