import { FetchedText } from '../../documents/fetched.ts';
import { Spot } from '../../documents/spot.ts';
import { type Fields, isFields } from '../../text/json/json.ts';
import type { Piecework } from '../../text/turns.ts';
import type { PolicyConfig } from '../config.ts';
import { policyKinds } from '../policies/index.ts';

/** Entries as they were read, the texts of files in place of their paths. */
const entries = new WeakMap<PolicyConfig, Fields>();

/** Notes the entry that a policy was made of. */
export function noteEntry(policy: PolicyConfig, entry: Fields): void {
  if (!policyKinds[policy.kind]!.isPure) return;
  const noted = Object.entries(entry).map(([name, value]) => [
    name,
    // A spot for faults would hold all of that version of the gateway file: 30 MB for 10,000 Motifs.
    value instanceof FetchedText ? new FetchedText(value.text, Spot.silent()) : value,
  ]);
  entries.set(policy, Object.fromEntries(noted) as Fields);
}

/**
 * The policy of the version before, where its entry and its file hold the same. What was made of it then stays: to make
 * a list of 50,000 words anew takes a third of a second, in each worker and each thread that judges.
 */
export function* keptPolicy(before: PolicyConfig | undefined, entry: Fields): Piecework<PolicyConfig | undefined> {
  const last = before && entries.get(before);
  return last !== undefined && (yield* isAlike(last, entry)) ? before : undefined;
}

/** Values that are looked at before others may have their turn. */
const perPiece = 1_024;

function* isAlike(one: unknown, other: unknown): Piecework<boolean> {
  if (one instanceof FetchedText) return other instanceof FetchedText && one.text === other.text;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    for (let at = 0; at < one.length; at++) {
      if (at % perPiece === 0) yield;
      if (one[at] !== other[at] && !(yield* isAlike(one[at], other[at]))) return false;
    }
    return true;
  }
  if (!isFields(one) || !isFields(other)) return one === other;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  for (const [at, name] of names.entries()) {
    if (at % perPiece === 0) yield;
    if (!Object.hasOwn(other, name) || !(yield* isAlike(one[name], other[name]))) return false;
  }
  return true;
}
