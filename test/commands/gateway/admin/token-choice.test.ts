import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { admin, documentIn, fileIn, sha } from '../../../support/rooms/admin.ts';
import type { FakeWorld } from '../../../support/world.ts';

/** A Motif whose tokens are, in this order, those of zoe, of ana and of no user. */
function holders(...tokens: readonly string[]): string {
  const records = tokens.map((facts, at) => `{ sha256: "${sha('abcdef'[at]!)}", ${facts} }`);
  return `tenant: acme\nproviders: { mock: { kind: mock } }
motifs: { support-bot: { provider: mock, tokens: [${records.join(', ')}], users: [zoe, ana] } }\n`;
}

const ofTwoAndNone = holders('id: t1, user: zoe', 'id: t0, user: ana', 'id: t2', 'id: t3, user: ana');

describe('which token is meant', () => {
  const show = 'motif admin';
  test.each([
    {
      name: 'rotate, of several users',
      words: ['rotate'],
      says: `has tokens of several users: say which is to be replaced
  ${show} rotate support-bot --user zoe replaces t1
  ${show} rotate support-bot --user ana replaces t0, t3
  ${show} rotate support-bot t2 replaces the one without a user\n`,
    },
    {
      name: 'rotate, a user in the place of a token',
      words: ['rotate', 'support-bot', 'ana'],
      says: `ana is a user, and no token of Motif support-bot
  ${show} rotate support-bot --user ana replaces t0, t3\n`,
    },
    {
      name: 'revoke, a user in the place of a token',
      words: ['revoke', 'support-bot', 'ana'],
      says: `ana is a user, and no token of Motif support-bot
  ${show} revoke support-bot t0 ends the one of ana
  ${show} revoke support-bot t3 ends the one of ana\n`,
    },
    {
      name: 'revoke, nothing named',
      words: ['revoke'],
      says: `name the token to revoke
  ${show} revoke support-bot t1 ends the one of zoe
  ${show} revoke support-bot t0 ends the one of ana
  ${show} revoke support-bot t2 ends the one without a user
  ${show} revoke support-bot t3 ends the one of ana
  ${show} revoke support-bot --all ends all of them\n`,
    },
    {
      name: 'revoke, several without a user',
      words: ['revoke'],
      file: holders('id: t1, created: 2026-11-01, expires: 2027-01-02, replaced_by: t2', 'id: t2, created: 2026-11-20'),
      says: `name the token to revoke
  ${show} revoke support-bot t1 ends the one without a user, made 2026-11-01, which ends 2027-01-02T00:00:00Z, which rotate has replaced
  ${show} revoke support-bot t2 ends the one without a user, made 2026-11-20
  ${show} revoke support-bot --all ends all of them\n`,
    },
    {
      name: 'rotate, more than one token',
      words: ['rotate', 'support-bot', 't1', 't2'],
      says: `rotate takes one Motif and one token at a time\n  ${show} rotate MOTIF-ID TOKEN-ID\n`,
    },
    {
      name: 'revoke, a token of an empty name',
      words: ['revoke', 'support-bot', ''],
      says: `the name of the token is empty\n  ${show} show support-bot lists them\n`,
    },
    {
      name: 'rotate, an empty name alone',
      words: ['rotate', ''],
      says: `the name of the token is empty\n  ${show} show lists them\n`,
    },
    {
      name: 'rotate, a token and another user',
      words: ['rotate', 't2', '--user', 'ana'],
      says: `t2 belongs to no user, and the token in its place keeps the user\n  without --user: ${show} rotate t2\n`,
    },
  ])('$name: every choice is a whole command', async ({ words, says, file = ofTwoAndNone }) => {
    const run = await admin(words, file);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(says);
    expect(fileIn(run)).toBe(file);
  });

  test.each([{ verb: 'rotate' }, { verb: 'revoke' }])(
    '$verb with a file of another name prints that name',
    async ({ verb }) => {
      const run = await admin([verb, '-c', 'my gw.yaml'], null, { files: { 'my gw.yaml': ofTwoAndNone } });
      expect(run.stderr).toContain(`motif admin ${verb} support-bot t2 -c 'my gw.yaml' `);
    },
  );

  test.each([
    { words: ['rotate', 'support-bot', 't2', '--json'], user: null, ending: ['t2'] },
    { words: ['rotate', 't3', '--json'], user: 'ana', ending: ['t3'] },
    { words: ['rotate', '--user', 'ana', '--json'], user: 'ana', ending: ['t0', 't3'] },
    { words: ['rotate', 't3', '--keep', '--json'], user: 'ana', ending: [] },
    { words: ['rotate', '--user', 'bo', '--json'], user: 'bo', ending: [] },
    { words: ['rotate', '--keep', '--json'], user: null, ending: [] },
    { words: ['rotate', 'support-bot', '--keep', '--json'], user: null, ending: [] },
  ])('$words replaces $ending', async ({ words, user, ending }) => {
    const run = await admin(words, ofTwoAndNone);
    expect(documentIn(run)).toMatchObject({
      user,
      ending: ending.map((id) => ({ id, expires: '2026-11-22T12:00:00Z' })),
    });
    const ends = [...fileIn(run).matchAll(/\bid: (\w+),[^}]*expires: 2026-11-22T12:00:00Z, replaced_by: t-/g)];
    expect(ends.map(([, id]) => id)).toEqual(ending);
  });

  test('one more token where several users have one is of nobody, has no end and ends none', async () => {
    const others = ['id: t1, user: zoe, expires: 2026-12-24', 'id: t0, user: ana'];
    const run = await admin(['rotate', 'support-bot', '--keep'], holders(...others));
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/t-\w+ has no user; --user NAME makes one that has/);
    expect(run.stderr).toContain('t1, t0 stay valid');
    expect(fileIn(run).match(/expires|replaced_by/g)).toEqual(['expires']);
  });

  test('a token that rotate has replaced is none of those that stay', async () => {
    const once = fileIn(await admin(['rotate'], holders('id: t1')));
    const run = await admin(['rotate', '--keep'], once);
    expect(run.stderr).toMatch(/^ *(?:motif: )?t-\w+ stays valid/m);
  });

  test('a rotation for somebody who had no token says that none ends', async () => {
    const run = await admin(['rotate', '--user', 'bo'], holders('id: t2'));
    expect(run.stderr).toContain('no token ends, for Motif support-bot had none of bo; t2 stays valid');
  });

  test('a token that has ended is replaced, and one whose life is not known needs an end', async () => {
    const over = holders('id: t1, expires: 2026-01-01', 'id: t2, user: ana');
    const refused = await admin(['rotate', 't1'], over);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toMatch(/t1 ended at 2026-01-01T00:00:00Z.*\n.*--expires/);
    expect(documentIn(await admin(['rotate', 't1', '--expires', '9d', '--json'], over))).toMatchObject({ user: null });
  });
});

test('a second rotate leaves what the first one wrote, and both are shown as replaced', async () => {
  const once = fileIn(await admin(['rotate'], holders('id: t1')));
  const twice = fileIn(await admin(['rotate'], once, { now: Date.UTC(2026, 10, 21, 13) }));
  const [first] = /id: t1, expires: \S+ replaced_by: t-\w+/.exec(once)!;
  expect(twice).toContain(first);
  const now = { now: Date.UTC(2026, 10, 21, 13) };
  const again = fileIn(await admin(['rotate', '--grace', '1h'], twice, now));
  const [motif] = documentIn(await admin(['show', '--json'], again, now)).items;
  const tokens = motif?.['tokens'] as { readonly id: string; readonly replaced_by: string | null }[];
  expect(tokens.map((token) => token.replaced_by)).toEqual([...tokens.slice(1).map(({ id }) => id), null]);
});

describe('revoke --all', () => {
  const typing = (typed: string) => ({ stdin: { typed: [typed] }, stderr: { columns: 80 } });
  const question = 'Revoke all 4 tokens of Motif support-bot? Then nobody can ask it. [y/N]';

  test.each([
    { name: 'a person who says no', words: [], setup: typing('n\n'), asked: true, left: 4 },
    { name: 'a person who says nothing', words: [], setup: typing('\n'), asked: true, left: 4 },
    { name: 'a person who says yes', words: [], setup: typing('y\n'), asked: true, left: 0 },
    { name: '--yes', words: ['--yes'], setup: typing('n\n'), asked: false, left: 0 },
    { name: '--yes in a script', words: ['--yes'], setup: {}, asked: false, left: 0 },
  ])('$name: asked $asked, left $left', async ({ words, setup, asked, left }) => {
    const run = await admin(['revoke', '--all', ...words], ofTwoAndNone, setup);
    expect(run.exitCode).toBe(0);
    expect(run.stderr.includes(question)).toBe(asked);
    expect(run.stderr.includes('nothing was revoked')).toBe(left > 0);
    expect(fileIn(run).match(/sha256/g) ?? []).toHaveLength(left);
  });

  const other = holders('id: t8', 'id: t9').replace(sha('a'), sha('e')).replace(sha('b'), sha('f'));
  test.each([
    {
      name: 'one was added',
      later: holders('id: t1', 'id: t2', 'id: t9, user: zoe'),
      left: ['t9'],
      says: 't9 (zoe) came',
    },
    { name: 'one was removed', later: holders('id: t1'), left: [], says: 't1 of Motif support-bot revoked' },
    { name: 'all were replaced', later: other, left: ['t8', 't9'], says: 'nothing was revoked: all tokens of' },
  ])('it ends those that were asked about, where $name before the yes', async ({ later, left, says }) => {
    const prepare = (world: FakeWorld): void => {
      const { files } = world;
      const lock: typeof files.lock = (...args) => {
        writeFileSync(join(world.folder, 'gateway.yaml'), later);
        return files.lock(...args);
      };
      Object.assign(world, { files: { ...files, lock } });
    };
    const run = await admin(['revoke', '--all'], holders('id: t1', 'id: t2'), { ...typing('y\n'), prepare });
    expect(run.stderr).toContain(says);
    expect([...fileIn(run).matchAll(/id: (t\d)/g)].map(([, id]) => id)).toEqual(left);
  });

  test.each([
    { name: 'stdin is no terminal', words: ['support-bot'], setup: { stderr: { columns: 80 } } },
    { name: 'stderr is no terminal', words: ['support-bot'], setup: { stdin: { typed: ['y\n'] } } },
    { name: 'the only Motif, not named', words: [], setup: {} },
    { name: '--json', words: ['--json'], setup: {} },
  ])('where nobody can be asked it ends with 2 and keeps all: $name', async ({ words, setup }) => {
    const run = await admin(['revoke', '--all', ...words], ofTwoAndNone, setup);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('cannot ask for confirmation here');
    expect(run.stderr).toContain('--yes revokes without asking: motif admin revoke support-bot --all --yes\n');
    expect(fileIn(run)).toBe(ofTwoAndNone);
  });

  test('of a Motif without a token says so, and asks nobody', async () => {
    const none = fileIn(await admin(['revoke', '--all', '--yes'], ofTwoAndNone));
    const run = await admin(['revoke', '--all'], none);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toBe('motif: Motif support-bot has no token; nothing was revoked\n');
    expect(fileIn(run)).toBe(none);
    const document = documentIn(await admin(['revoke', '--all', '--json'], none));
    expect(document).toMatchObject({ ok: true, revoked: [], left: 0 });
  });

  test('--yes alone is refused, for it asks about nothing else', async () => {
    expect(await admin(['revoke', 't1', '--yes'], ofTwoAndNone)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
