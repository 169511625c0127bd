import { expect, test } from 'vitest';
import { batch, batchService, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import { testToken } from '../../support/motif.ts';
import { refused } from '../../support/service.ts';

const error = `no ${testToken}`;
const failures = {
  'of a status': { status: 422, body: { error, code: testToken, prompt_id: testToken } },
  'of a connection': Object.assign(refused(), { message: error }),
};

test.each(
  Object.entries(failures).flatMap(([name, failure]) => [
    { name, failure, argv: [], place: 'on stdout' },
    { name, failure, argv: ['-o', 'out.jsonl'], place: 'in the file' },
  ]),
)('a row in error does not hold the token that the failure $name repeats, $place', async ({ failure, argv }) => {
  const service = batchService((prompt) => (prompt === 'bad' ? failure : undefined));
  const run = await batch(['in.txt', ...argv, '--retries', '0'], { files: { 'in.txt': 'good\nbad\n' } }, service);
  const [good, bad] = rowsOf(run.stdout + fileOf(run, 'out.jsonl'));
  expect(good).toMatchObject({ error: null, response: 're: good' });
  expect(JSON.stringify(bad)).not.toContain(testToken);
  expect(JSON.stringify(bad?.error)).toContain('no ••••');
});
