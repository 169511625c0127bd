import { createHash } from 'node:crypto';
import type { RowSource } from '../../../../rows/source.ts';
import { defuseLine } from '../../../../text/defuse.ts';
import type { Notice } from '../../../shared/notices.ts';
import { type HashedLines, twinWords, wholeLines } from './packed-twins.ts';

/**
 * Inputs of which none is a copy of another: all lines of a copy are the first ones of that. So nothing is lost, and no
 * prompt is counted twice.
 */
export async function withoutCopies(inputs: readonly RowSource[], notice: Notice): Promise<readonly RowSource[]> {
  const alike = new Map<string, RowSource[]>();
  for (const input of inputs) {
    const first = await firstLine(input);
    if (first !== undefined) alike.set(first, [...(alike.get(first) ?? []), input]);
  }
  const copies = new Set<RowSource>();
  for (const group of alike.values()) {
    if (group.length < 2) continue;
    for (const { copy, words } of await copiesAmong(group)) {
      copies.add(copy);
      notice(`${defuseLine(copy.name)} is left out: ${words}`);
    }
  }
  return inputs.filter((input) => !copies.has(input));
}

interface Copy {
  readonly copy: RowSource;
  readonly words: string;
}

/** Copies among files that begin with the same line; of two that are alike the one that was named first is none. */
async function copiesAmong(group: readonly RowSource[]): Promise<readonly Copy[]> {
  const files: { readonly input: RowSource; readonly lines: HashedLines }[] = [];
  for (const input of group.toReversed()) files.push({ input, lines: await hashLines(input) });
  files.sort((one, other) => one.lines.count - other.lines.count);
  const found: Copy[] = [];
  for (const [index, { input, lines }] of files.entries()) {
    for (const other of files.slice(index + 1)) {
      const begin = await hashLines(other.input, lines.count);
      if (begin.sha256 !== lines.sha256) continue;
      found.push({ copy: input, words: `${defuseLine(other.input.name)} ${twinWords(lines, other.lines)}` });
      break;
    }
  }
  return found;
}

async function firstLine(input: RowSource): Promise<string | undefined> {
  for await (const [first] of wholeLines(input)) if (first !== undefined) return first;
  return undefined;
}

/** The first lines of a file, up to so many. */
async function hashLines(input: RowSource, max = Infinity): Promise<HashedLines> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const lines of wholeLines(input)) {
    const wanted = lines.slice(0, max - count);
    count += wanted.length;
    for (const line of wanted) hash.update(line, 'latin1');
    if (count === max) break;
  }
  return { count, sha256: hash.digest('hex') };
}
