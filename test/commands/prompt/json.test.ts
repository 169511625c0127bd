import { describe, expect, test } from 'vitest';
import { onTerminal, prompt, saying, usageError } from '../../support/rooms/prompt.ts';
import { answered, answering, blocked, refused, service } from '../../support/service.ts';

const keys = [
  'ok',
  'blocked',
  'response',
  'finish_reason',
  'prompt_id',
  'usage',
  'profile',
  'motif_id',
  'status',
  'attempts',
  'elapsed_ms',
  'error',
];
const errorKeys = ['kind', 'exit_code', 'message', 'code', 'detail', 'hint'];
const failure = { blocked: null, response: null, finish_reason: null, prompt_id: null, usage: null };

describe('--json prints one document, its keys in their order', () => {
  const cases = [
    { name: 'an answer', reply: service(), argv: [], exitCode: 0 },
    { name: 'a block', reply: service({ body: blocked }), argv: [], exitCode: 10 },
    { name: 'a rejection', reply: service({ status: 400, body: { error: 'x' } }), argv: [], exitCode: 4 },
    { name: 'no connection', reply: service(refused()), argv: ['--retries', '0'], exitCode: 6 },
    { name: 'a broken reply', reply: service({ body: '{' }), argv: [], exitCode: 5 },
    { name: 'an unknown flag', reply: service(), argv: ['--nope'], exitCode: 2 },
    { name: 'a bad value', reply: service(), argv: ['--timeout', 'soon'], exitCode: 2 },
    { name: 'no such profile', reply: service(), argv: ['-p', 'nobody'], exitCode: 3 },
    { name: 'a missing file', reply: service(), argv: ['-f', 'nope'], exitCode: 2 },
    { name: '--expect not met', reply: service(), argv: ['--expect', 'blocked'], exitCode: 1 },
    { name: 'something unforeseen', reply: service(new Error('boom')), argv: [], exitCode: 70 },
  ];
  test.each(cases)('$name', async ({ reply, argv, exitCode }) => {
    const run = await prompt(['hi', '--json', ...argv], {}, reply);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stdout).toMatch(/^\{[^\n]*\}\n$/);
    const document = JSON.parse(run.stdout) as Record<string, unknown>;
    expect(Object.keys(document)).toEqual(keys);
    if (document.error === null) return;
    expect(Object.keys(document.error as object)).toEqual(errorKeys);
    expect(document.error).toMatchObject({ exit_code: exitCode });
  });
});

describe('what the document says', () => {
  test('an answer', async () => {
    const run = await prompt(['hi', '--json']);
    expect(JSON.parse(run.stdout)).toEqual({
      ok: true,
      blocked: false,
      response: answered.response,
      finish_reason: 'stop',
      prompt_id: answered.prompt_id,
      usage: answered.usage,
      profile: null,
      motif_id: 'support-bot',
      status: 200,
      attempts: 1,
      elapsed_ms: expect.any(Number) as number,
      error: null,
    });
  });

  test('a block, even where the service sent text along', async () => {
    const run = await prompt(['hi', '--json'], {}, service({ body: { ...blocked, response: 'LEAK' } }));
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, blocked: true, response: null, error: null, status: 200 });
    expect(run.stdout + run.stderr).not.toContain('LEAK');
  });

  test('a block by a policy that could not judge has its code, and --field finds it', async () => {
    const unjudged = { body: { ...blocked, code: 'policy_failed' } };
    const run = await prompt(['hi', '--json'], {}, service(unjudged));
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, blocked: true, code: 'policy_failed' });
    const field = await prompt(['hi', '--field', 'code'], {}, service(unjudged));
    expect(field).toMatchObject({ exitCode: 10, stdout: 'policy_failed\n' });
  });

  test.each([
    { name: 'text', detail: 'the reason' },
    { name: 'an object', detail: { code: 7, inner: { list: [1, null] } } },
    { name: 'a list', detail: ['a', 1] },
    { name: 'a number', detail: 4 },
    { name: 'a truth', detail: true },
    { name: 'null', detail: null },
  ])('a failure keeps the error field of the service: $name', async ({ detail }) => {
    const run = await prompt(['hi', '--json'], {}, service({ status: 401, body: { error: detail } }));
    const document = JSON.parse(run.stdout) as { error: object };
    expect(document).toMatchObject({ ok: false, ...failure, motif_id: 'support-bot', status: 401, attempts: 1 });
    expect(document.error).toMatchObject({ kind: 'auth', exit_code: 8, detail, hint: saying('MOTIF_TOKEN') });
    expect(run.stderr).toEqual(saying('motif: ', '401', 'MOTIF_TOKEN'));
  });

  test('a failure without a reply has no status', async () => {
    const run = await prompt(['hi', '--json', '--retries', '1'], {}, service(refused()));
    expect(JSON.parse(run.stdout)).toMatchObject({ ...failure, status: null, attempts: 2, error: { kind: 'network' } });
  });

  test('an answer that cannot be written to its file is not lost', async () => {
    const run = await prompt(['hi', '--json', '-o', '/dev/full']);
    expect(run.exitCode).toBe(12);
    const document = JSON.parse(run.stdout) as object;
    expect(document).toMatchObject({ ok: false, response: answered.response, status: 200, error: { kind: 'io' } });
  });

  test('attempts and elapsed time count the waits', async () => {
    const reply = service({ status: 429, headers: { 'retry-after': '3' }, body: { error: 'slow down' } }, {});
    const run = await prompt(['hi', '--json'], {}, reply);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, attempts: 2, elapsed_ms: 3000 });
  });

  test.each([
    { name: 'no usage', usage: undefined, shown: null },
    {
      name: 'partial usage',
      usage: { total_tokens: 5 },
      shown: { prompt_tokens: null, completion_tokens: null, total_tokens: 5 },
    },
  ])('$name is null where unknown', async ({ usage, shown }) => {
    const run = await prompt(['hi', '--json'], {}, answering('Hi', { usage }));
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, usage: shown });
  });

  test('on a terminal nothing in it is obeyed, and nothing is lost', async () => {
    const hostile = 'a\u001b]52;c;x\u0007\u009b2J\u202e\u2028\u{e0041}\u007f\ud800é😀';
    const run = await prompt(['hi', '--json'], onTerminal, answering(hostile));
    expect(run.stdout.trimEnd()).not.toMatch(/[\0-\x1f\x7f-\x9f\u202e\u2028\ud800\u{e0041}]/u);
    expect(JSON.parse(run.stdout)).toMatchObject({ response: hostile });
  });
});

describe('--field prints one value, raw', () => {
  const reply = () => service({ status: 403, body: { error: { reason: 'why', list: ['a', { b: 'deep' }] } } });
  test.each([
    { path: 'response', stdout: 'Hello from the service\n' },
    { path: 'usage.total_tokens', stdout: '7\n' },
    { path: 'usage', stdout: '{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}\n' },
    { path: 'ok', stdout: 'true\n' },
    { path: 'blocked', stdout: 'false\n' },
    { path: 'status', stdout: '200\n' },
    { path: 'profile', stdout: '\n' },
    { path: 'error', stdout: '\n' },
    { path: 'error.kind', stdout: '\n' },
    { path: 'error.detail.any.thing', stdout: '\n' },
  ])('$path of an answer', async ({ path, stdout }) => {
    expect(await prompt(['hi', '--field', path])).toMatchObject({ exitCode: 0, stdout, stderr: '' });
  });

  test.each([
    { path: 'ok', stdout: 'false\n' },
    { path: 'blocked', stdout: '\n' },
    { path: 'response', stdout: '\n' },
    { path: 'error.kind', stdout: 'auth\n' },
    { path: 'error.exit_code', stdout: '8\n' },
    { path: 'error.detail.reason', stdout: 'why\n' },
    { path: 'error.detail.list', stdout: '["a",{"b":"deep"}]\n' },
    { path: 'error.detail.list.1.b', stdout: 'deep\n' },
    { path: 'error.detail.nothing', stdout: '\n' },
  ])('$path of a failure, with the exit code of the failure', async ({ path, stdout }) => {
    const run = await prompt(['hi', '--field', path], {}, reply());
    expect(run).toMatchObject({ exitCode: 8, stdout, stderr: saying('motif: ', '403') });
  });

  test.each([
    { path: 'blocked', stdout: 'true\n' },
    { path: 'ok', stdout: 'true\n' },
    { path: 'response', stdout: '\n' },
  ])('$path of a block, with 10', async ({ path, stdout }) => {
    const run = await prompt(['hi', '--field', path], {}, service({ body: blocked }));
    expect(run).toMatchObject({ exitCode: 10, stdout, stderr: saying('blocked by policy') });
  });

  test.each([
    'nope',
    'usage.tokens',
    'usage.total_tokens.x',
    'response.length',
    'error.stack',
    '',
    '.',
    'ok.',
    '__proto__',
    'constructor',
    'toString',
  ])('%j is refused before anything is sent', async (path) => {
    const run = await prompt(['hi', '--field', path]);
    expect(run).toMatchObject({ exitCode: 2, requests: [], stdout: '', stderr: saying('--field', 'motif help json') });
    expect(run.stdout.trim()).toBe('');
  });

  test('raw in a pipe, defused on a terminal', async () => {
    const hostile = 'a\u001b[2Jb';
    expect(await prompt(['hi', '--field', 'response'], {}, answering(hostile))).toMatchObject({
      stdout: `${hostile}\n`,
    });
    const shown = await prompt(['hi', '--field', 'response'], onTerminal, answering(hostile));
    expect(shown.stdout).not.toContain('\u001b');
  });
});

test.each([['--json'], ['--field', 'ok']])('-x beside %s needs a file for one of them', async (...flags) => {
  const run = await prompt(['hi', '-x', ...flags]);
  expect(run).toMatchObject({ exitCode: 2, requests: [], stderr: saying('-x', flags[0] ?? '', '-o FILE') });
});

test('two values of --field are a usage error, and one that is typed twice is not', async () => {
  const fields = (one: string, other: string) => ['hi', '--field', one, '--field', other];
  const two = await prompt(fields('response', 'prompt_id'), {}, answering('Hi'));
  expect(two).toMatchObject({ exitCode: 2, stdout: '' });
  expect(two.stderr).toBe('motif: --field can be given once\n  --json has all of them\n');
  expect(await prompt(fields('ok', 'ok'), {}, answering('Hi'))).toMatchObject({ exitCode: 0, stdout: 'true\n' });
});

test.each([
  { typed: 'usage.totl', meant: 'usage.total_tokens' },
  { typed: 'usage.tokens', meant: 'usage.prompt_tokens, usage.completion_tokens or usage.total_tokens' },
  { typed: 'usage.prompt_token', meant: 'usage.prompt_tokens' },
  { typed: 'error.detial', meant: 'error.detail' },
  { typed: 'respone', meant: 'response' },
])('--field $typed: did you mean $meant?', async ({ typed, meant }) => {
  const { stderr } = await prompt(['hi', '--field', typed], {}, answering('Hi'));
  expect(stderr).toContain(`did you mean ${meant}?`);
});

test('--json and --field together are a usage error', async () => {
  const { stdout: _, ...expected } = usageError('--json', '--field') as Record<string, unknown>;
  expect(await prompt(['hi', '--json', '--field', 'ok'])).toMatchObject(expected);
});
