import { describe, expect, test } from 'vitest';
import { motif, testEnv, testToken, testUrl } from '../../support/motif.ts';
import { loggedIn } from '../../support/rooms/login.ts';
import { onTerminal, prompt, saying, sizeAlone, tokenOf, usageError } from '../../support/rooms/prompt.ts';

/** Nothing may be sent: without a service of its own, the world fails the test that sends. */
const show = (argv: readonly string[], setup = {}) => motif(['prompt', ...argv], setup);

describe.each([
  { flag: '--dry-run', said: sizeAlone },
  { flag: '--curl', said: '' },
])('$flag', ({ flag, said }) => {
  test('shows the request, and neither sends nor tells the token', async () => {
    const run = await show(['hi there', '-s', 'Be brief', flag, '--tenant', 'acme']);
    expect(run).toMatchObject({ exitCode: 0, stderr: said });
    expect(run.stdout).toEqual(
      saying(`${testUrl}/prompts`, 'x-service-tenant-id', 'acme', 'content-type', 'application/json'),
    );
    expect(run.stdout).toContain(
      '{"messages":[{"role":"system","content":"Be brief"},{"role":"user","content":"hi there"}]}',
    );
    expect(run.stdout).not.toContain(testToken);
    expect(run.stdout).not.toContain(testToken.slice(0, 12));
  });

  test.each([
    { name: 'no token', env: { MOTIF_URL: testUrl } },
    { name: 'a token file that is not there', env: { MOTIF_URL: testUrl, MOTIF_TOKEN_FILE: '/nonexistent/token' } },
  ])('needs no login: $name', async ({ env }) => {
    expect(await show(['hi', flag, '-q'], { env })).toMatchObject({ exitCode: 0, stderr: '', stdout: saying('hi') });
  });

  test('shows the trace context of the environment, and nothing that is none', async () => {
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect((await show(['hi', flag], { env: { ...testEnv, TRACEPARENT: trace } })).stdout).toContain(trace);
    const run = await show(['hi', flag], { env: { ...testEnv, TRACEPARENT: 'x\r\ny: z' } });
    expect(run.stdout).not.toMatch(/traceparent|y: z/);
  });

  test('where no Motif is known, the address is said to be a placeholder', async () => {
    const run = await show(['hi', flag], { env: {} });
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: saying('https://gateway.example/'),
      stderr: saying('placeholder'),
    });
    expect(await show(['hi', flag, '-q'], { env: {} })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('reads the pipe, files and templates as the real call does', async () => {
    const run = await show(['hi', flag, '-f', 'a.txt', '-t', 't.txt', '--var', 'n=1'], {
      stdin: 'piped\n',
      files: { 'a.txt': 'A\n', 't.txt': 'T${n}\n' },
    });
    expect(run).toMatchObject({ exitCode: 0, stdout: saying('"T1\\n\\nhi\\n\\nA\\n\\npiped"') });
  });

  test('nothing to send is a usage error here, too', async () => {
    expect(await prompt([flag])).toMatchObject(usageError('nothing to send'));
  });

  test('a hostile prompt is shown on a terminal, not obeyed', async () => {
    const run = await show(['a\u001b[2Jb\u202ec', flag], onTerminal);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).not.toMatch(/[\u001b\u202e]/);
  });

  test('a Motif ID is percent-encoded', async () => {
    const run = await show(['hi', flag, '--url', 'https://gw.example', '--motif', 'é%2F..']);
    expect(run).toMatchObject({ exitCode: 0, stdout: saying('https://gw.example/api/v1/apps/%C3%A9%252F../prompts') });
  });

  test.each(['a/b', '..', 'a b', 'a?b', 'a#b'])('a Motif ID that is %j is refused', async (id) => {
    const run = await prompt(['hi', flag, '--url', 'https://gw.example', '--motif', id]);
    expect(run).toMatchObject(usageError('--motif'));
  });
});

describe('--dry-run says how large the request is', () => {
  test.each([
    { name: 'one message', argv: ['hi'], setup: {}, says: '45 bytes in 1 message, about 1 token' },
    { name: 'two', argv: ['-s', 'Be brief', 'hi there'], setup: {}, says: '90 bytes in 2 messages, about 4 tokens' },
    { name: 'bytes, not letters', argv: ['ééééé'], setup: {}, says: '53 bytes in 1 message, about 3 tokens' },
    {
      name: 'the bytes that are sent, not those that a terminal shows',
      argv: ['ab\u202e'],
      setup: onTerminal,
      says: '48 bytes in 1 message, about 2 tokens',
    },
    {
      name: 'with a file',
      argv: ['-f', 'a.txt', 'hi'],
      setup: { files: { 'a.txt': 'a'.repeat(4000) } },
      says: '4,049 bytes in 1 message, about 1,001 tokens',
    },
  ])('$name', async ({ argv, setup, says }) => {
    const run = await show([...argv, '--dry-run'], setup);
    expect(run).toMatchObject({ exitCode: 0, stderr: `motif: ${says}; nothing was sent\n` });
    expect(await show([...argv, '--dry-run', '-q'], setup)).toMatchObject({ exitCode: 0, stderr: '' });
    const document = await show([...argv, '--dry-run', '--json'], setup);
    expect(document).toMatchObject({ exitCode: 0, stderr: '' });
    const { bytes } = JSON.parse(document.stdout) as { bytes: number };
    expect(says).toContain(`${bytes.toLocaleString('en')} bytes`);
  });
});

test('--dry-run --json is one document', async () => {
  const run = await show(['hi', '--dry-run', '--json']);
  expect(JSON.parse(run.stdout)).toMatchObject({
    ok: true,
    method: 'POST',
    url: `${testUrl}/prompts`,
    body: { messages: [{ role: 'user', content: 'hi' }] },
    error: null,
  });
  expect(run.stdout).not.toContain(testToken);
});

test('--dry-run shows what is sent: the same address, headers and body', async () => {
  const argv = ['hi', '--tenant', 'acme', '-s', 'é"\n'];
  const shown = JSON.parse((await show([...argv, '--dry-run', '--json'])).stdout) as Record<string, unknown>;
  const sent = await prompt(argv);
  const [request] = sent.requests;
  expect(shown.url).toBe(request?.url);
  expect(JSON.stringify(shown.body)).toBe(request?.body);
  expect(Object.keys(shown.headers as object).toSorted()).toEqual(Object.keys(request?.headers ?? {}).toSorted());
});

test('what is sent: one POST with a bearer token and no body beside the messages', async () => {
  const { requests } = await prompt(['hi'], { env: { ...testEnv, MOTIF_TENANT_ID: 'acme' } });
  expect(requests).toHaveLength(1);
  const [{ method, url, headers, json }] = requests as [(typeof requests)[0]];
  expect({ method, url, json }).toEqual({
    method: 'POST',
    url: `${testUrl}/prompts`,
    json: { messages: [{ role: 'user', content: 'hi' }] },
  });
  expect(tokenOf(requests[0])).toBe(testToken);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'x-service-tenant-id': 'acme',
  });
});

test('--dry-run and --curl together are a usage error', async () => {
  expect(await prompt(['hi', '--dry-run', '--curl'])).toMatchObject(usageError('--dry-run', '--curl'));
});

describe('--curl says that $MOTIF_TOKEN has to be set', () => {
  const stored = 'the token of profile staging is not printed';
  test.each([
    { name: 'a stored token', argv: [], env: {}, says: `motif: set MOTIF_TOKEN before you run this; ${stored}\n` },
    {
      name: 'a stored token and another one in the variable',
      argv: ['-p', 'staging'],
      env: { MOTIF_TOKEN: 'other_token_0123456789' },
      says: `motif: MOTIF_TOKEN holds another token: set it to the right one before you run this; ${stored}\n`,
    },
    { name: 'the variable', argv: [], env: testEnv, says: '' },
    {
      name: 'a token file',
      argv: [],
      env: { MOTIF_URL: testUrl, MOTIF_TOKEN_FILE: 'token' },
      says: 'motif: set MOTIF_TOKEN before you run this; the token of MOTIF_TOKEN_FILE is not printed\n',
    },
    {
      name: 'no token',
      argv: [],
      env: { MOTIF_URL: 'https://b.example/api/v1/apps/b' },
      says: 'motif: set MOTIF_TOKEN before you run this\n',
    },
  ])('$name', async ({ argv, env, says }) => {
    const after = await loggedIn([testUrl, '-p', 'staging']);
    const run = await show(['hi', '--curl', ...argv], { env, after });
    expect(run).toMatchObject({ exitCode: 0, stderr: says });
    expect(await show(['hi', '--curl', '-q', ...argv], { env, after })).toMatchObject({ stderr: '' });
    expect(await show(['hi', '--dry-run', ...argv], { env, after })).toMatchObject({ stderr: sizeAlone });
  });
});
