import { matchesOf } from '../../../../text/patterns/matches.ts';
import { lastAtMost, type Span } from '../../readings/view.ts';
import { type Entity, ownFault } from './entity.ts';

/** Lists of numbers, some of which satisfy the arithmetic of a number of persons by chance. */

/** So far on either side of a number its list is looked at. */
const listCharacters = 400;
/** So far on either side of groups their row is. */
const rowCharacters = 240;
/** Others of its form on either side that tell what a list is. */
const peersMax = 12;
/** Fewer others that are none say nothing: a card may stand beside them. */
const othersMin = 4;
/** One in so many, or fewer, is there by chance. */
const chanceShare = 4;
/** One in so many of all places in a row, or more, is there on purpose. */
const anywhereShare = 8;
/** More numbers than that, with the same sign between all, are a list whatever their lengths are. */
const numbersMax = 24;

const keyBefore = /"([^"\\\n]{1,60})"\s{0,3}:\s{0,3}"?$/;
const dataCharacters = 70;
const endOfValue = /^"?\s{0,8}(?:[,}\]\n]|$)/;
const cellBefore = /(?:^|[\n,;\t|])[ "']{0,2}$/;
const cellBehind = /^[ "']{0,2}(?:[\r\n,;\t|]|$)/;
const nameOfColumn = /^[\s|,;"']*[\p{L}_][\p{L}\d_ .-]{0,30}[\s|,;"']*$/u;
const nameOfId = /(?:^|[_-])id$|[a-z]I[dD]$/;
/** Names of numbers that are no person's. */
const otherName =
  /^[\s|,;"']*id[\s|,;"']*$|order|transact|invoice|event|request|trace|span|item|product|article|sku|ean|gtin|barcode|isbn|time|stamp|date|created|updated|amount|price|cost|total|sum|count|qty|quantity|size|bytes|length|offset|seq|ref|hash|session|message|build|job|log|serial|version|revision|tracking|parcel|shipment|ticket|case|views|score|population/i;
/** Fields that only a card has beside it. */
const besideCard = /cv[vc]2?["'\s]*:|expir|exp["'\s]*:|valid|thru/i;
/** Longer ones are cards. */
const shortNumber = /^\d{11,13}$/;

/**
 * The fault of a number of figures alone that data gives another name: the key of a value of JSON or the head of a
 * column. A card has more digits, and is found unless that name is one of an ID.
 */
export function dataFault(
  entity: Entity,
  text: string,
  { start, end }: Span,
  headsOver: (at: number) => readonly Span[],
): string | undefined {
  if (entity.checksum === undefined) return undefined;
  const found = text.slice(start, end);
  const isShort = shortNumber.test(found);
  if (/\D/.test(found)) return undefined;
  const [lead, rest] = [text.slice(Math.max(0, start - dataCharacters), start), text.slice(end, end + dataCharacters)];
  const key = endOfValue.test(rest) ? keyBefore.exec(lead)?.[1] : undefined;
  if (key !== undefined) {
    const isOther = isShort ? otherName.test(key) : nameOfId.test(key) && !besideCard.test(lead + rest);
    return isOther ? 'the name beside it is that of something else' : undefined;
  }
  if (!isShort || !cellBefore.test(lead) || !cellBehind.test(rest)) return undefined;
  const heads = headsOver(start).map((head) => text.slice(head.start, head.end));
  const isInColumn = heads.some((head) => nameOfColumn.test(head) && otherName.test(head));
  return isInColumn ? 'the head of its column is that of something else' : undefined;
}

const digitsAndSigns = /^\d+(?:[^\p{L}\d]{1,5}\d+)*$/u;

/** The fault of a number that stands in a list of others like it, of which most are none; undefined: it does not. */
export type ListTest = (entity: Entity, pattern: RegExp, span: Span) => string | undefined;

/** Tests the numbers of one text. Facts of the others are kept, for each stands near many numbers of its list. */
export function createListTest(text: string, spend: (characters: number) => void): ListTest {
  const known = new Map<RegExp, Map<string, boolean>>();
  const framesOf = new Map<number, Frames>();
  const tokensIn = createTokens(text);

  return function listFault(entity, pattern, span) {
    if (entity.checksum === undefined) return undefined;
    const found = text.slice(span.start, span.end);
    if (!digitsAndSigns.test(found)) return undefined;
    spend(2 * listCharacters);
    const verdicts = ensure(known, pattern, () => new Map<string, boolean>());
    const isOne = (other: string) =>
      ensure(
        verdicts,
        other,
        () => isWhole(pattern, other) && ownFault(entity, other, false, () => false) === undefined,
      );
    const frames = ensure(framesOf, found.length, () => createFrames(text, found.length));
    return isInRow(found, text, span, isOne, tokensIn) || isAmongPeers(found, text, span, isOne, frames)
      ? 'it stands in a list of numbers of which most are none'
      : undefined;
  };
}

function ensure<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The search that asks goes on where it was. */
function isWhole(pattern: RegExp, text: string): boolean {
  const { lastIndex } = pattern;
  pattern.lastIndex = 0;
  const whole = pattern.exec(text)?.[0];
  pattern.lastIndex = lastIndex;
  return whole === text;
}

/** True for groups in a long row of groups of their length, unless most of the others there pass as well. */
function isInRow(
  found: string,
  text: string,
  span: Span,
  isOne: (other: string) => boolean,
  tokensIn: TokensIn,
): boolean {
  const groups = found.split(/\D+/);
  const size = groups.length;
  const length = groups[0]!.length;
  if (size === 1 || groups.some((group) => group.length !== length)) return false;
  const signs = new Set(found.split(/\d+/).slice(1, -1));
  const rows = [rowBefore(text, span.start, signs, tokensIn), rowBehind(text, span.end, signs, tokensIn)];
  const alike = rows.map((row) =>
    row.slice(
      0,
      indexOr(row, (token) => token.end - token.start !== length),
    ),
  );
  const isLong = size + alike[0]!.length + alike[1]!.length > 2 * size;
  if (!isLong && size + rows[0]!.length + rows[1]!.length <= numbersMax) return false;
  const others = alike.flatMap((row) => windowsOf(row, size).map(({ start, end }) => text.slice(start, end)));
  const passing = 1 + others.filter(isOne).length;
  if (others.length > 0 && passing > 1 && passing * 2 >= 1 + others.length) return false;
  // Behind each card its month and year may stand, which are groups as well.
  const anywhere = alike.flatMap((row) => windowsOf(row, size, 1).map((one) => text.slice(one.start, one.end)));
  const share = anywhere.filter(isOne).length * anywhereShare;
  return share === 0 || share < anywhere.length;
}

const tokens = /[\p{L}\d]+/gu;

/** Figures and codes of a part of a text. One at an edge of the part is as long as what the part has of it. */
type TokensIn = (from: number, to: number) => Span[];

/** Those of the whole text are found once: they would be for each number in hundreds of characters around it. */
function createTokens(text: string): TokensIn {
  let all: readonly Span[] | undefined;
  let starts: readonly number[] = [];
  return (from, to) => {
    if (all === undefined) {
      all = Array.from(matchesOf(text, tokens), ({ 0: token, index }) => ({ start: index, end: index + token.length }));
      starts = all.map(({ start }) => start);
    }
    const found: Span[] = [];
    for (let at = lastAtMost(starts, from); at < all.length && all[at]!.start < to; at++) {
      const start = Math.max(from, all[at]!.start);
      const end = Math.min(to, all[at]!.end);
      // Words count as such a row of their own, of which no number is a part.
      if (end > start) found.push({ start, end: hasDigit(text, start, end) ? end : start });
    }
    return found;
  };
}

function hasDigit(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x30 && unit <= 0x39) return true;
  }
  return false;
}

/** Figures and codes in a row, the nearest first, with one of some signs between all; a word ends it. */
function rowBefore(text: string, edge: number, signs: ReadonlySet<string>, tokensIn: TokensIn): readonly Span[] {
  const row = tokensIn(Math.max(0, edge - rowCharacters), edge).reverse();
  return row.slice(
    0,
    indexOr(row, ({ end }, index) => !signs.has(text.slice(end, row[index - 1]?.start ?? edge))),
  );
}

function rowBehind(text: string, edge: number, signs: ReadonlySet<string>, tokensIn: TokensIn): readonly Span[] {
  const row = tokensIn(edge, edge + rowCharacters);
  return row.slice(
    0,
    indexOr(row, ({ start }, index) => !signs.has(text.slice(row[index - 1]?.end ?? edge, start))),
  );
}

function indexOr(row: readonly Span[], isEnd: (one: Span, index: number) => boolean): number {
  const index = row.findIndex(isEnd);
  return index === -1 ? row.length : index;
}

/** So many tokens side by side each, counted from the nearest on; the next begins so many (`step`) further. */
function windowsOf(row: readonly Span[], size: number, step = size): Span[] {
  const count = Math.max(0, Math.floor((row.length - size) / step) + 1);
  return Array.from({ length: count }, (_, index) => {
    const [one, other] = [row[index * step]!, row[index * step + size - 1]!];
    return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
  });
}

/** The same form in the same place of a line, several times near it, of which few are numbers of this kind. */
function isAmongPeers(
  found: string,
  text: string,
  { start, end }: Span,
  isOne: (other: string) => boolean,
  frames: Frames,
): boolean {
  const form = found.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\d+/g, ({ length }) => `\\d{${length}}`);
  const peer = new RegExp(`(?<![\\p{L}\\d])${form}(?![\\p{L}\\d])`, 'gu');
  const own = frames(start);
  const peersIn = (from: number, to: number) =>
    Array.from(matchesOf(text.slice(from, to), peer), ({ 0: other, index }) => ({ at: from + index, other })).filter(
      ({ at }) => isAlike(own, frames(at)),
    );
  const before = peersIn(Math.max(0, start - listCharacters), start).slice(-peersMax);
  const peers = [...before, ...peersIn(end, end + listCharacters).slice(0, peersMax)];
  const others = peers.filter(({ other }) => !isOne(other)).length;
  const passing = peers.length + 1 - others;
  return others >= othersMin && passing * chanceShare <= peers.length + 1;
}

/** Signs on either side of a number, but for blanks and quotation marks; of a label the whole word. */
interface Frame {
  readonly before: string;
  readonly behind: string;
}

const frameCharacters = 24;
const lead = /(?:[\p{L}\d_]{1,20}["'`]?\s{0,2}[:=]|[^\p{L}\d\s"'`])?[\s"'`]{0,4}$/u;
const trail = /^["'`]?[^\p{L}\d\s"'`]?/u;

type Frames = (start: number) => Frame;

function createFrames(text: string, length: number): Frames {
  const known = new Map<number, Frame>();
  return (start) => ensure(known, start, () => frameOf(text, start, length));
}

function frameOf(text: string, start: number, length: number): Frame {
  const before = text.slice(Math.max(0, start - frameCharacters), start);
  const behind = text.slice(start + length, start + length + 2);
  return { before: bare(lead.exec(before)?.[0]), behind: bare(trail.exec(behind)?.[0]) };
}

function bare(signs = ''): string {
  return signs.replace(/[\s"'`]/g, '');
}

function isAlike(own: Frame, other: Frame): boolean {
  return own.before === other.before || (own.behind === other.behind && !/\p{L}/u.test(own.before + other.before));
}
