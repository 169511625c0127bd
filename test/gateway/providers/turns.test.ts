import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinLeadingSystem, toTurns } from '../../../src/gateway/providers/turns.ts';
import type { Message } from '../../../src/wire/request.ts';

const say = (text: string): Message[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word) => ({
      role: { s: 'system', u: 'user', a: 'assistant' }[word[0] ?? ''] ?? '',
      content: word.slice(1),
    }));

test.each([
  { name: 'turns stay', said: 'sS u1 a1 u2', system: 'S', turns: 'u1 a1 u2' },
  { name: 'system messages join, wherever they stand', said: 'sA u1 sB', system: 'A\n\nB', turns: 'u1' },
  { name: 'no system', said: 'u1', system: undefined, turns: 'u1' },
  { name: 'a system between two of one role', said: 'u1 sA u2', system: 'A', turns: 'u1\n\n2' },
  { name: 'the assistant speaks first', said: 'a1 u1', system: undefined, turns: 'u… a1 u1' },
  { name: 'only a system', said: 'sA', system: 'A', turns: 'u…' },
  { name: 'the last word is the assistant’s', said: 'u1 a1', system: undefined, turns: 'u1 a1' },
  { name: 'empty messages go', said: 's u u1 a u2', system: undefined, turns: 'u1\n\n2' },
])('$name', ({ said, system, turns }) => {
  const expected = turns.split(' ').map((turn) => ({
    role: turn.startsWith('u') ? 'user' : 'assistant',
    content: turn.slice(1),
  }));
  expect(toTurns(say(said))).toEqual({ system, turns: expected });
});

test('a user begins, nobody speaks twice in a row, nobody says nothing, and no text is lost', () => {
  const messages = fc.array(
    fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: fc.string({ maxLength: 4 }) }),
  );
  fc.assert(
    fc.property(messages, (said) => {
      const { system, turns } = toTurns(said);
      expect(turns[0]?.role).toBe('user');
      expect(turns.some(({ role }, index) => role === turns[index + 1]?.role)).toBe(false);
      expect([system, ...turns.map(({ content }) => content)]).not.toContain('');
      const all = [system, ...turns.map(({ content }) => content)].join('\n\n');
      expect(said.every(({ content }) => all.includes(content))).toBe(true);
    }),
  );
});

test.each([
  { name: 'several at the start', said: 'sA sB u1 sC', joined: ['A\n\nB', '1', 'C'] },
  { name: 'one', said: 'sA u1 u2', joined: ['A', '1', '2'] },
  { name: 'none', said: 'u1 sA sB', joined: ['1', 'A', 'B'] },
  { name: 'nothing else', said: 'sA sB', joined: ['A\n\nB'] },
])('leading system messages: $name', ({ said, joined }) => {
  expect(joinLeadingSystem(say(said)).map(({ content }) => content)).toEqual(joined);
});
