import { utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documentOf, filesBelow, filesHolding, logIn, tokenOf } from '../../support/rooms/login.ts';
import { motif, testToken, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';
import type { FakeWorld } from '../../support/world.ts';

const login = [testUrl, '--no-verify', '--token-stdin', '--force'] as const;

/** Every place of this world that holds the text. */
function copiesOf(text: string, world: FakeWorld): readonly string[] {
  const inKeyring = [...world.secrets].filter(([, secret]) => secret.includes(text)).map(([account]) => account);
  return [...inKeyring, ...filesHolding(world.home ?? '', text)];
}

describe('switching the token store deletes the old copy', () => {
  test.each([
    ['keyring', 'file'],
    ['file', 'keyring'],
  ])('%s to %s', async (from, to) => {
    const first = await logIn([...login, '--token-store', from], { keyring: 'present' });
    expect(copiesOf(testToken, first.world)).toHaveLength(1);
    const run = await logIn([...login, '--token-store', to], {
      after: first.world,
      keyring: 'present',
      stdin: 'second_token_0123456789',
    });
    expect(run.exitCode).toBe(0);
    expect(copiesOf(testToken, run.world)).toEqual([]);
    expect(copiesOf('second_token_0123456789', run.world)).toHaveLength(1);
    expect(run.world.secrets.size).toBe(to === 'keyring' ? 1 : 0);
  });

  test.each(['keyring', 'file'])('%s to a token command', async (from) => {
    const first = await logIn([...login, '--token-store', from], { keyring: 'present' });
    const run = await logIn([testUrl, '--no-verify', '--force', '--token-command', 'pass show motif'], {
      after: first.world,
      keyring: 'present',
      run: () => ({ code: 0, stdout: 'from_command_0123456789', stderr: '' }),
    });
    expect(run.exitCode).toBe(0);
    expect(copiesOf(testToken, run.world)).toEqual([]);
    expect(copiesOf('from_command_0123456789', run.world)).toEqual([]);
  });

  test('a login to another origin under the same name leaves no copy of the old token', async () => {
    const name = ['-p', 'one', '--token-store', 'keyring'];
    const first = await logIn([...login, ...name], { keyring: 'present' });
    const other = ['https://other.example/api/v1/apps/bot', ...login.slice(1), ...name];
    const run = await logIn(other, { after: first.world, keyring: 'present', stdin: 'second_token_0123456789' });
    expect(run.exitCode).toBe(0);
    expect(copiesOf(testToken, run.world)).toEqual([]);
    expect(copiesOf('second_token_0123456789', run.world)).toHaveLength(1);
  });
});

describe('a token that a killed login left', () => {
  const left = 'left_token_0123456789';
  const leave = (name: string, ageMs: number, world: FakeWorld): void => {
    const path = `${world.home ?? ''}/.config/motif/tokens/${name}`;
    writeFileSync(path, JSON.stringify({ origin: 'https://gw.example', token: left }));
    utimesSync(path, new Date(world.now() - ageMs), new Date(world.now() - ageMs));
  };

  test.each([
    { name: 'of this profile: by the next login', file: 'support-bot.k1.json', ageMs: 0, argv: login, copies: 0 },
    { name: 'of this profile: by logout', file: 'support-bot.k1.json', ageMs: 0, argv: ['logout'], copies: 0 },
    { name: 'of another one: by the next login, if old', file: 'x.k1.json', ageMs: 90_000, argv: login, copies: 0 },
    { name: 'of another one: by logout, if old', file: 'x.k1.json', ageMs: 90_000, argv: ['logout'], copies: 0 },
    { name: 'of another one that may still be at work: never', file: 'x.k1.json', ageMs: 0, argv: login, copies: 1 },
  ])('is removed $name', async ({ file, ageMs, argv, copies }) => {
    const first = await logIn(login);
    const after = first.world;
    leave(file, ageMs, after);
    const run = argv === login ? await logIn(login, { after }) : await motif(argv, { env: {}, after });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(copiesOf(left, run.world)).toHaveLength(copies);
  });

  test('stands under the name of its profile from its first byte on', async () => {
    const { world } = await logIn(login);
    expect(copiesOf(testToken, world)).toMatchObject([expect.stringMatching(/tokens\/support-bot\.\w+\.json$/)]);
  });
});

describe('the keyring', () => {
  test('none answers: the file store, said before', async () => {
    const run = await logIn(login);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('0600');
    expect(copiesOf(testToken, run.world)).toHaveLength(1);
  });

  test('--token-store keyring where none answers fails and writes nothing', async () => {
    const run = await logIn([...login, '--token-store', 'keyring']);
    expect(run).toMatchObject({ exitCode: 12, stdout: '' });
    expect(run.stderr).toContain('--token-store file');
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test('--token-store file does not ask the keyring', async () => {
    const run = await logIn([...login, '--token-store', 'file'], { keyring: 'present' });
    expect(run.world.secrets.size).toBe(0);
    expect(copiesOf(testToken, run.world)).toHaveLength(1);
  });

  test('a locked keyring is named as such: the person is logged in and is not told to log in as if never', async () => {
    const first = await logIn([...login, '--token-store', 'keyring'], { keyring: 'present' });
    const run = await motif(['prompt', 'hi'], { env: {}, after: first.world, keyring: 'locked' });
    expect(run).toMatchObject({ exitCode: 12, stdout: '' });
    expect(run.stderr).toContain('keyring');
    expect(run.stderr).toContain('locked');
  });

  test('a login that a locked keyring refuses leaves no token behind', async () => {
    const run = await logIn(login, { keyring: 'locked' });
    expect(run).toMatchObject({ exitCode: 12, stdout: '' });
    expect(copiesOf(testToken, run.world)).toEqual([]);
    expect(run.stderr).toContain(`: motif login ${testUrl} -p support-bot --token-store file\n`);
    const named = await logIn([...login, '-p', 'one'], { keyring: 'locked' });
    expect(named.stderr).toContain(`: motif login ${testUrl} -p one --token-store file\n`);
  });

  test('a login that a locked keyring refuses leaves the old profile usable', async () => {
    const first = await logIn([...login, '--token-store', 'file']);
    const before = filesBelow(first.world.home ?? '');
    const again = [...login, '--token-store', 'keyring'];
    const run = await logIn(again, { after: first.world, keyring: 'locked', stdin: 'second_token_0123456789' });
    expect(run.exitCode).toBe(12);
    expect(filesBelow(first.world.home ?? '')).toEqual(before);
  });

  describe('a login with another store, while a locked keyring still holds the old token', () => {
    const inFile = ['--token-stdin', '--token-store', 'file'];
    const byCommand = ['--token-command', 'pass show motif'];
    const replaced = async (argv: readonly string[]) => {
      const first = await logIn([...login, '--token-store', 'keyring'], { keyring: 'present' });
      const again = [testUrl, '--no-verify', '--force', ...argv];
      const world = { after: first.world, keyring: 'locked' } as const;
      const command = { code: 0, stdout: 'from_command_0123456789', stderr: '' };
      return logIn(again, { ...world, stdin: 'second_token_0123456789', run: () => command });
    };

    test('ends with 12 and says so, with the new token stored', async () => {
      const run = await replaced(inFile);
      expect(run.exitCode).toBe(12);
      expect(run.stderr).toMatch(/stored and in use, but its old token is still stored: the keyring .* still holds/);
      expect(run.stderr).toContain('motif logout support-bot');
      expect(copiesOf('second_token_0123456789', run.world)).toHaveLength(1);
    });

    test.each<[string, readonly string[], ...(readonly string[])[]]>([
      ['the same login', inFile, ['login', testUrl, '--no-verify', '--force', ...inFile]],
      ['logout', inFile, ['logout']],
      ['logout --all', inFile, ['logout', '--all']],
      ['logout after a token command', byCommand, ['logout']],
      ['logout after a rename', inFile, ['profile', 'rename', 'support-bot', 'new'], ['logout', 'new']],
    ])('%s, once it is unlocked, forgets it', async (_name, argv, ...commands) => {
      const { world } = await replaced(argv);
      const unlocked = { env: {}, after: world, keyring: 'present', stdin: 'third_token_0123456789' } as const;
      for (const command of commands) expect(await motif(command, unlocked)).toMatchObject({ exitCode: 0 });
      expect(copiesOf(testToken, world)).toEqual([]);
    });

    test('a logout leaves the token of another profile, which has the name of before now', async () => {
      const { world } = await replaced(inFile);
      const unlocked = { env: {}, after: world, keyring: 'present' } as const;
      await motif(['profile', 'rename', 'support-bot', 'new'], unlocked);
      const token = 'third_token_0123456789';
      const again = ['login', ...login, '-p', 'support-bot', '--token-store', 'keyring'];
      expect(await motif(again, { ...unlocked, stdin: token, ...service() })).toMatchObject({ exitCode: 0 });
      expect(await motif(['logout', 'new'], unlocked)).toMatchObject({ exitCode: 0 });
      const asked = service();
      await motif(['prompt', 'hi', '-p', 'support-bot'], { ...unlocked, ...asked });
      expect(asked.requests.map(tokenOf)).toEqual([token]);
    });

    test('a logout while it is locked ends with 12 and keeps the profile, also after a rename', async () => {
      const { world } = await replaced(inFile);
      const locked = { env: {}, after: world, keyring: 'locked' } as const;
      expect(await motif(['profile', 'rename', 'support-bot', 'new'], locked)).toMatchObject({ exitCode: 0 });
      const logout = await motif(['logout', 'new'], locked);
      expect(logout).toMatchObject({ exitCode: 12 });
      expect(logout.stderr).toMatch(/where that keyring is gone for good: motif logout new --force/);
      expect(await motif(['profile', 'show', 'new'], locked)).toMatchObject({ exitCode: 0 });
    });

    test('the next login ends with 0 and a notice, where the keyring stays as it is', async () => {
      const { world } = await replaced(inFile);
      const again = ['login', testUrl, '--no-verify', '--force', ...inFile, '--json'];
      const run = await motif(again, { env: {}, after: world, stdin: 'third_token_0123456789' });
      expect(run.exitCode).toBe(0);
      expect(run.stderr).toMatch(
        /the old token of profile support-bot is still stored: [^]*motif logout support-bot --force/,
      );
      expect(documentOf(run)).toMatchObject({ ok: true, token_store: 'file', error: null });
      const account = 'support-bot@https://gw.example';
      const unlocked = await motif(['logout', '--json'], { env: {}, after: run.world, keyring: 'present' });
      expect(documentOf(unlocked)).toMatchObject({ ok: true, left_in_keyring: [] });
      expect([...world.secrets.keys()]).not.toContain(account);
    });
  });

  test('a token in the keyring is bound to its origin there too', async () => {
    const first = await logIn([...login, '--token-store', 'keyring'], { keyring: 'present' });
    const elsewhere = ['prompt', 'hi', '--url', 'https://evil.example/api/v1/apps/support-bot'];
    const run = await motif(elsewhere, { env: {}, after: first.world, keyring: 'present' });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    const asked = service();
    await motif(['prompt', 'hi'], { env: {}, after: first.world, keyring: 'present', ...asked });
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
  });
});
