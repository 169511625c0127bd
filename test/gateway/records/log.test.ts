import { expect, test } from 'vitest';
import { createPlainLog, type LogFields } from '../../../src/gateway/records/log.ts';

test.each<[string, LogFields | undefined, string]>([
  ['nothing beside it', undefined, 'it failed'],
  ['facts', { status: 502, at: null, config: 'a7d9' }, 'it failed (status 502)'],
  ['a reason', { reason: 'did you mean pii?', config: 'a7d9' }, 'it failed: did you mean pii?'],
  ['both', { reason: 'too slow', status: 504 }, 'it failed (status 504): too slow'],
])('a line for a person, with %s', (_name, fields, line) => {
  const said: string[] = [];
  createPlainLog((text) => said.push(text), new Set(['config'])).error('it failed', fields);
  expect(said).toEqual([line]);
});
