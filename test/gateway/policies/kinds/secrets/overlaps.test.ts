import { expect, test } from 'vitest';
import { policy, verdict } from '../../../../support/rooms/policies.ts';
import { filled } from '../../../../support/rooms/samples.ts';

const secrets = policy('secrets', {}, 'redact');
const key = filled('{w32}');

test.each([
  {
    text: `?api_key=${key}&amount=982.81&password=4tu44D%23dXSea7&x=1`,
    left: '?api_key=[ASSIGNED_SECRET]&amount=982.81&password=[ASSIGNED_PASSWORD]&x=1',
  },
  {
    text: `a?token=${key}&amp;password=hunt3rX!q&amp;z=1`,
    left: 'a?token=[ASSIGNED_SECRET]&amp;password=[ASSIGNED_PASSWORD]&amp;z=1',
  },
  { text: 'password=Ab3&dEf7#x', left: 'password=[ASSIGNED_PASSWORD]' },
])('the next parameter of an address is none of a value: $text', ({ text, left }) => {
  expect(verdict([secrets], text).texts).toEqual([left]);
});

test.each([':', '|', '/', '#', '+'])('two secrets around "%s" are both redacted', (joint) => {
  const access = filled('AKIA{u16}');
  const texts = [
    `api_key=${key}${joint}password=Nd34re_mmFND7`,
    `secret=${key}${joint}${access}`,
    `credentials=${access}${joint}${key}`,
  ];
  const left = texts.filter((text) => verdict([secrets], text).texts[0]!.includes(key));
  expect(left).toEqual([]);
});

test.each([':', '|', '/', '#'])(
  'of a value with a key in its middle both sides are redacted, apart by "%s"',
  (joint) => {
    const sides = ['Qx7zRm2kLp9TvW4s', 'Hb3nYc8dJq5FgU1e'];
    const text = `api_key=${[sides[0], 'AKIAIOSFODNN7EXAMPLQ', sides[1]].join(joint)}`;
    const [left = ''] = verdict([secrets], text).texts;
    expect(sides.filter((side) => left.includes(side))).toEqual([]);
  },
);
