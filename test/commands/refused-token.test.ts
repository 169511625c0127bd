import { expect, test } from 'vitest';
import { logIn } from '../support/rooms/login.ts';
import { saying } from '../support/rooms/prompt.ts';
import { motif, testUrl } from '../support/motif.ts';
import { service } from '../support/service.ts';

test.each([
  { name: 'its code', body: { error: 'no', code: 'token_expired' } },
  { name: 'its words', body: { error: 'Token expired on 2026-11-01' } },
])('a service that says of a token that it has expired is believed: $name', async ({ body }) => {
  const run = await motif(['prompt', 'hi'], service({ status: 401, body }));
  expect(run).toMatchObject({ exitCode: 8, stderr: saying('the token has expired (401)', 'motif help tokens') });
  expect(run.stderr).not.toMatch(/may have expired|wrong Motif ID/);
  const login = await logIn([testUrl, '--token-stdin'], service({ status: 401, body }));
  expect(login.stderr).toContain('motif: the token has expired (401)\n  copy it again: ');
});

test.each(['Invalid or expired token', 'the token has not expired but was revoked', 'its certificate expired'])(
  'a service that says less is taken at its words: %s',
  async (error) => {
    const run = await motif(['prompt', 'hi'], service({ status: 401, body: { error } }));
    expect(run).toMatchObject({ exitCode: 8, stderr: saying('the service did not accept this token (401)', error) });
    expect(run.stderr).not.toContain('the token has expired');
  },
);

test.each(['invalid_or_expired_token', 'token_not_expired'])('nor is a code that says less: %s', async (code) => {
  const run = await motif(['prompt', 'hi'], service({ status: 401, body: { error: 'no', code } }));
  expect(run.stderr).toContain('the service did not accept this token (401)');
});

test('a token that a login cannot use: what to do comes first, and what was just typed is not said again', async () => {
  const run = await logIn(
    [testUrl, '--token-stdin'],
    service({ status: 401, body: { error: 'no', prompt_id: '01J' } }),
  );
  expect(run.stderr).toBe(
    [
      'motif: the service did not accept this token (401)',
      '  copy it again: console > Motifs > three dots > details > API definition',
      '  no tenant was sent; a token that needs one: --tenant ID (console > settings)',
      '  one that has expired or was revoked gets the same answer, and so does a wrong Motif ID (motif help tokens)',
      '  the service said: no',
      '  nothing was saved',
      '',
    ].join('\n'),
  );
});
