/** The verdict that the manual asks for where webhooks judge, made by hand: without a line of the gateway's own. */

export type Side = 'prompt' | 'inference';

export interface OraclePolicy {
  readonly name: string;
  readonly action: 'block' | 'redact' | 'warn';
  readonly on: readonly Side[];
  /** The one word of a list; none: it is a webhook. */
  readonly word?: string;
  /** Texts of its findings that are exceptions. */
  readonly except?: readonly string[];
}

/** A finding by its place in one of the texts. */
export interface OraclePlace {
  readonly rule: string;
  readonly message: number;
  readonly start: number;
  readonly length: number;
}

interface OracleHit extends OraclePlace {
  readonly policy: string;
  readonly action: string;
}

export interface Expected {
  readonly isBlocked: boolean;
  readonly hasFailed: boolean;
  /** The texts that each webhook is asked about; undefined where none is asked. */
  readonly shown: readonly string[] | undefined;
  /** As they go on; those that came where it is blocked. */
  readonly texts: readonly string[];
  readonly hits: readonly OracleHit[];
  readonly excepted: readonly OracleHit[];
}

/** More findings than these are not told of a text that is judged elsewhere. */
const toldMax = 5000;
const elsewhereMin = 16 * 1024;

interface Found extends OracleHit {
  readonly isExcepted: boolean;
}

/** The verdict on texts, where `answers` gives what a webhook finds in those that it is shown. */
export function expectedVerdict(
  policies: readonly OraclePolicy[],
  side: Side,
  texts: readonly string[],
  answers: (hook: string, shown: readonly string[]) => readonly OraclePlace[] | 'failed',
): Expected {
  const applicable = policies.filter(({ on }) => on.includes(side));
  const byWords = new Map(applicable.map((policy) => [policy.name, foundByWord(policy, texts)]));
  const own = [...byWords.values()].flat();
  const hooks = applicable.filter(({ word }) => word === undefined);
  const isStopped = own.some(({ action }) => action === 'block');
  const shown = isStopped ? undefined : replaced(texts, own);
  const failed: string[] = [];
  const found = new Map<string, readonly Found[]>(byWords);
  for (const hook of shown === undefined ? [] : hooks) {
    const answer = answers(hook.name, shown!.texts);
    const isUntold = own.length > toldMax && texts.join('').length > elsewhereMin;
    if (answer === 'failed' || (isUntold && answer.length > 0 && hook.action !== 'warn')) failed.push(hook.name);
    else
      found.set(
        hook.name,
        answer.map((place) => foundByHook(hook, place, shown!, isUntold ? texts : undefined)),
      );
  }
  const all = applicable.flatMap(({ name }) => found.get(name) ?? []);
  const counting = all.filter(({ isExcepted }) => !isExcepted);
  const isBlocked = failed.length > 0 || counting.some(({ action }) => action === 'block');
  const failures = failed.map((policy) => ({
    policy,
    rule: 'policy_failed',
    action: 'block',
    message: -1,
    start: 0,
    length: 0,
  }));
  return {
    isBlocked,
    hasFailed: failed.length > 0,
    shown: hooks.length === 0 ? undefined : shown?.texts,
    texts: isBlocked ? texts : replaced(texts, counting).texts,
    hits: [...counting.map(withoutMark), ...failures],
    excepted: all.filter(({ isExcepted }) => isExcepted).map(withoutMark),
  };
}

function withoutMark({ policy, action, rule, message, start, length }: Found): OracleHit {
  return { policy, action, rule, message, start, length };
}

function foundByWord({ name, action, word }: OraclePolicy, texts: readonly string[]): Found[] {
  if (word === undefined) return [];
  return texts.flatMap((text, message) => {
    const found: Found[] = [];
    for (let start = text.indexOf(word); start !== -1; start = text.indexOf(word, start + 1))
      found.push({ policy: name, action, rule: 'word', message, start, length: word.length, isExcepted: false });
    return found;
  });
}

/** Texts with marks, and for each of their units the units as sent that it stands for. */
interface Replaced {
  readonly texts: readonly string[];
  readonly origins: readonly (readonly (readonly [number, number])[])[];
}

/** A mark in place of each run of redactions that share units or are a row of one rule, in the name of the first. */
function replaced(texts: readonly string[], found: readonly Found[]): Replaced {
  const made = texts.map((text, message) => {
    const runs: { readonly rule: string; readonly start: number; end: number }[] = [];
    const own = found.filter((one) => one.action === 'redact' && one.message === message);
    for (const { rule, start, length } of own.sort(byPlace)) {
      const last = runs.at(-1);
      const isOfLast = last !== undefined && (start < last.end || (start === last.end && rule === last.rule));
      if (!isOfLast) runs.push({ rule, start, end: start + length });
      else last.end = Math.max(last.end, start + length);
    }
    const origins: (readonly [number, number])[] = [];
    let [shown, done] = ['', 0];
    const keep = (until: number): void => {
      shown += text.slice(done, until);
      for (; done < until; done++) origins.push([done, done + 1]);
    };
    for (const { rule, start, end } of runs) {
      keep(start);
      const mark = `[${rule.toUpperCase()}]`;
      shown += mark;
      origins.push(...Array.from(mark, () => [start, end] as const));
      done = end;
    }
    keep(text.length);
    return { shown, origins };
  });
  return { texts: made.map(({ shown }) => shown), origins: made.map(({ origins }) => origins) };
}

function byPlace(one: OraclePlace, other: OraclePlace): number {
  return one.start - other.start || other.length - one.length;
}

/** A finding at its place in the text as sent: half of a pair counts whole, and so does each mark that it touches. */
function foundByHook(
  { name, action, except = [] }: OraclePolicy,
  { rule, message, start, length }: OraclePlace,
  { texts, origins }: Replaced,
  wholes: readonly string[] | undefined,
): Found {
  const text = texts[message]!;
  let [from, to] = [start, start + length];
  if (isInPair(text, from)) from -= 1;
  if (isInPair(text, to)) to += 1;
  const isExcepted = except.includes(text.slice(from, to));
  const about = { policy: name, action, rule, message, isExcepted };
  if (wholes !== undefined) return { ...about, start: 0, length: wholes[message]!.length };
  if (from === to) return { ...about, start: 0, length: 0 };
  const own = origins[message]!;
  return { ...about, start: own[from]![0], length: own[to - 1]![1] - own[from]![0] };
}

function isInPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(at - 1, 0), at + 1));
}

/** Findings as the audit names them, and how many of each: of a policy and text a hundred at most. */
export function counted(hits: readonly Record<string, unknown>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { policy, rule, on, action, message, start, length, place } of hits) {
    const key = JSON.stringify([policy, on, message, action, rule, start, length, place]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

export function audited(hits: readonly OracleHit[], on: Side, hasSystem: boolean): Record<string, unknown>[] {
  const seen = new Map<string, number>();
  return hits.flatMap(({ message, ...hit }) => {
    const place = hit.rule === 'policy_failed' || on === 'inference' ? null : placeOf(message, hit.start, hasSystem);
    const list = `${hit.policy} ${message}`;
    seen.set(list, (seen.get(list) ?? 0) + 1);
    const isTold = seen.get(list)! <= 100;
    return isTold ? [{ ...hit, on, message: message === -1 || on === 'inference' ? null : message, place }] : [];
  });
}

function placeOf(message: number, start: number, hasSystem: boolean) {
  if (hasSystem && message === 0) return { of: 'system', start };
  return { of: 'client', message: message - (hasSystem ? 1 : 0), start };
}
