import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { configFolder, documentOf, loggedIn, logIn, profileFile } from '../support/rooms/login.ts';
import { motif, testEnv, testToken, testUrl } from '../support/motif.ts';
import { prompt, saying } from '../support/rooms/prompt.ts';
import { service } from '../support/service.ts';
import type { FakeWorld } from '../support/world.ts';

const two = [
  [testUrl, '-p', 'one'],
  [testUrl, '-p', 'two'],
] as const;
const unauthorized = service({ status: 401, body: { error: 'unauthorized' } });

describe('a token that is not accepted: what to do depends on where it came from', () => {
  test('a profile: log in to that profile', async () => {
    const after = await loggedIn([testUrl, '-p', 'stale']);
    const run = await motif(['prompt', 'hi'], { env: {}, after, send: unauthorized.send });
    expect(run).toMatchObject({ exitCode: 8, stderr: saying('profile stale; a new one: motif login -p stale') });
  });

  test('MOTIF_TOKEN: the variable', async () => {
    const run = await motif(['prompt', 'hi'], { send: unauthorized.send });
    expect(run).toMatchObject({ exitCode: 8, stderr: saying('MOTIF_TOKEN; set it again, or unset it') });
    expect(run.stderr).not.toContain('motif login');
  });

  test('MOTIF_TOKEN_FILE: the file', async () => {
    const run = await motif(['prompt', 'hi'], {
      env: { MOTIF_URL: testUrl, MOTIF_TOKEN_FILE: 'token.txt' },
      files: { 'token.txt': testToken },
      send: unauthorized.send,
    });
    expect(run).toMatchObject({ exitCode: 8, stderr: saying('MOTIF_TOKEN_FILE; put a new one into that file') });
  });
});

test('a service says of an expired token only that it is not accepted, so the words doubt its age and the address', async () => {
  const run = await motif(['prompt', 'hi'], { send: unauthorized.send });
  expect(run.stderr).toContain(
    'it may have expired or been revoked: the administrator can see that and make a new one (motif help tokens)',
  );
  expect(run.stderr).toContain('a wrong Motif ID gets the same answer: motif whoami shows the address that was asked');
});

test.each([401, 403])('at a login nothing is said of what is stored, for nothing is yet: %i', async (status) => {
  const run = await logIn([testUrl, '--token-stdin'], service({ status, body: { error: 'no' } }));
  expect(run.stderr).not.toMatch(/whoami|MOTIF_TENANT_ID|profile set/);
});

test('a login whose address may be wrong (404) stores the profile, and says how to mend its address', async () => {
  const run = await logIn([testUrl, '--token-stdin'], service({ status: 404, body: { error: 'no' } }));
  expect(run.exitCode).toBe(0);
  expect(run.stderr).not.toMatch(/whoami|MOTIF_TENANT_ID/);
  expect(run.stderr).toContain('another address on this host: motif profile set url ADDRESS -p support-bot; ');
});

test('a name that begins with a dash is told to go behind --', async () => {
  const run = await motif(['history', 'show', '-rf draft']);
  expect(run.stderr).toContain('a word that starts with - goes after --: motif history show -- WORD');
});

describe('after a login', () => {
  test('what is next is plain', async () => {
    const run = await logIn([testUrl, '--token-stdin'], service());
    expect(run.stderr).toContain('motif: next: motif prompt "Hello"\n');
  });

  test.each([
    [{ MOTIF_TOKEN: 'another_token_4567' }, 'unset MOTIF_TOKEN'],
    [{ MOTIF_URL: testUrl, MOTIF_TOKEN_FILE: '/token' }, 'unset MOTIF_URL MOTIF_TOKEN_FILE'],
    [{ MOTIF_PROFILE: 'other' }, 'unset MOTIF_PROFILE'],
  ])('with %j in the environment it is to unset that, or to name the profile', async (env, says) => {
    const run = await logIn([testUrl, '--token-stdin', '--no-verify'], { env });
    expect(run.stderr).toContain(`next: ${says}, or motif prompt -p support-bot "Hello"`);
  });

  test('a 404 is no acceptance: it is saved, and the address doubted', async () => {
    const run = await logIn([testUrl, '--token-stdin'], service({ status: 404, body: 'not found' }));
    expect(run).toMatchObject({ exitCode: 0, stderr: saying('saved, but the address answered 404: is it right?') });
    expect(run.stderr).not.toContain('accepts the token');
  });

  test('where the token goes is told after the check, and not at all where the service refuses it', async () => {
    let world: FakeWorld | undefined;
    let before = '';
    const run = await logIn([testUrl, '--token-stdin'], {
      prepare: (made) => void (world = made),
      async send(request, options) {
        before = world?.stderr.text ?? '';
        return service().send(request, options);
      },
    });
    expect([before, run.stderr].map((text) => text.includes('goes into'))).toEqual([false, true]);
    const refused = await logIn([testUrl, '--token-stdin'], unauthorized);
    expect(refused.stderr).not.toContain('goes into');
  });

  test('asked for the address and the token, a person is told once where both are', async () => {
    const run = await logIn(['--no-verify'], { stdin: { typed: [`${testUrl}\n`, `${testToken}\r`] } });
    expect(run.stderr.split('API definition')).toHaveLength(2);
  });

  test('a word too many is most likely a token', async () => {
    const run = await logIn([testUrl, 'q7Zt0pX2wK9r_hush']);
    expect(run).toMatchObject({ exitCode: 2, stderr: saying('too many arguments', '--token-stdin') });
    expect(run.stderr).not.toContain('hush');
  });
});

describe('profiles, but none in use', () => {
  test.each([['prompt', 'hi'], ['whoami'], ['doctor']])('%s names them', async (...argv) => {
    const after = await loggedIn(...two);
    const out = await motif(['logout'], { env: {}, after });
    expect(out.stderr).toContain('no profile is in use now; choose one: motif profile use NAME');
    const run = await motif(argv, { env: {}, after });
    expect(run.exitCode).toBe(3);
    expect(run.stdout + run.stderr).toEqual(saying('no profile is in use', 'motif profile use NAME', 'yours: one'));
  });

  test('logging out of another one, or of the last one, says nothing of it', async () => {
    const after = await loggedIn(...two);
    for (const name of ['one', 'two']) {
      expect((await motif(['logout', name], { env: {}, after })).stderr).not.toContain('in use now');
    }
  });

  test('profile show asks to choose, too', async () => {
    const after = await loggedIn(...two);
    await motif(['logout'], { env: {}, after });
    const run = await motif(['profile', 'show'], { env: {}, after });
    expect(run).toMatchObject({ exitCode: 3, stderr: saying('motif profile use NAME') });
  });
});

test.each([['prompt', 'hi'], ['whoami'], ['logout'], ['profile', 'show']])(
  'the profile in use is gone: %s names the file that names it',
  async (...argv) => {
    const after = await loggedIn([testUrl, '-p', 'lost']);
    rmSync(profileFile(after, 'lost'));
    const run = await motif(argv, { env: {}, after });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toEqual(
      saying('no profile lost', `${configFolder(after)}/config.json`, 'motif profile use NAME'),
    );
  },
);

test.each([
  [['profile', 'rename', 'one', 'a b'], 'motif profile rename OLD NEW'],
  [['profile', 'rename', 'o/e', 'x'], 'motif profile list'],
  [['profile', 'use', '../x'], 'motif profile list'],
  [['whoami', '--timeout', '5x'], '--timeout must be a duration such as 500ms, 20s or 5m; found "5x"'],
  [['whoami', '--timeout', '5x'], 'durations are written 500ms, 20s, 5m, 24h'],
  [['whoami', '--retries', 'lots'], 'found "lots"'],
  [['login', testUrl, '--timeout', '5x'], 'durations are written'],
  [['profile', 'set', 'timeout', '5x'], 'durations are written'],
])('%j says what to type instead', async (argv, says) => {
  const after = await loggedIn(...two);
  const run = await motif(argv, { env: {}, after });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(says);
});

test('a value that may be a secret is not echoed by the fault of a duration', async () => {
  const run = await motif(['whoami', '--timeout', 'q7Zt0pX2wK9r_hush'], { env: {} });
  expect(run).toMatchObject({ exitCode: 2, stderr: saying('--timeout must be a duration') });
  expect(run.stderr).not.toContain('hush');
});

describe('token commands and token files', () => {
  const command = [testUrl, '--no-verify', '--token-command', 'pass show motif'];

  test('several lines: it is the command that is to be mended', async () => {
    const run = await logIn(command, { run: () => ({ code: 0, stdout: 'one_0123456789\nlogin: ana\n', stderr: '' }) });
    expect(run).toMatchObject({ exitCode: 2, stderr: saying('line break', 'pass show motif | head -n 1') });
  });

  test.each([
    { stderr: { columns: 80 }, isSaid: true },
    { stderr: {}, isSaid: false },
  ])('a slow one is named on a terminal: $isSaid', async ({ stderr, isSaid }) => {
    const late = new Promise((resolve) => setTimeout(resolve, 5));
    const run = await logIn(command, {
      stderr,
      run: () => late.then(() => ({ code: 0, stdout: testToken, stderr: '' })),
    });
    expect(run.exitCode).toBe(0);
    expect(run.stderr.includes('waiting for the token command of profile support-bot')).toBe(isSaid);
  });

  test('a whole path starts at no working folder', async () => {
    const run = await motif(['prompt', 'hi', '-f', '/none/x'], { env: testEnv });
    expect(run.stderr).toContain('no such file or folder\n  check the name\n');
  });

  test.each([
    [['login', testUrl, '--token-file', 'none.txt'], {}, '--token-file: none.txt: '],
    [['prompt', 'hi'], { MOTIF_URL: testUrl, MOTIF_TOKEN_FILE: 'none.txt' }, 'MOTIF_TOKEN_FILE: none.txt: '],
    [['prompt', 'hi', '--cacert', 'none.txt'], testEnv, '--cacert: none.txt: '],
  ])('%j: which file, what is wrong, what to do', async (argv, env, says) => {
    const run = await motif(argv, { env });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`motif: ${says}no such file`);
    expect(run.stderr).toContain('check the name; without a / in front it is looked for in the working folder\n');
  });

  test.each([
    ['-t', ['prompt', '--demo', '-t', 'Classify: ']],
    ['-S', ['prompt', '--demo', '-S', 'Be brief', 'hi']],
    ['-t', ['batch', '--demo', '-t', 'Classify: ']],
  ])('%s with a text where a file belongs', async (flag, argv) => {
    const run = await motif(argv, argv[0] === 'batch' ? { stdin: 'a row\n' } : {});
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`${flag} takes the name of a file`);
  });
});

describe('what the service says', () => {
  test('a 2xx that is no JSON is quoted with its content type', async () => {
    const page = { body: '<html><title>Sign in\u001b[2J</title>', headers: { 'content-type': 'text/html' } };
    const run = await prompt(['hi'], {}, service(page));
    expect(run).toMatchObject({ exitCode: 5, stdout: '', stderr: saying('text/html', 'begins: "<html>', '\\u{1b}') });
  });

  test('what looks like JSON is not, for it may hold the text of a blocked answer', async () => {
    const run = await prompt(['hi'], {}, service({ body: ' {"blocked":true,"response":"HUSH' }));
    expect(run.exitCode).toBe(5);
    expect(run.stderr).not.toContain('HUSH');
  });

  test('a Retry-After beyond the deadline is said to be, one after the last attempt is not', async () => {
    const limited = (after: string) => service({ status: 429, headers: { 'retry-after': after }, body: {} });
    const late = await prompt(['hi', '--timeout', '20s'], {}, limited('1000'));
    expect(late).toMatchObject({
      exitCode: 9,
      stderr: saying('longer than the timeout of 20 s (--timeout); allow more time: --timeout 20m'),
    });
    const spent = await prompt(['hi', '--retries', '0'], {}, limited('10'));
    expect(spent).toMatchObject({
      exitCode: 9,
      stderr: saying('10 s, and retries are off (retries 0 from --retries)'),
    });
    expect(spent.stderr).not.toContain('longer');
  });
});

test('login --json after a 404 is what the contract calls accepted', async () => {
  const run = await logIn([testUrl, '--token-stdin', '--json'], service({ status: 404, body: 'x' }));
  expect(documentOf(run)).toMatchObject({ ok: true, verified: true });
});

test.each([
  [['How long can I return a kettle?'], 'to send a prompt: motif prompt "..."'],
  [['version'], 'motif --version'],
  [['prompt', 'hi', '--insecure'], '--cacert FILE'],
  [['prompt', 'hi', '-k'], '--cacert FILE'],
])('%j: the hint says what there is instead', async (argv, says) => {
  const run = await motif(argv);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(says);
  expect(run.stderr).not.toContain('kettle');
});

describe('lines for people on a narrow terminal', () => {
  const stderr = { columns: 40 };

  test('errors and notices are broken between words, and a pipe gets them whole', async () => {
    const failed = await motif(['prompt', 'hi'], { stderr, env: { NO_COLOR: '1' } });
    expect(failed.stderr.split('\n').filter((row) => row.length > 40)).toEqual([]);
    expect(failed.stderr).toMatch(/^motif: no Motif to ask: there is no\n {2}profile/);
    const noticed = await prompt(['hi'], { stderr, stdin: 'a\n', env: { ...testEnv, NO_COLOR: '1' } });
    expect(noticed.stderr).toContain('motif: added 1 line from stdin\n  (--no-stdin keeps it out)\n');
    expect((await motif(['prompt', 'hi'], { env: {} })).stderr).toContain('no profile and no MOTIF_URL\n');
  });
});

test.each([
  [['history', 'search'], 'motif help history search'],
  [['admin', 'try'], 'motif help admin try'],
  [['history', 'nothing'], 'motif help history'],
  [['profile', 'use', '--nothing'], 'motif help profile use'],
])('%j names the help of its verb', async (argv, help) => {
  const run = await motif(argv, { env: {} });
  expect(run.exitCode).toBe(2);
  expect(run.stderr.trimEnd().split('\n').at(-1)).toBe(`  ${help}`);
});

test.each([['hello'], ['-c', 'kettles']])('motif chat %s says where the word belongs', async (...words) => {
  const run = await motif(['chat', ...words], { env: {} });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('motif prompt sends one prompt, and --conversation goes on with a saved one\n');
});

test.each([['--json'], ['--field', 'ok']])('--curl beside %s is a usage error', async (...flags) => {
  expect(await motif(['prompt', 'hi', '--curl', ...flags])).toMatchObject({
    exitCode: 2,
    stderr: saying('--curl and'),
  });
});
