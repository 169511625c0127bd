import { describe, expect, it } from 'vitest';
import { matchesOf } from '../../../src/text/patterns/matches.ts';

describe('matchesOf', () => {
  it.each([
    ['none', 'abc', /\d/g],
    ['several, with groups', 'a1 b2 c3', /([a-z])(?<digit>\d)/g],
    ['what stands behind a match belongs to the next', 'aaaa', /aa?(?=a|$)/g],
    ['empty ones', 'ab', /x*/g],
    ['empty ones between pairs', '😀b😀', /(?:)/gu],
    ['at the same place each time', 'aab', /a/gy],
    ['an empty text', '', /^/g],
  ])('are those that the engine finds: %s', (_name, text, pattern) => {
    const found = [...matchesOf(text, pattern)];
    expect(found).toEqual([...text.matchAll(pattern)]);
  });

  it('lets the same pattern be used inside the loop and after it was left', () => {
    const pattern = /\w/g;
    const pairs: string[] = [];
    for (const [outer] of matchesOf('ab', pattern))
      for (const [inner] of matchesOf('12', pattern)) pairs.push(outer + inner);
    expect(pairs).toEqual(['a1', 'a2', 'b1', 'b2']);
    const [first] = matchesOf('xy', pattern);
    expect([first?.[0], pattern.lastIndex]).toEqual(['x', 0]);
  });

  it('refuses a pattern that would find its first match for ever', () => {
    expect(() => [...matchesOf('a', /a/)]).toThrow(TypeError);
  });
});
