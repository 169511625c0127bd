/**
 * Letters of other alphabets that look like a Latin one, by the letter that they are read as. Only what is taken for
 * another at a glance: folding more would make words of honest Greek or Cyrillic text look like English ones.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аɑαᴀ',
  b: 'ЬƄʙв',
  c: 'сϲᴄⅽ',
  d: 'ԁɗᴅⅾ',
  e: 'еҽєɛᴇ℮',
  f: 'ғƒꞙ',
  g: 'ɡցɢ',
  h: 'һհʜн',
  i: 'іıɩιӏɪ',
  j: 'јʝᴊ',
  k: 'ķκкᴋ',
  l: 'ʟⅼǀ',
  m: 'мᴍⅿ',
  n: 'ոռɴη',
  o: 'оοσօᴏо',
  p: 'рρᴘ',
  q: 'ԛգ',
  r: 'гᴦʀ',
  s: 'ѕʂꜱ',
  t: 'тτᴛ',
  u: 'υսʋᴜ',
  v: 'νѵᴠ',
  w: 'ԝաѡᴡ',
  x: 'хχ×',
  y: 'уүγʏ',
  z: 'ᴢʐ',
  A: 'АΑ',
  B: 'ВΒ',
  C: 'СϹ',
  D: 'Ꭰ',
  E: 'ЕΕ',
  F: 'Ϝ',
  G: 'Ԍ',
  H: 'НΗ',
  I: 'ІΙӀ',
  J: 'Ј',
  K: 'КΚ',
  L: 'Ꮮ',
  M: 'МΜ',
  N: 'Ν',
  O: 'ОΟՕ',
  P: 'РΡ',
  Q: 'Ԛ',
  R: 'Ꭱ',
  S: 'ЅՏ',
  T: 'ТΤ',
  U: 'Ս',
  V: 'Ѵ',
  W: 'Ԝ',
  X: 'ХΧ',
  Y: 'УΥҮ',
  Z: 'Ζ',
  '-': '‐‑‒–—―−﹘',
  '.': '․·•∙',
  '/': '⁄∕',
  ':': '։׃ː∶',
  "'": '‘’ʼ′',
  '@': '﹫',
  _: 'ˍ',
};

let readAs: Map<string, string> | undefined;

/** What a character looks like: without accents, Latin where it can be, its digit where it is one; else itself. */
export function lookOf(character: string): string {
  readAs ??= new Map(
    Object.entries(lookAlikes).flatMap(([latin, others]) => Array.from(others).map((one) => [one, latin])),
  );
  const known = readAs.get(character);
  if (known !== undefined) return known;
  if (/\p{Nd}/u.test(character)) return digitOf(character.codePointAt(0)!);
  const bare = character.normalize('NFKD').replace(/\p{Mn}/gu, '');
  return readAs.get(bare) ?? bare;
}

/** Unicode keeps the ten digits of a script in a row, so the value is the number of digits before. */
function digitOf(codePoint: number): string {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(codePoint - value - 1))) value++;
  return String(value);
}
