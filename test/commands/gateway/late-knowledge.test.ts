import { expect, test } from 'vitest';
import { collectGarbage } from '../../support/garbage.ts';
import { gatewayFile, isAdmitted, loaded, record, tokens } from '../../support/rooms/reloaded-gateway.ts';

/** Far more than is indexed in one turn of the event loop. */
const manyDocuments = Array.from(
  { length: 1000 },
  (_, at) => `# Storks ${at}\n\n${'A stork waits. '.repeat(70)}\n`,
).join('\n');

test('a reload takes a token back before many changed documents are indexed, and is asked with those before meanwhile', async () => {
  const { write, again } = await loaded();
  write('docs/b.md', manyDocuments);
  write('gateway.yaml', gatewayFile({ bot: [record(tokens.kept, 'kept')] }));
  const next = await again();
  const { retrieve, knowledgeMade } = next.motifs.get('other')!;
  expect(isAdmitted(next, tokens.revoked)).toBe(false);
  expect([retrieve('heron').length, retrieve('stork').length, knowledgeMade]).toEqual([1, 0, undefined]);
  await next.knowledge.get('handbook')!.index.made;
  expect([retrieve('heron').length, retrieve('stork').length]).toEqual([1, 4]);
});

test('a reload takes a token back before a new knowledge base is indexed, for which the prompts of its Motifs wait', async () => {
  const { write, again, load } = await loaded();
  write('more/b.md', manyDocuments);
  const file = gatewayFile({ bot: [record(tokens.kept, 'kept')] });
  write(
    'gateway.yaml',
    file.replace('knowledge: { h', 'knowledge: { more: { files: more/*.md }, h').replace('[hand', '[more, hand'),
  );
  const next = await again();
  const { retrieve, knowledgeMade } = next.motifs.get('other')!;
  expect([isAdmitted(next, tokens.revoked), retrieve('stork').length]).toEqual([false, 0]);
  write('words.txt', 'stork\n');
  const reread = (await load(next)).motifs.get('other')!;
  await Promise.all([knowledgeMade, reread.knowledgeMade]);
  expect([retrieve('stork').length, reread.retrieve('stork').length]).toEqual([4, 4]);
  expect(next.motifs.get('bot')!.knowledgeMade).toBeUndefined();
});

test('a version of the file that was replaced is let go, with all that it read', async () => {
  const { write, load } = await loaded();
  let served = await load();
  const replaced: WeakRef<object>[] = [];
  for (const name of ['b', 'c', 'd']) {
    replaced.push(new WeakRef(served), new WeakRef(served.knowledge.get('handbook')!));
    write(`docs/${name}.md`, '# Storks\n\nA stork waits.\n');
    served = await load(served);
    await served.knowledge.get('handbook')!.index.made;
  }
  await collectGarbage();
  expect(replaced.map((each) => each.deref() === undefined)).toEqual(replaced.map(() => true));
  expect(served.motifs.get('other')!.retrieve('stork')).toHaveLength(3);
});
