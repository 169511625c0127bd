import { expect, test } from 'vitest';
import { found, policy } from '../../../support/rooms/policies.ts';

const pii = policy('pii');
const groups = ['4539', '1488', '0343', '6467'];
const card = groups.join('');
const iban = 'DE89370400440532013000';

/** Signs that stand between the groups of a card; a word for it is needed where lists of figures have them as well. */
const separators = [
  { name: 'commas', sign: ', ', isNamed: true },
  { name: 'semicolons', sign: ';', isNamed: true },
  { name: 'three blanks', sign: '   ', isNamed: true },
  { name: 'two hyphens', sign: '--' },
  { name: 'an empty line', sign: '\n\n' },
  { name: 'the mark of a mail quote', sign: '\n> ' },
  { name: 'a bullet', sign: '\n- ' },
  { name: 'quotation marks', sign: '", "', isNamed: true },
  { name: 'a line end of HTML', sign: '<br>' },
  { name: 'an arrow', sign: ' -> ', isNamed: true },
  { name: 'dots', sign: '...' },
  { name: 'backticks', sign: '` `' },
  { name: 'cells of HTML', sign: '</td><td>', isNamed: true },
  { name: 'the mark of a quote in a quote', sign: '\n> > ', isNamed: true },
];

test.each(separators)('a card is found with $name between its groups', ({ sign, isNamed = false }) => {
  const written = groups.join(sign);
  const texts = [`Karte: ${written}`, `my card is ${written}.`, ...(isNamed ? [] : [written, `it is ${written}, ok`])];
  expect(texts.filter((text) => !found(pii, text).includes(`card: ${written}`))).toEqual([]);
});

test.each([
  { name: 'another sign in the middle', text: '4539, 1488; 0343, 6467' },
  { name: 'more groups', text: '8812, 4539, 1488, 0343, 6467' },
  { name: 'a check digit that fails', text: '4539, 1488, 0343, 6468' },
])('four figures with $name are no card', ({ text }) => {
  expect(found(pii, text)).toEqual([]);
});

test.each([
  { text: `EUR${card}`, hit: `card: ${card}` },
  { text: `id${card}`, hit: `card: ${card}` },
  { text: `${card}12/27`, hit: `card: ${card}` },
  { text: `IBAN${iban}`, hit: `iban: ${iban}` },
  { text: `pay ${iban}COBADEFFXXX`, hit: `iban: ${iban}` },
  { text: 'sin_number=171+461+411&x=1', hit: 'ca_sin: 171+461+411' },
  { text: 'from:2a02:8071:1:2::5', hit: 'ip: 2a02:8071:1:2::5' },
  { text: 'jana (at) firma [dot] de, bitte', hit: 'email: jana (at) firma [dot] de' },
  { text: 'write to jana.novak[at]firma.de', hit: 'email: jana.novak[at]firma.de' },
  { text: 'from 81[.]20[.]3[.]9 today', hit: 'ip: 81[.]20[.]3[.]9' },
  { text: 'client_ip_81.20.3.9', hit: 'ip: 81.20.3.9' },
])('in $text, $hit is found', ({ text, hit }) => {
  expect(found(pii, text)).toContain(hit);
});

test.each([
  `uuid${card}`,
  `x${card}`,
  `${card}13/27`,
  `${iban}COBADE`,
  'libfoo_81.20.3.9.so',
  'meet (at) noon',
  'x[.]1[.]2',
  '127[.]0[.]0[.]1',
  'The PIN — 2024 edition',
  'PIN to 4821 pins',
  'Identifiant : B2B',
])('nothing of a person is found in %s', (text) => {
  expect(found(pii, text)).toEqual([]);
});

const labelled = [
  { rule: 'pin', label: 'PIN', value: '4821' },
  { rule: 'username', label: 'Username', value: 'jdoe42' },
  { rule: 'card_cvv', label: 'CVV', value: '739' },
  { rule: 'card_expiry', label: 'Card expiry', value: '09/27' },
];

test.each([
  '**L:** V',
  '**L**: `V`',
  '*L:* V',
  '<b>L:</b> V',
  '<p><strong>L</strong>: <code>V</code></p>',
  'L:<br>V',
  '<td>L</td>\n<td>V</td>',
  '<td>L\n  </td>\n  <td class="cell">V\n  </td>',
])('what only its label tells is found in %s', (carrier) => {
  for (const { rule, label, value } of labelled) {
    const text = carrier.replace(/\b[LV]\b/g, (place) => (place === 'L' ? label : value));
    expect(found(pii, text)).toEqual([`${rule}: ${value}`]);
  }
});

test.each(['**PIN:** at least 4 digits', '<b>Username:</b> <i>required</i>', 'PIN * 4821 = x', 'username ** 2'])(
  'a label without a value holds nothing: %s',
  (text) => {
    expect(found(pii, text)).toEqual([]);
  },
);
