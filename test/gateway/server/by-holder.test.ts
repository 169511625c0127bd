import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByHolder } from '../../../src/gateway/server/by-holder.ts';

test('holders take turns, however many items one has, and each has its own in order', () => {
  const items = new ByHolder<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) items.add(item[0]!, item);
  items.delete('a', 'a2');
  items.delete('c', 'a3');
  const taken = Array.from({ length: 6 }, () => items.takeNext());
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a3', 'b2', undefined]);
  expect([items.size, items.largest()]).toEqual([0, undefined]);
});

test('of those that are wanted holders take turns too, and the others keep their order', () => {
  const items = new ByHolder<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) items.add(item[0]!, item);
  const looks = new Map<string, number>();
  const isWanted = (item: string): boolean => {
    looks.set(item, (looks.get(item) ?? 0) + 1);
    return !['a1', 'c1'].includes(item);
  };
  const taken: string[] = [];
  for (const item of items.takeWanted(isWanted)) if (taken.push(item) === 4) break;
  expect(taken).toEqual(['a2', 'b1', 'a3', 'b2']);
  expect([...items.takeWanted(isWanted)]).toEqual(['a4']);
  expect([items.takeNext(), items.takeNext(), items.size]).toEqual(['c1', 'a1', 0]);
  // Thousands may wait that are not wanted: each is looked at once by each of the two.
  expect(looks.get('a1')).toBe(2);
});

test('counts are those of a plain list, whatever is added, deleted or taken', () => {
  const step = fc.tuple(fc.constantFrom('add', 'delete', 'take'), fc.constantFrom('a', 'b', 'c'), fc.nat(3));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const items = new ByHolder<string>();
      let plain: string[] = [];
      for (const [what, holder, number] of steps) {
        const item = holder + number;
        if (what === 'add') {
          items.add(holder, item);
          plain = [...new Set([...plain, item])];
        } else {
          const gone = what === 'delete' ? item : items.takeNext();
          if (what === 'delete') expect(items.delete(holder, item)).toBe(plain.includes(item));
          plain = plain.filter((each) => each !== gone);
        }
        const own = plain.filter((each) => each.startsWith(holder));
        expect([items.size, items.countOf(holder)]).toEqual([plain.length, own.length]);
        const most = Math.max(0, ...['a', 'b', 'c'].map((each) => plain.filter((one) => one.startsWith(each)).length));
        expect(items.largest()?.[1].size ?? 0).toBe(most);
      }
    }),
  );
});
