import { expect, test } from 'vitest';
import { motif } from '../../support/motif.ts';

test.each([
  { typed: ['token'], near: 'tokens', pages: ['profiles', 'environment'] },
  { typed: ['exit', 'codes'], near: 'exit-codes', pages: [] },
  { typed: ['retry'], near: undefined, pages: ['network'] },
  { typed: ['--webhooks'], near: undefined, pages: ['policies'] },
  { typed: ['MOTIF_TOKEN'], near: undefined, pages: ['environment'] },
  { typed: ['constructor'], near: undefined, pages: [] },
  { typed: ['s'], near: undefined, pages: [] },
])('help $typed names the pages that say something of it', async ({ typed, near, pages }) => {
  const run = await motif(['help', '--', ...typed], { env: {}, home: null });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(/did you mean (.*)\?/.exec(run.stderr)?.[1]).toBe(near);
  const named = [...run.stderr.matchAll(/motif help ([a-z-]+)/g)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(pages));
  expect(named.includes('topics') && named.length <= 5 && new Set(named).size === named.length).toBe(true);
});

test.each([
  { typed: 'ask', heading: 'to ask and talk', first: 'messages ', last: 'network ' },
  { typed: 'CI', heading: 'for CI', first: 'suites ', last: 'ci ' },
])('help $typed, the first word of a row of topics, lists them', async ({ typed, heading, first, last }) => {
  const run = await motif(['help', typed], { env: {}, home: null });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  const lines = run.stdout.trimEnd().split('\n');
  expect(lines[0]).toBe(`Topics ${heading} (motif help TOPIC):`);
  expect([lines[1], lines.at(-1)]).toEqual([expect.stringContaining(first), expect.stringContaining(last)]);
});
