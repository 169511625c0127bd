import { expect, test } from 'vitest';
import { Addresses } from '../../src/transport/address.ts';

test('takes an address apart once, however often it is asked', () => {
  const addresses = new Addresses();
  const first = addresses.of('http://Service.example:8080/a/../b?c=d');
  expect(first).toMatchObject({ origin: 'http://service.example:8080', path: '/b?c=d' });
  expect(addresses.of('http://Service.example:8080/a/../b?c=d')).toBe(first);
});

test('keeps no more than a hundred', () => {
  const addresses = new Addresses();
  const first = addresses.of('http://service.example/0');
  for (let index = 1; index < 100; index++) addresses.of(`http://service.example/${index}`);
  expect(addresses.of('http://service.example/0')).toBe(first);
  addresses.of('http://service.example/100');
  expect(addresses.of('http://service.example/0')).not.toBe(first);
});
