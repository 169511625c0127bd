import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchFiles } from '../../../src/commands/gateway/serve/watch.ts';
import { gatewayFileSource } from '../../../src/commands/gateway/source.ts';
import type { World } from '../../../src/world/world.ts';
import { fakeWorld } from '../../support/world.ts';

/** Longer than half a turn of the event loop. */
const stepMs = 6;

/** Documents on a slow disk, and in their order the events: a file is read or looked at, or others have their turn. */
function onSlowDisk() {
  const world = fakeWorld();
  const events: string[] = [];
  const slowly = <A extends readonly unknown[], R>(event: string, work: (...args: A) => R) => {
    return (...args: A): R => {
      events.push(event);
      for (const until = performance.now() + stepMs; performance.now() < until;);
      return work(...args);
    };
  };
  const files = {
    ...world.files,
    read: slowly('read', (...args: Parameters<World['files']['read']>) => world.files.read(...args)),
    info: slowly('look', (...args: Parameters<World['files']['info']>) => world.files.info(...args)),
  };
  mkdirSync(join(world.folder, 'docs'));
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    writeFileSync(join(world.folder, 'docs', `${name}.md`), `# ${name}\n`);
  const hearing = { isOver: false };
  const hear = (): void => {
    if (hearing.isOver) return;
    events.push('turn');
    setImmediate(hear);
  };
  setImmediate(hear);
  onTestFinished(() => void (hearing.isOver = true));
  return { world, files, events, source: gatewayFileSource(join(world.folder, 'gateway.yaml'), { files }) };
}

/** The most of such events between two turns. */
function mostAtOnce(events: readonly string[], event: string): number {
  const runs = events.join(' ').split('turn');
  return Math.max(...runs.map((run) => run.split(event).length - 1));
}

test('documents are read in turns of the event loop, so that prompts are answered meanwhile', async () => {
  const { source, events } = onSlowDisk();
  expect((await source.readDocuments('docs/*.md')).map(({ text }) => text)).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `# ${name}\n`),
  );
  expect(mostAtOnce(events, 'read')).toBeLessThanOrEqual(2);
});

test('and looked at for changes in turns', async () => {
  const { source, events, world, files } = onSlowDisk();
  await source.readDocuments('docs/*.md');
  events.length = 0;
  const controller = new AbortController();
  const sleep = async (): Promise<void> => controller.abort();
  await watchFiles(source, { ...world, files, sleep }, { changed: async () => undefined, signal: controller.signal });
  expect(events.filter((event) => event === 'look').length).toBeGreaterThanOrEqual(6);
  expect(mostAtOnce(events, 'look')).toBeLessThanOrEqual(2);
});
