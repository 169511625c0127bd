import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesBelow, configFolder, loggedIn, logIn, profileFile } from '../../support/rooms/login.ts';
import { motif, testToken, testUrl } from '../../support/motif.ts';
import type { FakeWorld } from '../../support/world.ts';

type Held = Record<string, unknown>;
const held = (world: FakeWorld, name = 'support-bot'): Held =>
  JSON.parse(readFileSync(profileFile(world, name), 'utf8')) as Held;

const lock = async (world: FakeWorld, name = 'support-bot') => {
  const release = await world.files.lock(profileFile(world, name));
  if (release === undefined) throw new Error('somebody holds the lock');
  return release;
};

describe('two changes of one profile at once', () => {
  test('what is set while a login waits for its token is kept', async () => {
    const after = await loggedIn([testUrl]);
    async function* slowly() {
      const set = await motif(['profile', 'set', 'timeout', '77s'], { env: {}, after });
      expect(set.exitCode).toBe(0);
      yield 'second_token_0123456789';
    }
    const stdin = { chunks: slowly() };
    const run = await logIn([testUrl, '--force', '--no-verify', '--token-stdin'], { after, stdin, sleeps: 'held' });
    expect(run.exitCode).toBe(0);
    expect(held(after).timeout).toBe('77s');
  });

  test('profile set waits for a login that is writing, and changes what that one has left', async () => {
    const after = await loggedIn([testUrl]);
    const release = await lock(after);
    let waiting: FakeWorld | undefined;
    const prepare = (world: FakeWorld) => (waiting = world);
    const set = motif(['profile', 'set', 'timeout', '77s'], { env: {}, after, sleeps: 'held', prepare });
    while (waiting?.slept.length !== 1) await new Promise((next) => setImmediate(next));
    const token = { store: 'file', id: 'new' };
    writeFileSync(profileFile(after, 'support-bot'), JSON.stringify({ ...held(after), token }));
    release();
    await waiting.advance(1000);
    expect(await set).toMatchObject({ exitCode: 0 });
    expect(held(after)).toMatchObject({ timeout: '77s', token });
  });

  test.each([
    { argv: ['profile', 'set', 'timeout', '77s'] },
    { argv: ['profile', 'rename', 'support-bot', 'other'] },
    { argv: ['profile', 'rename', 'mine', 'support-bot'] },
    { argv: ['logout', 'support-bot'] },
    { argv: ['login', testUrl, '--force', '--no-verify', '--token-stdin'] },
  ])('$argv.0 $argv.1 gives up on one that stays busy, and changes nothing', async ({ argv }) => {
    const after = await loggedIn(['https://gw.example/api/v1/apps/mine'], [testUrl]);
    const release = await lock(after);
    const before = filesBelow(configFolder(after));
    const run = await motif(argv, { env: {}, after, stdin: testToken });
    expect(run).toMatchObject({ exitCode: 12, stdout: '' });
    expect(run.stderr).toContain('support-bot is busy');
    expect(filesBelow(configFolder(after))).toEqual(before);
    release();
    expect(filesBelow(configFolder(after)).filter(({ path }) => path.endsWith('.lock'))).toEqual([]);
  });
});

describe('a token command is bound to the origin it was given for', () => {
  const helper = { run: () => ({ code: 0, stdout: 'from_command_0123456789', stderr: '' }) };
  const login = [testUrl, '--no-verify', '--token-command', 'pass show motif'];

  test.each([['prompt', 'hi'], ['doctor']])('%s does not run it for an address that was edited in', async (...argv) => {
    const { world } = await logIn(login, helper);
    expect(held(world).token).toMatchObject({ store: 'command', origin: 'https://gw.example' });
    const edited = { ...held(world), url: 'https://evil.example/api/v1/apps/support-bot' };
    writeFileSync(profileFile(world, 'support-bot'), JSON.stringify(edited));
    const run = await motif(argv, {
      env: {},
      after: world,
      ...helper,
      probe: async () => Promise.reject(new Error('not here')),
    });
    expect(run.world.ran).toEqual([]);
    if (argv[0] === 'prompt') {
      expect(run).toMatchObject({ exitCode: 3, stdout: '' });
      expect(run.stderr).toContain('https://gw.example alone');
    }
  });

  test('one that was stored without an origin still works, and a rename keeps the origin', async () => {
    const { world } = await logIn(login, helper);
    writeFileSync(
      profileFile(world, 'support-bot'),
      JSON.stringify({ url: testUrl, token: { store: 'command', command: 'pass show motif' } }),
    );
    const shown = await motif(['whoami'], { env: {}, after: world });
    expect(shown.exitCode).toBe(0);
    await motif(['profile', 'rename', 'support-bot', 'other'], { env: {}, after: world });
    expect(held(world, 'other').token).toMatchObject({ command: 'pass show motif', origin: 'https://gw.example' });
  });
});
