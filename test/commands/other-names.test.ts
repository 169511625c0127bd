import { expect, test } from 'vitest';
import { motif } from '../support/motif.ts';

test.each([
  { argv: ['profile', 'delete', 'prod'], says: 'motif logout NAME' },
  { argv: ['profile', 'rm', 'prod'], says: 'motif logout NAME' },
  { argv: ['history', 'rm', '3f2a'], says: 'did you mean delete?' },
  { argv: ['admin', 'list'], says: 'did you mean show?' },
  { argv: ['admin', 'delete', 'bot'], says: 'motif admin revoke' },
  { argv: ['logs'], says: 'motif admin audit list' },
  { argv: ['ask', 'hi'], says: 'to send a prompt: motif prompt "..."' },
  { argv: ['hello'], says: 'to send a prompt: motif prompt "hello"' },
  { argv: ['What is 7x8?'], says: 'to send a prompt: motif prompt "..."' },
  { argv: ['constructor'], says: 'to send a prompt: motif prompt "constructor"' },
  { argv: ['promt', 'hi'], says: 'did you mean prompt?' },
])('motif $argv: a mistake that names the command for it', async ({ argv, says }) => {
  const run = await motif(argv, { env: {} });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(says);
});
