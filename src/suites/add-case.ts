import { editYaml } from '../documents/editing/yaml-edit.ts';
import { MotifError } from '../errors.ts';
import type { Message } from '../wire/request.ts';
import { contains, notContains } from './expectations/answer-text.ts';
import type { Observation } from './expectations/expectation.ts';
import { suiteBytesMax } from './parsing.ts';
import { motifLine } from './samples/attacks.ts';
import { tagForm, tagPattern } from './suite-shape.ts';
import { splitTags } from './tags.ts';
import { type Case, expectedOutcome, type Suite } from './case.ts';

/** A prompt and what came of it, to become a case. */
export interface NewCase {
  readonly messages: readonly Message[];
  readonly expect: 'answered' | 'blocked';
  /** Texts that the answer must hold, and those that it must not. */
  readonly contains?: readonly string[] | undefined;
  readonly notContains?: readonly string[] | undefined;
  readonly id?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** The Motif that a new suite is for. */
  readonly motif?: string | undefined;
}

/** The text of a suite with one more case, all else as it was; and the id of that case. */
export function withCase(
  text: string | undefined,
  suite: Suite | undefined,
  added: NewCase,
): { text: string; id: string } {
  refuseTaken(added.id, suite?.cases);
  const taken = new Set(suite?.cases.map(({ id }) => id));
  const id = added.id ?? freeCaseId(added, taken);
  const item = {
    id,
    ...promptOf(added.messages),
    ...(added.expect === 'blocked' && { expect: 'blocked' }),
    ...answerOf(added),
    ...(added.tags !== undefined && { tags: added.tags }),
  };
  const before = text ?? `${motifLine(added.motif)}cases:\n`;
  return { text: editYaml(before, suiteBytesMax, (edit) => edit.append(['cases'], item, { isAlike: true })), id };
}

/** The texts that are expected of the answer, as a suite has them: one alone is no list. */
function answerOf({ contains, notContains }: NewCase): { readonly answer?: Readonly<Record<string, unknown>> } {
  const written = (name: string, texts: readonly string[] = []) =>
    texts.length === 0 ? {} : { [name]: texts.length === 1 ? texts[0] : texts };
  const answer = { ...written('contains', contains), ...written('not_contains', notContains) };
  return Object.keys(answer).length === 0 ? {} : { answer };
}

/** The texts of a new case that an answer does not meet, in words that follow "the answer". */
export function unmetTexts({ contains: held = [], notContains: unwanted = [] }: NewCase, seen: Observation): string[] {
  const options = { ignoreCase: true };
  const judged = [...contains.judge(held, seen, options), ...notContains.judge(unwanted, seen, options)];
  return judged.flatMap((each) => ('message' in each ? [each.message] : []));
}

/** The id of a case that asks the same and expects all of the same; undefined where the suite has none. */
export function sameCaseId(
  { messages, expect, contains = [], notContains = [] }: NewCase,
  cases: readonly Case[] = [],
): string | undefined {
  const wanted = JSON.stringify(messages.map(({ role, content }) => [role, content]));
  const hasAll = (texts: readonly string[], expected: readonly string[] = []) =>
    texts.every((text) => expected.includes(text));
  const isSame = (each: Case): boolean =>
    each.turns.length === 1 &&
    hasAll(contains, each.turns[0]!.expected.answer?.contains) &&
    hasAll(notContains, each.turns[0]!.expected.answer?.not_contains) &&
    expectedOutcome(each) === expect &&
    JSON.stringify(each.turns[0]!.messages.map(({ role, content }) => [role, content])) === wanted;
  return cases.find(isSame)?.id;
}

/** The tags of a case as typed, each once: `pii,slow`. */
export function parseNewTags(text: string): readonly string[] {
  const tags = [...new Set(splitTags(text))];
  const wrong = tags.find((tag) => !tagPattern.test(tag));
  if (wrong === undefined && tags.length > 0) return tags;
  throw new MotifError('usage', `--tags: ${JSON.stringify(wrong ?? text)} is no tag: a tag is ${tagForm}`, {
    hint: 'for example --tags pii,slow',
  });
}

/** Refuses an ID that a case of the suite has already. */
export function refuseTaken(id: string | undefined, cases: readonly Case[] = []): void {
  if (id === undefined || !cases.some((each) => each.id === id)) return;
  throw new MotifError('usage', `there is a case ${JSON.stringify(id)} already`, { hint: '--id names another' });
}

/** A prompt alone is written as one; with anything before it the whole array is. */
function promptOf(messages: readonly Message[]): Readonly<Record<string, unknown>> {
  const [first, second, ...more] = messages;
  if (first === undefined) throw new MotifError('usage', 'there is no prompt to make a case of');
  if (second === undefined && first.role === 'user') return { prompt: first.content };
  if (first.role === 'system' && second?.role === 'user' && more.length === 0)
    return { system: first.content, prompt: second.content };
  return { messages: messages.map(({ role, content }) => ({ role, content })) };
}

const idCharactersMax = 40;

/** The first words of the prompt, as far as they make a name. */
function freeCaseId({ messages, expect }: NewCase, taken: ReadonlySet<string>): string {
  const words = (messages.at(-1)?.content ?? '').toLowerCase().match(/[a-z]{2,}/g) ?? [];
  const base = words.slice(0, 5).join('-').slice(0, idCharactersMax).replace(/-$/, '') || `case-${expect}`;
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id)) return id;
  }
}
