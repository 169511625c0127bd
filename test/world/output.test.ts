import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createOutputs } from '../../src/world/output.ts';

test('however many writes are waited for, Ctrl-C is heard once: a signal compares each listener with all it has', async () => {
  const interruption = new AbortController();
  const { stdout, stderr } = createOutputs(interruption.signal);
  const writes = Array.from({ length: 100 }, () => [stdout.write(''), stderr.write('')]).flat();
  expect(getEventListeners(interruption.signal, 'abort')).toHaveLength(1);
  await Promise.all(writes);
  expect(getEventListeners(interruption.signal, 'abort')).toHaveLength(1);
});
