import { expect, test } from 'vitest';
import { admin, documentIn, file, fileIn, sha } from '../../../support/rooms/admin.ts';

const two = `${file}  other: { provider: mock, tokens: [{ id: t7, sha256: "${sha('c')}" }, { id: t0, sha256: "${sha('d')}" }] }\n`;

test.each([
  { revoked: 't0', says: /t0 of Motif support-bot revoked; 1 is left$/m, left: 1, ended: 0 },
  { revoked: 't7', says: /t7 .*revoked; 1 is left \(1 more has ended\)$/m, left: 1, ended: 1 },
])(
  'revoke $revoked counts tokens in force, and apart those that have ended',
  async ({ revoked, says, left, ended }) => {
    const text = revoked === 't0' ? file : `${file}      - { id: t7, sha256: "${sha('c')}" }\n`;
    expect((await admin(['revoke', revoked], text)).stderr).toMatch(says);
    const document = documentIn(await admin(['revoke', revoked, '--json'], text));
    expect(document).toMatchObject({ left, left_ended: ended });
  },
);

test('show counts tokens in force, and says where a Motif has none', async () => {
  const ended = two.replace(', created: 2026-11-20', ', expires: 2026-11-20');
  const { stdout } = await admin(['show'], ended);
  expect(stdout).toMatch(/^support-bot\t.*\t0 tokens, 2 ended$/m);
  expect(stdout).toMatch(/^other\t.*\t2 tokens$/m);
  expect((await admin(['show', 'support-bot'], ended)).stdout).toMatch(/\nno token is in force: nobody can ask it\n$/);
  expect((await admin(['show', 'other'], ended)).stdout).not.toContain('in force');
});

const users = file.replace('created: 2026-11-20 }', 'user: ana }').replace('expires: 2026-01-01 }', 'user: bo }');

test('rotate --grace 0 takes the earlier tokens out of the file, so that no clock that is set back brings them in again', async () => {
  const run = await admin(['rotate', '--grace', '0', '--json']);
  expect(run.exitCode).toBe(0);
  expect(documentIn(run)).toMatchObject({ ending: [{ id: 't1', expires: '2026-11-21T12:00:00Z' }] });
  expect(fileIn(run)).not.toMatch(/id: t1\b|"a{64}"|replaced_by/);
  expect(fileIn(run)).toMatch(/tokens:\n {6}- \{ id: t0, .*\n {6}- \{ id: t-[0-9a-f]{8}, sha256: .*\n/);
});

test('rotate --grace 0 of a named token leaves the others, of all tokens those of other users', async () => {
  const named = fileIn(await admin(['rotate', 't1', '--grace', '0'], users));
  expect(named.match(/id: t\S+?,/g)).toEqual(['id: t0,', expect.stringContaining('id: t-')]);
  const ofBo = fileIn(await admin(['rotate', '--user', 'bo', '--grace', '0'], users));
  expect(ofBo).toContain('user: ana }');
  expect(ofBo.match(/user: bo/g)).toHaveLength(1);
});
