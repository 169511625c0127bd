import { expect, test } from 'vitest';
import { boundedWrite, createLog, createPlainLog, type LogFields } from '../../../src/gateway/records/log.ts';

test.each<[string, LogFields | undefined, string]>([
  ['nothing beside it', undefined, 'it failed'],
  ['facts', { status: 502, at: null, config: 'a7d9' }, 'it failed (status 502)'],
  ['a list', { gone: ['Motif a', 'Motif b'] }, 'it failed (gone Motif a, Motif b)'],
  ['a reason', { reason: 'did you mean pii?', config: 'a7d9' }, 'it failed: did you mean pii?'],
  ['several reasons', { reason: ['it has 2 faults', 'a:1', 'b:2'] }, 'it failed: it has 2 faults\n  a:1\n  b:2'],
  ['a count', { count: 1200 }, '1,200 it failed'],
  ['both', { reason: 'too slow', status: 504 }, 'it failed: too slow (status 504)'],
])('a line for a person, with %s', (_name, fields, line) => {
  const said: string[] = [];
  createPlainLog((text) => said.push(text), new Set(['config'])).error('it failed', fields);
  expect(said).toEqual([line]);
});

test('several reasons are one text in a JSON line', () => {
  const lines: string[] = [];
  createLog({ write: (line) => lines.push(line), now: () => 0, level: 'info' }).error('it failed', {
    reason: ['it has 2 faults', 'a:1', 'b:2'],
  });
  expect(JSON.parse(lines[0]!)).toMatchObject({ reason: 'it has 2 faults; a:1; b:2' });
});

test('a list of a JSON line ends with the number of those beyond a hundred', () => {
  const lines: string[] = [];
  const names = Array.from({ length: 103 }, (_, at) => `token t${at}`);
  const log = createLog({ write: (line) => lines.push(line), now: () => 0, level: 'info' });
  log.info('read', { new: names, gone: [] });
  expect(JSON.parse(lines[0]!)).toMatchObject({ new: [...names.slice(0, 100), '3 more'], gone: [] });
});

test('lines that nobody reads are left out beyond a number, which is told once the others were read', async () => {
  const taken: (() => void)[] = [];
  const written: string[] = [];
  const told: number[] = [];
  const write = (line: string): Promise<void> => {
    written.push(line);
    return new Promise((resolve) => taken.push(resolve));
  };
  const log = boundedWrite(write, (lost) => told.push(lost), 2);
  for (const line of ['a', 'b', 'c', 'd', 'e']) log(line);
  taken[0]!();
  await Promise.resolve();
  expect([written, told]).toEqual([['a', 'b'], []]);
  taken[1]!();
  await Promise.resolve();
  expect(told).toEqual([3]);
  log('f');
  expect(written).toEqual(['a', 'b', 'f']);
});
