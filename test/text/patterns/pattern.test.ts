import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requiredLiterals } from '../../../src/text/patterns/required-literals.ts';
import { PatternFault, compilePattern, createPatternScan } from '../../../src/text/patterns/pattern.ts';
import { collectGarbage } from '../../support/garbage.ts';

function places(source: string, text: string): string[] {
  return createPatternScan([compilePattern(source)])(text).map(({ start, end }) => text.slice(start, end));
}

test.each([
  { source: '(?=a)b', says: 'look-around' },
  { source: 'a(?!b)', says: 'look-around' },
  { source: '(?<=a)b', says: 'look-around' },
  { source: '(a)\\1', says: 'back-reference' },
  { source: '(?P<n>a)\\k<n>', says: 'back-reference' },
  { source: '(a', says: 'not a pattern of RE2 syntax: missing closing )' },
  { source: '[\\1](', says: 'not a pattern of RE2 syntax' },
  { source: '', says: 'must not be empty' },
  { source: 'a*', says: 'matches every text' },
  { source: 'a'.repeat(1001), says: 'at most 1000 characters' },
  { source: '^(a{1,30}){1,30}$', says: 'too large: 1863 steps' },
])('the pattern $source is refused in words', ({ source, says }) => {
  expect(() => compilePattern(source)).toThrow(PatternFault);
  expect(() => compilePattern(source)).toThrow(says);
});

test.each([
  { source: 'abc', literals: [['abc']] },
  { source: '\\bacme-\\d+', literals: [['acme-']] },
  { source: '(?:client|customer)-5\\s+id', literals: [['client', 'customer'], ['-5'], ['id']] },
  { source: 'x|abc', literals: [] },
  { source: 'foo|(?i)bar', literals: [['foo', 'bar']] },
  { source: 'ab?cd*', literals: [] },
  { source: '(?:secret)+s', literals: [['secret']] },
  { source: '(?:secret)?sauce', literals: [['sauce']] },
  { source: '(?:secret){0,2}', literals: [] },
  { source: '[abc]]def', literals: [[']def']] },
  { source: '[]a]def[[:alpha:]x]', literals: [['def']] },
  { source: '\\x41\\x{42}cd\\.e', literals: [['cd.e']] },
  { source: '\\Qa.b\\E', literals: [] },
  { source: 'straße', literals: [['stra']] },
  { source: '.*', literals: [] },
])('what every match of $source holds', ({ source, literals }) => {
  expect(requiredLiterals(source)).toEqual(literals);
});

test.each([
  { source: 'acme-\\d+', text: 'ACME-1, acme-22 and acme-', found: ['ACME-1', 'acme-22'] },
  { source: '\\bid\\b', text: 'id, void, (id)', found: ['id', 'id'] },
  { source: '^a+$', text: 'aaa', found: ['aaa'] },
  { source: '^a+$', text: 'aaab', found: [] },
  { source: 'a$', text: `${'a'.repeat(600)}`, found: ['a'] },
  { source: 'begin.*end', text: `begin end ${'-'.repeat(900)} end begin`, found: [`begin end ${'-'.repeat(900)} end`] },
  {
    source: 'key-\\w+',
    text: `${' '.repeat(250)}key-${'x'.repeat(2000)} key-y`,
    found: [`key-${'x'.repeat(2000)}`, 'key-y'],
  },
])('$source finds $found.length places', ({ source, text, found }) => {
  expect(places(source, text)).toEqual(found);
});

const words = ' and so on'.repeat(100);

test.each([
  { source: 'x{1,100}', text: `a x${words}`, found: ['x'] },
  { source: '^\\w{1,100}', text: `one${words}`, found: ['one'] },
  { source: '^.(?:key){0,40}', text: `one${words}`, found: ['o'] },
  { source: '(?m)^\\d{1,60}$', text: `12\n34\n${words}\n56`, found: ['12', '34', '56'] },
  { source: '\\Bx{1,100}', text: `ax x${words} bx`, found: ['x', 'x'] },
  { source: '\\w\\w\\B', text: `abcd${words.replaceAll(/\w/g, '-')}`, found: ['ab'] },
])('the end of a place of $source is no other place of it, and what is behind none', ({ source, text, found }) => {
  expect(places(source, text)).toEqual(found);
});

/** Patterns whose match is another one where the text seems to end before it. */
const cuttable = [
  { source: 'card \\d{4}(?:-\\d{4})*', found: 'card 1234-5678-9012' },
  { source: '[A-Z]{2}\\d{2}(?: ?\\d{4}){3,5}', found: 'DE89 3704 0044 0532 0130' },
  { source: 'ab(?:-cd)?', found: 'ab-cd' },
  { source: 'https?://\\S+\\.example|secret', found: `https://${'a/secret'.repeat(50)}.example` },
  { source: 'a[bc]*z|b', found: `a${'b'.repeat(1000)}z` },
  { source: 'key [^;]*;|key', found: `key ${'x'.repeat(600)};` },
];

test.each(cuttable)('$source is found whole, wherever in a long text it stands', ({ source, found }) => {
  const scan = createPatternScan([compilePattern(source)]);
  for (let before = 200; before < 560; before++) {
    const text = `${' '.repeat(before)}${found}${' '.repeat(900)}`;
    expect(scan(text).map(({ start, end }) => [start, end])).toEqual([[before, before + found.length]]);
  }
});

test.each([
  { source: '[\\w.+-]+@[\\w-]+\\.[\\w.]+', found: 'ana.b@shop.example' },
  { source: 'https?://[a-z.]+\\.example(?:/\\S*)?', found: 'https://a.example/x' },
  { source: '\\b(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|blue heron)\\b', found: 'blue heron' },
])('however many places of $source stand in one line, each is one', ({ source, found }) => {
  expect(places(source, `lorem ipsum ${found} `.repeat(300))).toEqual(Array.from({ length: 300 }, () => found));
});

test.each([
  { source: 'a{2,5}\\b', most: 180_000 },
  { source: '(?:(?:a|aa){2,9}\\b)|x', most: 280_000 },
  { source: '(?:(?:a|aa){2,30}\\b)|x', most: 280_000 },
  { source: '(?:a|aa){2,20}$|x', most: 5_000 },
])('a place of $source at the end of a text is found with at most $most of work', ({ source, most }) => {
  const text = `${'a'.repeat(9_999)}!`;
  let work = 0;
  createPatternScan([compilePattern(source)])(text, (characters, ofThisTime) => (work += ofThisTime ? 0 : characters));
  expect(work).toBeLessThan(most);
});

test('places on many lines are all found, one by one', () => {
  const line = 'password: hunter2 is mine';
  const text = `${line}\n${'nothing here\n'.repeat(20)}`.repeat(100);
  expect(places('password:.*', text)).toEqual(Array.from({ length: 100 }, () => line));
});

test('one match at the end of a long text is found where it is, also by a large pattern', () => {
  const text = `${'all quiet here, '.repeat(5_000)}acme-0042-abcdefgh`;
  expect(places('(?:acme|apex)-\\d{1,40}-[a-h]{1,40}', text)).toEqual(['acme-0042-abcdefgh']);
});

test.each([
  { source: '\\b\\d{5}\\b', found: '77001', between: ',' },
  { source: '\\w', found: 'a', between: ' ' },
  { source: '(?:a)', found: 'a', between: '' },
  { source: '(?:north|south|east|west)-[0-9a-f]{4,12}\\b', found: 'west-00ff', between: '; ' },
])('what stands behind thousands of places of $source is no part of them', ({ source, found, between }) => {
  const list = Array.from({ length: 9_000 }, () => found);
  const text = `${list.join(between)}${between}?`;
  let work = 0;
  const spans = createPatternScan([compilePattern(source)])(text, (characters) => (work += characters));
  expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(list);
  expect(work).toBeLessThan(60 * text.length + 100_000);
});

test('where places cost too much, the rest of the text counts as one', () => {
  const found = places('x.*y|x', 'x'.repeat(20_000));
  expect(found.join('')).toBe('x'.repeat(20_000));
  expect(found.length).toBeLessThan(20_000);
});

const piece = fc.constantFrom('a', 'b', 'ab', 'ba-', '.', '[ab]', '\\w', '\\b', '-', 'é');
const quantifier = fc.constantFrom('', '', '?', '*', '+', '{2}', '{0,3}', '+?');
const regex = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(piece, quantifier).map(([atom, many]) => (atom === '\\b' ? atom : `(?:${atom})${many}`)),
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((parts) => `(?:${parts.join('|')})`),
  ),
})).node;
const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', ' ', 'é'), maxLength: 30 });

test('property: a pattern finds what the RegExp of Node finds', () => {
  fc.assert(
    fc.property(regex, text, (source, subject) => {
      const pattern = compiledOrNone(source);
      if (pattern === undefined) return;
      const native = [...subject.matchAll(new RegExp(source, 'gi'))].map((match) => [match.index, match[0].length]);
      const found = createPatternScan([pattern])(subject).map(({ start, end }) => [start, end - start]);
      expect(found.filter(([, length]) => length)).toEqual(native.filter(([, length]) => length));
      expect(pattern.test(subject)).toBe(native.length > 0);
    }),
    { numRuns: 500 },
  );
});

/** Patterns that read no further than a few characters behind each place. */
const listed = fc.constantFrom(
  '\\b\\d{2}\\b',
  '\\d{1,3}',
  '[ab]+',
  '\\Ba',
  '\\ba',
  'a|ab',
  '(?:ab)+?',
  '-é',
  '\\d\\d?$',
);
const listText = fc
  .tuple(
    fc.array(fc.constantFrom('12', '7', 'a', 'ab', 'é', '🔥', 'words'), { minLength: 1, maxLength: 5 }),
    fc.constantFrom(',', ' ', '\n', '-', '. And then, '),
    fc.integer({ min: 1, max: 400 }),
  )
  .map(([some, between, times]) => `${Array.from({ length: times }, () => some.join(between)).join(between)} ?`);

test('property: so it does in long lists, each place by itself', () => {
  fc.assert(
    fc.property(listed, listed, listText, (one, other, subject) => {
      const source = `(?:${one})|${other}`;
      const native = [...subject.matchAll(new RegExp(source, 'gi'))].map((match) => [match.index, match[0].length]);
      const found = createPatternScan([compilePattern(source)])(subject);
      expect(found.map(({ start, end }) => [start, end - start])).toEqual(native);
    }),
    { numRuns: 300 },
  );
});

function compiledOrNone(source: string) {
  try {
    return compilePattern(source);
  } catch (error) {
    expect(error).toBeInstanceOf(PatternFault);
    return undefined;
  }
}

test('a pattern is made once for all who hold it, upper and lower case apart', () => {
  const pattern = compilePattern('acme-[0-9]+');
  expect(compilePattern('acme-[0-9]+')).toBe(pattern);
  expect([pattern.test('ACME-1'), compilePattern('acme-[0-9]+', { ignoreCase: false }).test('ACME-1')]).toEqual([
    true,
    false,
  ]);
});

test('a pattern, which lives on, holds nothing of those who were told of its work', async () => {
  const pattern = compilePattern('held-[0-9]+');
  const telling = (): WeakRef<object> => {
    const works: number[] = [];
    const spend = (work: number): void => void works.push(work);
    pattern.test('held-17', spend);
    return new WeakRef(spend);
  };
  const told = telling();
  await collectGarbage();
  expect(told.deref()).toBeUndefined();
});
