import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configFolder, givenAway, loggedIn, profileFile } from '../../support/rooms/login.ts';
import { motif, testEnv, testToken, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';

const evil = JSON.stringify({ url: testUrl, token: { store: 'command', command: 'printf pwned_0123456789' } });

describe('a name never leaves the folder of the profiles', () => {
  test.each([
    { by: '-p', flags: ['-p', '../../work/evil'], env: {} },
    { by: 'MOTIF_PROFILE', flags: [], env: { MOTIF_PROFILE: '../../work/evil' } },
  ])('by $by, for prompt, whoami and doctor', async ({ by, flags, env }) => {
    const after = await loggedIn([testUrl]);
    const config = configFolder(after);
    writeFileSync(join(after.folder, 'evil.json'), evil);
    mkdirSync(join(config, 'work'));
    writeFileSync(join(config, 'work', 'evil.json'), evil);
    for (const command of [['prompt', 'hi'], ['whoami'], ['doctor']]) {
      const run = await motif([...command, ...flags], { after, env });
      expect(run.exitCode, command.join(' ')).toBe(2);
      expect(run.stdout + run.stderr).toContain(by);
      expect(run.world.ran).toEqual([]);
    }
  });
});

describe('what another user could have written is not obeyed', () => {
  test.each(['profile', 'config.json'])('a %s of another user', async (what) => {
    const after = await loggedIn([testUrl]);
    const path = what === 'profile' ? profileFile(after, 'support-bot') : join(configFolder(after), what);
    const run = await motif(['prompt', 'hi'], { after, env: {}, ...givenAway(path) });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain('belongs to another user');
    expect(run.stderr).toContain('sudo');
  });

  test.each([
    { what: 'the profile', at: 'profiles/support-bot.json', mode: 0o666 },
    { what: 'the folder of the profiles', at: 'profiles', mode: 0o770 },
    { what: 'config.json', at: 'config.json', mode: 0o620 },
    { what: 'the whole folder', at: '.', mode: 0o777 },
  ])('$what that others may change: named, with what mends it', async ({ at, mode }) => {
    const after = await loggedIn([testUrl]);
    const path = at === '.' ? configFolder(after) : join(configFolder(after), at);
    chmodSync(path, mode);
    const run = await motif(['prompt', 'hi'], { after, env: {} });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain(`chmod go-w '${path}'`);
    expect((await motif(['profile', 'show', 'support-bot'], { after, env: {} })).exitCode).toBe(
      at === 'config.json' ? 0 : 3,
    );
  });

  test('a profile that others may read holds no secret, and is used', async () => {
    const after = await loggedIn([testUrl]);
    chmodSync(configFolder(after), 0o755);
    chmodSync(profileFile(after, 'support-bot'), 0o644);
    expect(await motif(['prompt', 'hi'], { after, env: {}, ...service() })).toMatchObject({ exitCode: 0 });
  });
});

describe('the profile in use is lost or broken, and the environment has all that is needed', () => {
  const broken: readonly [string, (file: string) => void][] = [
    ['lost', (file) => rmSync(file)],
    ['broken', (file) => writeFileSync(file, '{')],
    ['open to others', (file) => chmodSync(file, 0o666)],
  ];

  test.each(broken)('%s: the run goes on without it, and says so', async (_name, spoil) => {
    const after = await loggedIn([testUrl]);
    spoil(profileFile(after, 'support-bot'));
    const asked = service();
    const env = { ...testEnv, MOTIF_TOKEN: `${testToken}2` };
    const run = await motif(['prompt', 'hi'], { after, env, ...asked });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Hello from the service\n' });
    expect(run.stderr).toContain('support-bot');
    expect(asked.requests).toHaveLength(1);
    const doctor = await motif(['whoami', '--json'], { after, env });
    expect(doctor.exitCode).toBe(0);
  });

  test.each(broken)('%s: without a token, or named by -p, it is a failure', async (_name, spoil) => {
    const after = await loggedIn([testUrl]);
    spoil(profileFile(after, 'support-bot'));
    expect(await motif(['prompt', 'hi'], { after, env: { MOTIF_URL: testUrl } })).toMatchObject({ exitCode: 3 });
    expect(await motif(['prompt', 'hi', '-p', 'support-bot'], { after, env: testEnv })).toMatchObject({ exitCode: 3 });
  });
});
