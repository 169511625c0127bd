import { expect, test } from 'vitest';
import { closest } from '../../src/text/similar.ts';

const commands = [
  'login',
  'logout',
  'profile',
  'whoami',
  'prompt',
  'chat',
  'history',
  'batch',
  'check',
  'serve',
  'admin',
  'doctor',
];

test.each([
  { word: 'propmt', meant: 'prompt' },
  { word: 'promt', meant: 'prompt' },
  { word: 'PROMPT', meant: 'prompt' },
  { word: 'chatt', meant: 'chat' },
  { word: 'cehck', meant: 'check' },
  { word: 'logn', meant: 'login' },
  { word: 'logot', meant: 'logout' },
  { word: 'hist', meant: 'history' },
  { word: 'profiles', meant: 'profile' },
  { word: 'checkout', meant: 'check' },
])('$word was meant as $meant', ({ word, meant }) => {
  expect(closest(word, commands)).toBe(meant);
});

test.each(['', 'x', 'hello', 'what is this', 'ch', 'p'.repeat(100_000)])('%j is like none of them', (word) => {
  expect(closest(word, commands)).toBeUndefined();
});

test('what goes on as typed comes before what was gone beyond', () => {
  expect(closest('usage.total', ['usage', 'usage.total_tokens'])).toBe('usage.total_tokens');
});

test('of two as close the first is taken', () => {
  expect(closest('cat', ['bat', 'rat'])).toBe('bat');
});
