import { expect, test } from 'vitest';
import { addressesIn } from '../../../../src/gateway/policies/readings/addresses.ts';

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
])('in %j are the hosts %j', (text, hosts) => {
  expect([...new Set(addressesIn(text).flatMap((address) => address.hosts))]).toEqual(hosts);
});

test('what cannot be read as an address has no host, so that none can be allowed', () => {
  expect(addressesIn('https://a..b\u0000/ data:text/html,x').map(({ hosts }) => hosts)).toEqual([[], []]);
});
