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

test.each([
  { name: 'a path of SVG', text: '<path d="M1202.18 196.02C1090.87 206.212 1094.12 214.081 1099.74 219.445"/>' },
  { name: 'its view box', text: '<svg viewBox="0 0 1240.298 811.376" class="phone">' },
  { name: 'a letter between coordinates', text: 'C 657.750366 87.391968 653.403442 85.210693 C 649.056519 83.029419' },
  { name: 'coordinates that satisfy a checksum', text: 'C 247.663 31.876 248.072 31.9462' },
  { name: 'a colour beside the word ring', text: '--ring: oklch(0.556 0 0); --chart: oklch(27.9% .077 45.635)' },
  { name: 'a point in time in a log of a phone', text: '03-17 16:13:38.875  2227  2227 I PhoneStatusBar: done' },
  { name: 'two years run together', text: 'The Kings called the Forum home until the 19992000 season.' },
  { name: 'the version of a browser', text: 'Mozilla/5.0 Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0' },
  { name: 'a pinned version', text: 'billiard==3.6.4.0' },
])('$name holds nothing of a person', ({ text }) => {
  expect(found(policy('pii'), text)).toEqual([]);
});
