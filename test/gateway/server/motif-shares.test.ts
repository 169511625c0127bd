import { expect, test } from 'vitest';
import { MotifShares } from '../../../src/gateway/server/motif-shares.ts';

test('Motifs share the use, then the tokens of each, and a holder that is no token is as a Motif', () => {
  const shares = new MotifShares<number>();
  for (let count = 0; count < 10; count++)
    for (const holder of ['many t1', 'many t2', 'one t', '192.0.2.1']) shares.add(holder, count);
  const taken = Array.from({ length: 20 }, () => {
    const [holder] = shares.takeNext();
    shares.noteUse(holder, holder === '192.0.2.1' ? 2 : 1);
    return holder;
  });
  const timesOf = (holder: string): number => taken.filter((each) => each === holder).length;
  expect(['many t1', 'many t2', 'one t', '192.0.2.1'].map(timesOf)).toEqual([4, 4, 8, 4]);
  expect(shares.size).toBe(20);
});

test('what is deleted is not taken, and the last of a Motif leaves none behind', () => {
  const shares = new MotifShares<number>();
  shares.add('a t1', 1);
  shares.add('a t2', 2);
  shares.add('b t1', 3);
  expect([shares.delete('a t1', 1), shares.delete('a t1', 1), shares.delete('c t', 1)]).toEqual([true, false, false]);
  expect([shares.takeNext()[1], shares.takeNext()[1], shares.size]).toEqual([2, 3, 0]);
});
