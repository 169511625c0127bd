import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerOf, block, chatService, homeFor, never, type Reply } from '../../support/servers/chat-service.ts';
import { createHome, loginWords } from '../../support/processes/home.ts';
import { filesHolding } from '../../support/rooms/login.ts';
import { motifOnPty, noPty, openPty } from '../../support/terminals/pty.ts';
import { program } from '../../support/processes/program.ts';
import { noScreen, openScreen } from '../../support/terminals/screen.ts';
import { answered } from '../../support/service.ts';

/** The first thing that is drawn. */
const prompt = '\u001b[1m>\u001b[22m ';

/** A shell that prints the exit code of the program and leaves the screen as it is. */
const watched = (...words: readonly string[]) => [
  'sh',
  '-c',
  '"$@"; echo "[code $?]"; sleep 60',
  'sh',
  ...program,
  ...words,
];

/** Chats as a person sees them: each story is one chat on a screen that can be looked at. */
async function chatOnScreen(reply?: (text: string, turn: number) => Reply, args: readonly string[] = []) {
  const service = await chatService(reply);
  const home = homeFor(service);
  const screen = await openScreen(watched('chat', ...args), { folder: home.root, env: home.env });
  await screen.shows(/^>/m);
  // The program ends before its home is removed.
  onTestFinished(async () => {
    await screen.press('C-c', 'C-d');
    await screen.shows('[code 0]');
  });
  return {
    service,
    home,
    screen,
    say: async (text: string): Promise<void> => {
      await screen.type(text);
      await screen.press('Enter');
    },
  };
}

describe.skipIf(noScreen)(`stories on a screen ${noScreen ?? ''}`, () => {
  test('a paste of 200 lines, looked at while it is a draft, is one message', async () => {
    const { service, screen, say } = await chatOnScreen(() => 'Read.');
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);
    await screen.paste(lines.join('\n'));
    await screen.shows('line 200');
    await screen.press('Enter');
    await screen.shows('Read.');
    await say('and now?');
    await screen.shows('2 turns');
    expect(service.texts()).toEqual([lines.join('\n'), 'and now?']);
  });

  test('Ctrl-C stops the request alone; its text comes back with Up, and the chat goes on', async () => {
    const { service, screen, say } = await chatOnScreen((text) => (text === 'think' ? never : `Heard: ${text}`));
    await say('think');
    await service.received(1);
    await screen.shows('waiting for the answer');
    await screen.press('C-c');
    await screen.shows('stopped;');
    expect((await screen.seen()).join('\n')).not.toContain('waiting for the answer');
    await screen.press('Up');
    await screen.shows(/> think$/m);
    await screen.type(' less');
    await screen.press('Enter');
    await screen.shows('Heard: think less');
    expect(service.messages().at(-1)).toEqual([{ role: 'user', content: 'think less' }]);
  });

  test('an error keeps everything, and /retry sends the text again', async () => {
    const down = { status: 503, body: { error: 'upstream is down' } };
    const { service, screen, say } = await chatOnScreen((text, turn) => (turn === 2 ? down : `Heard: ${text}`));
    await say('one');
    await screen.shows('Heard: one');
    await say('two');
    const shown = await screen.shows('upstream is down');
    expect(shown).toMatch(/motif: the service failed \(503\)/);
    await say('/retry');
    await screen.shows('Heard: two');
    expect(
      service
        .messages()
        .at(-1)
        ?.map(({ content }) => content),
    ).toEqual(['one', 'Heard: one', 'two']);
  });

  test('a blocked text can be changed with /edit; it is sent once and kept nowhere', async () => {
    const { service, home, screen, say } = await chatOnScreen((text) => (text.includes('4111') ? block : 'Fine.'));
    await say('my card is 4111');
    const shown = await screen.shows('saved nowhere');
    expect(shown.replace(/\s+/g, ' ')).toContain('prompt_id 01JD0000000000000000000001)');
    await say('/edit');
    await screen.shows(/> my card is 4111$/m);
    await screen.press('BSpace', 'BSpace', 'BSpace', 'BSpace');
    await say('lost');
    await screen.shows('Fine.');
    expect(service.messages().map((messages) => messages.map(({ content }) => content))).toEqual([
      ['my card is 4111'],
      ['my card is lost'],
    ]);
    // Not the figures alone, which the random id of a conversation may hold.
    expect(filesHolding(home.home, 'is 4111')).toEqual([]);
    // The answer is shown before what was typed for it is on disk.
    await expect.poll(() => filesHolding(home.home, 'my card is lost'), { timeout: 10_000 }).toHaveLength(2);
  });

  test('wide characters stay whole while the window changes under them, and are sent as they were typed', async () => {
    const { service, screen } = await chatOnScreen((text) => `Heard: ${text}`);
    const text = '日本語のテキスト 👩\u200d👩\u200d👧 é und ein langer Satz, der nicht in eine Zeile passt';
    await screen.paste(text);
    await screen.shows(/zeile passt$/im);
    for (const columns of [40, 23, 80]) {
      await screen.resize(columns, 24);
      await screen.shows(columns === 80 ? /> 日本語.*passt$/m : /> 日本語[^]*passt$/m);
    }
    await screen.press('Enter');
    await screen.shows('Heard: 日本語のテキスト');
    expect(service.texts()).toEqual([text]);
  });

  test('an answer longer than the screen can be scrolled back to', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `row ${index + 1}`);
    const { screen, say } = await chatOnScreen(() => lines.join('\n\n'));
    await say('tell me');
    await screen.shows('row 100');
    await screen.shows('in 1 turn');
    const ever = await screen.seenEver();
    expect(ever.filter((row) => row.startsWith('row '))).toEqual(lines);
  });

  test('a hostile answer moves no cursor, names no window and opens no other screen', async () => {
    const evil = 'a\u001b[2J\u001b[H\u001b]0;owned\u0007\u001b]52;c;aGk=\u0007\u001b[?1049h\u009b2Jb';
    const { screen, say } = await chatOnScreen(() => evil);
    const title = await screen.title();
    await say('hi');
    const shown = await screen.shows('in 1 turn');
    expect(shown).toContain('> hi');
    expect(shown).toContain('a\\u{1b}[2J');
    expect(await screen.title()).toBe(title);
  });

  test('/help and Tab know the commands, and a mistyped one is never sent', async () => {
    const { service, screen, say } = await chatOnScreen();
    await screen.type('/ex');
    await screen.press('Tab');
    await screen.shows('/export');
    await screen.press('C-c');
    await say('/hepl');
    await screen.shows('did you mean /help?');
    await say('/help');
    await screen.shows('/help keys lists the keys');
    expect(service.requests).toEqual([]);
  });

  test('motif demo ends in the own turn', async () => {
    const home = createHome();
    const screen = await openScreen(watched('demo'), { folder: home.root, env: home.env, rows: 50 });
    await screen.shows('Your turn');
    await screen.shows('Ctrl-D leaves');
    await screen.type('Do you ship for free?');
    await screen.press('Enter');
    await screen.shows('Shipping is free from 40 euros.');
    await screen.press('C-d');
    await screen.shows('[code 0]');
    expect(filesHolding(home.home, 'Shipping')).toEqual([]);
  });
});

describe.skipIf(noPty)(`a signal while the service thinks ${noPty ?? ''}`, () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)('%s: the terminal is as before, and chat -c goes on', async (signal) => {
    const service = await chatService((text) => (text === 'think' ? never : `Heard: ${text}`));
    const home = homeFor(service);
    const chat = motifOnPty(['chat'], { env: home.env });
    await chat.says(prompt);
    chat.type('one\r');
    await chat.says('in 1 turn');
    chat.type('think\r');
    await service.received(2);
    chat.kill(signal);
    expect(await chat.ended).toMatchObject({ signal, code: null, isTerminalAsBefore: true });
    const run = await home.motif(['chat', '-c'], { input: 'two\n' });
    expect(run).toMatchObject({ code: 0, stdout: 'Heard: two\n' });
    expect(
      service
        .messages()
        .at(-1)
        ?.map(({ content }) => content),
    ).toEqual(['one', 'Heard: one', 'two']);
  });
});

/** A service that knows over which connection each token came. */
async function countingService() {
  const seen: { readonly token: string; readonly port: number | undefined }[] = [];
  const server = createServer((request, response) => {
    seen.push({ token: request.headers.authorization ?? '', port: request.socket.remotePort });
    request.resume().on('end', () => response.end(JSON.stringify({ ...answered })));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { seen, port: typeof address === 'object' ? address?.port : undefined };
}

test('a connection is used again within a profile, and by no other profile', async () => {
  const { seen, port } = await countingService();
  const home = createHome();
  for (const name of ['one', 'two']) {
    const [login = '', , ...flags] = loginWords(name, '-p', name);
    const address = `http://127.0.0.1:${port}/api/v1/apps/${name}`;
    const run = await home.motif([login, address, ...flags], { input: `mtf_test_token_of_${name}\n` });
    expect(run).toMatchObject({ code: 0 });
  }
  const lines = ['a', 'b', '/profile one', 'c', 'd', '/profile two', 'e'];
  const run = await home.motif(['chat'], { input: lines.map((line) => `${line}\n`).join('') });
  expect(run).toMatchObject({ code: 0 });
  expect(seen.map(({ token }) => token.slice(-3))).toEqual(['two', 'two', 'one', 'one', 'two']);
  const ports = seen.map((each) => each.port);
  expect(ports[0]).toBe(ports[1]);
  expect(ports[2]).toBe(ports[3]);
  expect(new Set(ports).size).toBe(3);
});

describe.skipIf(noPty)(`who gets what ${noPty ?? ''}`, () => {
  test('stdout in a file while stdin is a terminal: the answers as received, all else on the terminal', async () => {
    const service = await chatService((text) => answerOf(`**${text}**`));
    const home = homeFor(service);
    const line = '"$@" > answers; echo "code $?"';
    const chat = openPty(['sh', '-c', `cd "$HOME"; ${line}`, 'sh', ...program, 'chat'], { env: home.env });
    await chat.says(prompt);
    chat.type('one\r');
    await chat.says('in 1 turn');
    chat.type('\u0004');
    await chat.says('code 0');
    expect(readFileSync(join(home.home, 'answers'), 'utf8')).toBe('**one**\n');
  });

  test('stdin in a pipe while stdout is a terminal: lines are turns, nothing is drawn, answers are made harmless', async () => {
    const service = await chatService((text) => answerOf(`${text}\u001b]0;owned\u0007`));
    const home = homeFor(service);
    const line = `printf 'one\\ntwo\\n' | "$@"; echo "code $?"`;
    const chat = openPty(['sh', '-c', line, 'sh', ...program, 'chat', '--color', 'never'], { env: home.env });
    await chat.says('code 0');
    const shown = chat.shown();
    expect(shown).toContain('two\\u{1b}]0;owned');
    expect(shown).not.toContain('\u001b[?2004h');
    expect(service.texts()).toEqual(['one', 'two']);
  });

  test('TERM=dumb is a chat of plain lines', async () => {
    const service = await chatService((text) => `Heard: ${text}`);
    const chat = motifOnPty(['chat'], { env: { ...homeFor(service).env, TERM: 'dumb' } });
    await chat.says('> ');
    chat.type('one\r');
    await chat.says('in 1 turn');
    chat.type('\u0004');
    const { code, shown, isTerminalAsBefore } = await chat.ended;
    expect({ code, isTerminalAsBefore }).toEqual({ code: 0, isTerminalAsBefore: true });
    expect(shown).toContain('Heard: one');
    expect(shown).not.toContain('\u001b');
  });
});
