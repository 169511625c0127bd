import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { configFolder, documentOf, loggedIn, logIn, profileFile } from '../../support/rooms/login.ts';
import { motif, testToken, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';

const good = JSON.stringify({ url: testUrl, token: { store: 'file' } });

/** Bodies of a profile file that is broken; each is named, and left byte for byte as it is. */
const brokenBodies: readonly [string, string | Uint8Array][] = [
  ['empty', ''],
  ['a blank', '  \n'],
  ['cut in the middle', good.slice(0, 20)],
  ['cut at the last brace', good.slice(0, -1)],
  ['one brace', '{'],
  ['garbage', 'not json at all'],
  ['YAML', 'url: https://gw.example\n'],
  ['null', 'null'],
  ['true', 'true'],
  ['a number', '1'],
  ['a text', '"support-bot"'],
  ['an array', '[1]'],
  ['an array of objects', '[{}]'],
  ['two documents', `${good}${good}`],
  ['a trailing comma', '{"url":"https://gw.example/api/v1/apps/bot",}'],
  ['a comment', `// mine\n${good}`],
  ['single quotes', "{'url':'x'}"],
  ['a duplicate key', '{"url":"https://gw.example/api/v1/apps/a","url":"https://evil.example/api/v1/apps/a"}'],
  ['UTF-16 LE', Buffer.from(`\ufeff${good}`, 'utf16le')],
  ['UTF-16 BE', Buffer.from(`\ufeff${good}`, 'utf16le').swap16()],
  ['UTF-8 that is none', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ['NUL bytes', Buffer.alloc(64)],
  ['too deep', '['.repeat(100_000)],
  ['too large', `{"url":"${'a'.repeat(2 * 1024 * 1024)}"}`],
  ['a url of a number', '{"url":1}'],
  ['a url of null', '{"url":null}'],
  ['a url that is none', '{"url":"gw.example"}'],
  ['a url of another version', '{"url":"https://gw.example/api/v2/apps/bot"}'],
  ['a url with a user', '{"url":"https://a@gw.example/api/v1/apps/bot"}'],
  ['a timeout that is none', `{"url":"${testUrl}","timeout":"soon"}`],
  ['a timeout of a number', `{"url":"${testUrl}","timeout":5}`],
  ['retries that are none', `{"url":"${testUrl}","retries":"many"}`],
  ['a tenant with a newline', `{"url":"${testUrl}","tenant":"a\\nb"}`],
  ['a token of a text', `{"url":"${testUrl}","token":"${testToken}"}`],
  ['a token of nowhere', `{"url":"${testUrl}","token":{"store":"cloud"}}`],
  ['a token id that climbs', `{"url":"${testUrl}","token":{"store":"file","id":"../../x"}}`],
  ['a token command of a number', `{"url":"${testUrl}","token":{"store":"command","command":1}}`],
  ['a token command that is empty', `{"url":"${testUrl}","token":{"store":"command","command":""}}`],
];

describe('a broken profile file is named, with what to do, and left as it is', () => {
  test.each(brokenBodies)('%s', async (_name, body) => {
    const world = await loggedIn([testUrl]);
    const path = profileFile(world, 'support-bot');
    writeFileSync(path, body);
    const uses = [
      ['prompt', 'hi'],
      ['whoami'],
      ['profile', 'show'],
      ['profile', 'set', 'tenant', 'x'],
      ['profile', 'rename', 'support-bot', 'x'],
      ['logout'],
      ['login', testUrl, '--token-stdin', '--force', '--no-verify'],
    ];
    for (const argv of uses) {
      const run = await motif(argv, { env: {}, after: world, stdin: argv[0] === 'login' ? testToken : '' });
      expect(run, argv.join(' ')).toMatchObject({ exitCode: 3, stdout: '' });
      expect(run.stderr).toContain(path);
      expect(run.stderr).toMatch(/\n {2}\S/);
      expect(run.stderr).not.toContain(testToken);
    }
    expect(readFileSync(path).equals(Buffer.from(body))).toBe(true);
  });

  test('--json says it as a document', async () => {
    const world = await loggedIn([testUrl]);
    writeFileSync(profileFile(world, 'support-bot'), '{');
    const run = await motif(['prompt', 'hi', '--json'], { env: {}, after: world });
    expect(run.exitCode).toBe(3);
    expect(documentOf(run)).toMatchObject({ ok: false, error: { kind: 'config', exit_code: 3 } });
  });

  test('it does not hide the other profiles', async () => {
    const world = await loggedIn([testUrl, '-p', 'broken'], [testUrl, '-p', 'whole']);
    writeFileSync(profileFile(world, 'broken'), '{');
    expect(await motif(['prompt', 'hi', '-p', 'whole'], { env: {}, after: world, ...service() })).toMatchObject({
      exitCode: 0,
    });
    const list = await motif(['profile', 'list'], { env: {}, after: world });
    expect(list.exitCode).toBe(3);
    expect(list.stdout).toContain('whole');
    expect(list.stdout).toContain('broken');
    expect(list.stderr).toContain(profileFile(world, 'broken'));
    const json = documentOf(await motif(['profile', 'list', '--json'], { env: {}, after: world }));
    expect(json).toMatchObject({
      ok: false,
      items: [
        { name: 'broken', url: null },
        { name: 'whole', url: testUrl },
      ],
    });
    expect(json.error).toMatchObject({ kind: 'config', exit_code: 3 });
  });

  test('another name logs in beside it', async () => {
    const world = await loggedIn([testUrl]);
    writeFileSync(profileFile(world, 'support-bot'), '{');
    const run = await logIn([testUrl, '-p', 'fresh', '--token-stdin', '--no-verify'], { after: world });
    expect(run.exitCode).toBe(0);
  });
});

describe('marks of editors are no damage', () => {
  test.each<[string, (text: string) => string]>([
    ['a byte order mark', (text) => `\ufeff${text}`],
    ['CRLF', (text) => JSON.stringify(JSON.parse(text), undefined, 2).replaceAll('\n', '\r\n')],
    ['a final newline', (text) => `${text}\n`],
    ['keys that this version does not know', (text) => text.replace('{', '{"colour":"blue",')],
  ])('%s', async (_name, edit) => {
    const world = await loggedIn([testUrl]);
    const path = profileFile(world, 'support-bot');
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
    const run = await motif(['prompt', 'hi'], { env: {}, after: world, ...service() });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

test.each(['__proto__', 'constructor', 'prototype'])('a hostile key %s lends nothing', async (key) => {
  const world = await loggedIn([testUrl]);
  const body = `{"${key}":{"tenant":"evil","timeout":"1ms","prototype":{"tenant":"evil"}},"url":"${testUrl}"}`;
  writeFileSync(profileFile(world, 'support-bot'), body);
  const run = await motif(['whoami', '--json'], { env: { MOTIF_TOKEN: testToken }, after: world });
  expect(run.stdout).not.toContain('evil');
  expect(run.stdout).not.toContain('"value":1,');
  expect(({} as Record<string, unknown>).tenant).toBeUndefined();
});

test('what a newer motif wrote is still there after this one wrote', async () => {
  const world = await loggedIn([testUrl]);
  const path = profileFile(world, 'support-bot');
  const newer = { colour: 'blue', nested: { deep: [1, 2] } };
  const stored = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...stored, ...newer }));
  expect((await motif(['profile', 'set', 'tenant', 'acme'], { env: {}, after: world })).exitCode).toBe(0);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...stored, ...newer, tenant: 'acme' });
});

describe('what is no file', () => {
  const makers: readonly [string, (path: string) => void][] = [
    ['a FIFO', (path) => void execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
    ['a link to a terminal', (path) => symlinkSync('/dev/tty', path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
    ['a link to a folder', (path) => symlinkSync('/tmp', path)],
  ];
  test.each(makers)('%s as a profile file is named at once', async (_name, make) => {
    const world = await loggedIn([testUrl]);
    const path = profileFile(world, 'support-bot');
    rmSync(path);
    make(path);
    const run = await motif(['prompt', 'hi'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain(path);
  });

  test.each(makers)('%s as config.json is named, and nobody waits', async (_name, make) => {
    const world = await loggedIn([testUrl]);
    const path = `${configFolder(world)}/config.json`;
    rmSync(path);
    make(path);
    const run = await motif(['prompt', 'hi'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain(path);
  });
});

test.each(['{', '[]', '"x"', '{"current":1}', '{"current":"../x"}', ''])(
  'a config.json of %j is named and left; -p goes round it',
  async (body) => {
    const world = await loggedIn([testUrl]);
    const path = `${configFolder(world)}/config.json`;
    writeFileSync(path, body);
    const run = await motif(['prompt', 'hi'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain(path);
    for (const argv of [
      ['profile', 'use', 'support-bot'],
      ['profile', 'rename', 'support-bot', 'other'],
      ['login', testUrl, '--token-stdin', '--force'],
      ['login', testUrl, '--token-stdin', '-p', 'fresh'],
      ['logout'],
      ['logout', 'support-bot'],
      ['profile', 'list'],
    ]) {
      const stopped = await motif(argv, { env: {}, after: world, stdin: testToken, ...service() });
      expect(stopped, argv.join(' ')).toMatchObject({ exitCode: 3, stdout: '' });
      expect(stopped.stderr).toContain(path);
    }
    expect(readFileSync(path, 'utf8')).toBe(body);
    expect(existsSync(profileFile(world, 'fresh'))).toBe(false);
    expect(await motif(['prompt', 'hi', '-p', 'support-bot'], { env: {}, after: world, ...service() })).toMatchObject({
      exitCode: 0,
    });
  },
);
