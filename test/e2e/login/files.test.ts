import {
  existsSync,
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asNobody, isRoot } from '../../support/processes/child.ts';
import { createHome, inMemory, loginWords } from '../../support/processes/home.ts';
import { filesBelow, filesHolding } from '../../support/rooms/login.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const token = 'mtf_canary_8Kd03JsQpXz1';
const env = { MOTIF_URL: 'https://gw.example/api/v1/apps/bot', MOTIF_TOKEN: token };

function foldersBelow(folder: string): readonly string[] {
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inside.flatMap(({ name }) => foldersBelow(join(folder, name)))];
}

describe('files 0600 and folders 0700, whatever the umask', () => {
  test.each(['000', '022', '077', '777'])('umask %s', async (umask) => {
    const { config, motif } = inMemory(createHome());
    const within = ['/bin/sh', '-c', `umask ${umask}; exec "$@"`, 'sh'];
    // With umask 777 the program could not enter folders whose mode it leaves to the umask.
    expect(await motif(loginWords('bot'), { input: token, within })).toMatchObject({ code: 0, stdout: '' });
    expect(await motif(['profile', 'set', 'timeout', '1m'], { within })).toMatchObject({ code: 0 });
    const modes = filesBelow(config).map(({ path, mode }) => [path, mode.toString(8)]);
    expect(modes.length).toBeGreaterThan(2);
    expect(modes).toEqual(modes.map(([path]) => [path, '600']));
    const folders = foldersBelow(config).map((path) => [path, (lstatSync(path).mode & 0o777).toString(8)]);
    expect(folders).toEqual(folders.map(([path]) => [path, '700']));
  });
});

describe('a home that cannot be written', () => {
  const homes: readonly [string, (home: string) => void][] = [
    ['is read-only', (home) => chmodSync(home, 0o555)],
    ['is missing', (home) => rmSync(home, { recursive: true })],
    ['nobody else may enter', (home) => chmodSync(home, 0)],
    ['is a file', (home) => (rmSync(home, { recursive: true }), writeFileSync(home, ''))],
  ];
  test.each(homes)('one that %s: login says what to do instead', async (_name, prepare) => {
    const { root, home, motif } = inMemory(createHome());
    chmodSync(root, 0o755);
    prepare(home);
    const run = await motif(loginWords('bot'), { input: token, within: asNobody });
    expect(run).toMatchObject({ code: 12, stdout: '' });
    expect(run.stderr).toContain('cannot save');
    expect(run.stderr).toContain('MOTIF_TOKEN');
    expect(run.stderr).not.toContain(token);
    expect(filesHolding(root, token)).toEqual([]);
  });

  test.each(homes)('one that %s: everything from the environment works', async (_name, prepare) => {
    const { root, home, motif } = inMemory(createHome());
    chmodSync(root, 0o755);
    prepare(home);
    const whoami = await motif(['whoami'], { env, within: asNobody });
    expect(whoami).toMatchObject({ code: 0, stderr: '' });
    expect(await motif(['prompt', '--dry-run', 'hi'], { env, within: asNobody })).toMatchObject({ code: 0 });
  });

  test('none named at all: everything from the environment works', async () => {
    const { motif } = inMemory(createHome());
    const within = ['env', '-u', 'HOME', ...asNobody];
    expect(await motif(['whoami'], { env, within })).toMatchObject({ code: 0, stderr: '' });
  });

  test('a read-only store is still read', async () => {
    const { config, motif } = inMemory(createHome());
    await motif(loginWords('bot'), { input: token });
    for (const folder of foldersBelow(config)) chmodSync(folder, 0o500);
    expect(await motif(['whoami'])).toMatchObject({ code: 0, stderr: '' });
    for (const folder of foldersBelow(config)) chmodSync(folder, 0o700);
  });
});

describe.runIf(isRoot)('a config folder that root owns since one sudo motif login', () => {
  const commands = [['whoami'], ['prompt', 'hi'], ['profile', 'list'], ['logout', '--all'], ['doctor']];

  test.each(commands.map((argv) => [argv.join(' '), argv]))('%s: exit 3, and how to get it back', async (_, argv) => {
    const { root, home, config, motif } = inMemory(createHome());
    for (const folder of [root, home]) chmodSync(folder, 0o755);
    await motif(loginWords('bot'), { input: token });
    const run = await motif(argv, { within: asNobody });
    expect(run.code).toBe(3);
    expect(run.stdout + run.stderr).toMatch(/motif\/profiles cannot be looked into: permission denied/);
    const [, owned] = /sudo chown -R "\$\(id -un\)" '?([^\n']*)/.exec(run.stdout + run.stderr) ?? [];
    expect(owned).toBe(config);
    for (const path of [
      join(config, '..'),
      config,
      ...filesBelow(config).map((file) => file.path),
      ...foldersBelow(config),
    ])
      chownSync(path, 65_534, 65_534);
    expect(await motif(['profile', 'list'], { within: asNobody })).toMatchObject({ code: 0 });
  });
});

describe('the token store', () => {
  function tokenFile(config: string): string {
    return filesHolding(config, token)[0] ?? 'no token was stored';
  }

  // Only root can give a file away.
  test.runIf(isRoot)('one that belongs to another user is refused', async () => {
    const { config, motif } = inMemory(createHome());
    await motif(loginWords('bot'), { input: token });
    const path = tokenFile(config);
    chownSync(path, 65_534, 65_534);
    const run = await motif(['prompt', 'hi', '--timeout', '2s']);
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toContain(path);
    expect(run.stderr).toContain('another user');
    expect(run.stderr).not.toContain(token);
  });

  test('a profile that is a link of one’s own is followed, and stays a link', async () => {
    const { root, config, motif } = inMemory(createHome());
    await motif(loginWords('bot'), { input: token });
    const profile = join(config, 'profiles/bot.json');
    const victim = join(root, 'dotfiles.json');
    writeFileSync(victim, readFileSync(profile), { mode: 0o600 });
    rmSync(profile);
    symlinkSync(victim, profile);
    expect(await motif(['whoami'])).toMatchObject({ code: 0 });
    expect(await motif(['profile', 'set', 'timeout', '77s'])).toMatchObject({ code: 0 });
    expect(lstatSync(profile).isSymbolicLink()).toBe(true);
    expect(readFileSync(victim, 'utf8')).toContain('77s');
    expect(await motif(loginWords('bot', '--force', '--tenant', 'acme'), { input: token })).toMatchObject({ code: 0 });
    expect(lstatSync(profile).isSymbolicLink()).toBe(true);
    expect(readFileSync(victim, 'utf8')).toContain('acme');
    expect(await motif(['profile', 'rename', 'bot', 'bot2'])).toMatchObject({ code: 0 });
    const renamed = join(config, 'profiles/bot2.json');
    expect(existsSync(profile)).toBe(false);
    expect(readlinkSync(renamed)).toBe(victim);
    expect(await motif(['whoami'])).toMatchObject({ code: 0 });
    rmSync(victim);
    const broken = await motif(['profile', 'list']);
    expect(broken.stderr).toContain(`${renamed} cannot be used: it is a link that leads nowhere`);
    expect(filesBelow(root).filter(({ path }) => path.includes('.staging'))).toEqual([]);
  });

  test('profiles in a folder of another file system, behind a link, are saved there', async () => {
    const { config, motif } = inMemory(createHome());
    const elsewhere = temporaryFolder('/dev/shm');
    mkdirSync(config, { recursive: true, mode: 0o700 });
    symlinkSync(elsewhere, join(config, 'profiles'));
    expect(await motif(loginWords('bot'), { input: token })).toMatchObject({ code: 0 });
    expect(await motif(['profile', 'set', 'timeout', '77s'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(elsewhere, 'bot.json'), 'utf8')).toContain('77s');
    expect(readdirSync(elsewhere)).toEqual(['bot.json']);
  });

  test('a token file given by --token-file is left as it was', async () => {
    const { root, motif } = inMemory(createHome());
    const path = join(root, 'token.txt');
    writeFileSync(path, `${token}\n`, { mode: 0o644 });
    const words = loginWords('bot').filter((word) => word !== '--token-stdin');
    expect(await motif([...words, '--token-file', path])).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).toBe(`${token}\n`);
    expect(lstatSync(path).mode & 0o777).toBe(0o644);
  });

  test.each(['profiles/bot.json', 'config.json', 'tokens'])('a FIFO as %s: nobody waits', async (name) => {
    const { config, motif } = inMemory(createHome());
    await motif(loginWords('bot'), { input: token });
    const path = name === 'tokens' ? tokenFile(config) : join(config, name);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    const run = await motif(['prompt', 'hi', '--timeout', '2s']);
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toContain(path);
  });
});

test('SNAP in the environment does not change how files are written', async () => {
  const { config, motif } = inMemory(createHome());
  expect(await motif(loginWords('bot'), { input: token, env: { SNAP: '/snap/motif/1' } })).toMatchObject({ code: 0 });
  const files = filesBelow(config);
  expect(files.map(({ mode }) => mode)).toEqual(files.map(() => 0o600));
});

test('the folder of profiles is a link of one’s own: it is followed', async () => {
  const { root, home, motif } = inMemory(createHome());
  mkdirSync(join(root, 'elsewhere'), { mode: 0o700 });
  mkdirSync(join(home, '.config'), { mode: 0o700 });
  symlinkSync(join(root, 'elsewhere'), join(home, '.config/motif'));
  expect(await motif(loginWords('bot'), { input: token })).toMatchObject({ code: 0 });
  expect(filesHolding(join(root, 'elsewhere'), token)).toHaveLength(1);
});
