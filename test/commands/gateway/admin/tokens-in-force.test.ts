import { expect, test } from 'vitest';
import { admin, documentIn, file, sha } from '../../../support/rooms/admin.ts';

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
