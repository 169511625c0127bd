import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestLines, mayHold, parseQuery } from '../../src/conversations/searching.ts';
import { MotifError } from '../../src/errors.ts';
import { put, headLine, shelf, turn } from '../support/rooms/conversations.ts';

async function titles(query: string, ...talks: readonly (readonly [title: string, ...questions: string[]])[]) {
  const { saved, told } = shelf();
  for (const [title, ...questions] of talks) await told({ title }, ...questions);
  return (await saved.search(query)).map(({ summary }) => summary.title);
}

describe('a query', () => {
  test.each([
    ['kettle Return', ['kettle', 'return']],
    ['"free  shipping" kettle', ['free shipping', 'kettle']],
    ['Café "Über uns"', ['cafe', 'uber uns']],
    ['kettle kettle "kettle"', ['kettle']],
    ['say "hello', ['say', 'hello']],
    ['ﬁne', ['fine']],
  ])('%s means %j', (query, words) => {
    expect(parseQuery(query)).toEqual(words);
  });

  test.each(['', '  ', '""', '" "', Array.from({ length: 21 }, (_, index) => `w${index}`).join(' ')])(
    '%j is refused',
    (query) => {
      expect(() => parseQuery(query)).toThrow(MotifError);
    },
  );
});

describe('what is found', () => {
  test('all words have to be there, in texts or title, whatever their case and accents', async () => {
    const talks = [
      ['Kettles', 'Can I return it to the café?'],
      ['Toasters', 'Can I return it?'],
    ] as const;
    expect(await titles('return', ...talks)).toEqual(['Toasters', 'Kettles']);
    expect(await titles('RETURN cafe', ...talks)).toEqual(['Kettles']);
    expect(await titles('kettles return', ...talks)).toEqual(['Kettles']);
    expect(await titles('kettles toasters', ...talks)).toEqual([]);
    expect(await titles('café', ...talks)).toEqual(['Kettles']);
  });

  test('a phrase is found as such, also over the end of a line', async () => {
    const talks = [
      ['a', 'free and fast shipping'],
      ['b', 'with free shipping'],
      ['c', 'with free\n  shipping'],
    ] as const;
    expect(new Set(await titles('"free shipping"', ...talks))).toEqual(new Set(['b', 'c']));
    expect(await titles('free shipping', ...talks)).toHaveLength(3);
  });

  test('a title counts most, then how often, and a whole word more than a part of one', async () => {
    const talks = [
      ['part', 'kettledrum'],
      ['whole', 'kettle'],
      ['often', 'kettle\nkettle\nkettle'],
      ['The kettle', 'nothing'],
    ] as const;
    expect(await titles('kettle', ...talks)).toEqual(['The kettle', 'often', 'whole', 'part']);
  });

  test('the lines are all that hold a word, and the best of them stay in their order', async () => {
    const { saved, told } = shelf();
    await told(
      { title: 't' },
      'no\nkettle 1\nno\nkettle 2 kettledrum shop\nkettle shop 3\nkettle shop 4\nkettle shop 5',
    );
    const [found] = await saved.search('kettle shop');
    const all = found?.lines ?? [];
    expect(bestLines(all, 3).map(({ text }) => text)).toEqual([
      'kettle 2 kettledrum shop',
      'kettle shop 3',
      'kettle shop 4',
    ]);
    // The answers repeat the question.
    expect(all).toHaveLength(10);
    expect(found?.lines[0]?.role).toBe('user');
  });

  test('what was undone, cleared or blocked is not found, and neither are words of the file format', async () => {
    const { saved, told } = shelf();
    const talk = await told({ title: 'one' }, 'kettle');
    await talk.undo();
    await talk.addTurn(turn('toaster'));
    expect(await saved.search('kettle')).toEqual([]);
    expect(await saved.search('outcome')).toEqual([]);
    expect(await saved.search('toaster')).toHaveLength(1);
  });

  test('many that fit do not make one that does not fit one of them', async () => {
    const { saved, told } = shelf();
    for (let index = 0; index < 60; index += 1) await told({ title: `t${index}` }, 'kettle');
    for (let index = 0; index < 3; index += 1) await told({ title: `u${index}` }, 'toaster');
    expect(await saved.search('kettle')).toHaveLength(60);
  });

  test('a broken conversation is passed over', async () => {
    const { saved, told, folder } = shelf();
    await told({ title: 'one' }, 'kettle');
    put(folder, 'abc', 'kettle\n');
    put(folder, 'abd', { ...headLine, v: 7 });
    expect(await saved.search('kettle')).toHaveLength(1);
  });
});

test('what may not be there is not there: no file is left out that holds the words', () => {
  const word = fc.constantFrom('kettle', 'Café', 'a"b', 'back\\slash', 'über', 'ß', 'x');
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), word, (texts, wanted) => {
      const content = texts.join(' ');
      const json = JSON.stringify({ content });
      const [query = ''] = parseQuery(wanted.replaceAll('"', ''));
      const isThere = content.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().includes(query);
      expect(!isThere || mayHold(json, [query])).toBe(true);
    }),
  );
  expect(mayHold('plain', ['kettle'])).toBe(false);
  expect(mayHold('Kettle', ['kettle'])).toBe(true);
});
