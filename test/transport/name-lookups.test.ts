import type { LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import { createNameLookups } from '../../src/transport/name-lookups.ts';

type Found = Parameters<LookupFunction>[2];

/** A resolver that answers when it is told to, and hears of each name. */
function resolver() {
  const clock = { at: 0 };
  const asked: string[] = [];
  const pending = new Map<string, Found>();
  const lookUp = createNameLookups(
    () => clock.at,
    (name, _options, found) => {
      asked.push(name);
      pending.set(name, found);
    },
  );
  const told: string[] = [];
  const want = (name: string, all = true): void =>
    lookUp(name, { all }, (error, address) => told.push(`${name} ${error?.code ?? JSON.stringify(address)}`));
  const answer = (name: string, { afterMs = 0, code = '' } = {}): void => {
    clock.at += afterMs;
    const found = pending.get(name)!;
    if (code === '') found(null, [{ address: '10.0.0.1', family: 4 }]);
    else found(Object.assign(new Error(code), { code }), []);
  };
  return { asked, told, want, answer };
}

test('all that wait for a name share its look-up, and the next one asks anew', () => {
  const { asked, told, want, answer } = resolver();
  for (let each = 0; each < 30; each++) want('slow.example');
  want('other.example');
  expect(asked).toEqual(['slow.example', 'other.example']);
  answer('other.example');
  answer('slow.example', { code: 'EAI_AGAIN' });
  expect(told).toEqual([
    'other.example [{"address":"10.0.0.1","family":4}]',
    ...Array.from({ length: 30 }, () => 'slow.example EAI_AGAIN'),
  ]);
  want('slow.example');
  expect(asked).toHaveLength(3);
});

test('who wants another form of the addresses asks apart', () => {
  const { asked, want } = resolver();
  want('a.example');
  want('a.example', false);
  expect(asked).toEqual(['a.example', 'a.example']);
});

test('of names that took long one is asked at a time, and no other name waits for them', () => {
  const { asked, told, want, answer } = resolver();
  for (const name of ['a', 'b', 'c']) want(name);
  for (const name of ['a', 'b', 'c']) answer(name, { afterMs: 10_000, code: 'EAI_AGAIN' });
  asked.length = told.length = 0;
  for (const name of ['a', 'b', 'c', 'a', 'fast']) want(name);
  expect(asked).toEqual(['a', 'fast']);
  answer('fast');
  answer('a', { afterMs: 10_000, code: 'EAI_AGAIN' });
  expect(asked).toEqual(['a', 'fast', 'b']);
  answer('b');
  expect(asked).toEqual(['a', 'fast', 'b', 'c']);
  want('b');
  expect(asked).toEqual(['a', 'fast', 'b', 'c', 'b']);
  expect(told.map((each) => each.slice(0, 4))).toEqual(['fast', 'a EA', 'a EA', 'b [{']);
});
