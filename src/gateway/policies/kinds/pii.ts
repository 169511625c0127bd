import { byDefault, list, object, oneOf, refined, wordOr } from '../../../documents/shape.ts';
import type { Finding } from '../../vocabulary.ts';
import { type ContextWords, findContextWords } from '../rules/context-words.ts';
import { entitiesNamed, entityNames, entityOrSetNames } from '../rules/pii/entities.ts';
import { type Entity, type Form, ownFault } from '../rules/pii/entity.ts';
import { isRowOfFractions } from '../rules/pii/fractions.ts';
import { createListTest, dataFault } from '../rules/pii/number-lists.ts';
import { type IsNamed, isCalledSo, leadCharacters, otherNumber } from '../rules/pii/other-number.ts';
import { type EntitySearch, type FormSearch, Lazy, createSearches, topicsOf } from '../rules/pii/searches.ts';
import { findIn, policyKind } from '../policy.ts';
import { findNumberAreas } from '../readings/number-areas.ts';
import type { PreparedText } from '../readings/prepare.ts';
import { createColumns } from '../readings/tables/table-columns.ts';
import type { Span, View } from '../readings/view.ts';

/** Distance at which a word may stand from a number and still say what it is. */
const contextCharacters = 60;
/** Words right before a number that label it. */
const labelCharacters = 24;
/** More than the longest number that a label is followed by. */
const labelledCharacters = 60;

const entityList = list(oneOf(...entityOrSetNames), { least: 1, most: entityOrSetNames.length });

/** Personal data. `entities: all`, or a list of their names and of names of sets. */
export const pii = policyKind({
  isPure: true,
  messageSeparator: '',
  rules: entityNames,
  options: refined(
    object({}, { entities: byDefault('all', 'numbers to look for', wordOr('all', entityList)) }),
    ({ entities: chosen = 'all' }) => ({ entities: chosen === 'all' ? entityNames : chosen }),
  ),
  create({ entities: names }) {
    const createExamine = createExamination(entitiesNamed(names));
    return {
      detect(text) {
        const examine = createExamine(text);
        return findIn(text, (view) => {
          const found: FoundNumber[] = [];
          examine(view, (finding, fault, entity) => {
            if (fault === undefined) found.push({ isChecked: entity.checksum !== undefined, ...finding });
          });
          return found.length < 2 ? found : withoutParts(found);
        });
      },
    };
  },
});

interface FoundNumber extends Finding {
  readonly isChecked: boolean;
}

/** A part of a longer number that passed its own arithmetic is nothing by itself. */
function withoutParts(found: readonly FoundNumber[]): Finding[] {
  const ordered = found.toSorted((one, other) => one.start - other.start || other.length - one.length);
  let around: FoundNumber | undefined;
  return ordered.filter((one) => {
    const end = one.start + one.length;
    const isPart = around !== undefined && end <= around.start + around.length && one.length < around.length;
    if (!isPart && one.isChecked && (around === undefined || end > around.start + around.length)) around = one;
    return !isPart;
  });
}

/** Is told of each candidate what is wrong with it, in words that never quote it; undefined: nothing, it is found. */
type TellCandidate = (candidate: Finding, fault: string | undefined, entity: Entity) => void;

/** For numbers that need no word near them: their digits stand close together. */
const closeDigits = { digitsMin: 6, withLettersMin: 4, gapMax: 5, margin: 8 };
/** For those that a word near them names; a month may stand between the digits of a day and of its year. */
const looseDigits = { digitsMin: 3, withLettersMin: 3, gapMax: 12, margin: 14 };

/** Words of one view, and of the text as sent around it, that say what its numbers are. */
function createNaming(view: View, outside: Lazy<ContextWords>) {
  const isSent = view.seen === '';
  const words = isSent ? outside : new Lazy(() => findContextWords(view.text));
  const columns = new Lazy(() => createColumns(view.text));
  const headsOver = (at: number) => columns.value(at);

  return {
    words,
    headsOver,
    mayName: (topic: string) =>
      words.value.endsOf(topic).length > 0 || (!isSent && outside.value.endsOf(topic).length > 0),
    isNamed({ reach = contextCharacters }: Entity, topic: string, span: Span, before = reach, behind = reach) {
      const inside = words.value;
      if (inside.isWithin(topic, span.start - before, span.end + behind)) return true;
      if (!isSent) {
        const { start, end } = view.toSent(span);
        if (outside.value.isWithin(topic, start - before, end + behind)) return true;
      }
      if (inside.endsOf(topic).length === 0) return false;
      return headsOver(span.start).some(({ start, end }) => inside.isWithin(topic, start, end));
    },
  };
}

/**
 * Looks for entities in the views of a text; what is known of the text as sent is worked out once for all of them. A
 * thorough look also tells of candidates that no word in the whole text names.
 */
export function createExamination(chosen: readonly Entity[], isThorough = false) {
  const searches = createSearches(chosen);
  return (text: PreparedText) => {
    const wordsOfSent = new Lazy(() => findContextWords(text.sent));
    return (view: View, tell: TellCandidate) => examine(text, view, tell, wordsOfSent);
  };

  function examine(text: PreparedText, view: View, tell: TellCandidate, wordsOfSent: Lazy<ContextWords>): void {
    const loose = findNumberAreas(view.text, looseDigits);
    const near = loose && findNumberAreas(loose.text, closeDigits);
    text.spend(view.text.length + (loose?.text.length ?? 0) + (near?.text.length ?? 0));
    const hasRuns = searches.createRunsTest(loose?.text ?? '');
    const naming = createNaming(view, wordsOfSent);
    const listFault = createListTest(view.text, (characters) => text.spend(characters));
    const chanceFault = (entity: Entity, { pattern }: Form, span: Span) =>
      listFault(entity, pattern, span) ?? dataFault(entity, view.text, span, naming.headsOver);
    const mayBeNamed = (topics: readonly string[]) => isThorough || topics.length === 0 || topics.some(naming.mayName);

    function weigh(entity: Entity, form: Form, start: number, found: string): boolean {
      const span = { start, end: start + found.length };
      const isNamed: IsNamed = (part, before, behind) =>
        topicsOf(entity, form).some((topic) => naming.isNamed(entity, topic, part, before, behind));
      // Reasons are for a thorough look; this one asks first what refuses most.
      if (!isThorough && isRefused(entity, form, found, span, isNamed)) return false;
      const fault = faultOf(entity, form, view, span, isNamed, chanceFault);
      tell({ rule: entity.name, start, length: found.length }, fault, entity);
      return fault === undefined;
    }

    function mayStand({ isSure, runs, topics }: FormSearch): boolean {
      if (isSure) return runs === undefined || hasRuns(runs);
      // Words that were found already are asked for sooner than runs.
      if (naming.words.isMade && !mayBeNamed(topics)) return false;
      return (runs === undefined || hasRuns(runs)) && mayBeNamed(topics);
    }

    function searchNumbers({ entity, forms }: EntitySearch): void {
      for (const search of forms) {
        const areas = search.isSure ? near : loose;
        if (areas === undefined || !mayStand(search)) continue;
        const { form } = search;
        if (form.needs?.test(areas.text) === false) continue;
        text.spend(areas.text.length);
        const toWhole = (index: number) => (areas === loose ? index : near!.toWhole(index));
        eachMatch(form.pattern, areas.text, (index, whole) =>
          weigh(entity, form, loose!.toWhole(toWhole(index)), whole),
        );
      }
    }

    function searchText(entity: Entity, parts: readonly Span[]): void {
      for (const { start, end } of parts) {
        const part = view.text.slice(start, end);
        for (const form of entity.forms) {
          text.spend(part.length);
          if (form.needs?.test(part) === false) continue;
          // Text that a pattern looks back at belongs to what it found.
          eachMatch(form.pattern, part, (index, whole, before) => weigh(entity, form, start + index - before, whole));
        }
      }
    }

    function searchBehindLabels({ entity, hints }: EntitySearch): void {
      if (loose === undefined && !hints.some((hint) => view.text.includes(hint))) return;
      for (const { start, found } of behindLabels(entity, view.text, naming.words.value, text))
        tell({ rule: entity.name, start, length: found.length }, entity.fault?.(found, true), entity);
    }

    for (const search of loose === undefined ? searches.withoutDigits : searches.all) {
      const { entity, place } = search;
      if (place === 'digits') searchNumbers(search);
      else if (place === 'label') searchBehindLabels(search);
      else if (place.test(view.text, loose?.text, near !== undefined))
        searchText(entity, place.parts?.(view.text) ?? [{ start: 0, end: view.text.length }]);
    }
  }
}

/** True of most candidates that are none, by what is found out soonest: a fault of its own, or no word near it. */
function isRefused(entity: Entity, form: Form, found: string, span: Span, isNamed: IsNamed): boolean {
  const hasLabel = () => isNamed(span, labelCharacters, span.start - span.end);
  if (form.isSure === true) return ownFault(entity, found, true, hasLabel) !== undefined;
  return form.isLabelled === true ? !hasLabel() : !isNamed(span);
}

/** Calls for each match; one that is refused may begin another at the next group of its characters. */
function eachMatch(
  pattern: RegExp,
  text: string,
  accepts: (index: number, whole: string, before: number) => boolean,
): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const before = match.groups?.['lead'] ?? '';
    if (!accepts(match.index, before + match[0], before.length)) pattern.lastIndex = match.index + 1;
  }
}

function* behindLabels(
  { topic = '', reach = contextCharacters, forms }: Entity,
  view: string,
  words: ContextWords,
  text: PreparedText,
) {
  for (const end of words.endsOf(topic)) {
    const behind = view.slice(end, end + reach + labelledCharacters);
    text.spend(behind.length * forms.length);
    for (const { pattern } of forms) {
      pattern.lastIndex = 0;
      const match = pattern.exec(behind);
      if (match !== null && match.index <= reach) yield { start: end + match.index, found: match[0] };
    }
  }
}

function faultOf(
  entity: Entity,
  form: Form,
  { text }: View,
  span: Span,
  isNamed: IsNamed,
  chanceFault: (entity: Entity, form: Form, span: Span) => string | undefined,
): string | undefined {
  const { isSure = false, isLabelled: needsLabel = false } = form;
  const { start, end } = span;
  const found = text.slice(start, end);
  const isLabelled = () => isNamed(span, labelCharacters, start - end);
  const own = ownFault(entity, found, true, isLabelled);
  if (own !== undefined) return entity.fault?.(found, false, isLabelled) ?? own;
  if (isRowOfFractions(entity, text, span) && !isNamed(span, leadCharacters, start - end))
    return 'it is a row of fractions';
  const other = otherNumber(entity, text, span);
  if (other !== undefined && !(needsLabel && isLabelled()) && !isCalledSo(entity, text, span, isNamed)) return other;
  const unnamed = isSure ? ownFault(entity, found, false, isLabelled) : `no word like ${entity.topic} stands near it`;
  if (unnamed !== undefined) return (needsLabel ? isLabelled() : isNamed(span)) ? undefined : unnamed;
  if (!isSure) return undefined;
  const byChance = chanceFault(entity, form, span);
  return byChance === undefined || isNamed(span, ...inLine(text, span)) ? undefined : byChance;
}

/** The characters on either side of a number in its line that a word may stand in. */
function inLine(text: string, { start, end }: Span): [before: number, behind: number] {
  const before = text.slice(Math.max(0, start - contextCharacters), start);
  const behind = text.slice(end, end + contextCharacters);
  const lineEnd = behind.indexOf('\n');
  return [before.length - 1 - before.lastIndexOf('\n'), lineEnd === -1 ? behind.length : lineEnd];
}
