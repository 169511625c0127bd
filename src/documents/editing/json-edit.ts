import { atOnce } from '../../text/turns.ts';
import { endOfString, endOfValue } from '../../text/json/ends.ts';
import { isFields, type PathStep } from '../../text/json/json.ts';
import { nestingMax } from '../../text/limits.ts';
import type { Path } from '../fault.ts';
import { readJsonInPieces } from '../json-pieces.ts';
import type { YamlEdit } from './edit.ts';

/** True for a JSON object that holds each key once; `{}` may be a beginning of YAML as well. */
export function isJson(text: string): boolean {
  if (!/^[ \t\r\n]{0,100}\{/.test(text)) return false;
  const value = atOnce(readJsonInPieces(text, nestingMax));
  return value !== undefined && Object.keys(value).length > 0;
}

/**
 * Makes changes in a text that is JSON, and leaves it JSON. Parts are cut out and put in, printed like those around
 * them, so that all else stays as it is, byte for byte: long numbers and escapes too.
 */
export function editJson(text: string, change: (edit: YamlEdit) => void): string {
  const unit = unitOf(text);
  let current = text;
  change({
    set: (path, value) => (current = withValue(current, path, value, unit)),
    append(path, item) {
      const list = branchesTo(current, [...path, 0]).at(path.length);
      const isList = list !== undefined && !list.isMap;
      current = isList
        ? withEntry(current, list, { step: list.entries.length, value: item }, unit)
        : withValue(current, path, [item], unit);
    },
    remove: (path) => (current = without(current, path)),
    isShared: () => false,
  });
  return current;
}

interface Entry {
  readonly step: PathStep;
  /** The offset of the key, or of the item. */
  readonly start: number;
  readonly valueAt: number;
  readonly end: number;
}

/** A map or a list. */
interface Branch {
  readonly isMap: boolean;
  readonly start: number;
  readonly end: number;
  readonly entries: readonly Entry[];
  /** The line break and the blanks before the entry that it is the value of. */
  readonly outerBreak: string | undefined;
}

const blank = /[ \t\r\n]*/y;
const between = /[ \t\r\n:,]*/y;

function skipped(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

function isBranch(text: string, at: number): boolean {
  return text[at] === '{' || text[at] === '[';
}

function branchAt(text: string, start: number, outerBreak?: string): Branch {
  const entries: Entry[] = [];
  const isMap = text[start] === '{';
  let at = skipped(text, start + 1, blank);
  while (text[at] !== '}' && text[at] !== ']') {
    const keyEnd = isMap ? endOfString(text, at) : at;
    const step = isMap ? (JSON.parse(text.slice(at, keyEnd)) as string) : entries.length;
    const valueAt = isMap ? skipped(text, keyEnd, between) : at;
    const end = endOfValue(text, valueAt);
    entries.push({ step, start: at, valueAt, end });
    at = skipped(text, end, between);
  }
  return { isMap, start, end: at + 1, entries, outerBreak };
}

/** The maps and lists on the way to what a path leads to, as far as there are any. */
function branchesTo(text: string, path: Path): readonly Branch[] {
  const branches = [branchAt(text, skipped(text, 0, blank))];
  for (const step of path.slice(0, -1)) {
    const entry = entryOf(branches.at(-1)!, step);
    if (entry === undefined || !isBranch(text, entry.valueAt)) break;
    branches.push(branchAt(text, entry.valueAt, breakBefore(text, entry.start)));
  }
  return branches;
}

function entryOf({ entries }: Branch, step: PathStep | undefined): Entry | undefined {
  return entries.find((entry) => entry.step === step);
}

/** The line break before an offset and the blanks behind it; undefined where something else stands on the line. */
function breakBefore(text: string, at: number): string | undefined {
  let start = at;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  if (text[start - 1] !== '\n') return undefined;
  return text.slice(text[start - 2] === '\r' ? start - 2 : start - 1, at);
}

/** The blanks by which each level is indented deeper. */
function unitOf(text: string): string {
  const top = branchAt(text, skipped(text, 0, blank));
  const inner = top.entries[0] && breakBefore(text, top.entries[0].start);
  const outer = breakBefore(text, top.end - 1);
  return inner !== undefined && outer !== undefined && inner.startsWith(outer) ? inner.slice(outer.length) : '  ';
}

function withValue(text: string, path: Path, value: unknown, unit: string): string {
  const branches = branchesTo(text, path);
  const [branch, step] = [branches.at(-1)!, path[branches.length - 1]!];
  const missing = path.slice(branches.length);
  const made = missing.reduceRight<unknown>(
    (inner, each) => (typeof each === 'number' ? [inner] : { [each]: inner }),
    value,
  );
  const entry = entryOf(branch, step);
  if (entry === undefined) return withEntry(text, branch, { step, value: made }, unit);
  const form = { unit, outer: breakOf(text, entry), ...signsOf(text, branch, entry) };
  return spliced(text, entry.valueAt, entry.end, printed(made, form));
}

/** The text with a new entry behind the last one of a map or a list. */
function withEntry(text: string, branch: Branch, added: { step: PathStep; value: unknown }, unit: string): string {
  const last = branch.entries.at(-1);
  const key = (colon: string): string => (branch.isMap ? `${JSON.stringify(added.step)}${colon}` : '');
  if (last === undefined) {
    const outer = branch.outerBreak;
    const inner = outer === undefined ? undefined : outer + unit;
    const form = { unit, outer: inner, ...signsOf(text, branch) };
    const entry = `${key(form.colon)}${printed(added.value, form)}`;
    const [open, close] = branch.isMap ? '{}' : '[]';
    return spliced(text, branch.start, branch.end, `${open}${inner ?? ''}${entry}${outer ?? ''}${close}`);
  }
  const form = { unit, outer: breakOf(text, last), ...signsOf(text, branch, last) };
  const before = branch.entries.at(-2);
  const gap = before === undefined ? form.gap : text.slice(before.end, last.start).replace(/^\s*,/, '');
  const separator = breakBefore(text, last.start) ?? gap;
  return spliced(text, last.end, last.end, `,${separator}${key(form.colon)}${printed(added.value, form)}`);
}

function without(text: string, path: Path): string {
  const branches = branchesTo(text, path);
  const branch = branches.at(-1)!;
  const entry = branches.length === path.length ? entryOf(branch, path.at(-1)) : undefined;
  if (entry === undefined) return text;
  const at = branch.entries.indexOf(entry);
  const [before, behind] = [branch.entries[at - 1], branch.entries[at + 1]];
  if (before !== undefined) return spliced(text, before.end, entry.end, '');
  return behind === undefined
    ? spliced(text, branch.start + 1, branch.end - 1, '')
    : spliced(text, entry.start, behind.start, '');
}

function spliced(text: string, start: number, end: number, put: string): string {
  return `${text.slice(0, start)}${put}${text.slice(end)}`;
}

/** The signs of a print. */
interface Signs {
  readonly colon: string;
  /** The blanks behind a comma on the same line. */
  readonly gap: string;
  /** The blanks inside the braces of a map on one line. */
  readonly pad: string;
}

interface Form extends Signs {
  readonly unit: string;
  /** The line break before the closing bracket; undefined for a value on one line. */
  readonly outer: string | undefined;
}

/** The line break that a value in the place of this one, or behind it, ends with; undefined where it is one line. */
function breakOf(text: string, { start, valueAt, end }: Entry): string | undefined {
  const isNested = isBranch(text, valueAt) && branchAt(text, valueAt).entries.length > 0;
  return breakBefore(text, isNested ? end - 1 : start);
}

/** The signs as they are in an entry of a map, in an item of a list, or else at the top. */
function signsOf(text: string, { isMap }: Branch, entry?: Entry): Signs {
  const isOfMap = entry !== undefined && text[entry.valueAt] === '{';
  const item = isMap ? entry : isOfMap ? branchAt(text, entry.valueAt).entries[0] : undefined;
  const { start, valueAt } = item ?? branchAt(text, skipped(text, 0, blank)).entries[0]!;
  const written = text.slice(endOfString(text, start), valueAt);
  const colon = /[\r\n]/.test(written) ? ': ' : written;
  const pad = isOfMap && text[entry.valueAt + 1] === ' ' ? ' ' : '';
  return { colon, gap: colon.endsWith(':') ? '' : ' ', pad };
}

function printed(value: unknown, form: Form): string {
  const isMap = isFields(value);
  if (!isMap && !Array.isArray(value)) return JSON.stringify(value);
  const { unit, outer, colon, gap, pad } = form;
  const inner = outer === undefined ? undefined : outer + unit;
  const print = (each: unknown): string => printed(each, { ...form, outer: inner });
  const entries = isMap
    ? Object.entries(value).flatMap(([key, each]) =>
        each === undefined ? [] : [`${JSON.stringify(key)}${colon}${print(each)}`],
      )
    : value.map(print);
  const [open, close] = isMap ? '{}' : '[]';
  if (entries.length === 0) return `${open}${close}`;
  if (inner !== undefined) return `${open}${inner}${entries.join(`,${inner}`)}${outer}${close}`;
  const edge = isMap ? pad : '';
  return `${open}${edge}${entries.join(`,${gap}`)}${edge}${close}`;
}
