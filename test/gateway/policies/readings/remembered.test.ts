import { expect, test } from 'vitest';
import { remembered } from '../../../../src/gateway/policies/readings/remembered.ts';

test('each character is found once, and a part of a text each time', () => {
  const asked: string[] = [];
  const twice = remembered((character) => {
    asked.push(character);
    return character + character;
  });
  for (const one of ['a', '\u{1f600}', 'e\u0301\u0302', 'a', '\u{1f600}', 'e\u0301\u0302'])
    expect(twice(one)).toBe(one + one);
  expect(asked).toEqual(['a', '\u{1f600}', 'e\u0301\u0302', 'e\u0301\u0302']);
});
