import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Summary } from '../../src/conversations/conversation.ts';
import { byAge, chooseConversation } from '../../src/conversations/finding.ts';
import { checkTitle, toTitle } from '../../src/conversations/title.ts';
import { MotifError } from '../../src/errors.ts';

function summary(id: string, title: string | null, day = 1): Summary {
  const time = `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`;
  const nothing = { motifId: null, profile: null, turns: 1, totalTokens: 0, blocked: 0, fault: null };
  return { id, title, path: `/x/${id}.jsonl`, created: time, updated: time, ...nothing };
}

const shelf = [
  summary('3f2a91c0de', 'Kettles', 1),
  summary('3f99000000', 'Kettles and toasters', 2),
  summary('81cc000000', 'Rückgabe', 3),
  summary('9000000000', 'Same', 4),
  summary('a000000000', 'Same', 5),
  summary('b000000000', null, 6),
];

function failure(name: string, summaries: readonly Summary[] = shelf): MotifError {
  try {
    chooseConversation(name, summaries);
  } catch (error) {
    if (error instanceof MotifError) return error;
  }
  throw new Error('no failure');
}

describe('a conversation is named by', () => {
  test.each([
    ['its id', '3f2a91c0de', '3f2a91c0de'],
    ['the beginning of its id', '81', '81cc000000'],
    ['the beginning of its id in capitals', '81CC', '81cc000000'],
    ['its title, which goes before a longer one that begins so', 'Kettles', '3f2a91c0de'],
    ['its title in another case', 'kettles', '3f2a91c0de'],
    ['its title without accents', 'ruckgabe', '81cc000000'],
    ['the beginning of its title', 'Kettles and', '3f99000000'],
    ['one of the two, blanks around it aside', ' Kettles ', '3f2a91c0de'],
  ])('%s', (_what, name, id) => {
    expect(chooseConversation(name, shelf).id).toBe(id);
  });
});

test('whatever it was called when it was saved finds it', () => {
  const odd = fc.stringMatching(/^[ \ta-z\u0301\u200b\u202e\u00e9\u{1f600}\\]{1,12}$/u);
  fc.assert(
    fc.property(fc.oneof(odd, fc.string({ unit: 'grapheme', maxLength: 40 })), (typed) => {
      fc.pre(toTitle(typed) !== '');
      const saved = summary('c000000000', checkTitle(typed));
      expect(chooseConversation(typed, [...shelf, saved])).toBe(saved);
      expect(chooseConversation(checkTitle(typed), [...shelf, saved])).toBe(saved);
    }),
  );
});

describe('what is refused', () => {
  test('a beginning of several, which are listed, the newest first', () => {
    expect(failure('3f')).toMatchObject({
      kind: 'usage',
      message: '2 conversations fit "3f"',
      notes: ['3f99000000 (Kettles and toasters), 2026-11-02 00:00', '3f2a91c0de (Kettles), 2026-11-01 00:00'],
      hints: ['name one by its ID'],
    });
    expect(failure('same').notes).toEqual([
      'a000000000 (Same), 2026-11-05 00:00',
      '9000000000 (Same), 2026-11-04 00:00',
    ]);
    const many = Array.from({ length: 8 }, (_, index) => summary(`c${index}`, 'Many'));
    expect(failure('many', many).notes.at(-1)).toBe('and 3 more');
  });

  test.each([
    ['Ketles', 'did you mean 3f2a91c0de (Kettles)?'],
    ['ketles adn', 'did you mean 3f99000000 (Kettles and toasters)?'],
    ['toasters', 'did you mean 3f99000000 (Kettles and toasters)?'],
    ['81dc000000', 'did you mean 81cc000000 (Rückgabe)?'],
    ['quite another thing', 'motif history search WORDS looks into their texts'],
  ])('%s, with %s', (name, hint) => {
    const error = failure(name);
    expect(error).toMatchObject({ kind: 'usage', message: `there is no conversation "${name}"` });
    expect(error.hints[0]).toBe(hint);
  });

  test('an empty name, and any where nothing is saved', () => {
    expect(failure('  ')).toMatchObject({ kind: 'usage' });
    for (const marks of ['\u0301', ' \u0301\u0302 ', '\ufe0f']) {
      expect(failure(marks).message).toBe('the name of a conversation needs a letter or a digit');
    }
    expect(failure('x', [])).toMatchObject({ message: 'there is no saved conversation' });
  });

  test('a hostile name is shown, not obeyed', () => {
    expect(failure('\u001b[2J').message).toBe('there is no conversation "\\u{1b}[2J"');
  });
});

test('the newest come first', () => {
  expect(byAge(shelf).map(({ id }) => id.slice(0, 2))).toEqual(['b0', 'a0', '90', '81', '3f', '3f']);
});
