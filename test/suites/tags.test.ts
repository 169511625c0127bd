import { describe, expect, test } from 'vitest';
import { parseTags, TagsFault } from '../../src/suites/tags.ts';

const sets = { pii: ['pii'], slow: ['pii', 'slow'], other: ['other'], none: [] };

describe('tag expressions', () => {
  test.each([
    { text: 'pii', fits: ['pii', 'slow'] },
    { text: 'pii and not slow', fits: ['pii'] },
    { text: 'not pii', fits: ['other', 'none'] },
    { text: 'other or pii and slow', fits: ['slow', 'other'] },
    { text: '(other or pii) and slow', fits: ['slow'] },
    { text: 'other, pii', fits: ['pii', 'slow', 'other'] },
    { text: 'not not pii', fits: ['pii', 'slow'] },
  ])('$text', ({ text, fits }) => {
    const filter = parseTags(text);
    const found = Object.entries(sets).filter(([, tags]) => filter(new Set(tags)));
    expect(found.map(([name]) => name)).toEqual(fits);
  });

  test.each([
    { text: '', says: 'a tag was expected at the end' },
    { text: 'pii and', says: 'a tag was expected at the end' },
    { text: 'pii slow', says: '"slow" stands where' },
    { text: '(pii', says: 'a bracket is not closed' },
    { text: 'or pii', says: 'a tag was expected before "or"' },
    { text: `${'('.repeat(100)}pii`, says: 'too many brackets' },
  ])('$text is refused: $says', ({ text, says }) => {
    expect(() => parseTags(text)).toThrow(TagsFault);
    expect(() => parseTags(text)).toThrow(says);
  });
});
