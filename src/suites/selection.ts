import { createHash } from 'node:crypto';
import type { Shard } from '../runs/shards.ts';
import { type Case, keyOf, type Suite } from './case.ts';
import type { TagFilter } from './tags.ts';

/** One suite that was asked for, and the line of one of its cases where that was named. */
export interface ChosenSuite {
  readonly suite: Suite;
  readonly line: number | undefined;
}

export interface Selection {
  readonly tags?: TagFilter | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Keys of the cases that failed last. */
  readonly keys?: ReadonlySet<string> | undefined;
  readonly shard?: Shard | undefined;
}

/** The cases that are meant, in the order of the suites. */
export function selectCases(suites: readonly ChosenSuite[], { tags, ids, keys, shard }: Selection): readonly Case[] {
  const cases = suites.flatMap(({ suite, line }) => (line === undefined ? suite.cases : casesAt(suite.cases, line)));
  return cases.filter(
    (each) =>
      (tags === undefined || tags(new Set(each.tags))) &&
      (ids === undefined || ids.includes(each.id)) &&
      (keys === undefined || keys.has(keyOf(each))) &&
      (shard === undefined || shardOf(keyOf(each), shard.of) === shard.index),
  );
}

/** The case in which a line is: the last one that begins there or before. */
function casesAt(cases: readonly Case[], line: number): readonly Case[] {
  const before = cases.filter((each) => each.line <= line);
  const nearest = Math.max(...before.map((each) => each.line));
  return before.filter((each) => each.line === nearest);
}

/** The part of several, from 1, that a case belongs to: by its key alone, so that adding one moves no other. */
export function shardOf(key: string, total: number): number {
  return (createHash('sha256').update(key).digest().readUInt32BE(0) % total) + 1;
}

/** Changes with any case, whatever part of them is run: shards of one suite have the same. */
export function digestOfCases(cases: readonly Case[]): string {
  const hash = createHash('sha256');
  for (const each of cases) hash.update(`${keyOf(each)}\0${each.digest}\0`);
  return hash.digest('hex').slice(0, 32);
}
