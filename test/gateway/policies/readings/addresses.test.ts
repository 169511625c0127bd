import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressesIn } from '../../../../src/gateway/policies/readings/addresses.ts';
import { prepare } from '../../../../src/gateway/policies/readings/prepare.ts';
import { policy, verdict } from '../../../support/rooms/policies.ts';
import { runs } from '../../../support/runs.ts';

test.each([
  ['see https://a.example/x and //b.example', ['a.example', 'b.example']],
  ['HTTPS : //a.example', ['a.example']],
  ['custom+scheme://a.example', ['a.example']],
  ['// a remark, and a//b', []],
  ['https://a.example//b.example https:\\\\c.example', ['a.example', 'c.example']],
  ['[x](//a.example) [y]: www.b.example', ['a.example', 'www.b.example']],
  ['[x](https:a.example/p?q=1)', ['a.example']],
  ['<img src = "\thttps:/\n/a.example/i.png">', ['a.example']],
  ['<img alt="x" src="images/i.png"> [x](docs/y.md#z)', []],
  [`<a href='${'x'.repeat(30)}'>`, []],
  ['mysrc="//a.example"', ['a.example']],
  ['xhttps://a.example 9https://b.example -https://c.example', ['a.example', 'c.example']],
  ['https://1.2 https://0x7f.1 https://a.0x1', ['1.0.0.2', '127.0.0.1']],
  ['https://A.example. http://xn--bcher-kva.example', ['a.example', 'xn--bcher-kva.example']],
])('in %j are the hosts %j', (text, hosts) => {
  expect([...new Set(addressesIn(text).flatMap((address) => address.hosts))]).toEqual(hosts);
});

test('what cannot be read as an address has no host, so that none can be allowed', () => {
  expect(addressesIn('https://a..b\u0000/ data:text/html,x').map(({ hosts }) => hosts)).toEqual([[], []]);
});

test.each([
  'http://[]/x',
  'http://[IP]/x',
  'http://[]:80/',
  '//[] a.example',
  '[x](http://[]/x)',
  '<img src="http://[]">',
])('%s, whose host is hidden, leads nowhere', (text) => {
  expect(addressesIn(text)).toEqual([]);
});

test.each([
  'http://[]@a.example',
  'http://[IP]@a.example',
  'http://[::1]/',
  'http://[]a.example',
  'http://[].a.example',
  'http://[]:x@a.example/',
])('%s is an address, for brackets may stand before a host', (text) => {
  expect(addressesIn(text)).toHaveLength(1);
});

test('property: the host of an address is what a browser makes of it, however plain it looks', () => {
  const piece = fc.constantFrom('a', 'b1', 'xn--', '0', '1', '0x', '.', '-', '1e3', 'com', '_', 'B', ':1', '@');
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
      const address = `https://${pieces.join('')}/x`;
      const hosts = URL.canParse(address) ? [new URL(address).hostname.replace(/\.$/, '')] : [];
      expect(addressesIn(address).map((one) => one.hosts)).toEqual([hosts]);
    }),
    { numRuns: 2_000 },
  );
});

test('property: an address is found wherever it stands, by the signs of its characters', () => {
  const ascii = 'https: // \\\\ \\ / data: www. WwW. w W . a a.example ]( ]: = " \' src <img @ ?'.split(' ');
  const piece = fc.constantFrom(...ascii, ' ', '\u00e9');
  const urls = policy('urls', { allow: ['other.example'] });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      const isThere = prepare(text).views.some((view) => !view.isLetters && addressesIn(view.text).length > 0);
      expect(verdict([urls], text).decision).toBe(isThere ? 'block' : 'pass');
    }),
    runs(5_000),
  );
});
