import { describe, expect, test } from 'vitest';

import { foundWords, mayHoldSecret } from '../../src/text/secret.ts';

describe('the words for a value that is wrong', () => {
  test.each([
    'soon',
    'Blok',
    'YES',
    'not_sent',
    'two-words',
    '5x',
    '2s',
    '1.5 h',
    '10MiB',
    '-1',
    '50%',
    '99999999999',
    '2026-13-40',
    '2 minutes',
    '1,5 seconds',
    '120 milliseconds',
    '1h 30m',
    '2m30s',
    '0:05:00',
    'PT2M',
    '64 kilobytes',
  ])('%s is quoted', (text) => {
    expect(foundWords(text)).toBe(`; found "${text}"`);
  });

  test.each([
    'S3cretToken12345',
    'hunter2pass',
    'hunter2',
    'aBcDeFgH',
    'passWord',
    'abc123',
    '1234abc',
    '0badc0de',
    'sk-live-1',
    'correct horse',
    'p@ssword',
    'a/b',
    'verylongwords',
    '1234567890123',
    'two words',
    '2 hunters',
    '2h4m6x',
    '1234567890123 seconds',
    'new\nline',
  ])('%j is not', (text) => {
    expect(foundWords(text)).toBe('');
  });

  test.each([
    [7, '; found 7'],
    [1234567890123, ''],
    [true, '; found true'],
    [null, '; found nothing'],
    ['', '; found an empty text'],
    [['hunter'], '; found a list'],
    [{ a: 'hunter' }, '; found a map'],
  ])('%j: %s', (value, words) => {
    expect(foundWords(value)).toBe(words);
  });
});

test.each([
  { path: ['motifs', 'm', 'tokens', 0, 'sha256'], is: true },
  { path: ['motifs', 'm', 'tokens', 0], is: true },
  { path: ['providers', 'p', 'key'], is: true },
  { path: ['providers', 'p', 'api_key'], is: true },
  { path: ['providers', 'p', 'headers', 'x-team'], is: true },
  { path: ['providers', 'p', 'proxy'], is: true },
  { path: ['policies', 'p', 'client_secret'], is: true },
  { path: ['motifs', 'm', 'tokens', 0, 'expires'], is: false },
  { path: ['motifs', 'm', 'limits', 'tokens_per_day'], is: false },
  { path: ['cases', 0, 'expect'], is: false },
  { path: [], is: false },
])('$path may hold a secret: $is', ({ path, is }) => {
  expect(mayHoldSecret(path)).toBe(is);
});
