import { expect, test } from 'vitest';
import { LiteralFault } from '../../../../src/text/patterns/literal-scan.ts';
import { fileOf, parse } from '../../file/config-file.ts';
import { found, policy } from '../../../support/rooms/policies.ts';

const signs = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at));

/** Blocks of signs; each sign is tried alone, before, behind and inside other letters. */
test.each([
  { name: 'Latin-1', all: signs(0xa1, 0xbf) },
  { name: 'punctuation', all: signs(0x2010, 0x205e) },
  { name: 'currencies', all: signs(0x20a0, 0x20c0) },
  { name: 'letters as signs', all: signs(0x2100, 0x214f) },
  { name: 'CJK signs', all: signs(0x3001, 0x303f) },
])('a word with a sign is found in a text of ASCII, or refused where nothing is read of it: $name', ({ all }) => {
  const words = all
    .filter((each) => /[^\p{C}\p{Z}]/u.test(each))
    .flatMap((sign) => [sign, `${sign}100`, `acme${sign}`, `a${sign}b`]);
  expect(words.filter((word) => !isFound(word))).toEqual([]);
});

function isFound(word: string): boolean {
  try {
    return found(policy('words', { words: [word] }), `pay ${word} now`).length > 0;
  } catch (error) {
    return error instanceof LiteralFault;
  }
}

test.each(['\u200b', '\u00ad\u200d', '\u202e', '\u3164', '\ufe0f'])(
  'a word of invisible signs alone is refused: %j',
  async (word) => {
    const faults = async (listed: string) => {
      const words = `policies: { w: { kind: words, words: [fine, ${JSON.stringify(listed)}] } }\n`;
      return (await parse(fileOf('', words))).faults.map(({ expected }) => expected);
    };
    expect(await faults(word)).toEqual(['has a word, number 2, of invisible signs alone']);
    expect(await faults(`x${word}`)).toEqual([]);
  },
);
