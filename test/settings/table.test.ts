import { expect, test } from 'vitest';
import { isSwitchedOn } from '../../src/settings/table.ts';

test.each([
  ['1', true],
  ['yes', true],
  ['0', false],
  ['', false],
  [undefined, false],
])('%j means %j', (variable, isOn) => {
  expect(isSwitchedOn(variable)).toBe(isOn);
});
