import { object } from '../../../documents/shape.ts';
import type { Spend } from '../../../text/patterns/automaton.ts';
import { sharedPlaces } from '../../../text/patterns/foreign-places.ts';
import { createLiteralScan } from '../../../text/patterns/literal-scan.ts';
import { matchesOf } from '../../../text/patterns/matches.ts';
import type { Finding } from '../../vocabulary.ts';
import { type Detector, dataIn, policyKind } from '../policy.ts';
import { valueCharactersMax } from '../rules/secrets/assigned.ts';
import { cloudRules } from '../rules/secrets/cloud.ts';
import { behindHead } from '../rules/secrets/columns.ts';
import { generalRules } from '../rules/secrets/general.ts';
import { markedRules } from '../rules/secrets/marked-tokens.ts';
import { valuesBehind } from '../rules/secrets/value-lists.ts';
import { vendorRules } from '../rules/secrets/vendors.ts';
import { bestOf } from '../rules/secrets/overlaps.ts';
import { behindEscapes, type SecretRule } from '../rules/secrets/rule.ts';
import { insertedValues } from '../readings/tables/inserted-rows.ts';
import { markedCells } from '../readings/tables/markup-tables.ts';
import { type CellsBelow, cellsBelow } from '../readings/tables/table-cells.ts';
import type { Span, View } from '../readings/view.ts';

/** In the order of who names a finding: what one vendor marked comes before what only looks like a secret. */
export const secretRules: readonly SecretRule[] = [...cloudRules, ...vendorRules, ...markedRules, ...generalRules].map(
  behindEscapes,
);

/** Keys, tokens and passwords, each by the form that its maker gives it. */
export const secrets = policyKind({
  isPure: true,
  messageSeparators: [''],
  readsNameBefore: true,
  options: object({}, {}),
  // One name may be that of several rules.
  rules: [...new Set(secretRules.map(({ name }) => name))],
  create: (_options, _parts, without) => ({
    detect: createDetector(secretRules.filter(({ name }) => !without.has(name))),
  }),
});

const beyondAscii = /[^\0-\x7f]/;

/** The keys beyond ASCII of all rules: one list for all detectors. */
let foreign: ReturnType<typeof createForeign> | undefined;

function createForeign() {
  const keys = secretRules.flatMap((rule) =>
    rule.keys.filter((text) => beyondAscii.test(text)).map((text) => ({ rule, text })),
  );
  const scan = createLiteralScan(
    keys.map(({ text }) => text),
    { shared: sharedPlaces },
  );
  return { keys, scan };
}

function createDetector(rules: readonly SecretRule[]): Detector {
  const keys = rules.flatMap(({ keys: some }, rule) => some.map((text) => ({ rule, text })));
  const plain = keys.filter(({ text }) => !beyondAscii.test(text));
  const indexes = new Map([...rules.entries()].map(([index, rule]) => [rule, index]));
  // Apart, because texts and words of ASCII are read in half the time.
  const lists = [...new Set(rules.map(({ beginsWith }) => beginsWith))].filter((list) => list !== undefined);
  const beginnings = lists.flatMap((words, list) => words.map((text) => ({ list, text })));
  const listOf = rules.map(({ beginsWith }) => (beginsWith === undefined ? undefined : lists.indexOf(beginsWith)));
  const scanPlain = createLiteralScan([...plain, ...beginnings].map(({ text }) => text));
  const { keys: other, scan: scanOther } = (foreign ??= createForeign());

  function search({ text }: View, spend: Spend): Finding[] {
    /** By rule, where its keys end; of one with marks, where they begin. */
    const applicable = new Map<number, number[]>();
    const note = ({ rule, text: key }: { readonly rule: number; readonly text: string }, end: number) => {
      const { atMark, isNearKey } = rules[rule]!;
      const place = atMark === undefined ? end : end - key.length;
      const places = applicable.get(rule);
      if (places === undefined) applicable.set(rule, [place]);
      else if (atMark !== undefined || isNearKey === true) places.push(place);
    };
    /** By list, where its words begin. */
    const starts: number[][] = lists.map(() => []);
    scanPlain.scan(text, (index, end) => {
      const key = plain[index];
      if (key !== undefined) return note(key, end);
      const word = beginnings[index - plain.length]!;
      addInOrder(starts[word.list]!, end - word.text.length);
    });
    scanOther.scan(text, (index, end) => {
      const key = other[index]!;
      const rule = indexes.get(key.rule);
      if (rule !== undefined) note({ rule, text: key.text }, end);
    });
    const found: { readonly finding: Finding; readonly rule: number }[] = [];
    for (const [rule, places] of applicable) {
      const begins = listOf[rule] === undefined ? undefined : starts[listOf[rule]];
      for (const finding of findingsOf(rules[rule]!, text, places, spend, begins)) found.push({ finding, rule });
    }
    return found.length < 2 ? found.map(({ finding }) => finding) : bestOf(found, rules, text);
  }

  return (text) => dataIn(text, (view) => search(view, (characters, ofThisTime) => text.spend(characters, ofThisTime)));
}

/** They come nearly in order, by where their words end. */
function addInOrder(places: number[], place: number): void {
  let at = places.length;
  for (; at > 0 && places[at - 1]! > place; at--) places[at] = places[at - 1]!;
  places[at] = place;
}

/** More than a name, what assigns, and the longest value. */
const behindKeyCharacters = 420;
const beforeKeyCharacters = 64;
/** About so much is read at a mark, or at a name, behind which no token stands. */
const tokenCharacters = 64;

function findingsOf(
  rule: SecretRule,
  text: string,
  places: readonly number[],
  spend: Spend,
  starts: readonly number[] | undefined,
): Finding[] {
  if (rule.atMark !== undefined) return tokensAt(rule, rule.atMark, text, places, spend);
  const found: Finding[] = [];
  if (rule.sign !== undefined && !text.includes(rule.sign)) return found;
  const ends = rule.isHead === true ? places.filter((end) => isBeforeCell(text, end)) : places;
  const parts = rule.isNearKey === true ? partsAround(ends, text.length) : [{ start: 0, end: text.length }];
  const tell = (finding: Finding, fault: string | undefined) => {
    if (fault === undefined) found.push(whole(rule, text, finding));
  };
  let listedTo = 0;
  for (const part of parts) {
    spend(part.end - part.start);
    if (rule.isHead !== true) listedTo = weigh(rule, text, tell, part, starts && { starts, spend }, listedTo);
  }
  if (rule.isHead === true) weighColumns(rule, text, parts, tell, spend);
  return found;
}

function tokensAt(
  { name, fault }: SecretRule,
  atMark: RegExp,
  text: string,
  starts: readonly number[],
  spend: Spend,
): Finding[] {
  const found: Finding[] = [];
  let readTo = 0;
  for (const start of starts) {
    if (start < readTo) continue;
    atMark.lastIndex = start;
    const token = atMark.exec(text)?.[0];
    spend(token?.length ?? tokenCharacters);
    if (token === undefined) continue;
    readTo = start + token.length;
    if (fault?.(token) === undefined) found.push({ rule: name, start, length: token.length });
  }
  return found;
}

function isBeforeCell(text: string, end: number): boolean {
  behindHead.lastIndex = end;
  return behindHead.test(text);
}

const restOfSecret = /[\w+/=.~%-]{0,65536}/y;

/** A finding of which a pattern read the beginning alone, with its rest. */
function whole(rule: SecretRule, text: string, finding: Finding): Finding {
  if (rule.isNearKey !== true || finding.length < valueCharactersMax) return finding;
  restOfSecret.lastIndex = finding.start + finding.length;
  return { ...finding, length: finding.length + (restOfSecret.exec(text)?.[0].length ?? 0) };
}

/** The parts of a text around its keys, in order; what overlaps is one part. */
function partsAround(ends: readonly number[], length: number): Span[] {
  const parts: { start: number; end: number }[] = [];
  for (const at of ends) {
    const start = Math.max(0, at - beforeKeyCharacters);
    const end = Math.min(length, at + behindKeyCharacters);
    const last = parts.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else parts.push({ start, end });
  }
  return parts;
}

type TellSecret = (candidate: Finding, fault: string | undefined) => void;

/** The places where words of `beginsWith` start; some take a hundred times as long as others, so each is a look. */
interface Beginnings {
  readonly starts: readonly number[];
  readonly spend: Spend;
}

/**
 * Tells of each candidate what is wrong with it, in words that never quote it; undefined: nothing, it is found. With
 * the places where words of `beginsWith` start, nothing else is looked at. Of lists of values, what stands before
 * `read` is told already; returns how far they are told then.
 */
export function weigh(
  rule: SecretRule,
  text: string,
  tell: TellSecret,
  { start: from, end: to }: Span = { start: 0, end: text.length },
  beginnings?: Beginnings,
  read = 0,
): number {
  const { name, pattern, atBeginning, fault, spanOf, isHead } = rule;
  const part = from === 0 && to === text.length ? text : text.slice(from, to);
  if (isHead === true) weighColumns(rule, text, [{ start: from, end: to }], tell);
  if (isHead === true) return read;
  let listedTo = read;
  const isShort = beginnings !== undefined && atBeginning !== undefined;
  for (const match of isShort ? matchesAt(part, from, atBeginning, beginnings) : matchesOf(part, pattern)) {
    if (spanOf !== undefined) {
      const span = spanOf(part, match.index, match.index + match[0].length);
      if (span !== undefined) tell({ rule: name, start: from + span.start, length: span.end - span.start }, undefined);
      continue;
    }
    const secret = match.slice(1).find((group) => group !== undefined) ?? match[0];
    const start = from + match.index + match[0].lastIndexOf(secret);
    const end = start + secret.length;
    const wrong = fault?.(secret);
    tell({ rule: name, start, length: secret.length }, wrong);
    if (wrong !== undefined || end <= listedTo || rule.isNearKey !== true) continue;
    for (const value of valuesBehind(text, end, match[0].slice(0, start - from - match.index))) {
      listedTo = value.end;
      if (fault?.(text.slice(value.start, value.end)) !== undefined) break;
      tell({ rule: name, start: value.start, length: value.end - value.start }, undefined);
    }
  }
  return listedTo;
}

/** The matches that a search through a part of a text gives, where all of them begin at one of these places of it. */
function matchesAt(part: string, from: number, pattern: RegExp, { starts, spend }: Beginnings): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  let readTo = 0;
  for (const start of starts) {
    const at = start - from;
    if (at < readTo) continue;
    if (at >= part.length) break;
    spend(tokenCharacters, true);
    pattern.lastIndex = at;
    const match = pattern.exec(part);
    if (match === null) continue;
    readTo = pattern.lastIndex;
    matches.push(match);
  }
  return matches;
}

/** So many columns of one table are read at most. */
const headsOfTableMax = 3;

/**
 * Candidates in the cells below heads; the rows of a table are no heads of another, in whichever part they stand: so
 * each row is read for a few heads at most, however many there are.
 */
function weighColumns(rule: SecretRule, text: string, parts: readonly Span[], tell: TellSecret, spend?: Spend): void {
  let last: CellsBelow | undefined;
  for (const part of parts) {
    const before = last;
    let table: CellsBelow | undefined;
    let heads = 0;
    for (const { index, 0: head } of matchesOf(text.slice(part.start, part.end), rule.pattern)) {
      const at = part.start + index;
      if (before !== undefined && at >= before.head.end && at < (before.cells.at(-1)?.end ?? 0)) continue;
      const isInHead = table !== undefined && at < table.head.end;
      if (table !== undefined && at < table.end && (!isInHead || table.cells.length === 0)) continue;
      heads = isInHead ? heads + 1 : 1;
      if (heads > headsOfTableMax) continue;
      table = tableBelow(text, at + head.length);
      if (table.cells.length > 0) last = table;
      spend?.(Math.max(0, (table.cells.at(-1)?.end ?? 0) - at));
      weighCells(rule, text, table.cells, tell);
    }
  }
}

function weighCells({ name, fault }: SecretRule, text: string, cells: readonly Span[], tell: TellSecret): void {
  for (const { start, end } of cells) {
    const found = text.slice(start, end);
    if (found !== '') tell({ rule: name, start, length: end - start }, /\s/.test(found) ? 'words' : fault?.(found));
  }
}

function tableBelow(text: string, at: number): CellsBelow {
  return insertedValues(text, at) ?? markedCells(text, at) ?? cellsBelow(text, at);
}
