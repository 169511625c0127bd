import { expect, test } from 'vitest';
import { isLuhn } from '../../../../../src/gateway/policies/rules/checksums.ts';
import { createDice } from '../../../../fixtures/corpus/dice.ts';
import { found, policy } from '../../../../support/rooms/policies.ts';

const pii = policy('pii');
const dice = createDice(15);

function numberOf(length: number): string {
  return String(1 + dice.below(9)) + dice.digits(length - 1);
}

function cardOf(gap: string): string {
  const body = `4${dice.digits(14)}`;
  const digits = Array.from(`${body}0`, Number);
  const check = Array.from({ length: 10 }, (_, one) => one).find((one) => isLuhn([...digits.slice(0, 15), one]));
  return `${body}${check}`.replace(/(\d{4})(?=\d)/g, `$1${gap}`);
}

const separators = { 'line ends': '\n', blanks: ' ', tabs: '\t', commas: ',', semicolons: '; ', bars: ' | ' };
const perForm = 25;
const flaggedShareMax = 0.01;

test.each([4, 5, 8, 11, 12, 13, 15, 16])('lists of random numbers of %i digits hold nothing of a person', (length) => {
  const lists = Object.values(separators).flatMap((separator) =>
    [10, 30, 100].flatMap((count) =>
      Array.from({ length: perForm }, () => Array.from({ length: count }, () => numberOf(length)).join(separator)),
    ),
  );
  const flagged = lists.filter((list) => found(pii, list).length > 0);
  expect(flagged.length / lists.length).toBeLessThanOrEqual(flaggedShareMax);
});

test.each(Object.entries(separators))('in lists of cards apart by %s, all are found', (_, separator) => {
  const lists = ['', ' ', '-'].flatMap((gap) =>
    [1, 2, 5, 20].map((count) => Array.from({ length: count }, () => cardOf(gap)).join(separator)),
  );
  const rests = lists.map((list) =>
    found(pii, list)
      .map((hit) => hit.replace('card: ', ''))
      .reduce((rest, one) => rest.replace(one, ''), list),
  );
  expect(rests.filter((rest) => /\d/.test(rest))).toEqual([]);
});

test('one number with a typo hides none of the cards around it', () => {
  const cards = Array.from({ length: 50 }, () => cardOf(' '));
  const mistyped = cards.with(
    25,
    cards[25]!.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)),
  );
  expect(found(pii, mistyped.join(' '))).toHaveLength(cards.length - 1);
});

const card = '4539 1488 0343 6467';

test.each([
  { name: 'alone on a line', text: `1234\n5678\n${card}\n2345\n6789\n3456\n4567\n7890\n8901` },
  { name: 'beside words', text: `pay with ${card} today` },
  { name: 'beside other figures', text: `${card} 1227 123` },
  { name: 'behind a year', text: `2026 ${card}` },
  { name: 'in a row with another card', text: `${card} 4111 1111 1111 1111` },
  { name: 'with another sign inside of it', text: `1234,5678,2345,6789,${card},3456,4567,7890,8901` },
  { name: 'between two groups on either side', text: `2026 1122 ${card} 2027 0412` },
  { name: 'beside one with a typo', text: `${card} 5500 0055 5555 5559 4111 1111 1111 1112` },
  {
    name: 'beside one that is right, and two with typos',
    text: `${card} 1111 2222 3333 4444 4111 1111 1111 1111 1234 1234 1234 1235`,
  },
  {
    name: 'with its month and year, beside others',
    text: `${card} 1227 4111 1111 1111 1111 0128 5555 5555 5555 4444 0329`,
  },
  {
    name: 'with its code, month and year, beside others',
    text: `${card} 0123 2027 4111 1111 1111 1111 0456 2028 5555 5555 5555 4444 0789 2029`,
  },
  { name: 'beside four figures each', text: `${card} 1111 2222 3333 4444` },
  { name: 'in a list that a word names', text: `cards 8234 8678 8345 8789 8456 ${card} 8567 8890 8901` },
])('a card $name is found', ({ text }) => {
  expect(found(pii, text)).toContain(`card: ${card}`);
});

test.each([
  { name: 'a card in groups', text: `8234 8678 8345 8789 8456 ${card} 8567 8890 8901`, hits: [] },
  { name: 'an ID as long as a card', text: '[{"id":4539148803436467,"n":1}]', hits: [] },
  { name: 'a value of JSON named ref', text: '{"ref": "44051401458"}', hits: [] },
  { name: 'a value of JSON with its name', text: '{"pesel": "44051401458"}', hits: ['pl_pesel: 44051401458'] },
  { name: 'a value of JSON with a name of any number', text: '{"no":"44051401458"}', hits: ['pl_pesel: 44051401458'] },
  { name: 'a value of JSON named national_id', text: '{"national_id":"44051401458"}', hits: ['pl_pesel: 44051401458'] },
  { name: 'a column of any numbers', text: 'name,number\nJan,44051401458\n', hits: ['pl_pesel: 44051401458'] },
  {
    name: 'an account with the code of a card',
    text: '{"accountId":"4539148803436467","cvv":"123"}',
    hits: ['card: 4539148803436467', 'card_cvv: 123'],
  },
  { name: 'figures of four quarters', text: '[4316, 7900, 6132, 8396]', hits: [] },
  { name: 'a card with any name', text: '{"note": "4539148803436467"}', hits: ['card: 4539148803436467'] },
  { name: 'a column named size', text: 'file,size\na.txt,44051401458\n', hits: [] },
  { name: 'a column with its name', text: 'name,pesel\nAna,44051401458\n', hits: ['pl_pesel: 44051401458'] },
  { name: 'a row without heads', text: '2026-11-22,Ana,Lisbon,44051401458', hits: ['pl_pesel: 44051401458'] },
  { name: 'a sentence', text: 'it is 44051401458, as agreed', hits: ['pl_pesel: 44051401458'] },
  { name: 'milliseconds', text: 'started 1701223000002, done', hits: [] },
])('in $name, only what is a number of a person is found', ({ text, hits }) => {
  expect(found(pii, text)).toEqual(hits);
});
