import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { textFiles } from './text-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The properties that `npm run faults` tries more often: whoever uses `runs` of test/support. */
const deep = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path}`)
  .filter((path) => path.endsWith('.test.ts') && readFileSync(join(root, path), 'utf8').includes('support/runs.ts'));

/** `e2e` and `faults` run the built program and real peers: they get time, and faults the machine to themselves. */
export default defineConfig({
  root,
  plugins: [textFiles],
  test: {
    root,
    // Modules keep no state (a house rule), so that all files of a worker may share them.
    isolate: false,
    // A third of the work of a short run is to turn TypeScript into JavaScript; only what changed is turned again.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(root, 'node_modules/.cache/tests') },
    globalSetup: fileURLToPath(new URL('test-folder.mjs', import.meta.url)),
    // Most of what the end-to-end tests do is wait, so that a small machine can do several of them at once.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/faults/**'],
          // Most take milliseconds; on a machine that is busy with other things a second can become ten.
          testTimeout: 30_000,
          // They compute, so that more workers than cores are of no use.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'deep',
          include: deep,
          testTimeout: 120_000,
          env: { MOTIF_TEST_DEEP: '1' },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          // After the others, because a number of workers of their own wants a turn of their own.
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
