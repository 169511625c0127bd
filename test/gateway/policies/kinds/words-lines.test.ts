import { expect, test } from 'vitest';
import { found, policy } from '../../../support/rooms/policies.ts';

const words = policy('words', { words: ['zebrafish', 'blue heron'] });
const regex = policy('regex', { pattern: '\\bzebrafish\\b' });

test.each(['\\n', '\\r\\n', '\\t', '\\n\\n', '\\u000a', '\\u0020'])(
  'a word behind an escape of JSON for white space is a whole word: %s',
  (escape) => {
    const answer = `{"note":"As you asked.${escape}zebrafish${escape}swim."}`;
    expect(found(words, answer)).toEqual(['word: zebrafish']);
    expect(found(regex, answer)).toEqual(['pattern: zebrafish']);
    expect(found(words, `{"note":"a blue${escape}heron"}`)).toEqual([`word: blue${escape}heron`]);
  },
);
