import { expect, test } from 'vitest';
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
