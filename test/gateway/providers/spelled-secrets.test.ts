import { expect, test } from 'vitest';
import { isRandom, SpelledSecret } from '../../../src/gateway/providers/spelled-secrets.ts';

test.each([
  { between: 'the end of a line as JSON writes it', said: 'n\\nn\\r\\nnnnnnnnn\\tn1', told: '••••' },
  { between: 'eight of them', said: `n${'\\n'.repeat(8)}nnnnnnnnnn1`, told: '••••' },
  { between: 'a sign before it that is one of an end of a line', said: '\\nnnnnnnnnnnn1 or so', told: '\\n•••• or so' },
  { between: 'nothing, twice', said: 'nnnnnnnnnnn1\\nNNNNNNNNNNN1', told: '••••\\n••••' },
  { between: 'other letters', said: 'nnnnnnnnnnnXn1\\n', told: 'nnnnnnnnnnnXn1\\n' },
])('a secret of many letters n is hidden with $between', ({ said, told }) => {
  expect(new SpelledSecret('nnnnnnnnnnn1').hide(said)).toBe(told);
});

test('ends of lines that look like the letters of a secret are read once', () => {
  const text = `${'\\n'.repeat(2000)}x1`;
  expect(new SpelledSecret('nnnnnnnnnnn1').hide(text)).toBe(text);
});

test.each([
  { value: 'a8f14e45fceea167', is: true },
  { value: 'Basic dXNlcjpTM2NyZXQ5OTg4Nzc=', is: true },
  { value: '6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f', is: true },
  { value: 'acme-assistant-2025', is: false },
  { value: 'acme-assistant-2025-v2', is: false },
  { value: '2026-11-22-preview', is: false },
])('random, $is: $value', ({ value, is }) => {
  expect(isRandom(value)).toBe(is);
});
