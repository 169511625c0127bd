import { mkdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configFolder, documentOf, filesBelow, loggedIn, logIn } from '../../support/rooms/login.ts';
import { motif, testEnv, testUrl } from '../../support/motif.ts';

const offline = ['--token-stdin', '--no-verify'] as const;

const badNames: readonly [string, string][] = [
  ['nothing', ''],
  ['a dot path', 'a.b'],
  ['brackets', 'x[0]'],
  ['a space', 'a b'],
  ['a slash', 'a/b'],
  ['a climb', '../other'],
  ['a backslash', 'a\\b'],
  ['a NUL', 'a\0b'],
  ['a newline', 'a\nb'],
  ['a final newline', 'a\n'],
  ['an escape', 'a\u001b[31m'],
  ['an umlaut', 'bär'],
  ['a full-width letter', 'ａ'],
  ['a bidi override', 'a\u202eb'],
  ['65 characters', 'a'.repeat(65)],
  ['a dot', '.'],
  ['two dots', '..'],
  ['a hidden name', '.staging-x'],
];

describe('a profile name that is none', () => {
  test.each(badNames)('%s: login refuses it before a token is read', async (_name, name) => {
    const run = await logIn([testUrl, ...offline, '-p', name]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(name === '' ? 'the name of the profile is empty' : '64');
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test.each(badNames)('%s: no command takes it as the profile', async (_name, name) => {
    const world = await loggedIn([testUrl]);
    const before = filesBelow(configFolder(world));
    const uses = [
      ['whoami', '-p', name],
      ['prompt', 'hi', '-p', name],
      ['profile', 'use', name],
      ['profile', 'show', name],
      ['profile', 'rename', 'support-bot', name],
      ['profile', 'set', 'tenant', 'x', '-p', name],
    ];
    for (const argv of uses) {
      const run = await motif(argv, { env: {}, after: world });
      expect([2, 3], argv.join(' ')).toContain(run.exitCode);
      expect(run.stdout).toBe('');
      expect(run.stderr).not.toMatch(/[\u001b\u202e\0]/);
    }
    expect(filesBelow(configFolder(world))).toEqual(before);
  });

  test('a Motif ID that is no name asks for one', async () => {
    const run = await logIn(['https://gw.example/api/v1/apps/b%C3%A4r', ...offline]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('-p NAME');
  });

  test('MOTIF_PROFILE is held to the same', async () => {
    const run = await motif(['whoami'], { env: { MOTIF_PROFILE: '../x' } });
    expect([2, 3]).toContain(run.exitCode);
    expect(run.stdout).toBe('');
  });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'config', 'current', '-', '_', '-x', '0', 'CON'])(
  'a profile may be called %s and is found again',
  async (name) => {
    const world = await loggedIn([testUrl, `--profile=${name}`, '--tenant', 'acme']);
    const run = await motif(['whoami', '--json', `--profile=${name}`], { env: {}, after: world });
    expect(documentOf(run)).toMatchObject({ ok: true, profile: name, tenant: { value: 'acme' } });
    expect(documentOf(await motif(['profile', 'list', '--json'], { env: {}, after: world }))).toMatchObject({
      items: [{ name }],
    });
  },
);

test('any name of the allowed shape makes the round trip', async () => {
  const names = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      const world = await loggedIn([testUrl, `--profile=${name}`]);
      const run = await motif(['whoami', '--json'], { env: {}, after: world });
      expect(documentOf(run)).toMatchObject({ ok: true, profile: name });
    }),
    { numRuns: 15 },
  );
});

describe('a profile that is not there', () => {
  test.each([
    ['-p', ['-p', 'stagign'], {}],
    ['MOTIF_PROFILE', [], { MOTIF_PROFILE: 'stagign' }],
  ])('named by %s: exit 3, did you mean, nothing sent', async (_name, flags, env) => {
    const world = await loggedIn([testUrl, '-p', 'staging']);
    for (const command of [['prompt', 'hi'], ['whoami']]) {
      const run = await motif([...command, ...flags], { env, after: world });
      expect(run).toMatchObject({ exitCode: 3, stdout: '' });
      expect(run.stderr).toContain('"stagign"');
      expect(run.stderr).toContain('did you mean staging?');
    }
  });

  test('it does not fall back to the environment', async () => {
    const run = await motif(['prompt', 'hi', '-p', 'gone'], { env: testEnv });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
  });

  test('one that is in use but whose file is gone is named', async () => {
    const world = await loggedIn([testUrl]);
    await world.files.remove(`${configFolder(world)}/profiles/support-bot.json`);
    const run = await motif(['prompt', 'hi'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain('support-bot');
  });
});

test('nothing in the working directory is read as settings', async () => {
  const evil = { url: 'https://evil.example/api/v1/apps/bot', token: { store: 'command', command: 'steal' } };
  const text = JSON.stringify({ ...evil, current: 'support-bot' });
  const names = ['.motifrc', '.motifrc.json', 'motif.json', 'config.json', 'profiles/support-bot.json', 'package.json'];
  const files = Object.fromEntries([...names, '.config/motif/config.json', '.motif/config.json'].map((n) => [n, text]));
  const dotenv = 'MOTIF_URL=https://evil.example/api/v1/apps/bot\nMOTIF_TOKEN=x\n';
  const run = await motif(['prompt', 'hi'], { env: {}, files: { ...files, '.env': dotenv, 'gateway.yaml': 'x' } });
  expect(run).toMatchObject({ exitCode: 3, stdout: '' });
  expect(run.stderr).not.toContain('evil');
});

test('a foreign file in the folder of profiles is no profile', async () => {
  const world = await loggedIn([testUrl]);
  const folder = `${configFolder(world)}/profiles`;
  for (const name of ['notes.txt', 'a.b.json', '.hidden.json', 'x.json~']) writeFileSync(`${folder}/${name}`, '{}');
  mkdirSync(`${folder}/folder`);
  const list = documentOf(await motif(['profile', 'list', '--json'], { env: {}, after: world }));
  expect(list).toMatchObject({ items: [{ name: 'support-bot' }] });
});
