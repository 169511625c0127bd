import { expect, test } from 'vitest';
import { usageLine } from '../../src/terminal/usage-line.ts';
import { hiddenAnywhere, hostileTexts } from '../fixtures/hostile-text.ts';

const usage = (prompt: number | null, completion: number | null, total: number | null) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: total,
});

test.each([
  { parts: usage(61, 17, 78), line: 'tokens 61 + 17 = 78 · 0.8 s · prompt 01J9' },
  { parts: usage(61, 17, null), line: 'tokens 61 + 17 · 0.8 s · prompt 01J9' },
  { parts: usage(null, 17, 78), line: 'tokens ? + 17 = 78 · 0.8 s · prompt 01J9' },
  { parts: usage(61, null, null), line: 'tokens 61 + ? · 0.8 s · prompt 01J9' },
  { parts: usage(null, null, 78), line: 'tokens 78 · 0.8 s · prompt 01J9' },
  { parts: usage(0, 0, 0), line: 'tokens 0 + 0 = 0 · 0.8 s · prompt 01J9' },
  { parts: usage(null, null, null), line: '0.8 s · prompt 01J9' },
  { parts: null, line: '0.8 s · prompt 01J9' },
])('$line', ({ parts, line }) => {
  expect(usageLine({ usage: parts, elapsedMs: 812, promptId: '01J9' })).toBe(line);
});

test.each([null, ''])('a prompt id of %j is left out', (promptId) => {
  expect(usageLine({ usage: usage(1, 2, 3), elapsedMs: 4, promptId })).toBe('tokens 1 + 2 = 3 · 4 ms');
});

test.each(hostileTexts)('a prompt id with $name stays one harmless line', ({ text }) => {
  const line = usageLine({ usage: null, elapsedMs: 4, promptId: text });
  expect(line).not.toMatch(hiddenAnywhere);
  expect(line).not.toMatch(/[\t\n]/);
});

test('a prompt id is cut at 64 characters', () => {
  expect(usageLine({ usage: null, elapsedMs: 4, promptId: 'x'.repeat(1000) })).toBe(`4 ms · prompt ${'x'.repeat(63)}…`);
});
