import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  configFolder,
  documentOf,
  filesBelow,
  filesHolding,
  loggedIn,
  logIn,
  profileFile,
} from '../support/rooms/login.ts';
import { motif, testUrl } from '../support/motif.ts';

const two = [
  [testUrl, '-p', 'one', 'token=first_token_0123456789'],
  [testUrl, '-p', 'two', 'token=second_token_0123456789'],
] as const;

describe('logout', () => {
  test('forgets the profile in use and leaves no copy of its token', async () => {
    const world = await loggedIn(...two);
    const run = await motif(['logout'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(run.stderr).toContain('two');
    expect(existsSync(profileFile(world, 'two'))).toBe(false);
    expect(filesHolding(world.home ?? '', 'second_token')).toEqual([]);
    expect(filesHolding(world.home ?? '', 'first_token')).toHaveLength(1);
  });

  test('a named one leaves the profile in use', async () => {
    const world = await loggedIn(...two);
    expect(await motif(['logout', 'one'], { env: {}, after: world })).toMatchObject({ exitCode: 0 });
    const whoami = documentOf(await motif(['whoami', '--json'], { env: {}, after: world }));
    expect(whoami).toMatchObject({ ok: true, profile: 'two' });
    expect(filesHolding(world.home ?? '', 'first_token')).toEqual([]);
  });

  test('--all forgets all of them and every token', async () => {
    const world = await loggedIn(...two);
    expect(await motif(['logout', '--all'], { env: {}, after: world })).toMatchObject({ exitCode: 0, stdout: '' });
    expect(filesHolding(world.home ?? '', '_token_')).toEqual([]);
    const list = documentOf(await motif(['profile', 'list', '--json'], { env: {}, after: world }));
    expect(list).toEqual({ ok: true, items: [], error: null });
  });

  test.each([[['logout']], [['logout', '--all']]])('%j deletes the token from the keyring', async (argv) => {
    const { world } = await logIn([testUrl, '--token-stdin', '--no-verify'], { keyring: 'present' });
    expect(world.secrets.size).toBe(1);
    const run = await motif(argv, { env: {}, after: world, keyring: 'present' });
    expect(run.exitCode).toBe(0);
    expect(run.world.secrets.size).toBe(0);
  });

  test.each([[['logout']], [['logout', '--all', '--json']]])(
    '%j: a locked keyring keeps the token, so the profile stays',
    async (argv) => {
      const { world } = await logIn([testUrl, '--token-stdin', '--no-verify'], { keyring: 'present' });
      const run = await motif(argv, { env: {}, after: world, keyring: 'locked' });
      expect(run.exitCode).toBe(12);
      expect(run.stderr).toMatch(/is locked and still holds the token\n.*unlock it and try again/);
      if (argv.includes('--json')) expect(documentOf(run)).toMatchObject({ ok: false, error: { kind: 'io' } });
      expect(existsSync(profileFile(world, 'support-bot'))).toBe(true);
      const again = await motif(['logout'], { env: {}, after: world, keyring: 'present' });
      expect({ exitCode: again.exitCode, left: again.world.secrets.size }).toEqual({ exitCode: 0, left: 0 });
    },
  );

  test.each([
    { name: 'a keyring that is gone', keyring: undefined, argv: ['logout'] },
    { name: 'a keyring that is gone, for all', keyring: undefined, argv: ['logout', '--all'] },
    { name: 'a locked keyring', keyring: 'locked' as const, argv: ['logout', 'support-bot'] },
  ])('$name: 12 names --force, which forgets the profile and says what it leaves', async ({ keyring, argv }) => {
    const { world } = await logIn([testUrl, '--token-stdin', '--no-verify'], { keyring: 'present' });
    const setup = { env: {}, after: world, ...(keyring && { keyring }) };
    const refused = await motif(argv, setup);
    expect(refused.exitCode).toBe(12);
    expect(refused.stderr).toContain('where that keyring is gone for good: motif logout support-bot --force');
    const run = await motif([...argv, '--force', '--json'], setup);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/^motif: forgotten: support-bot$/m);
    expect(run.stderr).toMatch(/the keyring .*stays there, account support-bot@https:\/\/gw\.example$/m);
    expect(documentOf(run)).toMatchObject({
      ok: true,
      items: ['support-bot'],
      left_in_keyring: ['support-bot@https://gw.example'],
    });
    expect(existsSync(profileFile(world, 'support-bot'))).toBe(false);
  });

  test('afterwards nothing is in use, and the next command says how to log in', async () => {
    const world = await loggedIn([testUrl]);
    await motif(['logout'], { env: {}, after: world });
    const run = await motif(['prompt', 'hi'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain('motif login');
  });

  test('then another profile is used by its name', async () => {
    const world = await loggedIn(...two);
    await motif(['logout'], { env: {}, after: world });
    expect(await motif(['profile', 'use', 'one'], { env: {}, after: world })).toMatchObject({ exitCode: 0 });
    expect(await motif(['whoami'], { env: {}, after: world })).toMatchObject({ exitCode: 0 });
  });

  test('--json prints one document', async () => {
    const world = await loggedIn([testUrl]);
    const run = await motif(['logout', '--json'], { env: {}, after: world });
    expect(documentOf(run)).toMatchObject({ ok: true, error: null });
    expect(run.stdout).toContain('support-bot');
  });

  test('an unknown profile is named, with the one that was meant', async () => {
    const world = await loggedIn([testUrl, '-p', 'staging']);
    const run = await motif(['logout', 'stagin'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain('"stagin"');
    expect(run.stderr).toContain('did you mean staging?');
    expect(existsSync(profileFile(world, 'staging'))).toBe(true);
  });

  test('an unknown profile with --json is a document as well', async () => {
    const world = await loggedIn([testUrl]);
    const run = await motif(['logout', 'nope', '--json'], { env: {}, after: world });
    expect(run.exitCode).toBe(3);
    expect(documentOf(run)).toMatchObject({ ok: false, error: { kind: 'config', exit_code: 3 } });
  });

  test('without any profile it says what to do', async () => {
    const run = await motif(['logout'], { env: {} });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toMatch(/motif (logout|login|profile list)/);
  });

  test('a profile and --all together are a usage error that forgets nothing', async () => {
    const world = await loggedIn(...two);
    const before = filesBelow(configFolder(world));
    expect(await motif(['logout', 'one', '--all'], { env: {}, after: world })).toMatchObject({
      exitCode: 2,
      stdout: '',
    });
    expect(filesBelow(configFolder(world))).toEqual(before);
  });

  test.each(['', '../one', 'a b', 'one/../two', '__proto__'])('%j cannot climb out of the folder', async (name) => {
    const world = await loggedIn(...two);
    const before = filesBelow(configFolder(world));
    const run = await motif(['logout', name], { env: {}, after: world });
    expect([2, 3]).toContain(run.exitCode);
    expect(run.stdout).toBe('');
    expect(filesBelow(configFolder(world))).toEqual(before);
  });

  test('a broken profile is named and left as it is', async () => {
    const world = await loggedIn(...two);
    writeFileSync(profileFile(world, 'one'), '{');
    const run = await motif(['logout', 'one'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain(profileFile(world, 'one'));
    expect(existsSync(profileFile(world, 'one'))).toBe(true);
  });

  test('--all goes on past a broken one, which is named at the end; no token is left', async () => {
    const world = await loggedIn(...two);
    writeFileSync(profileFile(world, 'one'), '{');
    const run = await motif(['logout', '--all'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain(profileFile(world, 'one'));
    expect(existsSync(profileFile(world, 'two'))).toBe(false);
    expect(filesHolding(world.home ?? '', '_token_')).toEqual([]);
  });
});
