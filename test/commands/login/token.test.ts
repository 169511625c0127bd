import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Child, ChildResult } from '../../../src/world/world.ts';
import { configFolder, filesBelow, filesHolding, loggedIn, logIn, tokenOf } from '../../support/rooms/login.ts';
import { motif, testToken, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';

const login = [testUrl, '--no-verify'] as const;

describe('where a token comes from', () => {
  test('--token-stdin drops the newline at the end', async () => {
    const asked = service();
    expect(await logIn([testUrl, '--token-stdin'], { stdin: `${testToken}\n`, ...asked })).toMatchObject({
      exitCode: 0,
    });
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
  });

  test.each([
    ['with a newline', `${testToken}\n`],
    ['with CRLF', `${testToken}\r\n`],
    ['without a newline', testToken],
    ['with spaces around it', `  ${testToken} \n`],
  ])('--token-file %s is read once', async (_name, text) => {
    const asked = service();
    const run = await logIn([testUrl, '--token-file', 'token.txt'], { files: { 'token.txt': text }, ...asked });
    expect(run.exitCode).toBe(0);
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
    writeFileSync(join(run.world.folder, 'token.txt'), 'changed_since_0123456789');
    const later = service();
    await motif(['prompt', 'hi'], { env: {}, after: run.world, ...later });
    expect(later.requests.map(tokenOf)).toEqual([testToken]);
  });

  test('--timeout bounds the token command as well', async () => {
    const run = (child: Child): ChildResult => {
      const isLate = child.timeoutMs !== undefined && child.timeoutMs < 60_000;
      return { code: null, stdout: '', stderr: '', failure: isLate ? 'timeout' : 'killed' };
    };
    const typed = ['--timeout', '2s', '--token-command', 'sleep 100'];
    const login2s = await logIn([...login, ...typed], { run });
    expect(login2s).toMatchObject({ exitCode: 7, stdout: '' });
    expect(login2s.stderr).toContain('did not end within 2 s');
    const ready = () => ({ code: 0, stdout: testToken, stderr: '' });
    const { world } = await logIn([...login, '--token-command', 'sleep 100', '--no-verify'], { run: ready });
    writeFileSync(join(world.folder, 'rows.txt'), 'hi\n');
    writeFileSync(join(world.folder, 'a.motif.yaml'), 'cases: [{ prompt: hi }]\n');
    for (const [argv, stdin] of [
      [['prompt', 'hi'], ''],
      [['batch', 'rows.txt', '-o', 'out.jsonl'], ''],
      [['check', 'a.motif.yaml'], ''],
      [['chat'], 'hi\n'],
    ] as const) {
      const late = await motif([...argv, '--timeout', '2s'], { env: {}, after: world, run, stdin });
      expect(late, argv[0]).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('within 2 s') });
    }
  });

  test('--token-command is stored and run when needed; its token is stored nowhere', async () => {
    const helper = { run: () => ({ code: 0, stdout: `${testToken}\n`, stderr: '' }) };
    const run = await logIn([...login, '--token-command', 'pass show motif'], helper);
    expect(run.exitCode).toBe(0);
    expect(filesHolding(run.world.home ?? '', testToken)).toEqual([]);
    const asked = service();
    const prompt = await motif(['prompt', 'hi'], { env: {}, after: run.world, ...helper, ...asked });
    expect(prompt.exitCode).toBe(0);
    expect(prompt.world.ran.map(({ args }) => args.join(' ')).join()).toContain('pass show motif');
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
  });

  test.each([
    ['fails', { code: 3, stdout: '', stderr: 'gpg: no secret key' }],
    ['prints nothing', { code: 0, stdout: '', stderr: '' }],
    ['prints two lines', { code: 0, stdout: 'one_0123456789\ntwo_0123456789\n', stderr: '' }],
  ])('a token command that %s is an error that saves nothing', async (_name, result) => {
    const run = await logIn([...login, '--token-command', 'pass show motif'], { run: () => result });
    expect([2, 3]).toContain(run.exitCode);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain('command');
    expect(run.stderr).not.toContain('two_0123456789');
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test('typed at a terminal it is not shown, and the terminal is put back', async () => {
    const run = await logIn(login, { stdin: { typed: [`${testToken}\r`] }, stderr: { columns: 200 } });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).not.toContain(testToken);
    expect(run.stderr).toContain('API definition');
    expect(run.world.modes).toEqual(['raw', 'cooked']);
    expect(filesHolding(run.world.home ?? '', testToken)).toHaveLength(1);
  });

  test('the line that says where things are is broken between words', async () => {
    const run = await logIn(login, { stdin: { typed: [`${testToken}\r`] }, stderr: { columns: 80 } });
    const guide = run.stderr.split('\n').slice(0, 2);
    expect(guide.join(' ')).toMatch(/^console > .* address and +token; settings shows the tenant$/);
    for (const row of guide) expect(row.length).toBeLessThanOrEqual(80);
  });

  test('address and token are both asked for at a terminal', async () => {
    const run = await logIn(['--no-verify'], {
      stdin: { typed: [`${testUrl}\n`, `${testToken}\r`] },
      stderr: { columns: 200 },
    });
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(run.stderr).toContain('profile support-bot');
  });

  test.each([
    ['Ctrl-C', '\u0003', { exitCode: undefined, signal: 'SIGINT' }],
    ['Ctrl-D', '\u0004', { exitCode: 2 }],
    ['just Enter', '\r', { exitCode: 2 }],
  ])('%s at the hidden prompt saves nothing and puts the terminal back', async (_name, keys, ending) => {
    const run = await logIn(login, { stdin: { typed: [keys] }, stderr: { columns: 200 } });
    expect(run).toMatchObject({ ...ending, stdout: '' });
    expect(run.world.modes).toEqual(['raw', 'cooked']);
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test('off a terminal without any: usage, and all three flags named', async () => {
    const run = await motif(['login', ...login], { env: {} });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    for (const flag of ['--token-stdin', '--token-file', '--token-command']) expect(run.stderr).toContain(flag);
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test.each([
    { name: 'the token', argv: login },
    { name: 'the address', argv: ['--no-verify'] },
  ])('no question goes into a file: where stderr is one, $name is not asked for', async ({ argv }) => {
    const run = await logIn(argv, { stdin: { typed: [`${testToken}\r`] } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).not.toMatch(/^Token|^Address/m);
    expect(run.world.modes).toEqual([]);
  });

  test('the question goes through a pipe, as into tee', async () => {
    const run = await logIn(login, { stdin: { typed: [`${testToken}\r`] }, stderr: { isPipe: true } });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toMatch(/^Token/m);
  });

  test('a pipe alone is not taken for a token: that needs --token-stdin', async () => {
    const run = await logIn(login, { stdin: testToken });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('--token-stdin');
  });

  test.each([
    [['--token-stdin', '--token-file', 'token.txt']],
    [['--token-stdin', '--token-command', 'pass']],
    [['--token-file', 'token.txt', '--token-command', 'pass']],
    [['--token-command', 'pass', '--token-store', 'file']],
    [['--token-stdin', '--token-store', 'cloud']],
    [['--token-stdin', '--token-store', '']],
  ])('%j is a usage error', async (flags) => {
    const run = await logIn([...login, ...flags], { files: { 'token.txt': testToken } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/^motif: .*--token/);
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test('--token-stdin at a terminal is a usage error, not a visible prompt', async () => {
    const run = await logIn([...login, '--token-stdin'], { stdin: { typed: [`${testToken}\n`] } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('--token-stdin');
  });
});

describe('a token that cannot be one is refused and never echoed', () => {
  const secret = 'SECRETPART_4Zq9Lw7Yb2';
  const bad: readonly [string, string | Uint8Array][] = [
    ['nothing', ''],
    ['a newline alone', '\n'],
    ['a newline inside', `${secret}\nX-Evil: 1`],
    ['CR inside', `${secret}\rX`],
    ['a NUL', `${secret}\0x`],
    ['a space inside', `${secret} x`],
    ['a tab inside', `${secret}\tx`],
    ['an escape', `${secret}\u001b[31m`],
    ['DEL', `${secret}\u007fx`],
    ['an umlaut', `${secret}ü`],
    ['a no-break space inside', `${secret}\u00a0x`],
    ['a zero-width space', `${secret}\u200bx`],
    ['a full-width letter', `${secret}ａ`],
    ['16 KiB and a byte', `${secret}${'a'.repeat(16 * 1024 + 1 - secret.length)}`],
    ['bytes that are no UTF-8', Buffer.from([...Buffer.from(secret), 0xff, 0xfe])],
    ['UTF-16', Buffer.from(secret, 'utf16le')],
  ];
  test.each(bad)('from stdin: %s', async (_name, stdin) => {
    const run = await logIn([testUrl, '--token-stdin'], { stdin });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/^motif: .*(token|stdin)/);
    expect(run.stderr).not.toContain('SECRETPART');
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test.each(bad)('from a file: %s', async (_name, text) => {
    const run = await logIn([testUrl, '--token-file', 'token.txt'], { files: { 'token.txt': text } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('token.txt');
    expect(run.stderr).not.toContain('SECRETPART');
  });

  const inVariables = bad.filter((row): row is [string, string] => typeof row[1] === 'string' && !/^\n?$/.test(row[1]));
  test.each(inVariables)('from MOTIF_TOKEN: %s', async (_name, text) => {
    const run = await motif(['prompt', 'hi'], { env: { MOTIF_URL: testUrl, MOTIF_TOKEN: text } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('MOTIF_TOKEN');
    expect(run.stderr).not.toContain('SECRETPART');
  });

  test('16 KiB is a token', async () => {
    const run = await logIn([...login, '--token-stdin'], { stdin: 'a'.repeat(16 * 1024) });
    expect(run.exitCode).toBe(0);
  });
});

describe('a token file that cannot be read', () => {
  test.each([
    ['is missing', '--token-file', 'nowhere.txt'],
    ['is a folder', '--token-file', '.'],
    ['is a device', '--token-file', '/dev/null'],
    ['never ends', '--token-file', '/dev/zero'],
  ])('one that %s', async (_name, flag, path) => {
    const run = await logIn([...login, flag, path]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(path);
    expect(run.stderr.trim().split('\n').length).toBeGreaterThan(0);
    expect(filesBelow(run.world.home ?? '')).toEqual([]);
  });

  test('MOTIF_TOKEN_FILE that is missing is named, and MOTIF_TOKEN goes before it', async () => {
    const env = { MOTIF_URL: testUrl, MOTIF_TOKEN_FILE: '/nowhere/token' };
    const run = await motif(['prompt', 'hi'], { env });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('/nowhere/token');
    const asked = service();
    expect(await motif(['prompt', 'hi'], { env: { ...env, MOTIF_TOKEN: testToken }, ...asked })).toMatchObject({
      exitCode: 0,
    });
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
  });
});

describe('the file store', () => {
  const storeOf = (home: string): string => filesHolding(home, testToken)[0] ?? 'no token was stored';

  test('one that others can read is mended, and the person is told', async () => {
    const world = await loggedIn([testUrl]);
    const path = storeOf(world.home ?? '');
    chmodSync(path, 0o644);
    const run = await motif(['prompt', 'hi'], { env: {}, after: world, ...service() });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Hello from the service\n' });
    expect(run.stderr).toContain(path);
    expect(run.stderr).toContain('0600');
    expect(filesBelow(configFolder(world)).find((file) => file.path === path)?.mode).toBe(0o600);
    const again = await motif(['prompt', 'hi'], { env: {}, after: world, ...service() });
    expect(again.stderr).not.toContain('0600');
  });

  test('a link in its place is refused', async () => {
    const world = await loggedIn([testUrl]);
    const path = storeOf(world.home ?? '');
    const moved = `${world.folder}/elsewhere.json`;
    writeFileSync(moved, filesBelow(configFolder(world)).find((file) => file.path === path)?.text ?? '');
    await world.files.remove(path);
    symlinkSync(moved, path);
    const run = await motif(['prompt', 'hi'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain(path);
    expect(run.stderr).toContain('motif login');
  });

  test.each([
    ['gone', undefined],
    ['empty', ''],
    ['not JSON', '{"token": '],
    ['null', 'null'],
    ['a bare text', '"token"'],
    ['without a token', '{}'],
    ['of a number', '{"origin":"https://gw.example","token":1}'],
    ['of another origin', `{"origin":"https://evil.example","token":"${testToken}"}`],
  ])('one that is %s is named, with what to type next; nothing is sent', async (_name, text) => {
    const world = await loggedIn([testUrl]);
    const path = storeOf(world.home ?? '');
    if (text === undefined) await world.files.remove(path);
    else writeFileSync(path, text);
    const run = await motif(['prompt', 'hi'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain(path);
    expect(run.stderr).toContain('motif login');
    expect(run.stderr).not.toContain(testToken);
  });
});
