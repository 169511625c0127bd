import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { knowledgeMessage, parseKnowledgeMessage } from '../../../src/gateway/knowledge/message.ts';
import type { Passage } from '../../../src/gateway/knowledge/outline.ts';
import { createIndex } from '../../../src/gateway/knowledge/search.ts';
import { atOnce } from '../../../src/text/turns.ts';
import { termsOf } from '../../../src/gateway/knowledge/terms.ts';

const passage = (titles: string, text: string): Passage => ({ source: `h: ${titles}`, titles, text });

const handbook = [
  passage('Returns', 'Kettles can be returned within 30 days with the receipt.'),
  passage('Opening hours', 'We are open from Monday to Friday, 9 to 17.'),
  passage('Shipping', 'Parcels are sent on the day of the order. A kettle is sent insured.'),
  passage('Warranty', 'Every appliance has a warranty of two years.'),
  passage('保证', '所有电器都有两年的保修期。'),
];

const indexOf = (passages: readonly Passage[]) => atOnce(createIndex(passages));
const index = indexOf(handbook);

describe('finds', () => {
  test.each([
    { question: 'How long can I return a kettle?', first: 'Returns' },
    { question: 'RETURNING KETTLES', first: 'Returns' },
    { question: 'opening hours', first: 'Opening hours' },
    { question: 'Is my kettle insured?', first: 'Shipping' },
    { question: 'when was it shipped', first: 'Shipping' },
    { question: 'ｗａｒｒａｎｔｙ', first: 'Warranty' },
    { question: '保修期多久', first: '保证' },
  ])('$question: $first', ({ question, first }) => {
    expect(index.search(question, 4)[0]?.titles).toBe(first);
  });

  test.each(['', 'the is of', 'xylophone', '🙂', '???'])('nothing for "%s"', (question) => {
    expect(index.search(question, 4)).toEqual([]);
  });

  test('at most as many as asked for, the best first', () => {
    expect(index.search('kettle return receipt', 4).map(({ titles }) => titles)).toEqual(['Returns', 'Shipping']);
    expect(index.search('kettle return receipt', 1)).toHaveLength(1);
    expect(index.search('kettle', 0)).toEqual([]);
  });
});

test('an index of nothing finds nothing', () => {
  expect(indexOf([]).search('kettle', 4)).toEqual([]);
  expect(indexOf([passage('', '')]).search('kettle', 4)).toEqual([]);
});

test('of equal passages the earlier comes first', () => {
  const same = Array.from({ length: 9 }, (_, at) => ({ ...passage('T', 'the same words'), source: `${at}` }));
  expect(
    indexOf(same)
      .search('same words', 4)
      .map(({ source }) => source),
  ).toEqual(['0', '1', '2', '3']);
});

test('of passages that say a word as often, the shorter comes first', () => {
  const long = passage('Long', `kettle ${'and much more besides '.repeat(20)}`);
  expect(
    indexOf([long, passage('Short', 'kettle')])
      .search('kettle', 4)
      .map(({ titles }) => titles),
  ).toEqual(['Short', 'Long']);
});

test('of a question of many words the rarest decide', () => {
  const rare = Array.from({ length: 64 }, (_, at) => passage(`${at}`, `rare${at}x`));
  const common = [passage('A', 'common'), passage('B', 'common')];
  const question = ['common', ...rare.map(({ text }) => text)].join(' ');
  expect(
    indexOf([...common, ...rare])
      .search(question, 99)
      .map(({ titles }) => titles),
  ).toEqual(rare.map(({ titles }) => titles));
});

test('the best few are those of a full sort', () => {
  const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'kappa'), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), words, fc.integer({ min: 1, max: 5 }), (texts, question, top) => {
      const found = indexOf(texts.map((text, at) => ({ source: String(at), titles: '', text: text.join(' ') })));
      const all = found.search(question.join(' '), texts.length + 1);
      expect(found.search(question.join(' '), top)).toEqual(all.slice(0, top));
      expect(all.length).toBe(texts.filter((text) => text.some((word) => question.includes(word))).length);
    }),
  );
});

test('an index is made in many pieces, so that prompts are answered meanwhile', () => {
  const words = Array.from({ length: 40_000 }, (_, at) => `word${at}x`);
  const passages = Array.from({ length: 400 }, (_, at) => passage('', words.slice(at * 100, at * 100 + 150).join(' ')));
  expect([...createIndex(passages)].length).toBeGreaterThanOrEqual(400);
});

test('a question as long as a book is looked at in its first words only', () => {
  expect(index.search(`receipt ${'filler '.repeat(2000)} warranty`, 4).map(({ titles }) => titles)).toEqual([
    'Returns',
  ]);
});

test('a row of characters without blanks may be longer than one call takes arguments', () => {
  expect(termsOf('漢'.repeat(200_000))).toHaveLength(199_999);
});

test('a question is as long as it is once ligatures are written out', () => {
  expect(termsOf('\ufdfa'.repeat(100), 100).join('').length).toBeLessThanOrEqual(100);
});

test.each(['\u0316\u0301', '\uff9e\u0301', '\u0301\uff9f'])(
  'of a stack of "%s" no more than a letter may have is read',
  (marks) => {
    const [short, long] = [8, 4_000].map((times) => termsOf(`a${marks.repeat(times)}`));
    expect(long).toEqual(short);
  },
);

test.each([
  { words: 'return returns returned returning', term: 'return' },
  { words: 'kettle kettles', term: 'kettl' },
  { words: 'ship ships shipped shipping', term: 'ship' },
  { words: 'charge charges charged charging', term: 'charg' },
  { words: 'policy policies', term: 'policy' },
  { words: 'class', term: 'class' },
])('$words meet at $term', ({ words, term }) => {
  expect(new Set(termsOf(words))).toEqual(new Set([term]));
});

test('what is handed to a model names its sources, and is read back whole', () => {
  const text = knowledgeMessage(handbook.slice(0, 2));
  expect(text).toContain('\n\n[h: Returns]\nKettles can be returned');
  expect(parseKnowledgeMessage({ role: 'system', content: text })).toEqual(
    handbook.slice(0, 2).map(({ source, text: said }) => ({ source, text: said })),
  );
  expect(parseKnowledgeMessage({ role: 'system', content: '[h: Returns]\nno knowledge' })).toEqual([]);
});
