import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerOf, block, chatService, homeFor, never } from '../../../support/servers/chat-service.ts';
import { shell, start } from '../../../support/processes/child.ts';
import { say } from '../../../support/rooms/conversation-files.ts';
import { createHome, inMemory } from '../../../support/processes/home.ts';
import { program, startMotif } from '../../../support/processes/program.ts';
import { answered } from '../../../support/service.ts';

const documentKeys = [
  'attempts',
  'blocked',
  'elapsed_ms',
  'error',
  'finish_reason',
  'motif_id',
  'ok',
  'profile',
  'prompt_id',
  'response',
  'status',
  'usage',
];

function documents(stdout: string): readonly Record<string, unknown>[] {
  expect(stdout.endsWith('\n')).toBe(true);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a chat without a terminal: one stdin line, one turn', () => {
  test('each turn is sent with all before it; stdout has the answers and nothing else', async () => {
    const service = await chatService();
    const run = await say(homeFor(service), ['one', 'two', 'three'], '-s', 'Be brief.');
    expect(run).toMatchObject({ code: 0, stdout: 'Heard: one\nHeard: two\nHeard: three\n' });
    const system = { role: 'system', content: 'Be brief.' };
    const turn = (text: string) => [
      { role: 'user', content: text },
      { role: 'assistant', content: `Heard: ${text}` },
    ];
    expect(service.messages()).toEqual([
      [system, { role: 'user', content: 'one' }],
      [system, ...turn('one'), { role: 'user', content: 'two' }],
      [system, ...turn('one'), ...turn('two'), { role: 'user', content: 'three' }],
    ]);
  });

  test.each([
    ['blank lines and lines of blanks', 'one\n\n   \n\t\ntwo\n', ['one', 'two']],
    ['no newline at the end', 'one\ntwo', ['one', 'two']],
    ['CRLF', 'one\r\ntwo\r\n', ['one', 'two']],
    ['a byte order mark', '\ufeffone\ntwo\n', ['one', 'two']],
    ['wide and joined characters', '日本語 👩\u200d👩\u200d👧 é\n', ['日本語 👩\u200d👩\u200d👧 é']],
    ['a trailing backslash, which is a line of its own here', 'one\\\ntwo\n', ['one\\', 'two']],
    ['a line that looks like a flag', '--json\n-x\n', ['--json', '-x']],
  ])('%s', async (_name, input, texts) => {
    const service = await chatService();
    const run = await homeFor(service).motif(['chat'], { input });
    expect(run).toMatchObject({ code: 0 });
    expect(service.texts()).toEqual(texts);
  });

  test('a line of a megabyte is one turn; one beyond the cap of prompts is none', async () => {
    const service = await chatService(() => 'ok');
    const home = homeFor(service);
    const long = 'lorem '.repeat(180_000).trim();
    expect(await say(home, [long], '--no-save')).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(service.texts()).toEqual([long]);
    const beyond = await say(home, ['x'.repeat(17 * 1024 * 1024)], '--no-save');
    expect(beyond.code).toBe(2);
    expect(beyond.stderr).toContain('16 MiB');
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ['a NUL', Buffer.from('one\0two\n')],
    ['bytes that are no UTF-8', Buffer.from([0x68, 0x69, 0xff, 0xfe, 0x0a])],
    ['half a character at the end', Buffer.from([0x68, 0x69, 0xe2, 0x82])],
  ])('%s is refused, nothing is sent', async (_name, input) => {
    const service = await chatService();
    const run = await start(program[0] ?? '', [...program.slice(1), 'chat'], { env: homeFor(service).env, input })
      .ended;
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/^motif: /m);
    expect(service.requests).toEqual([]);
  });

  test('nothing on stdin, or a device there, sends nothing and ends', async () => {
    const service = await chatService();
    const home = homeFor(service);
    expect([0, 2]).toContain((await home.motif(['chat'], { input: '' })).code);
    const device = await start('/bin/sh', ['-c', 'exec "$@" < /dev/null', 'sh', ...program, 'chat'], { env: home.env })
      .ended;
    expect([0, 2]).toContain(device.code);
    expect(service.requests).toEqual([]);
  });

  test('a program can talk: each answer comes before the next line is written', async () => {
    const service = await chatService();
    const run = startMotif(['chat'], { env: homeFor(service).env, input: null });
    for (const text of ['one', 'two', 'three']) {
      run.process.stdin?.write(`${text}\n`);
      await run.says(`Heard: ${text}\n`);
    }
    run.process.stdin?.end();
    expect(await run.ended).toMatchObject({ code: 0 });
  });

  test('an answer reaches a pipe byte for byte', async () => {
    const answer = '**bold** \u001b[31mred\u0007\r\n\n\u202eabc\u0000\u009b2J\n';
    const service = await chatService(() => answer);
    expect(await say(homeFor(service), ['one'])).toMatchObject({ code: 0, stdout: answer });
  });

  test('an answer that was cut is named, on stderr', async () => {
    const service = await chatService(() => ({ body: { ...answered, finish_reason: 'length' } }));
    const run = await say(homeFor(service), ['one']);
    expect(run).toMatchObject({ code: 0, stdout: `${answered.response}\n` });
    expect(run.stderr).toContain('length');
  });

  test('a closed stdout ends it quietly with 0', async () => {
    const service = await chatService(() => 'x'.repeat(200_000));
    const { env } = homeFor(service);
    const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const line = 'yes hello | head -n 50 | { env "$@"; echo "code $?" >&2; } | head -c 10 > /dev/null';
    const run = await shell(line, ...words, ...program, 'chat', '--no-save');
    expect(run.stderr).toContain('code 0\n');
    expect(run.stderr).not.toMatch(/EPIPE|cannot| at /);
    expect(service.requests.length).toBeLessThan(50);
  });
});

describe('--json: one document a turn', () => {
  test('answers, a block and a failure have exactly the keys of prompt', async () => {
    const service = await chatService(
      (_text, turn) => [block, { status: 401, body: { error: { why: 'no' } } }][turn - 2] ?? 'hi\nthere',
    );
    const run = await say(homeFor(service), ['one', 'two', 'three', 'four'], '--json');
    expect(run.code).toBe(8);
    const [first, second, third, ...more] = documents(run.stdout);
    expect(more).toEqual([]);
    for (const document of [first, second, third]) expect(Object.keys(document ?? {}).sort()).toEqual(documentKeys);
    expect(first).toMatchObject({
      ok: true,
      blocked: false,
      response: 'hi\nthere',
      finish_reason: 'stop',
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      profile: null,
      motif_id: 'support-bot',
      status: 200,
      attempts: 1,
      error: null,
    });
    expect(second).toMatchObject({ ok: true, blocked: true, response: null, finish_reason: 'blocked', error: null });
    expect(third).toMatchObject({
      ok: false,
      blocked: null,
      response: null,
      error: { kind: 'auth', exit_code: 8, detail: { why: 'no' } },
    });
    expect(service.requests).toHaveLength(3);
  });

  test('commands put nothing else on stdout', async () => {
    const service = await chatService();
    const lines = [
      '/help',
      'one',
      '/messages',
      '/usage',
      '/nonsense',
      '/title A title',
      '/profile',
      'two',
      '/exit',
      'three',
    ];
    const run = await say(homeFor(service), lines, '--json');
    expect(documents(run.stdout).filter((document) => typeof document.response === 'string')).toHaveLength(
      service.requests.length,
    );
    expect(service.texts()).not.toContain('three');
  });
});

describe('how it ends', () => {
  const failures: readonly (readonly [string, object, number])[] = [
    ['400', { status: 400, body: { error: 'no' } }, 4],
    ['401', { status: 401, body: { error: 'no' } }, 8],
    ['403', { status: 403, body: { error: 'no' } }, 8],
    ['408', { status: 408, body: { error: 'slow' } }, 7],
    ['429', { status: 429, body: { error: 'slow' }, headers: { 'retry-after': '0' } }, 9],
    ['500', { status: 500, body: { error: 'oh' } }, 5],
    ['a page instead of JSON', { body: '<html>hello</html>' }, 5],
    ['no blocked field', { body: { response: 'hi' } }, 5],
    ['a redirect', { status: 302, body: '', headers: { location: 'https://evil.example/' } }, 5],
  ];

  test.each(failures)('%s ends it at once with its code', async (_name, reply, code) => {
    const service = await chatService((text) => (text === 'two' ? reply : 'fine'));
    const run = await say(homeFor(service), ['one', 'two', 'three']);
    expect(run).toMatchObject({ code, stdout: 'fine\n' });
    expect(run.stderr).toMatch(/^motif: /m);
    expect(service.texts()).not.toContain('three');
  });

  test('silence ends it with 7, a closed port with 6, no settings with 3', async () => {
    const service = await chatService(() => never);
    const home = homeFor(service);
    expect(await say(home, ['one', 'two'], '--timeout', '1s')).toMatchObject({ code: 7, stdout: '' });
    await service.close();
    expect(await say(home, ['one', 'two'])).toMatchObject({ code: 6, stdout: '' });
    expect(await say(inMemory(createHome()), ['one'])).toMatchObject({ code: 3, stdout: '' });
  });

  test('it goes on after a block and ends with 10; a failure after it has its own code', async () => {
    const service = await chatService((text) => (text === 'bad' ? block : text === 'fail' ? { status: 500 } : 'fine'));
    const home = homeFor(service);
    const run = await say(home, ['one', 'bad', 'three'], '-q');
    expect(run).toMatchObject({ code: 10, stdout: 'fine\nfine\n' });
    expect(run.stderr).toContain('motif: blocked by policy (motif support-bot, finish_reason blocked, prompt_id 01JD');
    expect(await say(home, ['bad', 'fail', 'three'])).toMatchObject({ code: 5 });
  });

  test('/exit ends it; what follows is not sent', async () => {
    const service = await chatService();
    expect(await say(homeFor(service), ['one', '/exit', 'two'])).toMatchObject({ code: 0 });
    expect(service.texts()).toEqual(['one']);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s while a line is awaited', async (signal) => {
    const service = await chatService();
    const run = startMotif(['chat'], { env: homeFor(service).env, input: null });
    run.process.stdin?.write('one\n');
    await run.says('Heard: one\n');
    run.process.kill(signal);
    expect(await run.ended).toMatchObject({ code: null, signal });
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s while the service thinks', async (signal) => {
    const service = await chatService(() => never);
    const run = startMotif(['chat'], { env: homeFor(service).env, input: 'one\ntwo\n' });
    await service.received(1);
    run.process.kill(signal);
    expect(await run.ended).toMatchObject({ code: null, signal, stdout: '' });
    expect(service.requests).toHaveLength(1);
  });

  test('a stdin that never speaks can be interrupted', async () => {
    const run = startMotif(['chat', '--demo'], { env: createHome().env, input: null });
    run.process.stdin?.write('Opening hours?\n');
    await once(run.process.stdout!, 'data');
    run.process.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: null, signal: 'SIGINT' });
  });
});

test('--demo and --local talk without a login', async () => {
  const home = inMemory(createHome());
  expect(await say(home, ['How long can I return a kettle?'], '--demo')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('30 days') as unknown,
  });
  expect(await say(home, ['Refund my card 4111 1111 1111 1111'], '--demo')).toMatchObject({ code: 10, stdout: '' });
  const file = join(home.root, 'gateway.yaml');
  writeFileSync(file, 'tenant: t\nproviders: { m: { kind: mock, mode: echo } }\nmotifs: { bot: { provider: m } }\n', {
    mode: 0o600,
  });
  const local = await say(home, ['one'], '--local', file);
  expect(local).toMatchObject({ code: 0, stdout: expect.stringContaining('one') as unknown });
});

test('what -s, -m and --messages say is the opening of every turn', async () => {
  const service = await chatService(() => answerOf('ok'));
  const home = homeFor(service);
  const file = join(home.root, 'messages.json');
  writeFileSync(
    file,
    JSON.stringify([
      { role: 'user', content: 'from a file' },
      { role: 'assistant', content: 'yes' },
    ]),
  );
  await say(home, ['one', 'two'], '-s', 'Be brief.', '--messages', file, '-m', 'user:Q', '-m', 'assistant:A');
  const opening = ['Be brief.', 'from a file', 'yes', 'Q', 'A'];
  expect(service.messages().map((messages) => messages.map(({ content }) => content))).toEqual([
    [...opening, 'one'],
    [...opening, 'one', 'ok', 'two'],
  ]);
});
