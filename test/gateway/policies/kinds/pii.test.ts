import { expect, test } from 'vitest';
import { found, policy } from '../../../support/policies.ts';

test.each([
  { text: 'listen on 127.0.0.1 or 0.0.0.0, not on 10.1.2.3', hits: ['ip: 10.1.2.3'] },
  { text: 'echo "::add-mask::x" and std::vector', hits: [] },
  { text: 'Write to ana@acme.example.', hits: ['email: ana@acme.example'] },
  { text: 'IBAN DE89 3704 0044 0532 0130 00 on the form', hits: ['iban: DE89 3704 0044 0532 0130 00'] },
  { text: 'call 030 1234567 today', hits: ['phone: 030 1234567'] },
  { text: 'article 030 1234567 today', hits: [] },
  { text: 'social security number 536221234', hits: ['us_ssn: 536221234'] },
  { text: 'account 536221234', hits: [] },
])('$text', ({ text, hits }) => {
  expect(found(policy('pii'), text)).toEqual(hits);
});

test('only the entities that are asked for are looked for', () => {
  const text = 'ana@acme.example, 4111 1111 1111 1111';
  expect(found(policy('pii', { entities: ['card'] }), text)).toEqual(['card: 4111 1111 1111 1111']);
  expect(found(policy('pii', { entities: 'all' }), text)).toHaveLength(2);
});

test('a word that says what a number is may stand outside of the base64 that holds it', () => {
  const number = Buffer.from('C01X00T478').toString('base64');
  expect(found(policy('pii'), `my passport: ${number}`)).toEqual([]);
  const real = Buffer.from('C01X00T47').toString('base64');
  expect(found(policy('pii'), `my passport: ${real}`)).toEqual([`passport: ${real}`]);
});
