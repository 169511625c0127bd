import { remembered } from './remembered.ts';

/**
 * Letters of other alphabets that look like a Latin one, by the letter that they are read as. Only what is taken for
 * another at a scanCharacters: folding more would make words of honest Greek or Cyrillic text look like English ones.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аɑαᴀ',
  b: 'ЬƄʙвƀ',
  c: 'сϲᴄⅽ',
  d: 'ԁɗᴅⅾđ',
  e: 'еҽєɛᴇ℮',
  f: 'ғƒꞙꜰ',
  g: 'ɡցɢ',
  h: 'һհʜнħ',
  i: 'іıɩιӏɪɨ',
  j: 'јʝᴊɉ',
  k: 'ķκкᴋ',
  l: 'ʟⅼǀłƚ',
  m: 'мᴍⅿ',
  n: 'ոռɴη',
  o: 'оοσօᴏоøɵ',
  p: 'рρᴘ',
  q: 'ԛգꞯ',
  r: 'гᴦʀɍ',
  s: 'ѕʂꜱ',
  t: 'тτᴛŧ',
  u: 'υսʋᴜʉ',
  v: 'νѵᴠ',
  w: 'ԝաѡᴡ',
  x: 'хχ×',
  y: 'уүγʏɏ',
  z: 'ᴢʐƶ',
  A: 'АΑᎪꓮ',
  B: 'ВΒɃᏴꓐ',
  C: 'СϹᏟꓚ',
  D: 'ᎠĐꓓ',
  E: 'ЕΕᎬꓰ',
  F: 'Ϝꓝ',
  G: 'ԌᏀꓖ',
  H: 'НΗĦᎻꓧ',
  I: 'ІΙӀƗᏆꓲ',
  J: 'ЈᎫꓙ',
  K: 'КΚᏦꓗ',
  L: 'ᏞŁꓡ',
  M: 'МΜᎷꓟ',
  N: 'Νꓠ',
  O: 'ОΟՕØꓳ',
  P: 'РΡᏢꓑ',
  Q: 'Ԛ',
  R: 'Ꭱꓣ',
  S: 'ЅՏᏚꓢ',
  T: 'ТΤŦᎢꓔ',
  U: 'Սꓴ',
  V: 'ѴᏙꓦ',
  W: 'ԜᎳꓪ',
  X: 'ХΧꓫ',
  Y: 'УΥҮꓬ',
  Z: 'ΖƵᏃꓜ',
  '-': '‐‑‒–—―−﹘',
  '.': '․·•∙',
  '/': '⁄∕',
  ':': '։׃ː∶',
  "'": '‘’ʼ′',
  '@': '﹫',
  _: 'ˍ',
};

let readAs: Map<string, string> | undefined;

/** Strokes that make a word of Arabic, NKo, Mongolian or Syriac and its like longer, and belong to no letter of it. */
const lengthening = /[\u0640\u07fa\u180a]/;

/** Look of a character: without accents, Latin where it can be, its digit where it is one; else itself. */
export const lookOf = remembered(findLook);

function findLook(character: string): string {
  readAs ??= new Map(
    Object.entries(lookAlikes).flatMap(([latin, others]) => Array.from(others).map((one) => [one, latin])),
  );
  if (lengthening.test(character)) return '';
  const latin = readAs.get(character);
  if (latin !== undefined) return latin;
  if (/\p{Nd}/u.test(character)) return digitOf(character.codePointAt(0)!);
  const bare = character.normalize('NFKD').replace(/[\p{Mn}\p{Me}]/gu, '');
  return readAs.get(bare) ?? signOf(character.codePointAt(0)!) ?? bare;
}

/** Rows of letters and digits in a circle or a square, which Unicode takes for signs of their own. */
const signRows: readonly (readonly [from: number, until: number, first: string])[] = [
  [0x1f150, 0x1f169, 'A'],
  [0x1f170, 0x1f189, 'A'],
  [0x1f1e6, 0x1f1ff, 'A'],
  [0x2776, 0x277e, '1'],
  [0x2780, 0x2788, '1'],
  [0x278a, 0x2792, '1'],
  [0x24f5, 0x24fd, '1'],
  [0x24ff, 0x24ff, '0'],
  [0x1f10b, 0x1f10c, '0'],
];

function signOf(codePoint: number): string | undefined {
  const row = signRows.find(([from, until]) => codePoint >= from && codePoint <= until);
  return row && String.fromCharCode(row[2].charCodeAt(0) + (row[0] === 0x1f10b ? 0 : codePoint - row[0]));
}

/** Unicode keeps the ten digits of a script in a row, so the value is the number of digits before. */
function digitOf(codePoint: number): string {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(codePoint - value - 1))) value++;
  return String(value);
}
