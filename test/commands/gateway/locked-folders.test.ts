import { expect, test } from 'vitest';
import { FileFault } from '../../../src/world/world.ts';
import { loaded } from '../../support/rooms/reloaded-gateway.ts';

const faultOf = (code: string) => new FileFault('docs/locked', code, 'no way in');

test('a folder below those of documents that may not be read is warned of, once, and the others are served', async () => {
  const { first, again, logged } = await loaded({ folderFault: () => faultOf('EACCES') });
  expect(first.faultyParts).toEqual([]);
  expect((await again()).faultyParts).toEqual([]);
  expect(logged.filter((line) => line.includes('locked'))).toEqual([
    expect.stringMatching(
      /^warning: .*knowledge\.handbook\.files leaves out docs\/locked: it cannot be read: no way in/,
    ),
  ]);
});

test('a folder that the disk or a want of descriptors hides for a while keeps the documents of before', async () => {
  let code: string | undefined;
  const { first, again, source } = await loaded({
    folderFault: () => (code === undefined ? undefined : faultOf(code)),
  });
  code = 'EMFILE';
  const next = await again();
  expect(next.faultyParts).toEqual(['knowledge.handbook']);
  expect(next.knowledge.get('handbook')?.index).toBe(first.knowledge.get('handbook')?.index);
  expect([...source.unread]).toEqual(['docs/locked']);
  code = undefined;
  expect((await again()).faultyParts).toEqual([]);
  expect([...source.unread]).toEqual([]);
});
