import { expect, test } from 'vitest';
import { readKnowledge } from '../../../../src/gateway/assembly.ts';
import { motif } from '../../../support/motif.ts';
import { fileOf } from '../../../support/servers/gateway-process.ts';

test.each([
  { name: 'one process', listen: '' },
  { name: 'workers', listen: ', workers: 2' },
])('a gateway of $name that is told to end while it reads its file opens no port', async ({ listen }) => {
  const run = await motif(['serve', '-c', 'gateway.yaml', '--log-level', 'info'], {
    files: { 'gateway.yaml': fileOf({ listen, top: 'audit: { file: audit.jsonl }' }) },
    prepare(world) {
      const { files } = world;
      const read: typeof files.read = async (...args) => {
        world.interrupt('SIGTERM');
        return await files.read(...args);
      };
      Object.assign(world, { files: { ...files, read } });
    },
  });
  expect(run).toMatchObject({ exitCode: 0, stdout: '' });
  expect(run.stderr).not.toMatch(/listen|drain/);
  expect(await run.world.files.info('audit.jsonl')).toBeUndefined();
});

test.each([
  { name: 'one process', listen: '' },
  { name: 'workers', listen: ', workers: 2' },
])('a gateway of $name that is told to end while it reads documents reads no more of them', async ({ listen }) => {
  const top = 'knowledge: { notes: { files: "d-*.md" } }';
  const documents = Array.from({ length: 20 }, (_, at) => [`d-${at}.md`, '# A heron\n\nIt waits.\n'] as const);
  let read = 0;
  const run = await motif(['serve', '-c', 'gateway.yaml', '--log-level', 'info'], {
    files: { ...Object.fromEntries(documents), 'gateway.yaml': fileOf({ listen, top }) },
    prepare(world) {
      const { files } = world;
      const readOne: typeof files.read = async (path, options) => {
        if (path.endsWith('.md') && (read += 1) === 3) world.interrupt('SIGTERM');
        return await files.read(path, options);
      };
      Object.assign(world, { files: { ...files, read: readOne } });
    },
  });
  expect(run).toMatchObject({ exitCode: 0, stdout: '' });
  expect(run.stderr).not.toMatch(/listen|drain|applied/);
  expect(read).toBe(3);
});

test('documents whose reading is over are not indexed for a gateway that is told to end', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const text = '# A heron\n\nIt waits.\n\n'.repeat(20_000);
  const readDocuments = async () => {
    controller.abort();
    return [{ name: 'd.md', text }];
  };
  const reading = readKnowledge({ name: 'notes', files: ['d.md'], top: 1 }, { readDocuments, signal });
  await expect(reading).rejects.toBe(signal.reason);
});
