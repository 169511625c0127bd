import { expect, test } from 'vitest';
import { checkTitle, defaultTitle } from '../../src/conversations/title.ts';
import { columnsOf } from '../../src/text/width.ts';
import { hostileTexts } from '../fixtures/hostile-text.ts';
import { assistant, system, user } from '../support/rooms/conversations.ts';

test.each([
  ['the first words of what the person said', [system('s'), user('  How long\n\tcan I  ... ')], 'How long can I ...'],
  ['the newest of several', [user('example'), assistant('a'), user('question')], 'question'],
  ['nothing where nobody said anything', [system('s'), user(' \n ')], undefined],
])('%s', (_what, messages, title) => {
  expect(defaultTitle(messages)).toBe(title);
});

test('a long text gives at most 60 columns of it', () => {
  const title = defaultTitle([user('漢字 '.repeat(1_000_000))]) ?? '';
  expect(columnsOf(title)).toBeLessThanOrEqual(60);
  expect(title.endsWith('…')).toBe(true);
});

test.each(hostileTexts)('$name is harmless in a title', ({ text }) => {
  for (const title of [defaultTitle([user(`x ${text}`)]) ?? '', checkTitle(`x ${text.slice(0, 20)}`)]) {
    expect(title).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
  }
});
