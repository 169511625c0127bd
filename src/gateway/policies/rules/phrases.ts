import type { ForeignPlaces } from '../../../text/patterns/foreign-places.ts';
import { LiteralFault, type LiteralScan, makeLiteralScan } from '../../../text/patterns/literal-scan.ts';
import { oddUnitsOf, scannedText } from '../../../text/patterns/scanned-text.ts';
import { atOnce, eachInPieces, type Piecework } from '../../../text/turns.ts';
import { isAsciiText } from '../../../text/utf8.ts';
import { foldLeet, leetHow } from '../readings/letters.ts';
import { normalised, skeleton } from '../readings/normalise.ts';
import { UnitSort } from '../readings/unit-sort.ts';
import { type Span, type View, viewAsSent } from '../readings/view.ts';

/** Finds whole words and phrases of a list in a view, whatever their case, accents or disguise. */
export interface PhraseSearch {
  /** Forms in which phrases are looked for, wherever letters are no guesswork; a blank is the edge of a word. */
  readonly literals: readonly string[];
  /** Makes, in pieces, the tables that a text would else wait for which leads to them. */
  prepare(): Piecework<void>;
  find(view: View, found: (phrase: number, span: Span) => void): void;
}

/** A second table of more of them takes too long to make while a text waits for it. */
const wordListMax = 10_000;

/**
 * Phrases are looked for as they are and as the eye reads them, as texts are. The list for leetspeak is only made when
 * a text looks like it, because most never do. `places`: those that a list which is never given up shares with others.
 */
export function createPhraseSearch(phrases: readonly string[], places?: ForeignPlaces): PhraseSearch {
  return atOnce(makePhraseSearch(phrases, places));
}

/** The same in pieces: a list of 50,000 words takes a third of a second. */
export function* makePhraseSearch(phrases: readonly string[], places?: ForeignPlaces): Piecework<PhraseSearch> {
  const plain = yield* eachInPieces(phrases, (phrase) => (normalised(viewAsSent(phrase))?.text ?? phrase).trim());
  const nothing = plain.indexOf('');
  if (nothing !== -1) throw new LiteralFault(`a word, number ${nothing + 1}, of invisible signs alone`);
  const looks = yield* eachInPieces(plain, (phrase) => skeleton(viewAsSent(phrase))?.text ?? phrase);
  // A phrase with letters that look Latin is in the list twice, once as each text may have it.
  const owners = [...plain.keys(), ...plain.keys()].filter(
    (phrase, index) => index < plain.length || looks[phrase] !== plain[phrase],
  );
  const forms = owners.map((phrase, index) => (index < plain.length ? plain[phrase]! : looks[phrase]!));
  const haveBlanks = yield* eachInPieces(forms, (form) => /\s/.test(form));
  const lengths = yield* eachInPieces(forms, (form) => form.replace(/\s+/g, ' ').length);
  const areAscii = yield* eachInPieces(forms, isAsciiText);
  const ascii = [...forms.keys()].filter((index) => areAscii[index]);
  const beyond = [...forms.keys()].filter((index) => !areAscii[index]);
  const ofScripts = scriptsOf(beyond, forms);
  const literals = yield* eachInPieces(forms, (form) => form.replace(/^(?=\w)|(?<=\w)$/g, ' '));
  const asciiForms = ascii.map((index) => forms[index]!);
  const areMany = ascii.length > wordListMax;
  const scanWords = yield* makeLiteralScan(asciiForms, { areWords: !areMany });
  const leet = new LaterScan(() => ascii.map((index) => foldLeet(forms[index]!)));
  const anywhere = areMany ? scanWords : new LaterScan(() => asciiForms);
  /** Phrases of several words, which have no blanks where words run together. */
  const several = ascii.filter((index) => haveBlanks[index]);
  const squeezed = several.map((index) => forms[index]!.replace(/\s+/g, ''));
  const together = new LaterScan(() => squeezed);
  const scans = ofScripts.map(({ letters, of }) => {
    const scan = new LaterScan(() => of.map((index) => forms[index]!), places);
    return { letters, of, scan };
  });
  return {
    literals,
    *prepare() {
      for (const each of [leet, anywhere, together, ...scans.map(({ scan }) => scan)])
        if (each instanceof LaterScan) yield* each.prepare();
    },
    find(view, found) {
      const tell = (form: number, end: number) => {
        const length = lengths[form]!;
        const start = haveBlanks[form]! ? startOf(length, view.text, end) : end - length;
        if (view.isRunTogether || isWhole(view.text, start, end)) found(owners[form]!, { start, end });
      };
      if (view.seen.endsWith(leetHow)) return leet.scan(view.text, (form, end) => tell(ascii[form]!, end));
      if (!view.isRunTogether) scanWords.scan(view.text, (form, end) => tell(ascii[form]!, end));
      else {
        anywhere.scan(view.text, (form, end) => tell(ascii[form]!, end));
        together.scan(view.text, (form, end) =>
          found(owners[several[form]!]!, { start: end - squeezed[form]!.length, end }),
        );
      }
      if (beyond.length === 0 || scannedText(view.text).isAscii) return;
      const units = oddUnitsOf(view.text);
      for (const { letters, of, scan } of scans)
        if (letters.test(units)) scan.scan(view.text, (form, end) => tell(of[form]!, end));
    },
  };
}

/** A scan whose table is made when a text has need of it, unless it was prepared. */
class LaterScan implements LiteralScan {
  readonly #literals: () => readonly string[];
  readonly #shared: ForeignPlaces | undefined;
  #made: LiteralScan | undefined;

  constructor(literals: () => readonly string[], shared?: ForeignPlaces) {
    this.#literals = literals;
    this.#shared = shared;
  }

  *prepare(): Piecework<void> {
    this.#made ??= yield* makeLiteralScan(this.#literals(), { shared: this.#shared });
  }

  scan(text: string, found: (literal: number, end: number) => void): void {
    if (this.#made === undefined) atOnce(this.prepare());
    this.#made!.scan(text, found);
  }
}

/** Forms of some scripts, for which a table is made when a text has letters of theirs. */
interface ScriptForms {
  readonly letters: RegExp;
  readonly of: readonly number[];
}

/** Far from each other in Unicode, so that one table of all would be many times as large; most texts have one. */
const scripts: readonly RegExp[] = [/[\u0e00-\u1dff\u2e00-\uffff]/, /[\u0600-\u0dff]/, /[\u0370-\u05ff]/];

/** The forms of each script, those of Latin letters with accents, and those of signs such as € beside ASCII. */
function scriptsOf(beyond: readonly number[], forms: readonly string[]): ScriptForms[] {
  const latin = (form: string) => (hasOtherLetters.test(form) ? hasOtherLetters : otherSigns);
  const scriptOf = (form: string) => scripts.find((letters) => letters.test(form)) ?? latin(form);
  return [...scripts, hasOtherLetters, otherSigns]
    .map((letters) => ({ letters, of: beyond.filter((index) => scriptOf(forms[index]!) === letters) }))
    .filter(({ of }) => of.length > 0);
}

/** Anything beyond ASCII but dashes, quotation marks and other signs that honest English has as well. */
const hasOtherLetters = /[^\0-\x7f\u00a0-\u00bf\u2000-\u206f\u20a0-\u20cf]/;
const otherSigns = /[\u00a0-\u00bf\u2000-\u206f\u20a0-\u20cf]/;

/** A run of white space counts as one blank of the phrase, so the way back is counted and not subtracted. */
function startOf(length: number, text: string, end: number): number {
  let start = end;
  for (let left = length; left > 0; left--) {
    start--;
    if (isBlank(text, start)) while (start > 0 && isBlank(text, start - 1)) start--;
  }
  return start;
}

function isBlank(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit <= 0x20 ? unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) : unit > 0x7f && /\s/.test(text.charAt(at));
}

/** Between two letters there is no edge of a word; in scripts that are written without blanks, any place is one. */
function isWhole(text: string, start: number, end: number): boolean {
  return (
    !(ofWords.isAt(text, start) && ofWords.isAt(text, start - 1)) &&
    !(ofWords.isAt(text, end - 1) && ofWords.isAt(text, end))
  );
}

const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Hang}]/u;
const ofWords = new UnitSort((character) => /[\p{L}\p{N}\p{M}_]/u.test(character) && !unspaced.test(character));
