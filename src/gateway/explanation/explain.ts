import type { PolicyConfig } from '../config.ts';
import { overlaps, type Hit } from '../vocabulary.ts';
import { entities } from '../policies/rules/pii/entities.ts';
import { isCountedOn } from '../policies/rules/pii/entity.ts';
import { prepare } from '../policies/readings/prepare.ts';
import { nearExceptions } from './near/exceptions.ts';
import { findingsLeftOut } from './near/left-out.ts';
import { lookForInjection } from './near/injection.ts';
import type { Explainer, Look, NearMiss } from './near/miss.ts';
import {
  lookAtLength,
  lookAtSchema,
  lookForInvisible,
  lookForPatterns,
  lookForPii,
  lookForUrls,
  lookForWords,
} from './near/others.ts';
import { lookForSecrets } from './near/secrets.ts';
import { type Reading, readingsOf } from './readings.ts';

/**
 * Why a text was judged as it was: what each policy looked for, what it nearly took for that, and how the text was
 * read. Only who asks pays for this: the gateway decides without it.
 */
export interface Explanation {
  readonly looks: readonly PolicyLook[];
  /** Beside the text as sent. */
  readonly readings: readonly Reading[];
}

export interface PolicyLook extends Look {
  readonly policy: string;
  readonly kind: string;
}

const nearToldMax = 100;

/** By kind; one that asks outside explains itself. */
export const explainers: Readonly<Record<string, Explainer | undefined>> = {
  pii: lookForPii,
  secrets: lookForSecrets,
  injection: lookForInjection,
  words: lookForWords,
  urls: lookForUrls,
  regex: lookForPatterns,
  invisible: lookForInvisible,
  length: lookAtLength,
  schema: lookAtSchema,
};

/** `hits` and `excepted` are those in this very text: what overlaps one needs no other words. */
export function explain(
  sent: string,
  policies: readonly PolicyConfig[],
  hits: readonly Hit[],
  excepted: readonly Hit[] = [],
): Explanation {
  const text = prepare(sent);
  const looks = policies.flatMap((policy) => {
    const { name, kind, options, without } = policy;
    const leftOut = new Set(without);
    const look = explainers[kind]?.(options, text, leftOut);
    if (look === undefined) return [];
    const near = [...findingsLeftOut(sent, policy), ...look.near.filter(({ rule }) => !leftOut.has(rule))]
      .filter((miss) => ![...hits, ...excepted].some((hit) => hit.policy === name && overlaps(hit, miss)))
      .filter((miss, _, all) => !all.some((other) => isInside(miss, other)))
      .toSorted((one, other) => one.start - other.start);
    const told = [...nearExceptions(sent, policy, hits), ...near];
    return [{ ...look, policy: name, kind, near: told.slice(0, nearToldMax) }];
  });
  return { looks, readings: readingsOf(text) };
}

function isInside(miss: NearMiss, other: NearMiss): boolean {
  const isShorter = miss.length < other.length;
  return isShorter && other.start <= miss.start && miss.start + miss.length <= other.start + other.length;
}

/** The arithmetic that a finding has passed; undefined where its rule knows none, or took a sample that counts on. */
export function checksumOf(kind: string | undefined, rule: string, found: string): string | undefined {
  const entity = kind === 'pii' ? entities.find(({ name }) => name === rule) : undefined;
  return entity?.hasCountedSample === true && isCountedOn(found) ? undefined : entity?.checksum;
}
