import { unmarked } from './label-marks.ts';
import type { PreparedText } from '../../readings/prepare.ts';
import { readDigitRows } from '../../readings/digit-rows.ts';
import { type NumberAreas, digitRunsOf, findNumberAreas } from '../../readings/number-areas.ts';
import { signs } from '../../readings/character-scan.ts';
import { createColumns } from '../../readings/tables/table-columns.ts';
import { has, type Span, type View } from '../../readings/view.ts';
import { type ContextWords, findContextWords } from '../context-words.ts';
import { type Entity, type Form, ownFault } from './entity.ts';
import { isMeasurement, isRowOfFigures, isRowOfFractions } from './fractions.ts';
import { type ListTest, createListTest, dataFault } from './number-lists.ts';
import type { RunsTest } from './known-rows.ts';
import { type IsNamed, isCalledSo, leadCharacters, otherNumber } from './other-number.ts';
import { type EntitySearch, type FormSearch, type Searches, createSearches, topicsOf } from './searches.ts';

/** Distance at which a word may stand from a number and still say what it is. */
const contextCharacters = 60;
/** Words right before a number that label it. */
const labelCharacters = 24;
/** More than the longest number that a label is followed by. */
const labelledCharacters = 60;

/** A part of a text that may be a number of an entity, with the name of that. */
interface Candidate {
  readonly rule: string;
  readonly start: number;
  readonly length: number;
}

/** Is told of each candidate what is wrong with it, in words that never quote it; undefined: nothing, it is found. */
type TellCandidate = (candidate: Candidate, fault: string | undefined, entity: Entity) => void;

/** For numbers that need no word near them: their digits stand close together. */
const closeDigits = { digitsMin: 6, withLettersMin: 4, gapMax: 5, margin: 8 };
/** For those that a word near them names; a month may stand between the digits of a day and of its year. */
const looseDigits = { digitsMin: 3, withLettersMin: 3, gapMax: 12, margin: 14 };

/**
 * Looks for entities in the views of a text; what is known of the text as sent is worked out once for all of them. A
 * thorough look also tells of candidates that no word in the whole text names.
 */
export function createExamination(chosen: readonly Entity[], isThorough = false) {
  const searches = createSearches(chosen);
  return (text: PreparedText) => {
    const sent = new NamingWords(text.sent);
    return (view: View, tell: TellCandidate) => new Examination({ searches, isThorough, text, view, tell, sent }).run();
  };
}

/** The words of a text that say what its numbers are, found when the first number asks. */
class NamingWords {
  readonly #text: string;
  #found: ContextWords | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get found(): ContextWords {
    return (this.#found ??= findContextWords(this.#text));
  }
}

interface Task {
  readonly searches: Searches;
  readonly isThorough: boolean;
  readonly text: PreparedText;
  readonly view: View;
  readonly tell: TellCandidate;
  /** Words of the text as sent, which stand around what a view has of it. */
  readonly sent: NamingWords;
}

/** The look at one view. A class: each text has several, and a dozen functions of its own cost as much as the look. */
class Examination {
  readonly #task: Task;
  readonly #words: NamingWords;
  readonly #loose: NumberAreas | undefined;
  readonly #near: NumberAreas | undefined;
  readonly #runs: RunsTest | undefined;
  #columns: ReturnType<typeof createColumns> | undefined;
  #listFault: ListTest | undefined;

  constructor(task: Task) {
    const { searches, view, text, sent } = task;
    this.#task = task;
    this.#words = view.seen === '' ? sent : new NamingWords(view.text);
    text.spend(view.text.length);
    if (!has(view, signs.digit)) return;
    const runs = digitRunsOf(view.text);
    this.#loose = findNumberAreas(view.text, runs, looseDigits);
    if (this.#loose === undefined) return;
    this.#runs = searches.createRunsTest();
    const looseRuns = this.#loose.runsOf(runs);
    readDigitRows(this.#loose.text, looseRuns, this.#runs);
    this.#near = findNumberAreas(this.#loose.text, looseRuns, closeDigits);
    text.spend(this.#loose.text.length + (this.#near?.text.length ?? 0));
  }

  run(): void {
    const { searches, view } = this.#task;
    const loose = this.#loose;
    for (const search of loose === undefined ? searches.withoutDigits : searches.all) {
      const { entity, place } = search;
      if (!has(view, search.signs)) continue;
      if (place === 'digits') this.#searchNumbers(search);
      else if (place === 'label') this.#searchBehindLabels(search);
      else if (!this.#mayHaveAny(search)) continue;
      else if ('partsOf' in place) for (const part of place.partsOf(view.text)) this.#searchText(entity, part);
      else if (place.test(view.text, loose?.text, this.#near !== undefined))
        this.#searchText(entity, { start: 0, end: view.text.length });
    }
  }

  #searchNumbers({ entity, forms }: EntitySearch): void {
    for (const search of forms) {
      const areas = search.isSure ? this.#near : this.#loose;
      if (areas !== undefined && this.#mayStand(search)) this.#searchForm(entity, search.form, areas);
    }
  }

  /** Apart from the loop, each turn of which would make room for what the functions below hold, called or not. */
  #searchForm(entity: Entity, form: Form, areas: NumberAreas): void {
    if (form.needs?.test(areas.text) === false) return;
    this.#task.text.spend(areas.text.length);
    const loose = this.#loose!;
    const toWhole = (index: number) => loose.toWhole(areas === loose ? index : areas.toWhole(index));
    eachMatch(form.pattern, areas.text, (index, whole) => this.#weigh(entity, form, toWhole(index), whole));
  }

  #searchText(entity: Entity, { start, end }: Span): void {
    const { text, view } = this.#task;
    const part = view.text.slice(start, end);
    for (const form of entity.forms) {
      text.spend(part.length);
      if (form.needs?.test(part) === false) continue;
      // Text that a pattern looks back at belongs to what it found.
      eachMatch(form.pattern, part, (index, whole, before) => this.#weigh(entity, form, start + index - before, whole));
    }
  }

  #searchBehindLabels({ entity, hints }: EntitySearch): void {
    const { view, text, tell } = this.#task;
    if (this.#loose === undefined && !holdsAny(view.text, hints)) return;
    const { topic = '', reach = contextCharacters, forms } = entity;
    for (const end of this.#words.found.endsOf(topic)) {
      const given = view.text.slice(end, end + reach + labelledCharacters);
      const plain = unmarked(given);
      const behind = plain?.text ?? given;
      text.spend(given.length * forms.length);
      for (const { pattern } of forms) {
        pattern.lastIndex = 0;
        const match = pattern.exec(behind);
        if (match === null || match.index > reach) continue;
        const found = match[0];
        const start = plain?.placeOf(match.index) ?? match.index;
        const last = match.index + found.length - 1;
        const length = (plain?.placeOf(last) ?? last) + 1 - start;
        tell({ rule: entity.name, start: end + start, length }, entity.fault?.(found, true), entity);
      }
    }
  }

  #mayStand(search: FormSearch): boolean {
    return this.#hasRuns(search) && (search.isSure || this.#mayBeNamed(search.topics));
  }

  #mayHaveAny({ forms }: EntitySearch): boolean {
    for (const form of forms) if (this.#hasRuns(form)) return true;
    return false;
  }

  #hasRuns({ runs, shape }: FormSearch): boolean {
    return (runs === undefined || this.#hasRun(runs)) && (shape === undefined || this.#hasRun(shape));
  }

  #hasRun(index: number): boolean {
    return this.#runs?.has(index) === true;
  }

  #mayBeNamed(topics: readonly string[]): boolean {
    if (this.#task.isThorough || topics.length === 0) return true;
    for (const topic of topics) if (this.#mayName(topic)) return true;
    return false;
  }

  #mayName(topic: string): boolean {
    return this.#words.found.has(topic) || (this.#words !== this.#task.sent && this.#task.sent.found.has(topic));
  }

  #weigh(entity: Entity, form: Form, start: number, found: string): boolean {
    const { isThorough, view, tell } = this.#task;
    const span = { start, end: start + found.length };
    const isNamed: IsNamed = (part, before, behind) =>
      topicsOf(entity, form).some((topic) => this.#isNamed(entity, topic, part, before, behind));
    // Reasons are for a thorough look; this one asks first what refuses most.
    if (!isThorough && isRefused(entity, form, found, span, isNamed)) return false;
    const fault =
      (isThorough ? ownReason(entity, found, span, isNamed) : undefined) ??
      faultAround(entity, form, view, span, isNamed, () => this.#chanceFault(entity, form, span));
    tell({ rule: entity.name, start, length: found.length }, fault, entity);
    return fault === undefined;
  }

  #isNamed({ reach = contextCharacters }: Entity, topic: string, span: Span, before = reach, behind = reach): boolean {
    const { view, sent } = this.#task;
    const inside = this.#words.found;
    if (inside.isWithin(topic, span.start - before, span.end + behind)) return true;
    if (this.#words !== sent) {
      const { start, end } = view.toSent(span);
      if (sent.found.isWithin(topic, start - before, end + behind)) return true;
    }
    // A head stands above what it is the head of.
    const [firstEnd = Infinity] = inside.endsOf(topic);
    return (
      firstEnd < span.start && this.#headsOver(span.start).some(({ start, end }) => inside.isWithin(topic, start, end))
    );
  }

  #headsOver(at: number): readonly Span[] {
    this.#columns ??= createColumns(this.#task.view.text);
    return this.#columns(at);
  }

  #chanceFault(entity: Entity, { pattern }: Form, span: Span): string | undefined {
    const { view, text } = this.#task;
    this.#listFault ??= createListTest(view.text, (characters) => text.spend(characters));
    return this.#listFault(entity, pattern, span) ?? dataFault(entity, view.text, span, (at) => this.#headsOver(at));
  }
}

function holdsAny(text: string, words: readonly string[]): boolean {
  for (const word of words) if (text.includes(word)) return true;
  return false;
}

/** True of most candidates that are none, by what is found out soonest: no word near it, or a fault of its own. */
function isRefused(entity: Entity, form: Form, found: string, span: Span, isNamed: IsNamed): boolean {
  const hasLabel = () => isNamed(span, labelCharacters, span.start - span.end);
  if (form.isSure !== true && !(form.isLabelled === true ? hasLabel() : isNamed(span))) return true;
  return ownFault(entity, found, true, hasLabel) !== undefined;
}

/** The fault of a candidate by itself, in the words for one that nothing names. */
function ownReason(entity: Entity, found: string, span: Span, isNamed: IsNamed): string | undefined {
  const isLabelled = () => isNamed(span, labelCharacters, span.start - span.end);
  const own = ownFault(entity, found, true, isLabelled);
  return own === undefined ? undefined : (entity.fault?.(found, false, isLabelled) ?? own);
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

/** The fault of a candidate that has none by itself, by what stands around it. */
function faultAround(
  entity: Entity,
  form: Form,
  view: View,
  span: Span,
  isNamed: IsNamed,
  chanceFault: () => string | undefined,
): string | undefined {
  const { isSure = false, isLabelled: needsLabel = false } = form;
  const { start, end } = span;
  const { text } = view;
  const found = text.slice(start, end);
  const isLabelled = () => isNamed(span, labelCharacters, start - end);
  const isRow = isRowOfFractions(entity, text, span) || isRowOfFigures(entity, view, span);
  const isFraction = isRow && !isNamed(span, leadCharacters, start - end);
  if (isFraction || isMeasurement(entity, text, span)) return 'it is a row of fractions';
  const other = otherNumber(entity, text, span);
  if (other !== undefined && !(needsLabel && isLabelled()) && !isCalledSo(entity, text, span, isNamed)) return other;
  const unnamed = isSure ? ownFault(entity, found, false, isLabelled) : `no word like ${entity.topic} stands near it`;
  if (unnamed !== undefined) return (needsLabel ? isLabelled() : isNamed(span)) ? undefined : unnamed;
  if (!isSure) return undefined;
  const byChance = chanceFault();
  return byChance === undefined || isNamed(span, ...inLine(text, span)) ? undefined : byChance;
}

/** The characters on either side of a number in its line that a word may stand in. */
function inLine(text: string, { start, end }: Span): [before: number, behind: number] {
  const before = text.slice(Math.max(0, start - contextCharacters), start);
  const behind = text.slice(end, end + contextCharacters);
  const lineEnd = behind.indexOf('\n');
  return [before.length - 1 - before.lastIndexOf('\n'), lineEnd === -1 ? behind.length : lineEnd];
}
