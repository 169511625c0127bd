import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../src/errors.ts';
import { motif, testEnv, testToken } from '../../support/motif.ts';
import { prompt, saying } from '../../support/rooms/prompt.ts';
import { answered, blocked, refused, service } from '../../support/service.ts';

describe('every status has its exit code and its words', () => {
  test.each([
    { status: 300, exitCode: 5, says: ['redirect'] },
    { status: 304, exitCode: 5, says: ['304'] },
    { status: 400, exitCode: 4, says: ['rejected', '--dry-run'] },
    { status: 401, exitCode: 8, says: ['token', 'MOTIF_TOKEN; set it again, or unset it'] },
    { status: 402, exitCode: 4, says: [] },
    { status: 403, exitCode: 8, says: ['tenant', '--tenant', 'MOTIF_TENANT_ID'] },
    { status: 404, exitCode: 4, says: ['address', 'API definition'] },
    { status: 405, exitCode: 4, says: [] },
    { status: 408, exitCode: 7, says: ['try again'] },
    { status: 409, exitCode: 4, says: [] },
    { status: 413, exitCode: 4, says: ['too large'] },
    { status: 415, exitCode: 4, says: [] },
    { status: 422, exitCode: 4, says: [] },
    { status: 429, exitCode: 9, says: ['too many requests'] },
    { status: 431, exitCode: 4, says: [] },
    { status: 499, exitCode: 4, says: [] },
    { status: 500, exitCode: 5, says: ['service failed'] },
    { status: 501, exitCode: 5, says: [] },
    { status: 502, exitCode: 5, says: [] },
    { status: 503, exitCode: 5, says: [] },
    { status: 504, exitCode: 5, says: [] },
    { status: 599, exitCode: 5, says: [] },
    { status: 999, exitCode: 5, says: [] },
  ])('$status is $exitCode', async ({ status, exitCode, says }) => {
    const run = await prompt(['hi'], {}, service({ status, body: { error: 'the very reason' } }));
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toEqual(saying('motif: ', String(status), 'the very reason', 'support-bot', ...says));
    expect(run.stderr.split('\n').length).toBeGreaterThan(2);
    expect(run.stderr).not.toContain(testToken);
  });

  test('a 403 where a tenant was sent does not ask for one', async () => {
    const reply = service({ status: 403, body: { error: 'no' } });
    const run = await prompt(['hi', '--tenant', 'acme'], {}, reply);
    expect(run).toMatchObject({ exitCode: 8, stderr: saying('tenant') });
    expect(run.stderr).not.toContain('send a tenant');
    expect(run.stderr).toContain('which came from --tenant');
    const env = { ...testEnv, MOTIF_TENANT_ID: 'acme' };
    expect((await prompt(['hi'], { env }, reply)).stderr).toContain('which came from MOTIF_TENANT_ID');
  });

  test.each([301, 302, 303, 307, 308])('%i is not followed, and its target is shown', async (status) => {
    const reply = service({ status, body: '', headers: { location: 'https://other.example/login?next=1' } });
    const run = await prompt(['hi'], {}, reply);
    expect(run).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: saying(String(status), 'https://other.example/login'),
    });
    expect(run.requests).toHaveLength(1);
  });

  test('a redirect without a target is a failure all the same', async () => {
    const run = await prompt(['hi'], {}, service({ status: 302, body: '' }));
    expect(run).toMatchObject({ exitCode: 5, stdout: '', stderr: saying('302') });
    expect(run.stderr).not.toContain('undefined');
  });
});

describe('what the service said is quoted, whatever it is', () => {
  test.each([
    { name: 'error as text', body: { error: 'plain words' }, says: 'plain words' },
    {
      name: 'error as an object with a message',
      body: { error: { message: 'inner words', code: 3 } },
      says: 'inner words',
    },
    { name: 'error as another object', body: { error: { reason: 'other words' } }, says: 'other words' },
    { name: 'error as a list', body: { error: ['first', 2] }, says: 'first' },
    { name: 'error as a number', body: { error: 4711 }, says: '4711' },
    { name: 'another object', body: { message: 'not in error' }, says: 'not in error' },
    { name: 'an HTML page', body: '<html><body><h1>502 Bad Gateway</h1></body></html>', says: '502 Bad Gateway' },
    { name: 'plain text', body: 'upstream connect error', says: 'upstream connect error' },
    { name: 'truncated JSON', body: '{"error":"cut o', says: 'cut o' },
  ])('$name', async ({ body, says }) => {
    const run = await prompt(['hi'], {}, service({ status: 502, body }));
    expect(run).toMatchObject({ exitCode: 5, stdout: '', stderr: saying('502', says) });
    expect(run.stderr).not.toContain('[object');
  });

  test.each([
    { name: 'an empty body', body: '' },
    { name: 'blanks', body: ' \n ' },
    { name: 'error null', body: { error: null } },
    { name: 'error empty', body: { error: '' } },
    { name: 'bytes that are no text', body: new Uint8Array([0xff, 0xfe, 0x00, 0x80]) },
    { name: 'JSON nested without end', body: '['.repeat(100_000) },
  ])('$name: the status alone has to do', async ({ body }) => {
    const run = await prompt(['hi'], {}, service({ status: 500, body }));
    expect(run).toMatchObject({ exitCode: 5, stdout: '', stderr: saying('motif: ', '500') });
    expect(run.stderr).not.toMatch(/undefined|null/);
  });

  test('at most 300 characters of it, on one line', async () => {
    const run = await prompt(['hi'], {}, service({ status: 500, body: `<html>${'word\n'.repeat(100_000)}` }));
    expect(run.exitCode).toBe(5);
    expect(run.stderr.length).toBeLessThan(1000);
    expect(run.stderr.split('\n').length).toBeLessThan(8);
  });

  test('a service that sends the token back does not get it printed', async () => {
    const body = { error: `bad token ${testToken}` };
    for (const flags of [[], ['--json'], ['--field', 'error.detail'], ['--debug']]) {
      const run = await prompt(['hi', ...flags], {}, service({ status: 401, body }));
      expect(run.exitCode).toBe(8);
      expect(run.stdout + run.stderr).not.toContain(testToken);
    }
  });
});

describe('a 2xx outside the contract is 5, and nothing of it is shown as an answer', () => {
  const text = 'LEAK';
  test.each([
    { name: 'an empty body', body: '', says: 'empty' },
    { name: 'truncated JSON', body: `{"blocked":false,"response":"${text}`, says: 'JSON' },
    { name: 'a captive portal', body: `<html>${text}</html>`, says: 'JSON' },
    { name: 'null', body: 'null', says: 'object' },
    { name: 'a list', body: `["${text}"]`, says: 'object' },
    { name: 'text', body: `"${text}"`, says: 'object' },
    { name: 'no field blocked', body: { ...answered, blocked: undefined, response: text }, says: 'blocked' },
    { name: 'blocked twice', body: `{"blocked":true,"blocked":false,"response":"${text}"}`, says: 'blocked' },
    {
      name: 'blocked twice, the same',
      body: `{"blocked":false,"response":"${text}","blocked":false}`,
      says: 'blocked',
    },
    {
      name: 'blocked twice, once in disguise',
      body: `{"blocked":true,"\\u0062locked":false,"response":"${text}"}`,
      says: 'blocked',
    },
    ...['false', 0, 1, null, {}, [], ''].map((value) => ({
      name: `blocked as ${JSON.stringify(value)}`,
      body: { ...answered, blocked: value, response: text } as object,
      says: 'blocked',
    })),
    { name: 'not blocked, and no response', body: { blocked: false }, says: 'response' },
    { name: 'response as an object', body: { ...answered, response: { text } }, says: 'response' },
    { name: 'response as null', body: { ...answered, response: null }, says: 'response' },
    {
      name: 'invalid UTF-8',
      body: Buffer.from(`{"blocked":false,"response":"${text}\xff"}`, 'latin1'),
      says: 'UTF-8',
    },
    {
      name: 'nesting without end',
      body: `{"blocked":false,"response":"${text}","x":${'['.repeat(100_000)}`,
      says: 'JSON',
    },
    { name: 'two documents', body: `{"blocked":false,"response":"${text}"}{"blocked":true}`, says: 'JSON' },
    { name: 'a NaN', body: `{"blocked":false,"response":"${text}","usage":NaN}`, says: 'JSON' },
  ])('$name', async ({ body, says }) => {
    const run = await prompt(['hi', '-u'], {}, service({ body }));
    expect(run).toMatchObject({ exitCode: 5, stdout: '', stderr: saying('motif: ', '200', says, 'address') });
    const asJson = await prompt(['hi', '--json'], {}, service({ body }));
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      ok: false,
      blocked: null,
      response: null,
      error: { kind: 'service' },
    });
    expect(asJson.stdout).not.toContain(text);
  });

  test.each([
    { name: 'any other 2xx', reply: { status: 201 } },
    { name: 'another content type', reply: { headers: { 'content-type': 'text/html' } } },
    { name: 'a byte order mark', reply: { body: `\ufeff${JSON.stringify(answered)}` } },
    { name: 'unknown fields', reply: { body: { ...answered, model: 'x', choices: [{}] } } },
    {
      name: '__proto__',
      reply: { body: `{"__proto__":{"blocked":true},${JSON.stringify(answered).slice(1)}` },
    },
    {
      name: 'usage that makes no sense',
      reply: {
        body: `{"usage":{"prompt_tokens":-1,"completion_tokens":"3","total_tokens":1e999},"blocked":false,"response":"${answered.response}"}`,
      },
    },
  ])('$name is an answer', async ({ reply }) => {
    expect(await prompt(['hi'], {}, service(reply))).toMatchObject({ exitCode: 0, stdout: `${answered.response}\n` });
    expect({}).not.toHaveProperty('blocked');
  });
});

describe('a reply that never came', () => {
  const gone = (kind: 'network' | 'timeout' | 'service') =>
    new TransportError(kind, 'the answer was cut off', { layer: 'http', sent: true, hint: 'what to do' });
  test.each([
    { kind: 'network', exitCode: 6 },
    { kind: 'timeout', exitCode: 7 },
    { kind: 'service', exitCode: 5 },
  ] as const)('$kind: $exitCode, asked once, with the words of the transport', async ({ kind, exitCode }) => {
    const run = await prompt(['hi'], {}, service(gone(kind)));
    expect(run).toMatchObject({ exitCode, stdout: '', stderr: saying('the answer was cut off', 'what to do') });
    expect(run.requests).toHaveLength(1);
  });

  test('where the prompt may have run all the same, that is said', async () => {
    const lost = new TransportError('network', 'closed', { layer: 'http', sent: true, isReplyLost: true });
    expect((await prompt(['hi'], {}, service(lost))).stderr).toContain('may have worked on the prompt');
    expect((await prompt(['hi'], {}, service(gone('network')))).stderr).not.toContain('may have worked');
  });

  test('a refused connection is tried again, and then 6', async () => {
    const run = await prompt(['hi'], {}, service(refused()));
    expect(run).toMatchObject({ exitCode: 6, stdout: '', stderr: saying('connection refused') });
    expect(run.requests).toHaveLength(3);
  });
});

const gateway = `tenant: acme
listen: { host: 127.0.0.1, port: 8080 }
providers: { mock: { kind: mock } }
policies: { no-pii: { kind: pii } }
motifs: { bot: { provider: mock, policies: [no-pii] } }
`;

describe('a block', () => {
  const words = 'Ask Ana (ana@acme.example)\nor read the policy.';
  test.each([
    { name: 'the flag', argv: ['--blocked-notice', words], env: {} },
    { name: 'the environment', argv: [], env: { MOTIF_BLOCKED_NOTICE: words } },
    {
      name: 'the flag before the environment',
      argv: ['--blocked-notice', words],
      env: { MOTIF_BLOCKED_NOTICE: 'else' },
    },
  ])("the organization's own words follow it: $name, also with -q", async ({ argv, env }) => {
    const all = { MOTIF_URL: 'https://gw.example/api/v1/apps/support-bot', MOTIF_TOKEN: testToken, ...env };
    const why = `your administrator can see why with this prompt_id; what now: motif help blocked\n`;
    for (const [quiet, next] of [
      [[], why],
      [['-q'], ''],
    ] as const) {
      const run = await prompt(['hi', ...argv, ...quiet], { env: all }, service({ body: blocked }));
      const line = `motif: blocked by policy (motif support-bot, finish_reason blocked, prompt_id ${blocked.prompt_id})\n`;
      expect(run).toMatchObject({ exitCode: 10, stdout: '', stderr: `${line}${words}\n${next}` });
    }
  });

  test.each([
    { name: '--demo', argv: ['--demo'], says: 'see why: motif admin try --demo TEXT; what now: motif help blocked\n' },
    {
      name: '--local',
      argv: ['--local', 'my gateway.yaml'],
      says: "see why: motif admin try -c 'my gateway.yaml' --motif bot TEXT; what now: motif help blocked\n",
    },
  ])(
    '$name: says which command tells why',
    async ({ argv, says }) => {
      const card = 'My card is 4111 1111 1111 1111';
      const run = await motif(['prompt', ...argv, card], { env: {}, files: { 'my gateway.yaml': gateway } });
      expect(run).toMatchObject({ exitCode: 10, stdout: '', stderr: saying(says) });
      expect(run.stderr.endsWith(says)).toBe(true);
      // The first of them loads the whole gateway, which takes its time on a busy machine.
    },
    30_000,
  );

  test.each([{ response: 'LEAK' }, { response: { text: 'LEAK' } }, { response: ['LEAK'], finish_reason: 'stop' }])(
    'never yields text: %j',
    async (fields) => {
      const body = { ...blocked, ...fields };
      for (const flags of [
        [],
        ['--json'],
        ['--field', 'response'],
        ['-x'],
        ['-o', 'out.md'],
        ['--expect', 'any'],
        ['-v', '-u'],
      ]) {
        const run = await prompt(['hi', ...flags], {}, service({ body }));
        expect(run.exitCode).toBe(flags.includes('--expect') ? 0 : 10);
        expect(run.stdout + run.stderr).not.toContain('LEAK');
        expect(await run.world.files.info('out.md')).toBeUndefined();
      }
    },
  );

  test('that names nothing is a block all the same', async () => {
    const run = await prompt(['hi'], {}, service({ body: { blocked: true } }));
    expect(run).toMatchObject({ exitCode: 10, stdout: '', stderr: saying('blocked by policy') });
    expect(run.stderr).not.toMatch(/undefined|null/);
  });
});
