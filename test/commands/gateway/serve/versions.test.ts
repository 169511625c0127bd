import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppliedVersions, loadInWorker } from '../../../../src/commands/gateway/serve/versions.ts';
import { gatewayFileSource } from '../../../../src/commands/gateway/source.ts';
import { createCounters } from '../../../../src/gateway/access/counters.ts';
import type { ServedFile } from '../../../../src/gateway/server/serve.ts';
import { fakeWorld } from '../../../support/world.ts';

const utf16 = new Uint8Array([0xff, 0xfe, 0x41, 0x00]);

/** A Motif with a policy and a list of words for each name. */
function fileOf(names: readonly string[]): string {
  const policies = names.map((name) => `${name}: { kind: words, file: ${name}.txt }`);
  return `providers: { mock: { kind: mock } }
policies: { ${policies.join(', ')} }
motifs: { bot: { provider: mock, policies: [${names.join(', ')}] } }
`;
}

/** Versions in a folder of its own, as the process above the workers keeps them, and a worker that starts now. */
function versionsInFolder() {
  const world = fakeWorld();
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(world.folder, name), content);
  const source = () => gatewayFileSource(join(world.folder, 'gateway.yaml'), world);
  const silent = () => undefined;
  const log = { error: silent, warn: silent, info: silent, debug: silent };
  const options = { log, warn: silent, counters: createCounters({ now: () => 0, monotonic: () => 0 }) };
  const versions = new AppliedVersions(source());
  let served: ServedFile | undefined;
  const load = async () => (served = await versions.load(world, { ...options, before: served }));
  const startWorker = () => loadInWorker(source(), world, options, async () => versions.kept);
  return { write, versions, load, startWorker, world, options };
}

async function findings({ motifs }: ServedFile, text: string): Promise<readonly string[]> {
  const asking = { holder: 'bot t1', signal: new AbortController().signal };
  const { hits } = await motifs.get('bot')!.judge('prompt', [text], asking);
  return hits.map(({ policy }) => policy);
}

test('a late worker has each faulty part as it was last good, though never all of them were', async () => {
  const { write, versions, load, startWorker } = versionsInFolder();
  write('birds.txt', 'heron');
  write('gateway.yaml', fileOf(['birds']));
  await load();
  write('birds.txt', utf16);
  write('trees.txt', 'alder');
  write('gateway.yaml', fileOf(['birds', 'trees']));
  await load();
  write('trees.txt', utf16);
  const others = await load();
  const late = await startWorker();
  expect(await findings(late, 'heron and alder')).toEqual(['birds', 'trees']);
  expect(await findings(others, 'heron and alder')).toEqual(['birds', 'trees']);
  expect(late.faultyParts).toEqual(others.faultyParts);
  for (let time = 0; time < 5; time++) await load();
  expect(versions.kept).toHaveLength(3);
});

test('a late worker serves the version before one that is refused, and nothing is kept beside a whole one', async () => {
  const { write, versions, load, startWorker } = versionsInFolder();
  write('birds.txt', 'heron');
  write('gateway.yaml', fileOf(['birds']));
  await load();
  await load();
  expect(versions.kept).toHaveLength(1);
  write('gateway.yaml', 'motifs: [');
  await expect(load()).rejects.toThrow('cannot be served as it is');
  expect(await findings(await startWorker(), 'heron')).toEqual(['birds']);
});

test.each([
  { name: 'as the others know', reloads: 1 },
  { name: 'as the others have not noticed yet', reloads: 0 },
])('a late worker has the documents that the others keep, which are gone, $name', async ({ reloads }) => {
  const { write, load, startWorker, world } = versionsInFolder();
  write('kettles.md', 'Kettles are returned within 30 days.');
  write(
    'gateway.yaml',
    `providers: { mock: { kind: mock } }
knowledge: { handbook: { files: '*.md' } }
motifs: { bot: { provider: mock, knowledge: [handbook] } }
`,
  );
  await load();
  rmSync(join(world.folder, 'kettles.md'));
  for (let time = 0; time < reloads; time++) await load();
  const late = await startWorker();
  expect(late.faultyParts).toEqual(['knowledge.handbook']);
  expect(late.motifs.get('bot')!.retrieve('kettles')).toHaveLength(1);
});

test('versions that are asked for at once are read once', async () => {
  const { write, versions, load, world, options } = versionsInFolder();
  write('birds.txt', 'heron');
  write('gateway.yaml', fileOf(['birds']));
  const first = await load();
  let applied = 0;
  const follow = versions.follow(first, world, { ...options, applied: () => (applied += 1) });
  await Promise.all(Array.from({ length: 30 }, follow));
  expect(applied).toBe(1);
});

test('the process above the workers, which nobody asks, makes no index and no Motif, and knows what has changed', async () => {
  const { write, versions, startWorker, world, options } = versionsInFolder();
  const said: string[] = [];
  const above = { ...options, isAsked: () => false, applied: (changes: string) => void said.push(changes) };
  const file = 'providers: { mock: { kind: mock } }\nknowledge: { k: { files: "*.md" } }\nmotifs: { bot: ';
  write('a.md', 'A heron waits.');
  write('gateway.yaml', `${file}{ provider: mock, knowledge: [k] } }\n`);
  const first = await versions.load(world, above);
  const follow = versions.follow(first, world, above);
  write('b.md', 'A stork waits.');
  await follow();
  const second = await versions.load(world, { ...above, before: first });
  expect(said).toEqual(['new: document b.md of k']);
  for (const { knowledge, motifs, config } of [first, second]) {
    expect([knowledge.get('k')!.index.size, motifs.size, config.motifs.size]).toEqual([0, 0, 1]);
    await knowledge.get('k')!.index.made;
    expect(knowledge.get('k')!.index.size).toBe(0);
  }
  expect((await startWorker()).motifs.get('bot')!.retrieve('stork')).toHaveLength(1);
});
