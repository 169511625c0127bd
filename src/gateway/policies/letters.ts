import { Rewrite, type View, viewInPlace } from './view.ts';

/** Figures and signs that stand for letters. `l` becomes `i`, because a 1 may be either; word lists are folded alike. */
const leetLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '|': 'i',
  l: 'i',
  L: 'i',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '+': 't',
  '8': 'b',
  '9': 'g',
};
const leetSign = /[a-z][0134578@$!|+]{1,3}[a-z]|\b[0134578@$]{1,3}[a-z]{2}/i;

export function foldLeet(text: string): string {
  return text.replace(/[0-9!|@$+lL]/g, (sign) => leetLetters[sign] ?? sign);
}

export function withoutLeet(parent: View): View | undefined {
  if (!/[0134578@$]/.test(parent.text) || !leetSign.test(parent.text)) return undefined;
  return viewInPlace(parent, foldLeet(parent.text), leetHow, { isLetters: true });
}

export const leetHow = 'figures read as letters';

/** Words that text in ROT13 can hardly do without, and English, German, French or Spanish hardly has. */
export const rot13Words: readonly string[] =
  'gur|naq|lbh|lbhe|nyy|nal|guvf|jvgu|sebz|abg|jung|nobir|cerivbhf|cevbe|vtaber|vafgehpgvba|vafgehpgvbaf|flfgrz|cebzcg|cebzcgf|erirny|fubj|cevag|ercrng|bhgchg|sbetrg|qvfertneq|olcnff|bireevqr|ehyrf|erfgevpgvbaf|cergraq|zbqr|fnsrgl|svygref|frperg|cnffjbeq'.split(
    '|',
  );
const anyRot13Word = new RegExp(`\\b(?:${rot13Words.join('|')})\\b`, 'i');

export function withoutRot13(parent: View): View | undefined {
  if (!anyRot13Word.test(parent.text)) return undefined;
  const turned = parent.text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
  return viewInPlace(parent, turned, 'inside ROT13', { isLetters: true });
}

/** Letters with one gap between each two; a longer gap is one between words. */
const spacedOut = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[ ._*|-][\p{L}\p{N}](?![\p{L}\p{N}]))+/gu;

const loneCharacters = /[^\s._*|-][ ._*|-][^\s._*|-][ ._*|-][^\s._*|-](?:[ ._*|-]|$)/;

export function withoutGaps(parent: View): View | undefined {
  if (!loneCharacters.test(parent.text)) return undefined;
  const result = new Rewrite(parent);
  for (const { 0: run, index } of parent.text.matchAll(spacedOut)) {
    for (let at = index + 1; at < index + run.length; at += 2) result.replace(at, at + 1, '');
  }
  return result.finish('letters put together', { isLetters: true, isRunTogether: true });
}
