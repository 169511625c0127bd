import { expect, test } from 'vitest';
import { policy, verdict } from '../../support/rooms/policies.ts';
import { filled } from '../../support/rooms/samples.ts';

const pii = policy('pii', {}, 'redact');
const both = [pii, policy('secrets', {}, 'redact')];

test.each([
  {
    name: 'a phone that a glued address hid',
    text: 'write to zilxn@jpaeyn.example+49 273 5936725 today',
    left: 'write to [EMAIL][PHONE] today',
  },
  {
    name: 'a value whose name is a password',
    text: 'Token 10.243.12.101/passwd +49 370 3256111 and --token XPvEUHH$9v_secret = 69b0d031-5b97-43e7-abb0-66006606a180;',
    left: 'Token [IP]/passwd [PHONE] and --token [ASSIGNED_SECRET] = [ASSIGNED_SECRET];',
  },
])('$name is redacted as well', ({ text, left }) => {
  expect(verdict(both, text).texts).toEqual([left]);
});

test('what is found beside a mark has its place in the text as sent', () => {
  const text = 'write to zilxn@jpaeyn.example+49 273 5936725 today';
  const { hits } = verdict([pii], text);
  expect(hits.map(({ rule, start, length, seen }) => [rule, text.slice(start, start + length), seen])).toEqual([
    ['email', 'zilxn@jpaeyn.example', undefined],
    ['phone', '+49 273 5936725', 'beside a mark'],
  ]);
});

test.each([
  { name: 'phones', text: '+44 20 7946 0958'.repeat(40) },
  { name: 'phones in groups', text: '224 587 0'.repeat(30) },
])('a row of glued $name, of which each look finds one more, blocks', ({ text }) => {
  expect(verdict([pii], text)).toMatchObject({ decision: 'block', hits: [{ policy: 'pii', rule: 'policy_failed' }] });
});

test('what is found in marks side by side alone is no more to redact', () => {
  const any = policy('regex', { pattern: '(?s:.){3}' }, 'redact');
  expect(verdict([any], 'some words '.repeat(300))).toMatchObject({ decision: 'pass' });
});

test('a policy that blocks takes no second look', () => {
  const text = 'write to zilxn@jpaeyn.example+49 273 5936725 today';
  expect(verdict([policy('pii')], text).hits).toHaveLength(1);
});

const values = [
  filled('token=ghp_{w36}'),
  filled('password: {w12}!'),
  'ana.lopez@acme.example',
  '+49 370 3256111',
  'ssn 536-90-4399',
  filled('api_key: sk_live_{w24}'),
  filled('{h8}-{h4}-4{h3}-a{h3}-{h12}'),
  filled('secret = "{w20}" + "{w8}"'),
  Buffer.from('536-90-4399').toString('base64'),
];
const joints = ['', '_', '-', '=', '@', '"', ':', '+'];

test('nothing is left to be found in any two numbers, keys and passwords side by side', () => {
  const texts = values.flatMap((one) => joints.flatMap((joint) => values.map((other) => one + joint + other)));
  const left = texts.filter((text) => {
    const { texts: shown } = verdict(both, text);
    return verdict(both, ...shown).hits.length > 0;
  });
  expect(left).toEqual([]);
});
