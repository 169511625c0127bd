import { expect, test } from 'vitest';
import { motif } from '../support/motif.ts';
import { service } from '../support/service.ts';
test('x', async () => {
  const run = await motif(['prompt', 'hi'], service());
  expect(run).toMatchObject({ exitCode: 0, stdout: 'Hello from the service\n', stderr: '' });
});
