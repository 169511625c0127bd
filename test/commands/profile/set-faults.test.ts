import { expect, test } from 'vitest';
import { motif, testUrl } from '../../support/motif.ts';
import { loggedIn } from '../../support/rooms/login.ts';

test.each([
  {
    name: 'a duration',
    words: ['timeout', 'default'],
    says: 'to have the default again: motif profile set timeout ""',
  },
  { name: 'a count', words: ['retries', 'many'], says: 'to have the default again: motif profile set retries ""' },
  { name: 'a tenant', words: ['tenant', 'a b'], says: 'to have none: motif profile set tenant ""' },
  {
    name: 'words without quotes',
    words: ['blocked_notice', 'Ask', 'the', 'help', 'desk'],
    says: 'several words stand in quotes: motif profile set KEY "WORD WORD"',
  },
])('profile set, $name: the hint says what is typed instead', async ({ words, says }) => {
  const run = await motif(['profile', 'set', ...words], { env: {}, after: await loggedIn([testUrl]) });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(`\n  ${says}\n`);
});

test('an address that is no address is not told to be removed', async () => {
  const run = await motif(['profile', 'set', 'url', 'x'], { env: {}, after: await loggedIn([testUrl]) });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).not.toContain('""');
});
