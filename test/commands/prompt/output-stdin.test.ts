import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeWorld } from '../../support/world.ts';
import { prompt, saying } from '../../support/rooms/prompt.ts';

test.each([[[]], [['--no-stdin']]])('-o refuses the file that stdin is read from %s', async (flags) => {
  const after = fakeWorld();
  const path = join(after.folder, 'q.md');
  writeFileSync(path, 'the question');
  const { dev, ino } = statSync(path, { bigint: true });
  const stdin = { chunks: ['the question'], kind: 'file' as const, identity: `${dev}:${ino}` };
  const run = await prompt(['hi', '-o', 'q.md', ...flags], { after, stdin });
  expect(run).toMatchObject({ exitCode: 2, stdout: '', requests: [], stderr: saying('also an input') });
  expect(readFileSync(path, 'utf8')).toBe('the question');
});
