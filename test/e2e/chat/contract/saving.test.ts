import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatService, homeFor } from '../../../support/servers/chat-service.ts';
import {
  conversationFiles,
  expectNowhere,
  messagesIn,
  onlyConversation,
  say,
} from '../../../support/rooms/conversation-files.ts';
import { filesBelow } from '../../../support/rooms/login.ts';
import { motifOnPty, noPty } from '../../../support/terminals/pty.ts';
import { startMotif } from '../../../support/processes/program.ts';

describe('what a chat leaves on the disk', () => {
  test('one file of JSON lines with its head, 0600 in folders of 0700; its path is said once', async () => {
    const service = await chatService();
    const home = homeFor(service);
    const run = await say(home, ['Kettles, please', 'two']);
    const file = onlyConversation(home);
    expect(relative(home.home, file.path)).toMatch(/^\.local\/state\/motif\//);
    expect(Object.keys(file.head).sort()).toEqual(['created', 'id', 'motif_id', 'profile', 'service', 'title', 'v']);
    expect(file.head).toMatchObject({
      motif_id: 'support-bot',
      profile: null,
      title: expect.stringContaining('Kettles') as unknown,
    });
    expect(Number.isNaN(Date.parse(file.head.created))).toBe(false);
    for (const line of file.text.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(file.text.endsWith('\n')).toBe(true);
    expect(run.stderr.split(file.path)).toHaveLength(2);
    for (const found of filesBelow(join(home.home, '.local/state/motif'))) {
      expect(found.mode).toBe(0o600);
      expect(lstatSync(dirname(found.path)).mode & 0o777).toBe(0o700);
    }
  });

  test('a umask that hides nothing opens nothing', async () => {
    const service = await chatService();
    const home = homeFor(service);
    await home.motif(['chat'], { input: 'one\n', within: ['sh', '-c', 'umask 000; exec "$@"', 'sh'] });
    const file = onlyConversation(home);
    expect(file.mode).toBe(0o600);
    for (let folder = dirname(file.path); folder !== join(home.home, '.local/state'); folder = dirname(folder)) {
      expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  test('XDG_STATE_HOME says where', async () => {
    const service = await chatService();
    const home = homeFor(service);
    const state = join(home.home, 'elsewhere');
    await home.motif(['chat'], { input: 'one\n', env: { XDG_STATE_HOME: state } });
    expect(relative(state, onlyConversation(home).path)).toMatch(/^motif\//);
  });

  test('before the first answer there is no file, after /exit without a turn neither', async () => {
    const service = await chatService();
    const home = homeFor(service);
    await say(home, ['/help', '/messages', '/exit']);
    await say(home, ['/system Be brief.']);
    expect(conversationFiles(home)).toEqual([]);
  });

  test.each([
    ['--no-save', {}, ['--no-save']],
    ['MOTIF_NO_HISTORY=1', { MOTIF_NO_HISTORY: '1' }, []],
  ] as const)('%s writes nothing', async (_name, env, args) => {
    const service = await chatService();
    const home = homeFor(service);
    const run = await home.motif(['chat', ...args], { input: 'one\ntwo\n', env });
    expect(run).toMatchObject({ code: 0, stdout: 'Heard: one\nHeard: two\n' });
    expect(filesBelow(home.home)).toEqual([]);
  });

  test('profile set history off writes nothing, in lines and on a terminal', async () => {
    const service = await chatService();
    const home = homeFor(service);
    const bare = { MOTIF_URL: '', MOTIF_TOKEN: '' };
    const login = [
      'login',
      `${service.env.MOTIF_URL}`,
      '-p',
      'a',
      '--token-stdin',
      '--no-verify',
      '--token-store',
      'file',
    ];
    expect(await home.motif(login, { input: 'tok-1234567890', env: bare })).toMatchObject({ code: 0 });
    expect(await home.motif(['profile', 'set', 'history', 'off'], { env: bare })).toMatchObject({ code: 0 });
    expect(await home.motif(['chat'], { input: 'said in lines\n', env: bare })).toMatchObject({ code: 0 });
    if (noPty === undefined) {
      const chat = motifOnPty(['chat'], { env: { ...home.env, ...bare } });
      await chat.says('\u001b[?2004h');
      chat.type('said at a terminal\r');
      await chat.says('Heard: said at a terminal');
      chat.type('\u0004');
      expect(await chat.ended).toMatchObject({ code: 0 });
    }
    expectNowhere(home, 'said in lines', 'said at a terminal');
    expect(conversationFiles(home)).toEqual([]);
    expect(await home.motif(['profile', 'set', 'history', 'on'], { env: bare })).toMatchObject({ code: 0 });
    expect(await home.motif(['chat'], { input: 'said in lines\n', env: bare })).toMatchObject({ code: 0 });
    expect(conversationFiles(home)).toHaveLength(1);
    expect((await home.motif(['profile', 'set', 'history', 'sometimes'], { env: bare })).code).toBe(2);
  });

  test('a state folder that cannot be written: every answer is shown, one notice, and the chat goes on', async () => {
    const service = await chatService();
    const home = homeFor(service);
    mkdirSync(join(home.home, '.local'));
    writeFileSync(join(home.home, '.local/state'), 'a file in the way');
    const run = await say(home, ['one', 'two', 'three']);
    expect(run.stdout).toBe('Heard: one\nHeard: two\nHeard: three\n');
    expect(run.stderr.match(/^motif: .*/gm)).toHaveLength(1);
    expect(run.stderr).not.toMatch(/ at .*:\d+:\d+/);
  });

  test('prompt saves only when told to', async () => {
    const service = await chatService();
    const home = homeFor(service);
    await home.motif(['prompt', 'one']);
    expect(filesBelow(home.home)).toEqual([]);
    expect(await home.motif(['prompt', '--save', 'A title', 'one', '--dry-run'])).toMatchObject({ code: 0 });
    expect(await home.motif(['prompt', '--save', 'A title', 'one', '--curl'])).toMatchObject({ code: 0 });
    expect(filesBelow(home.home)).toEqual([]);
    expect(await home.motif(['prompt', '--save', 'A title', 'one'])).toMatchObject({ code: 0, stdout: 'Heard: one\n' });
    expect(onlyConversation(home).head.title).toBe('A title');
    const json = await home.motif(['prompt', '--save', 'Another', '--json', 'one']);
    expect(Object.keys(JSON.parse(json.stdout) as object)).toHaveLength(12);
  });
});

describe('to go on with a conversation', () => {
  test('chat -c goes on after prompt --save, and prompt -c after that', async () => {
    const service = await chatService();
    const home = homeFor(service);
    await home.motif(['prompt', '-s', 'Sys.', '--save', 'Talk', 'one']);
    await say(home, ['two'], '-c');
    await home.motif(['prompt', '-c', 'three']);
    await home.motif(['prompt', '--conversation', 'talk', 'four']);
    const texts = service.messages().map((messages) => messages.map(({ content }) => content));
    expect(texts.at(-1)).toEqual(['Sys.', 'one', 'Heard: one', 'two', 'Heard: two', 'three', 'Heard: three', 'four']);
    expect(onlyConversation(home).head.title).toBe('Talk');
  });

  test('an ID, its unique prefix or a title; the latest is what was said last', async () => {
    const service = await chatService();
    const home = homeFor(service);
    await home.motif(['prompt', '--save', 'Alpha talk', 'one']);
    await home.motif(['prompt', '--save', 'Beta talk', 'two']);
    const { id } = conversationFiles(home).find(({ head }) => head.title === 'Alpha talk')?.head ?? { id: '' };
    await say(home, ['three'], '--conversation', id);
    await say(home, ['four'], '-c');
    await say(home, ['five'], '--conversation', 'ALPHA TALK');
    expect(
      service
        .messages()
        .at(-1)
        ?.map(({ content }) => content),
    ).toEqual(['one', 'Heard: one', 'three', 'Heard: three', 'four', 'Heard: four', 'five']);
  });

  test('an unknown one is 2 with suggestions, an ambiguous one is 2, and nothing is sent', async () => {
    const service = await chatService();
    const home = homeFor(service);
    await home.motif(['prompt', '--save', 'Kettle prices', 'one']);
    await home.motif(['prompt', '--save', 'Kettle returns', 'two']);
    for (const command of [['chat'], ['prompt', 'three']]) {
      const unknown = await home.motif([...command, '--conversation', 'Kettle prizes'], { input: 'x\n' });
      expect(unknown).toMatchObject({ code: 2, stdout: '' });
      expect(unknown.stderr).toContain('Kettle prices');
      const ambiguous = await home.motif([...command, '--conversation', 'Kettle'], { input: 'x\n' });
      expect(ambiguous).toMatchObject({ code: 2, stdout: '' });
      expect(ambiguous.stderr).toContain('Kettle prices');
      expect(ambiguous.stderr).toContain('Kettle returns');
      expect((await home.motif([...command, '--conversation', ''], { input: 'x\n' })).code).toBe(2);
      expect((await home.motif([...command, '--conversation', '../../etc/passwd'], { input: 'x\n' })).code).toBe(2);
    }
    expect(service.requests).toHaveLength(2);
  });

  test('one title of two conversations names neither', async () => {
    const service = await chatService();
    const home = homeFor(service);
    // First words, which become the titles of both.
    for (const text of ['Same', 'Same']) await say(home, [text]);
    const run = await home.motif(['prompt', '--conversation', 'Same', 'three']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    for (const { head } of conversationFiles(home)) expect(run.stderr).toContain(head.id);
    expect(service.requests).toHaveLength(2);
  });

  test('-c where there is none is 2', async () => {
    const service = await chatService();
    const home = homeFor(service);
    expect(await say(home, ['one'], '-c')).toMatchObject({ code: 2, stdout: '' });
    expect(await home.motif(['prompt', '-c', 'one'])).toMatchObject({ code: 2, stdout: '' });
    expect(service.requests).toEqual([]);
    expect(filesBelow(home.home)).toEqual([]);
  });

  test('two chats on one conversation: every turn is there, whole', async () => {
    const service = await chatService();
    const home = homeFor(service);
    await say(home, ['zero']);
    const chats = ['a', 'b', 'c'].map((name) => ({
      name,
      run: startMotif(['chat', '-c'], { env: home.env, input: null }),
    }));
    const talk = async ({ name, run }: (typeof chats)[number]): Promise<void> => {
      for (let at = 0; at < 15; at += 1) {
        run.process.stdin?.write(`${name}${at} ${'x'.repeat(3000)}\n`);
        await run.says(`Heard: ${name}${at} `);
      }
      run.process.stdin?.end();
      expect(await run.ended).toMatchObject({ code: 0 });
    };
    await Promise.all(chats.map(talk));
    const messages = await messagesIn(home, onlyConversation(home).head.id);
    expect(messages).toHaveLength(92);
    for (let at = 0; at < messages.length; at += 2) {
      expect(messages[at + 1]?.content).toBe(`Heard: ${messages[at]?.content}`);
    }
  });

  test('killed again and again while it writes, a conversation keeps what was answered and shown', async () => {
    const service = await chatService((text) => `Heard: ${text} ${'y'.repeat(50_000)}`);
    const home = homeFor(service);
    await say(home, ['begin']);
    let shown = 1;
    for (let round = 0; round < 12; round += 1) {
      const run = startMotif(['chat', '-c'], { env: home.env, input: null });
      for (let at = 0; at < 200; at += 1) run.process.stdin?.write(`r${round} t${at}\n`);
      await run.says(`Heard: r${round} t${round % 4} `);
      run.process.kill('SIGKILL');
      const { stdout } = await run.ended;
      const whole = stdout.match(/y\n/g)?.length ?? 0;
      shown += whole;
      const messages = await messagesIn(home, onlyConversation(home).head.id);
      expect(messages.length / 2).toBeGreaterThanOrEqual(shown - 1);
      shown = messages.length / 2;
    }
  });
});
