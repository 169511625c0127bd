import { type Document, isAlias, isCollection, isMap, isScalar, isSeq, type Node, visit, type YAMLSeq } from 'yaml';
import { MotifError } from '../../errors.ts';
import { pathText } from '../../text/json/json.ts';
import type { Path } from '../fault.ts';
import type { YamlEdit } from './edit.ts';
import { shorten, type Shortened } from './nearby-entries.ts';
import { editJson, isJson } from './json-edit.ts';
import { pairAt, isMapOrList, lineBreakOf, withEntry, withoutEntry, withValue, type StyledText } from './splices.ts';
import { readYamlStyle } from './written-style.ts';
import { parseYaml, readDocument } from '../yaml.ts';

/**
 * Makes changes and leaves all else as it is: comments, order, quotes, and the blanks of every line outside the part
 * that changed. The text must be YAML without faults; one that is JSON stays JSON.
 */
export function editYaml(text: string, bytesMax: number, change: (edit: YamlEdit) => void): string {
  if (isJson(text)) return editJson(text, change);
  const parse = (each: string): unknown => parseYaml(each, '', { bytesMax }).value;
  let whole: { readonly text: string; readonly value?: unknown } = { text };
  let opened: Opened | undefined;
  const open = (path: Path): Opened => {
    if (opened?.short?.holds(path) === false) close();
    if (opened !== undefined) return opened;
    if (whole.text.length >= shortCharacters) whole = { text: whole.text, value: whole.value ?? parse(whole.text) };
    const short = whole.value === undefined ? undefined : shorten(whole.text, path, whole.value, parse);
    return (opened = { short, text: short?.text ?? whole.text, made: [] });
  };
  const close = (): void => {
    if (opened === undefined) return;
    const { short, text: edited, made } = opened;
    const inAll = () => made.reduce((each, one) => changed(each, one, bytesMax), whole.text);
    whole = (short === undefined ? { text: edited } : short.restored(edited)) ?? { text: inAll() };
    opened = undefined;
  };
  const make = (one: Change): void => {
    const { text: before } = open(one.path);
    opened!.text = changed(before, one, bytesMax);
    opened!.made.push(one);
  };
  change({
    set: (path, value) => make(setting(path, value)),
    append: (path, item, { isAlike } = { isAlike: false }) => make(appending(path, item, isAlike)),
    remove: (path) => make(removing(path)),
    isShared: (path) => findAlias(readDocument(open(path).text), path) !== undefined,
  });
  close();
  return whole.text;
}

/** Shorter texts are edited as they are. */
const shortCharacters = 16_384;

interface Opened {
  /** The text without entries far from the changes, where it has thousands. */
  readonly short: Shortened | undefined;
  /** The text, or the short one, with the changes that were made. */
  text: string;
  readonly made: Change[];
}

interface Change {
  readonly path: Path;
  /** Texts with the change in them, the likelier ones first. */
  readonly texts: (document: Document, written: StyledText) => readonly string[];
  readonly make: (document: Document) => void;
}

/** The text with a change, in one of its own texts where that means the same, or else printed anew as a whole. */
function changed(text: string, { texts, make }: Change, bytesMax: number): string {
  const document = readDocument(text);
  const style = readYamlStyle(text, document);
  const candidates = texts(document, { text, style });
  make(document);
  needAnchors(document);
  const wanted = JSON.stringify(document.toJS({ maxAliasCount: -1 }));
  const isRight = (yaml: string): boolean => JSON.stringify(parseYaml(yaml, '', { bytesMax }).value) === wanted;
  const found = candidates.find(isRight);
  if (found !== undefined) return found;
  const printed = document.toString(style.print).replace(/\r?\n/g, lineBreakOf(text));
  if (isRight(printed)) return printed;
  throw new MotifError('usage', 'the file is written in a way in which this change cannot be made', {
    hint: 'change it by hand',
  });
}

function setting(path: Path, value: unknown): Change {
  return {
    path,
    texts: (document, written) => settingTexts(document, path, nodeOf(document, value), written),
    make(document) {
      needOwn(document, path.slice(0, -1));
      const present = document.getIn(path, true);
      // A word that replaces a word keeps the remark behind it.
      if (isScalar(present) && present.anchor === undefined && !isObject(value)) document.setIn(path, value);
      else place(document, path, nodeOf(document, value));
    },
  };
}

function appending(path: Path, item: unknown, isAlike: boolean): Change {
  const listOf = (document: Document): YAMLSeq | undefined => {
    const list = document.getIn(path);
    return isSeq(list) && list.items.length > 0 ? list : undefined;
  };
  const newList = (document: Document): Node => document.createNode([itemNode(document, item, isAlike)]);
  return {
    path,
    texts(document, written) {
      const list = listOf(document);
      return list === undefined
        ? settingTexts(document, path, newList(document), written)
        : withEntry(written, list, itemNode(document, item, isAlike, list));
    },
    make(document) {
      needOwn(document, path);
      const list = listOf(document);
      if (list === undefined) place(document, path, newList(document));
      else list.add(itemNode(document, item, isAlike, list));
    },
  };
}

function removing(path: Path): Change {
  return {
    path,
    texts(document, written) {
      const around = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
      if (!isMapOrList(around)) return [];
      if (around.items.length > 1) return withoutEntry(written, around, path.at(-1)!);
      const empty = document.createNode(isSeq(around) ? [] : {});
      return settingTexts(document, path.slice(0, -1), empty, written);
    },
    make(document) {
      needOwn(document, path.slice(0, -1));
      document.deleteIn(path);
    },
  };
}

/** Texts with a value at a path, and with the maps on the way to it that are not there. */
function settingTexts(document: Document, path: Path, value: Node, written: StyledText): readonly string[] {
  let branch: unknown = document.contents;
  let depth = 0;
  const below = (): unknown => (isCollection(branch) ? branch.get(path[depth], true) : undefined);
  for (let next = below(); depth < path.length - 1 && isMapOrList(next) && next.items.length > 0; next = below()) {
    branch = next;
    depth += 1;
  }
  if (!isMap(branch) || branch.items.length === 0) return [];
  const step = path[depth]!;
  const made = path.slice(depth + 1).reduceRight((inner: Node, key) => document.createNode({ [key]: inner }), value);
  if (isCollection(made) && branch.flow === true) made.flow = true;
  const pair = pairAt(branch, step);
  return pair === undefined
    ? withEntry(written, branch, document.createPair(step, made))
    : withValue(written, branch, pair, made);
}

/** An item of a list: on one line, or with `isAlike` as the item before it stands. */
function itemNode(document: Document, item: unknown, isAlike: boolean, list?: YAMLSeq): Node {
  const last = list?.items.at(-1);
  const isOneLine = !isAlike || list?.flow === true || (isCollection(last) && last.flow === true);
  const node = document.createNode(item, { flow: isOneLine });
  visit(node, { Seq: (_, inner) => void (inner.flow = isOneLine || isOfWords(inner)) });
  return node;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isOfWords(list: YAMLSeq): boolean {
  return !list.items.some(isCollection);
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

/** Lists of words stand on one line, and so does each entry of other lists. */
function nodeOf(document: Document, value: unknown): Node {
  const node = document.createNode(value);
  visit(node, {
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
