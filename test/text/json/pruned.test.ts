import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutUnread } from '../../../src/text/json/pruned.ts';
import { atOnce } from '../../../src/text/turns.ts';
import { runs } from '../../support/runs.ts';

const names = new Set(['a', 'b c', '', '__proto__', 'ä']);
const pruned = (text: string): string => atOnce(withoutUnread(text, names));
const key = fc.oneof(fc.constantFrom(...names), fc.constantFrom('d', 'a"', 'a\\', ':', 'a:'), fc.string());
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(fc.constantFrom(null, true, -1.5e-7, '', 'a', '"', '\\', '{"a":[', '":0,'), fc.string(), fc.double()),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 5 }),
  ),
})).any;

/** The text of the value, in which 0 stands for members that are not read. */
function prunedText(whole: unknown, indent: number | undefined): string {
  const prune = (name: string, inner: unknown): unknown =>
    name !== '' && !names.has(name) && !/["\\]|[^\P{Cc}]/u.test(name) ? 0 : inner;
  return JSON.stringify(
    whole,
    function replace(this: unknown, name, inner: unknown) {
      return Array.isArray(this) ? inner : prune(name, inner);
    },
    indent,
  );
}

test('any JSON text says the same, but for members that are not read', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1), (whole, indent) => {
      const text = pruned(JSON.stringify(whole, undefined, indent));
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(prunedText(whole, indent))));
    }),
    runs(1000),
  );
});

test('a text that breaks off is none without them either', () => {
  fc.assert(
    fc.property(fc.dictionary(key, value, { minKeys: 1 }), fc.nat(), (whole, cut) => {
      const text = JSON.stringify(whole);
      const broken = text.slice(0, cut % text.length);
      expect(() => JSON.parse(pruned(broken)) as unknown).toThrow(SyntaxError);
    }),
    runs(1000),
  );
});

test.each([
  { name: 'blanks around', text: '{ "x" :  [1, {"a": 2}] , "a":1 }', left: '{ "x" :0, "a":1 }' },
  { name: 'signs in strings', text: String.raw`{"x":"]},\"","y":["}\\"],"a":[]}`, left: '{"x":0,"y":0,"a":[]}' },
  { name: 'a long string', text: `{"x":"${'y'.repeat(100)}\\"","a":1}`, left: '{"x":0,"a":1}' },
  { name: 'a name with an escape', text: String.raw`{"\u0061":1,"x\n":2}`, left: String.raw`{"\u0061":1,"x\n":2}` },
  { name: 'a list of objects', text: '[{"x":1},{"a":{"x":2,"a":3}}]', left: '[{"x":0},{"a":{"x":0,"a":3}}]' },
])('members with $name', ({ text, left }) => {
  expect(pruned(text)).toBe(left);
});

test('a text of members as short as they can be is read in pieces, from which the same comes', () => {
  const member = '"x":[{}],"a":1,';
  const text = `{${member.repeat(200_000)}"x":0}`;
  let pieces = 1;
  const work = withoutUnread(text, names);
  let step = work.next();
  for (; step.done !== true; step = work.next()) pieces += 1;
  expect(step.value === text.replaceAll('[{}]', '0')).toBe(true);
  expect(pieces).toBeGreaterThan(text.length / (512 * 1024));
});
