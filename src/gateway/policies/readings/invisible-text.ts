import { matchesOf } from '../../../text/patterns/matches.ts';
import { oddUnitsOf } from '../../../text/patterns/scanned-text.ts';
import type { Packed } from './encoded-text.ts';
import { Rewrite, type View } from './view.ts';

/** A twin of ASCII that nothing shows and models read, and bytes in variation selectors behind any character. */
const hiddenLetter = /[\u{E0020}-\u{E007E}]+|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{4,}/gu;
/** Text that is shown from its end to its beginning, and what colours a terminal. */
const turned = /\u202E[^\u202C\n]{1,2000}\u202C?/u;
const colour = /\x1b\[[\d;?]{0,20}[A-Za-z]/;
const displayed = new RegExp(`${hiddenLetter.source}|${turned.source}|${colour.source}`, 'gu');
const tagBase = 0xe0000;
const how = 'hidden letters spelled out';

/** The text with what it hides in place, for what is said half openly. Undefined where nothing is hidden so. */
export function spelledOut(parent: View): View | undefined {
  const { text } = parent;
  if (!/[\x1b\u202e]/.test(oddUnitsOf(text)) && !mayHide(text)) return undefined;
  const result = new Rewrite(parent);
  for (const { 0: run, index } of matchesOf(parent.text, displayed)) {
    result.replace(index, index + run.length, meaningOf(run));
  }
  return result.finish(how);
}

function mayHide(text: string): boolean {
  return /[\uDB40\uFE00-\uFE0F]/.test(oddUnitsOf(text));
}

/** Shorter ones say nothing by themselves, and could be so many that to look at each would take long. */
const runUnitsMin = 16;

/** Characters that are hidden by themselves, because the letters before it are mostly no part of it. */
export function smuggledTexts(text: string): Packed[] {
  if (!mayHide(text)) return [];
  return Array.from(matchesOf(text, hiddenLetter))
    .filter(({ 0: run }) => run.length >= runUnitsMin)
    .map(({ 0: run, index }) => ({ text: meaningOf(run), how, carrier: { start: index, end: index + run.length } }));
}

function meaningOf(run: string): string {
  if (run.startsWith('\x1b')) return '';
  if (run.startsWith('\u202E'))
    return Array.from(run.replace(/[\u202C\u202E]/g, ''))
      .toReversed()
      .join('');
  const codes = Array.from(run, (character) => character.codePointAt(0)!);
  if (codes[0]! >= tagBase && codes[0]! < 0xe0100) return Buffer.from(codes.map((code) => code - tagBase)).toString();
  return Buffer.from(codes.map((code) => (code < tagBase ? code - 0xfe00 : code - 0xe0100 + 16))).toString();
}
