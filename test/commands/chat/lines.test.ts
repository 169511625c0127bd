import { describe, expect, test } from 'vitest';
import { FileFault } from '../../../src/world/world.ts';
import { assistant, chatLines, replying, system, user } from '../../support/rooms/chat.ts';
import { motif } from '../../support/motif.ts';
import { saying } from '../../support/rooms/prompt.ts';
import { answered, blocked, refused } from '../../support/service.ts';

const block = { body: blocked };
const down = { status: 500, body: { error: 'down' } };

describe('each line of stdin is a turn', () => {
  test('and goes out after all that was said before', async () => {
    const run = await chatLines(['one', 'two'], ['-s', 'Be brief.'], { scripted: replying() });
    expect(run).toMatchObject({ exitCode: 0, stdout: 're: one\nre: two\n' });
    expect(run.sent).toEqual([
      [system('Be brief.'), user('one')],
      [system('Be brief.'), user('one'), assistant('re: one'), user('two')],
    ]);
  });

  test('which its help says, for every turn is paid for', async () => {
    expect((await motif(['chat', '--help'])).stdout).toMatch(/every turn is sent with all\sturns before it/);
  });

  test('an empty line is no prompt, and the last one needs no line end', async () => {
    const run = await chatLines([], [], { scripted: replying(), stdin: '\n  \r\none\r\n\ntwo' });
    expect(run.stdout).toBe('re: one\nre: two\n');
  });

  test('however they arrive', async () => {
    const text = Buffer.from('grüße 👋\nzwei\n');
    const chunks = Array.from(text, (byte) => Buffer.from([byte]));
    const run = await chatLines([], [], { scripted: replying(), stdin: { chunks } });
    expect(run.stdout).toBe('re: grüße 👋\nre: zwei\n');
  });

  test('nothing at all is nothing to do', async () => {
    expect(await chatLines([])).toMatchObject({ exitCode: 0, stdout: '', sent: [] });
  });

  test.each([
    { name: 'bytes that are no text', stdin: new Uint8Array([0x61, 0x0a, 0xff, 0x0a]), says: 'line 2 of stdin' },
    {
      name: 'a line without an end',
      stdin: 'x'.repeat(17 * 1024 * 1024),
      says: 'line 1 of stdin is larger than 16 MiB',
    },
  ])('$name: what came before is answered, the rest is not', async ({ stdin, says }) => {
    const run = await chatLines([], [], { stdin });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toEqual(saying(says));
  });
});

describe('the exit code', () => {
  test.each([
    { name: 'answers', script: {}, exitCode: 0, answers: 3 },
    { name: 'a block in the middle', script: { two: block }, exitCode: 10, answers: 2 },
    { name: 'a failure in the middle', script: { two: down }, exitCode: 5, answers: 1 },
    { name: 'a block, then a failure', script: { one: block, two: down }, exitCode: 5, answers: 0 },
    { name: 'no connection', script: { one: refused({ transient: false }) }, exitCode: 6, answers: 0 },
    { name: 'a token that is not accepted', script: { three: { status: 401, body: '' } }, exitCode: 8, answers: 2 },
  ])('$name: $exitCode', async ({ script, exitCode, answers }) => {
    const run = await chatLines(['one', 'two', 'three'], [], { scripted: replying(script) });
    expect(run.exitCode).toBe(exitCode);
    expect(run.stdout.split('\n').filter((line) => line.startsWith('re: '))).toHaveLength(answers);
  });

  test.each([
    { name: 'no login', argv: [], env: {}, exitCode: 3 },
    { name: 'no such profile', argv: ['-p', 'nobody'], exitCode: 3 },
    { name: 'two ways to continue', argv: ['-c', '--conversation', 'x'], exitCode: 2 },
    { name: 'nothing to continue', argv: ['-c'], exitCode: 2 },
    { name: 'an unknown conversation', argv: ['--conversation', 'nobody'], exitCode: 2 },
    { name: 'a context of nothing', argv: ['--max-context-tokens', '0'], exitCode: 2 },
    { name: 'stdin twice', argv: ['-f', '-'], exitCode: 2 },
    { name: 'a file that is not there', argv: ['-f', 'nothing.md'], exitCode: 2 },
    { name: 'words', argv: ['hello'], exitCode: 2 },
  ])('$name: $exitCode before anything is sent', async ({ argv, exitCode, ...setup }) => {
    const run = await chatLines(['one'], argv, setup);
    expect(run).toMatchObject({ exitCode, stdout: '', sent: [] });
  });

  test('a stdin without a writer is named in a notice', async () => {
    expect(await motif(['chat'])).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('--json', () => {
  const documents = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  const common = { profile: null, motif_id: 'support-bot', attempts: 1, elapsed_ms: 0 };

  test('one document a turn with exactly the keys of prompt', async () => {
    const script = { two: block, three: { status: 403, body: { error: 'no' } } };
    const run = await chatLines(['one', 'two', 'three', 'four'], ['--json'], { scripted: replying(script) });
    expect(run.exitCode).toBe(8);
    const { prompt_id, usage } = answered;
    expect(documents(run.stdout)).toEqual([
      {
        ok: true,
        blocked: false,
        response: 're: one',
        finish_reason: 'stop',
        prompt_id,
        usage,
        ...common,
        status: 200,
        error: null,
      },
      {
        ok: true,
        blocked: true,
        response: null,
        finish_reason: 'blocked',
        prompt_id: blocked.prompt_id,
        usage: blocked.usage,
        ...common,
        status: 200,
        error: null,
      },
      {
        ok: false,
        blocked: null,
        response: null,
        finish_reason: null,
        prompt_id: null,
        usage: null,
        ...common,
        elapsed_ms: 0,
        status: 403,
        error: expect.objectContaining({ kind: 'auth', exit_code: 8, detail: 'no' }),
      },
    ]);
  });

  test.each([
    { name: 'a mistyped command', lines: ['/hepl'] },
    { name: 'wrong flags', lines: [], argv: ['-c', '--conversation', 'x'] },
  ])('$name is a document too', async ({ lines, argv = [] }) => {
    const run = await chatLines(lines, ['--json', ...argv]);
    expect(run.exitCode).toBe(2);
    expect(documents(run.stdout)).toMatchObject([{ ok: false, blocked: null, error: { kind: 'usage' } }]);
  });

  test('what slash commands have to say is no document, so it stays on stderr', async () => {
    const run = await chatLines(['one', '/messages', '/usage', '/help'], ['--json'], { scripted: replying() });
    expect(run.exitCode).toBe(0);
    expect(documents(run.stdout)).toHaveLength(1);
    const extracting = await chatLines(['one', '/export messages'], ['--json'], { scripted: replying() });
    expect(extracting.exitCode).toBe(2);
    expect(documents(extracting.stdout)).toHaveLength(2);
  });
});

describe('a blocked turn', () => {
  const secret = 'card 4111 1111 1111 1111';

  test('is said with its prompt_id, never sent again, and nowhere on disk', async () => {
    const run = await chatLines(['one', secret, 'two'], [], { scripted: replying({ [secret]: block }) });
    expect(run.stderr).toContain(
      `blocked by policy (motif support-bot, finish_reason blocked, prompt_id ${blocked.prompt_id})`,
    );
    expect(run.sent[2]).toEqual([user('one'), assistant('re: one'), user('two')]);
    expect(Object.values(run.kept).join('')).toContain('re: two');
    expect(Object.values(run.kept).join('')).not.toContain('4111');
  });

  test('as the first one gives the conversation neither its text nor its title', async () => {
    const run = await chatLines([secret], [], { scripted: replying({ [secret]: block }) });
    expect(Object.values(run.kept).join('')).not.toContain('4111');
  });

  test('is said also with -q, with the words of the organization', async () => {
    const run = await chatLines([secret], ['-q', '--blocked-notice', 'Ask legal.'], {
      scripted: replying({ [secret]: block }),
    });
    expect(run.stderr).toMatch(/^motif: blocked by policy .*\nAsk legal\.\n$/);
  });
});

test.each([
  { name: 'an empty answer is named and not kept', reply: { response: '', finish_reason: 'content_filter' }, kept: 0 },
  { name: 'a cut one is named and kept', reply: { response: 'half a sen', finish_reason: 'length' }, kept: 2 },
])('$name', async ({ reply, kept }) => {
  const scripted = replying({ one: { body: { ...answered, ...reply } } });
  const run = await chatLines(['one', 'two'], [], { scripted });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.stderr).toContain(`finish_reason ${reply.finish_reason}`);
  expect(run.sent[1]).toHaveLength(kept + 1);
});

test('--max-context-tokens leaves the oldest turns out and says so once; /messages shows what is left', async () => {
  const usage = { prompt_tokens: null, completion_tokens: null, total_tokens: 9 };
  const say = (text: string) => [text, { body: { ...answered, response: text.toUpperCase(), usage } }] as const;
  const texts = ['a', 'b', 'c', 'd'].map((mark) => mark.repeat(40));
  const run = await chatLines([...texts, '/messages'], ['-s', 's'.repeat(40), '--max-context-tokens', '45'], {
    scripted: replying(Object.fromEntries(texts.map(say))),
  });
  expect(run.exitCode).toBe(0);
  const marks = run.sent.map((messages) => messages.map(({ content }) => content[0]).join(''));
  expect(marks).toEqual(['sa', 'saAb', 'sbBc', 'scCd']);
  expect(run.stderr.match(/not sent any more/g)).toHaveLength(1);
  expect(run.stderr).toContain('the oldest turn is not sent any more (--max-context-tokens 45)');
  expect(run.stderr).toMatch(/\n3 messages, about 30 tokens, before what you type next; the oldest 3 turns left out/);
  const [text = ''] = Object.values(run.kept);
  for (const said of texts) expect(text).toContain(said);
});

describe('what is kept', () => {
  test('the conversation, and its path is said once', async () => {
    const run = await chatLines(['one', 'two'], [], { scripted: replying() });
    expect(run.stderr.match(/saved in/g)).toHaveLength(1);
    const [[name, text] = ['', '']] = Object.entries(run.kept);
    expect(run.stderr).toContain(name);
    expect(text).toContain('re: two');
  });

  test.each([
    { name: '--no-save', argv: ['--no-save'], env: {} },
    { name: 'MOTIF_NO_HISTORY', argv: [], env: { MOTIF_NO_HISTORY: '1' } },
  ])('nothing with $name', async ({ argv, env }) => {
    const run = await chatLines(['one', 'two'], ['--demo', ...argv], { env });
    expect(run).toMatchObject({ exitCode: 0, kept: {} });
    expect(run.stderr).not.toContain('saved');
  });

  test('-c goes on with it in another run, and the system message is replaced', async () => {
    const first = await chatLines(['one'], ['-s', 'old'], { scripted: replying() });
    const second = await chatLines(['two'], ['-c', '-s', 'new', '-m', 'assistant:By the way'], {
      scripted: replying(),
      after: first.world,
    });
    const before = [system('new'), user('one'), assistant('re: one')];
    expect(second.sent).toEqual([[...before, assistant('By the way'), user('two')]]);
    const third = await chatLines(['three'], ['--conversation', 'one'], { scripted: replying(), after: second.world });
    expect(third.sent[0]).toHaveLength(7);
    expect(Object.keys(third.kept).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1);
  });

  test('a disk that takes nothing costs no answer, and is told once, with -q too', async () => {
    const full = async (path: string) => Promise.reject(new FileFault(path, 'ENOSPC', 'no space is left on the disk'));
    const run = await chatLines(['one', 'two'], ['-q'], {
      scripted: replying(),
      prepare: ({ files }) => void Object.assign(files, { append: full }),
    });
    expect(run).toMatchObject({ exitCode: 0, stdout: 're: one\nre: two\n', kept: {} });
    expect(
      run.stderr.match(/not saved for now.*\n {2}the next turn tries again; \/fork goes on in a new file/g),
    ).toHaveLength(1);
    expect(run.sent[1]).toHaveLength(3);
  });
});

test.each([
  { argv: ['-c'], exitCode: 12, stdout: '', says: 'nothing was sent, for no turn can be saved: ' },
  { argv: [], exitCode: 0, stdout: 're: two\n', says: '' },
])('a disk that takes nothing: $argv ends with $exitCode', async ({ argv, exitCode, stdout, says }) => {
  const before = await chatLines(['one'], [], { scripted: replying() });
  const readOnly = async (path: string) => Promise.reject(new FileFault(path, 'EROFS', 'the file system is read-only'));
  const run = await chatLines(['two'], argv, {
    scripted: replying(),
    after: before.world,
    prepare: ({ files }) => void Object.assign(files, { needWritable: readOnly }),
  });
  expect(run).toMatchObject({ exitCode, stdout });
  expect(run.stderr).toContain(says);
  expect(run.sent).toHaveLength(exitCode === 12 ? 0 : 1);
});

test.each(['exit', 'quit'])('%s is a text like any other', async (line) => {
  expect((await chatLines([line])).sent).toEqual([[user(line)]]);
});
