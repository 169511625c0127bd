import { isDeepStrictEqual } from 'node:util';
import { type Fields, isFields } from '../../text/json/json.ts';
import type { Path } from '../fault.ts';

/** Fewer entries are edited with all the rest. */
const leftOutMin = 32;

/** A document without most entries of a large map in it, for an edit of one of those that are left. */
export interface Shortened {
  readonly text: string;
  holds(path: Path): boolean;
  /** The edited text with all that was left out; undefined where that cannot be put back as it was. */
  restored(edited: string): { readonly text: string; readonly value: unknown } | undefined;
}

interface Entry {
  readonly key: string;
  readonly start: number;
}

interface LeftOut {
  readonly text: string;
  readonly keys: readonly string[];
  /** The entry behind it. */
  readonly before: string;
}

/** Anchors and aliases, which may lead to another entry; what only looks like one is none the worse for it. */
const reference = /(?:^|[\s[{,:-])[&*][^\s&*[\]{},]/;

/**
 * To read ten thousand entries by the whole of YAML and to print them takes ten seconds. So an edit of one is made
 * among the first, the last and those around it. `parse` reads a whole text quickly; `value` is that of this one.
 */
export function shorten(
  text: string,
  path: Path,
  value: unknown,
  parse: (text: string) => unknown,
): Shortened | undefined {
  const [section, wanted] = path;
  if (typeof section !== 'string' || wanted === undefined || !isFields(value) || !isFields(value[section]))
    return undefined;
  const entries = entriesIn(text, section);
  if (
    entries === undefined ||
    !isDeepStrictEqual(
      entries.map(({ key }) => key),
      Object.keys(value[section]),
    )
  )
    return undefined;
  const at = entries.findIndex(({ key }) => key === wanted);
  const isKept = (index: number): boolean =>
    index < 2 || index >= entries.length - 2 || (at !== -1 && Math.abs(index - at) < 2);
  const left: LeftOut[] = [];
  let short = text.slice(0, entries[0]?.start);
  for (let index = 0; index < entries.length;) {
    let end = index;
    while (end < entries.length && isKept(end) === isKept(index)) end++;
    const part = text.slice(entries[index]!.start, entries[end]?.start);
    if (isKept(index)) short += part;
    else left.push({ text: part, keys: entries.slice(index, end).map(({ key }) => key), before: entries[end]!.key });
    index = end;
  }
  const gone = new Set(left.flatMap(({ keys }) => keys));
  if (gone.size < leftOutMin || left.some((part) => reference.test(part.text))) return undefined;
  return {
    text: short,
    holds: ([of, key]) => of === section && key !== undefined && !gone.has(String(key)),
    restored(edited) {
      const whole = putBack(edited, left, section);
      const restored = whole === undefined ? undefined : parse(whole);
      const isRight = isRestored(restored, parse(edited), { before: value, gone, section });
      return isRight ? { text: whole!, value: restored } : undefined;
    },
  };
}

function putBack(edited: string, left: readonly LeftOut[], section: string): string | undefined {
  const starts = new Map(entriesIn(edited, section)?.map(({ key, start }) => [key, start]));
  let [whole, done] = ['', 0];
  for (const { text, before } of left) {
    const start = starts.get(before);
    if (start === undefined) return undefined;
    whole += edited.slice(done, start) + text;
    done = start;
  }
  return whole + edited.slice(done);
}

/** True where a document holds what was edited, and of the entries that were left out what these held before. */
function isRestored(
  restored: unknown,
  edited: unknown,
  { before, gone, section }: { readonly before: Fields; readonly gone: ReadonlySet<string>; readonly section: string },
): boolean {
  if (!isFields(restored) || !isFields(edited)) return false;
  const { [section]: all, ...rest } = restored;
  const { [section]: few, ...others } = edited;
  const { [section]: once } = before;
  if (!isFields(all) || !isFields(few) || !isFields(once) || !isDeepStrictEqual(rest, others)) return false;
  const keys = Object.keys(all);
  return (
    keys.length === Object.keys(few).length + gone.size &&
    keys.every((key) => isDeepStrictEqual(all[key], (gone.has(key) ? once : few)[key]))
  );
}

/** The entries of a map at the top of a document, a line or more each; undefined where that is not clear. */
function entriesIn(text: string, section: string): readonly Entry[] | undefined {
  const heads = [...text.matchAll(/^([\w-]+):[ \t]*(?:#.*)?$/gm)].filter(([, name]) => name === section);
  if (heads.length !== 1) return undefined;
  const entries: Entry[] = [];
  const line = /^( *)(?:([\w.-]+|"[^"\\\n]*"|'[^'\n]*'):(?=\s)|(\S))?.*(?:\n|$)/gm;
  let columns: number | undefined;
  line.lastIndex = text.indexOf('\n', heads[0]!.index) + 1;
  while (line.lastIndex > 0 && line.lastIndex < text.length) {
    const { 0: all, 1: lead = '', 2: key, 3: other, index } = line.exec(text)!;
    // An expression that matched nothing would match it for ever.
    if (all === '') line.lastIndex += 1;
    if (key === undefined && (other === undefined || other === '#')) continue;
    if (lead === '') break;
    columns ??= lead.length;
    if (lead.length > columns) continue;
    if (lead.length < columns || key === undefined || all.includes('\t')) return undefined;
    entries.push({ key: key.replace(/^(["'])(.*)\1$/, '$2'), start: index });
  }
  return entries;
}
