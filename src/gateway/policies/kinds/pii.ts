import { list, object, oneOf, refined, wordOr } from '../../../documents/shape.ts';
import type { Finding } from '../../vocabulary.ts';
import { entities } from '../rules/pii-entities.ts';
import type { Entity } from '../rules/pii-entity.ts';
import { findIn, policyKind } from '../policy.ts';
import type { Span, View } from '../readings/view.ts';

/** How far a word may stand from a number and still say what it is. */
const contextCharacters = 60;

export const entityNames: readonly string[] = entities.map(({ name }) => name);

/** Personal data. `entities: all`, or a list of their names. */
export const pii = policyKind({
  isPure: true,
  messageSeparator: '',
  options: refined(
    object({}, { entities: wordOr('all', list(oneOf(...entityNames), { least: 1, most: entityNames.length })) }),
    ({ entities: chosen = 'all' }) => ({ entities: chosen === 'all' ? entityNames : chosen }),
  ),
  create({ entities: names }) {
    const chosen = entitiesNamed(names);
    return { detect: (text) => findIn(text, (view) => chosen.flatMap((entity) => search(entity, view, text.sent))) };
  },
});

export function entitiesNamed(names: readonly string[]): readonly Entity[] {
  return entities.filter(({ name }) => names.includes(name));
}

function search(entity: Entity, view: View, sent: string): Finding[] {
  const { context, needsContext } = entity;
  const found: Finding[] = [];
  // Where each form of it needs a word beside it, a text without any is not searched.
  const isHopeless = context !== undefined && needsContext === undefined;
  if (isHopeless && !context.test(view.text) && !context.test(sent)) return found;
  weigh(entity, view, sent, (finding, fault) => {
    if (fault === undefined) found.push(finding);
  });
  return found;
}

/** Tells of each candidate what is wrong with it, in words that never quote it; undefined: nothing, it is found. */
export function weigh(
  entity: Entity,
  view: View,
  sent: string,
  tell: (candidate: Finding, fault: string | undefined) => void,
): void {
  const { text } = view;
  const { name, pattern, needs } = entity;
  if (!needs.test(text)) return;
  for (const match of text.matchAll(pattern)) {
    // What a pattern looks back at belongs to what it found.
    const before = match[1] ?? '';
    const start = match.index - before.length;
    const whole = before + match[0];
    const finding = { rule: name, start, length: whole.length };
    // What is packed into base64 has the words around it outside.
    const outside = () => around(sent, view.toSent({ start, end: start + whole.length }));
    tell(finding, faultOf(entity, whole, around(text, { start, end: start + whole.length }), outside));
  }
}

interface Surroundings {
  readonly before: string;
  readonly after: string;
}

function around(text: string, { start, end }: Span): Surroundings {
  return {
    before: text.slice(Math.max(0, start - contextCharacters), start),
    after: text.slice(end, end + contextCharacters),
  };
}

function faultOf(entity: Entity, found: string, near: Surroundings, outside: () => Surroundings): string | undefined {
  const { fault, context, needsContext, withoutContext, notAfter } = entity;
  const own = fault?.(found);
  if (own !== undefined) return own;
  if (notAfter?.test(near.before)) return 'the word before it says that it is something else';
  if (context === undefined || needsContext?.(found) === false) return undefined;
  const says = ({ before, after }: Surroundings) => context.test(before) || context.test(after);
  return says(near) || says(outside()) ? undefined : (withoutContext ?? 'no word near it says what it is');
}
