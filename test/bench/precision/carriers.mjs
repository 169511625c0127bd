/** Texts as people and programs write them, with a place for a number; `label` names it in one of three styles. */

const styles = { words: 0, snake: 1, camel: 2 };

/** `named`: a word for the number is in it, so that a number without a form of its own can be told. */
export const carriers = [
  { name: 'sentence', make: (value) => `Please note that it is ${value}, as agreed.` },
  { name: 'alone', make: (value) => value },
  { name: 'label', named: 'words', make: (value, label) => `${label}: ${value}` },
  {
    name: 'sentence with a word',
    named: 'words',
    make: (value, label) => `My ${label} is ${value}, please update it.`,
  },
  { name: 'JSON, snake case', named: 'snake', make: (value, label) => `{"id": 7, "${label}": "${value}", "ok": true}` },
  { name: 'JSON, camel case', named: 'camel', make: (value, label) => `{"user":{"${label}":"${value}"},"n":12}` },
  { name: 'CSV, comma', named: 'snake', make: (value, label) => `name,${label},amount\nAna,${value},12.50\nBo,,7\n` },
  { name: 'CSV, semicolon', named: 'snake', make: (value, label) => `name;${label};amount\nAna;${value};12,50\n` },
  { name: 'CSV, tab', named: 'words', make: (value, label) => `name\t${label}\tamount\nAna\t${value}\t12\n` },
  {
    name: 'CSV, far from its head',
    named: 'snake',
    make: (value, label) =>
      `id,${label}\n${Array.from({ length: 12 }, (_, row) => `${row + 1},pending since last week`).join('\n')}\n13,${value}\n`,
  },
  { name: 'last column', make: (value) => `2026-11-22,Ana Lopez,Lisbon,${value}` },
  { name: 'after a date', make: (value) => `2026-11-22 ${value}` },
  { name: 'before more figures', make: (value) => `${value},1227,123` },
  {
    name: 'Markdown table',
    named: 'words',
    make: (value, label) => `| name | ${label} |\n| --- | --- |\n| Ana | ${value} |\n`,
  },
  {
    name: 'HTML table',
    named: 'words',
    make: (value, label) =>
      `<table><tr><th>Name</th><th>${label}</th></tr><tr><td>Ana</td><td>${value}</td></tr></table>`,
  },
  {
    name: 'SQL',
    named: 'snake',
    make: (value, label) => `INSERT INTO users (name, ${label}) VALUES ('Ana', '${value}');`,
  },
  { name: 'XML', named: 'camel', make: (value, label) => `<user><${label}>${value}</${label}></user>` },
  {
    name: 'query string',
    named: 'snake',
    make: (value, label) => `/search?a=1&${label}=${encodeURIComponent(value)}&page=2`,
  },
  { name: 'YAML', named: 'snake', make: (value, label) => `user:\n  ${label}: "${value}"\n  age: 44\n` },
  {
    name: 'log line',
    named: 'snake',
    make: (value, label) => `2026-11-22T10:11:12Z INFO request done ${label}=${value} ms=12`,
  },
  {
    name: 'mail quote',
    named: 'words',
    make: (value, label) => `> On Monday Ana wrote:\n> my ${label} is ${value}\n> thanks`,
  },
  {
    name: 'invoice',
    named: 'words',
    make: (value, label) => `Invoice 2026-0042\nTotal 129.95 EUR\n${label} ${value}\nThank you`,
  },
  { name: 'two in a row', make: (value, _, other) => `${value} ${other}` },
];

export function inCarrier({ make, named = 'words' }, label, value, other) {
  return make(value, label[styles[named]], other);
}

/** Ways to hide a text from a filter and not from a model; `letters` where figures have no such form. */
const each = (text, to) => Array.from(text).map(to).join('');
const byte = (sign) => Buffer.from(sign).toString('hex');

export const disguises = [
  { name: 'zero-width', hide: (text) => Array.from(text).join('\u200b') },
  {
    name: 'full width',
    hide: (text) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  },
  {
    name: 'homoglyphs',
    hide: (text) =>
      text.replace(
        /[aeopcAEOC]/g,
        (sign) => '\u0430\u0435\u043e\u0440\u0441\u0410\u0415\u041e\u0421'['aeopcAEOC'.indexOf(sign)],
      ),
  },
  { name: 'base64', hide: (text) => Buffer.from(`it is ${text} ok`).toString('base64') },
  { name: 'hex', hide: (text) => Buffer.from(`it is ${text} ok`).toString('hex') },
  { name: 'URL encoding', hide: (text) => each(text, (sign) => byte(sign).replace(/../g, '%$&')) },
  { name: 'HTML entities', hide: (text) => each(text, (sign) => `&#${sign.codePointAt(0)};`) },
  { name: 'escapes', hide: (text) => each(text, (sign) => `\\u${sign.codePointAt(0).toString(16).padStart(4, '0')}`) },
  {
    name: 'tag characters',
    hide: (text) => `x${each(text, (sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0)))}`,
  },
  { name: 'spaced', hide: (text) => Array.from(text.replaceAll(' ', '  ')).join(' ') },
  { name: 'one a line', hide: (text) => Array.from(text.replaceAll(' ', '')).join('\n'), numbersOnly: true },
  { name: 'HTML tags inside', hide: (text) => text.replace(/(.{3})/g, '$1<b></b>') },
  ...Object.entries({
    English: 'zero one two three four five six seven eight nine',
    Spanish: 'cero uno dos tres cuatro cinco seis siete ocho nueve',
    German: 'null eins zwei drei vier fünf sechs sieben acht neun',
    French: 'zéro un deux trois quatre cinq six sept huit neuf',
  }).map(([language, words]) => ({
    name: `digits in ${language}`,
    cardsOnly: true,
    hide: (text) =>
      text
        .replace(/\D/g, '')
        .replace(/\d/g, (digit) => ` ${words.split(' ')[digit]}`)
        .trim(),
  })),
  { name: 'run together', lettersOnly: true, hide: (text) => text.replaceAll(' ', '') },
  { name: 'snake case', lettersOnly: true, hide: (text) => text.replaceAll(' ', '_') },
  { name: 'split over two messages', split: 2, hide: (text) => text },
  { name: 'split over four', split: 4, longOnly: true, hide: (text) => text },
  { name: 'four, answers between', split: 4, longOnly: true, answer: 'OK, go on.', hide: (text) => text },
  { name: 'four, words around', split: 4, longOnly: true, lead: 'and then', hide: (text) => text },
  {
    name: 'leetspeak',
    lettersOnly: true,
    hide: (text) => text.replace(/[aeiost]/gi, (sign) => '431057'['aeiost'.indexOf(sign.toLowerCase())]),
  },
];
