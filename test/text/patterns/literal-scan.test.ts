import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ForeignPlaces } from '../../../src/text/patterns/foreign-places.ts';
import { buildTrie, foldLiteral, link } from '../../../src/text/patterns/literal-table.ts';
import { LiteralFault, createLiteralScan } from '../../../src/text/patterns/literal-scan.ts';
import { atOnce } from '../../../src/text/turns.ts';

function scan(literals: readonly string[], text: string): string[] {
  const found: string[] = [];
  createLiteralScan(literals).scan(text, (literal, end) => found.push(`${literals[literal]}@${end}`));
  return found.sort();
}

test.each([
  { literals: ['he', 'she', 'hers', 'his'], text: 'ushers', found: ['he@4', 'hers@6', 'she@4'] },
  { literals: ['project x'], text: 'PROJECT \n\t X', found: ['project x@12'] },
  { literals: ['项目', 'straße'], text: '新项目, STRAßE', found: ['straße@11', '项目@3'] },
  { literals: ['kelvin', 'secret'], text: '\u212aelvin \u017fecret', found: ['kelvin@6', 'secret@13'] },
  { literals: ['a', 'a'], text: 'a', found: ['a@1', 'a@1'] },
  { literals: [], text: 'anything', found: [] },
])('$literals in $text', ({ literals, text, found }) => {
  expect(scan(literals, text)).toEqual(found);
});

test.each([
  { name: 'within a word', text: 'settings, set_up, SET1', found: [] },
  { name: 'at the end of a word', text: 'reset, unset, _set, 1set: unset:', found: [] },
  { name: 'behind a sign and a letter beyond ASCII', text: '-set, \u00e9set', found: ['set@4', 'set@10'] },
  { name: 'before a letter beyond ASCII', text: 'set\u00e9', found: ['set@3'] },
  { name: 'at the end of the text', text: 'a set', found: ['set@5'] },
  { name: 'a literal that ends with a sign', text: 'set:up', found: ['set@3', 'set:@4'] },
])('words $name', ({ text, found }) => {
  const literals = ['set', 'set:'];
  const told: string[] = [];
  createLiteralScan(literals, { areWords: true }).scan(text, (literal, end) =>
    told.push(`${literals[literal]}@${end}`),
  );
  expect(told).toEqual(found);
});

test('property: it finds what looking for one literal after another finds', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '中'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 8 }), fc.array(word, { maxLength: 12 }), (literals, parts) => {
      const text = parts.join('');
      const expected = literals.flatMap((literal) =>
        Array.from(text, (_, start) => start)
          .filter((start) => text.startsWith(literal, start))
          .map((start) => `${literal}@${start + literal.length}`),
      );
      expect(scan(literals, text)).toEqual(expected.sort());
    }),
  );
});

/** A short text is read as a whole, and one of more characters in parts. */
const times = fc.constantFrom(1, 7, 40);

test('property: words of ASCII are told in the order of the text, wherever a text is cut in parts', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 5 });
  const pieces = fc.array(fc.constantFrom('a', 'b', 'aab', 'c', ' ', 'é', '\u4e2d\u6587', '\u017f'), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 6 }), pieces, times, (literals, parts, count) => {
      const text = parts.join('').repeat(count);
      const words = [...literals, 'xé'];
      const orderOf = (list: readonly string[]) => {
        const found: string[] = [];
        createLiteralScan(list).scan(text, (literal, end) => found.push(`${list[literal]}@${end}`));
        return found;
      };
      expect(orderOf(literals)).toEqual(orderOf(words));
    }),
  );
});

test('property: words are those of all places that no word goes on around, wherever a text is cut in parts', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '-'), minLength: 1, maxLength: 5 });
  const pieces = fc.array(fc.constantFrom('a', 'b', 'ab', 'aab', 'c', '1', '_', ' ', '  ', '-', 'é', '\u4e2d\u6587'), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 6 }), pieces, times, (literals, parts, count) => {
      const text = parts.join('').repeat(count);
      const told = (areWords: boolean) => {
        const found: { readonly literal: string; readonly end: number }[] = [];
        const search = createLiteralScan(literals, { areWords });
        search.scan(text, (literal, end) => found.push({ literal: literals[literal]!, end }));
        return found;
      };
      const isWord = ({ literal, end }: { readonly literal: string; readonly end: number }) => {
        const pattern = literal.replaceAll(/ +/g, '\\s+').replace(/\\s\+$/, '\\s');
        const begins = /^\w/.test(literal) ? '(?<!\\w)' : '';
        const ends = /\w$/.test(literal) ? '(?!\\w)' : '';
        return new RegExp(`${begins}${pattern}(?<=^[^]{${end}})${ends}`).test(text);
      };
      expect(told(true)).toEqual(told(false).filter(isWord));
    }),
    { numRuns: 500 },
  );
});

test('states take two bytes a cell as long as their number does', () => {
  const words = Array.from({ length: 6_000 }, (_, index) =>
    `${index}`.replaceAll(/\d/g, (digit) => 'abcdefghij'[+digit]!),
  );
  const table = (ending: string) =>
    atOnce(link(atOnce(buildTrie(words.map((word) => foldLiteral(word + ending)))))).table;
  expect(table('xyzxyz')).toBeInstanceOf(Uint16Array);
  expect(table('xyzxyzxyzxyz')).toBeInstanceOf(Int32Array);
});

test('property: words beyond ASCII are found wherever a text has few or many of their characters', () => {
  const word = fc
    .tuple(
      fc.constantFrom('', 'a', 'a ', 'ab '),
      fc.constantFrom(
        'é',
        'ß',
        '中',
        '\u0434\u0430',
        '\u0434\u0430\u043d\u043e',
        '\u0434\u0430\u043d\u043d\u044b\u0435',
      ),
      fc.constantFrom('', 'b', ' b', ' b a'),
    )
    .map((parts) => parts.join(''));
  const filler = fc.constantFrom(
    'a',
    'b',
    'ab',
    ' ',
    '   ',
    '\n',
    'x'.repeat(40),
    '’',
    'ü',
    '\u0434',
    '\u4e2d'.repeat(30),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
      fc.array(fc.oneof(filler, word), { maxLength: 30 }),
      fc.constantFrom('', 'q'.repeat(800)),
      (literals, parts, end) => {
        const text = parts.join('') + end;
        // A list with a word of ASCII is looked for everywhere.
        const withPlain = [...literals, 'z'];
        expect(scan(literals, text)).toEqual(scan(withPlain, text));
      },
    ),
  );
});

test('lists that share one pass are each told their own words, also those of a list that is made after it', () => {
  const shared = new ForeignPlaces();
  const found: string[] = [];
  const list = (name: string, words: readonly string[]) => {
    const search = createLiteralScan(words, { shared });
    return () =>
      search.scan('\u043e\u0434\u043d\u0438 \u0434\u0430\u043d\u043d\u044b\u0435', (word, end) =>
        found.push(`${name}: ${words[word]}@${end}`),
      );
  };
  const first = list('first', ['\u043e\u0434\u043d\u0438', '\u0434\u0430\u043d']);
  first();
  list('second', ['\u0434\u0430\u043d\u043d\u044b\u0435', '\u043e\u0434\u043d\u0438'])();
  first();
  const ofFirst = ['first: \u043e\u0434\u043d\u0438@4', 'first: \u0434\u0430\u043d@8'];
  const ofSecond = ['second: \u043e\u0434\u043d\u0438@4', 'second: \u0434\u0430\u043d\u043d\u044b\u0435@11'];
  expect(found).toEqual([...ofFirst, ...ofSecond, ...ofFirst]);
});

test('more words with the same letters than are compared are found', () => {
  const words = Array.from({ length: 40 }, (_, index) => `\u0434\u0430\u043d\u043d${'ab'.repeat(index)}`);
  expect(scan(words, `${words[39]} \u0434`)).toHaveLength(40);
});

test('a word longer than half a part of the text is found', () => {
  const word = `${'ab'.repeat(5_000)}c`;
  expect(scan([word, 'c', 'bc'], `x${word}y`)).toEqual(['bc@10002', 'c@10002', `${word}@10002`].sort());
});

test('a list that would take all memory is refused', () => {
  const alphabet = Array.from({ length: 600 }, (_, index) => String.fromCharCode(0x4e00 + index * 7)).join('');
  const many = Array.from({ length: 60 }, (_, index) => `${index}${alphabet}`);
  expect(() => createLiteralScan(many)).toThrow(LiteralFault);
});

test('a literal that ends with a blank is found where the first blank stands, once for a run of them', () => {
  const found: number[] = [];
  createLiteralScan(['bot ', 'a b', 'x', 'c', 'd', 'e', 'f', 'g', 'h', 'i']).scan('bot \t\n a   b', (literal, end) => {
    if (literal < 2) found.push(literal, end);
  });
  expect(found).toEqual([0, 4, 1, 12]);
});

test('a scan inside another, of more texts than are kept, changes nothing of the other', () => {
  const list = createLiteralScan(['secret', 'x']);
  const found: number[] = [];
  list.scan('x'.padEnd(50, '-') + 'secret', (_, end) => {
    found.push(end);
    for (const inner of ['a', 'b', 'c', 'd']) list.scan(`x${inner.repeat(60)}`, () => undefined);
  });
  expect(found).toEqual([1, 56]);
});
