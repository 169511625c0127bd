import { expect, test } from 'vitest';
import { LaterIndex } from '../../../src/gateway/knowledge/later-index.ts';
import { createIndex, type KnowledgeIndex } from '../../../src/gateway/knowledge/search.ts';
import { atOnce } from '../../../src/text/turns.ts';

const indexOf = (name: string) => atOnce(createIndex([{ source: name, titles: '', text: 'kettle' }]));
const found = (index: KnowledgeIndex) => index.search('kettle', 4).map(({ source }) => source);

/** An index after `before`, made once `finish` is called. */
function later(name: string, before: KnowledgeIndex) {
  const work = { isBegun: false, finish: (): void => undefined };
  const finished = new Promise<void>((resolve) => (work.finish = resolve));
  const index = new LaterIndex(before, async () => {
    work.isBegun = true;
    await finished;
    return indexOf(name);
  });
  return { index, work };
}

test('answers from the index before until its own is made', async () => {
  const { index, work } = later('new', indexOf('old'));
  expect([found(index), index.size]).toEqual([['old'], 1]);
  work.finish();
  await index.made;
  expect(found(index)).toEqual(['new']);
});

test('of those that wait the newest alone is made, and all that are older answer from it', async () => {
  const old = indexOf('old');
  const first = later('first', old);
  await new Promise((resolve) => setImmediate(resolve));
  const second = later('second', first.index);
  const third = later('third', second.index);
  expect([first, second, third].map(({ index }) => found(index))).toEqual([['old'], ['old'], ['old']]);
  first.work.finish();
  await second.index.made;
  expect([found(first.index), found(third.index)]).toEqual([['first'], ['first']]);
  third.work.finish();
  await third.index.made;
  expect([first, second, third].map(({ work }) => work.isBegun)).toEqual([true, false, true]);
  expect([first, second, third].map(({ index }) => found(index))).toEqual([['first'], ['third'], ['third']]);
});
