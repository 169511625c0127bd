import { expect, test } from 'vitest';
import { start } from '../support/processes/child.ts';

const isQuick = process.env.MOTIF_TEST_QUICK === '1';

test('kill -9 at random moments, with edits of the input in between, loses nothing and repeats at most what was in flight', async () => {
  const [rows, kills] = isQuick ? ['400', '4'] : ['2000', '25'];
  const run = await start(process.execPath, ['test/faults/batch-kill.mjs', rows, kills], { input: '' }).ended;
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const found = JSON.parse(run.stdout) as Record<'wrong' | 'killed' | 'repeated' | 'mayRepeat', number>;
  expect(found).toMatchObject({ wrong: 0, killed: Number(kills) });
  expect(found.repeated).toBeLessThanOrEqual(found.mayRepeat);
}, 300_000);
