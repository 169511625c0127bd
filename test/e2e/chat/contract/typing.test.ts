import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ChatService, chatService, homeFor } from '../../../support/servers/chat-service.ts';
import { expectNowhere } from '../../../support/rooms/conversation-files.ts';
import type { Home } from '../../../support/processes/home.ts';
import { filesHolding } from '../../../support/rooms/login.ts';
import { motifOnPty, noPty, type Pty } from '../../../support/terminals/pty.ts';

const pasted = (text: string): string => `\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~`;

interface Talk {
  readonly service: ChatService;
  readonly home: Home;
  readonly chat: Pty;
}

async function talk(env: Readonly<Record<string, string>> = {}, ...args: readonly string[]): Promise<Talk> {
  const service = await chatService(() => 'fine.');
  const home = homeFor(service);
  const chat = motifOnPty(['chat', ...args], { env: { ...home.env, ...env } });
  await chat.says('\u001b[?2004h');
  await chat.enters('ready?');
  await chat.enters('\u0015');
  return { service, home, chat };
}

/** Types one after the other, and returns the texts that the service has received once there are so many of them. */
async function sent({ service, chat }: Talk, keys: string | readonly string[], count = 1): Promise<readonly string[]> {
  const parts = [keys].flat();
  // As a person does, who looks at what was made of it.
  for (const part of parts.slice(0, -1)) await chat.enters(part);
  chat.type(parts.at(-1) ?? '');
  await chat.brings(service.received(count));
  return service.texts();
}

/** Resolves once so many answers stand there and the next line is awaited. */
async function answered({ chat }: Talk, count: number): Promise<void> {
  await chat.says(new RegExp(`(?:fine\\.[^]*){${count}}>\\u001b\\[22m `));
}

async function leave({ chat }: Talk): Promise<void> {
  chat.type('\u0004');
  expect(await chat.ended).toMatchObject({ code: 0, signal: null, isTerminalAsBefore: true });
}

/** A program that stands for a person's editor. */
function editor(home: Home, script: string): string {
  const path = join(home.root, 'editor');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe.skipIf(noPty)(`lines that arrive in one read ${noPty ?? ''}`, () => {
  test.each([
    { name: 'are sent one after the other', env: {}, keys: 'one\rtwo\r', texts: ['one', 'two'] },
    { name: 'are commands of their own', env: {}, keys: '/usage\r/messages\rone\r', texts: ['one'] },
    { name: 'are one message without paste markers', env: { TERM: 'linux' }, keys: 'one\rtwo\r', texts: ['one\ntwo'] },
    { name: 'end with a word that leaves', env: {}, keys: ' exit\rexit\r', texts: [' exit'] },
  ])('$name', async ({ env, keys, texts }) => {
    const it = await talk(env);
    it.chat.type(keys);
    await it.chat.brings(it.service.received(texts.length));
    if (!keys.endsWith('exit\r')) await answered(it, texts.length).then(() => it.chat.type('\u0004'));
    expect(await it.chat.ended).toMatchObject({ code: 0, signal: null, isTerminalAsBefore: true });
    expect(it.service.texts()).toEqual(texts);
  });
});

describe.skipIf(noPty)(`pastes ${noPty ?? ''}`, () => {
  test('two hundred lines are one message with these bytes', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `line ${at} é 日本 👍\t"quoted" $HOME \\n ${'x'.repeat(at)}`);
    const text = lines.join('\n');
    const it = await talk();
    expect(await sent(it, `${pasted(text)}\r`)).toEqual([text]);
    await leave(it);
    expect(it.service.requests).toHaveLength(1);
  });

  test('a megabyte is one message', async () => {
    const text = Array.from(
      { length: 10_000 },
      (_, at) => `${at} ${'lorem ipsum dolor sit amet, consectetur '.repeat(2)}${at}`,
    ).join('\n');
    const it = await talk();
    const [received] = await sent(it, `${pasted(text)}\r`);
    expect(received === text).toBe(true);
    await leave(it);
  });

  test('whatever ends their lines, with what a line of its own would obey', async () => {
    const pastes = [
      ['CRLF', 'a\r\nb\r\nc', 'a\nb\nc'],
      ['LF', 'a\nb\nc', 'a\nb\nc'],
      ['a slash at the start of a later line', 'a\n/exit\n/clear', 'a\n/exit\n/clear'],
      ['a trailing backslash on each line', 'a\\\nb\\\nc', 'a\\\nb\\\nc'],
      ['tabs, which complete nothing', 'a\tb\n\tc', 'a\tb\n\tc'],
    ] as const;
    const it = await talk();
    for (const [at, [name, text, expected]] of pastes.entries()) {
      expect((await sent(it, `\u001b[200~${text}\u001b[201~\r`, at + 1)).at(-1), name).toBe(expected);
      await answered(it, at + 1);
    }
    await leave(it);
  });

  test('what a paste holds is never obeyed, and never drawn as it is', async () => {
    const it = await talk();
    const hostile = '\u001b[2J\u001b]0;owned\u0007\u001b]52;c;aGk=\u0007\u0003\u0004\u001a\u009b31m\u0018\u0015 end';
    const [received] = await sent(it, `keep ${pasted(hostile)}\r`);
    expect(received).toMatch(/^keep .* end$/s);
    for (const drawn of ['\u001b[2J', '\u001b]0;', '\u001b]52', '\u009b']) expect(it.chat.shown()).not.toContain(drawn);
    await leave(it);
    expect(it.service.requests).toHaveLength(1);
  });

  test('a forged end of a paste leaves a chat that still works', async () => {
    const it = await talk();
    it.chat.type('\u001b[200~one\u001b[201~\u001b[201~ two\u001b[201~\u001b[200~ three\u001b[200~\u001b[201~');
    const [received] = await sent(it, '\r');
    expect(received).toMatch(/^one.* two.* three/);
    expect(await sent(it, 'next\r', 2)).toHaveLength(2);
    expect(it.service.texts()[1]).toBe('next');
    await leave(it);
  });

  test('a paste that comes byte by byte, its markers torn apart', async () => {
    const it = await talk();
    for (const byte of Buffer.from(pasted('é日👍\nzwei'))) it.chat.type(Buffer.of(byte));
    expect(await sent(it, '\r')).toEqual(['é日👍\nzwei']);
    await leave(it);
  });

  test('a paste in the middle of a draft', async () => {
    const it = await talk();
    expect(await sent(it, `headtail\u001b[D\u001b[D\u001b[D\u001b[D${pasted(' a\nb ')}\r`)).toEqual(['head a\nb tail']);
    await leave(it);
  });
});

describe.skipIf(noPty)(`keys ${noPty ?? ''}`, () => {
  test('each moves, takes away or breaks as in a shell', async () => {
    const rows: readonly (readonly [name: string, keys: string | readonly string[], expected: string])[] = [
      ['Ctrl-J is a new line', 'a\nb\r', 'a\nb'],
      ['Alt-Enter is a new line', 'a\u001b\rb\r', 'a\nb'],
      ['a backslash at the end is a new line', ['a\\\r', 'b\r'], 'a\nb'],
      ['cursor, words, Home and End', 'two\u0001one \u0005 three\u001bb\u001bbX\u0001\u001bfY\r', 'oneY Xtwo three'],
      ['arrows and deletions', 'abXcd\u001b[D\u001b[D\u007f\u001b[H-\u001b[F-\r', '-abcd-'],
      ['kill and yank', 'one two three\u0017\u0001\u0019\u0005\r', 'threeone two '],
      ['a wide character and a family are each one step', '日👩\u200d👩\u200d👧e\u0301x\u001b[D\u007f\u007f\r', '日x'],
      ['unknown sequences are no text', 'a\u001b[99;99~b\u001b[Ic\u001b[Od\u001bOPe\r', 'abcde'],
      ['// sends a slash', '//x y\r', '/x y'],
    ];
    const it = await talk();
    for (const [at, [name, keys, expected]] of rows.entries()) {
      expect((await sent(it, keys, at + 1)).at(-1), name).toBe(expected);
      await answered(it, at + 1);
    }
    await leave(it);
  });

  test('an empty line, or one of blanks, sends nothing', async () => {
    const it = await talk();
    expect(await sent(it, ['\r', '\r', '   \r', 'one\r'])).toEqual(['one']);
    await leave(it);
  });

  test('an unknown command is never sent and is guessed at', async () => {
    const it = await talk();
    const lines = ['/hepl me\r', '/etc/passwd\r', '\u001b[200~/nosuch\rwith more lines\u001b[201~\r', 'one\r'];
    expect(await sent(it, lines)).toEqual(['one']);
    expect(it.chat.shown()).toContain('did you mean /help?');
    await leave(it);
    expect(it.service.requests).toHaveLength(1);
  });

  test('Ctrl-D in a draft does not leave, Ctrl-C empties it, Ctrl-C twice leaves', async () => {
    const it = await talk();
    expect(await sent(it, ['draft\u0004', '\u0003', 'one\r'])).toEqual(['one']);
    await it.chat.says('fine.');
    it.chat.type('\u0003\u0003');
    expect(await it.chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
  });

  test('a text that Ctrl-C has cleared comes back with Up', async () => {
    const it = await talk();
    expect(await sent(it, ['lost?\u0003', '\u001b[A no\r'])).toEqual(['lost? no']);
    await leave(it);
  });
});

describe.skipIf(noPty)(`history of what was typed ${noPty ?? ''}`, () => {
  test('it lasts over runs, Up and Ctrl-R find it, a leading space keeps an entry out', async () => {
    const it = await talk();
    expect(await sent(it, 'first entry\r')).toHaveLength(1);
    expect(await sent(it, pasted('second\nof two lines') + '\r', 2)).toHaveLength(2);
    expect(await sent(it, ' kept out, ssh\r', 3)).toHaveLength(3);
    await leave(it);
    const [file = '', ...more] = filesHolding(it.home.home, 'first entry').filter(
      (path) => !/conversations?\//.test(path),
    );
    expect(more).toEqual([]);
    expect(filesHolding(it.home.home, 'kept out').filter((path) => path === file)).toEqual([]);

    const chat = motifOnPty(['chat'], { env: it.home.env });
    await chat.says('\u001b[?2004h');
    const next = { ...it, chat };
    expect((await sent(next, '\u001b[A\r', 4))[3]).toBe('second\nof two lines');
    expect((await sent(next, ['\u0012first', '\r', '\r'], 5))[4]).toBe('first entry');
    await leave(next);
  });

  test('--no-save and MOTIF_NO_HISTORY write nothing that was typed', async () => {
    for (const [env, args] of [
      [{ MOTIF_NO_HISTORY: '1' }, []],
      [{}, ['--no-save']],
    ] as const) {
      const it = await talk(env, ...args);
      await sent(it, 'not for the disk\r');
      await it.chat.says('fine.');
      await leave(it);
      expectNowhere(it.home, 'not for the disk');
    }
  });
});

describe.skipIf(noPty)(`an editor of one's own ${noPty ?? ''}`, () => {
  test('Ctrl-O hands it the draft and takes what it wrote', async () => {
    const it = await talk();
    await leave(it);
    const path = editor(it.home, 'grep -q draft "$1" && printf "from the editor\\nsecond line\\n" > "$1"');
    const chat = motifOnPty(['chat'], { env: { ...it.home.env, EDITOR: path } });
    await chat.says('\u001b[?2004h');
    chat.type('draft\u000f');
    await chat.says('second line');
    expect(await sent({ ...it, chat }, '\r')).toEqual([expect.stringMatching(/^from the editor\nsecond line\n?$/)]);
    await leave({ ...it, chat });
  });

  test.each([
    ['that fails', 'exit 1'],
    ['that is killed', 'kill -9 $$'],
  ])('one %s loses nothing', async (_name, script) => {
    const it = await talk();
    await leave(it);
    const chat = motifOnPty(['chat'], { env: { ...it.home.env, EDITOR: editor(it.home, `echo ran; ${script}`) } });
    await chat.says('\u001b[?2004h');
    chat.type('draft\u000f');
    await chat.says(/ran[\s\S]*editor ended/);
    expect(await sent({ ...it, chat }, ' more\r')).toEqual(['draft more']);
    await leave({ ...it, chat });
  });

  test('one that is not there loses nothing', async () => {
    const it = await talk({ EDITOR: '/nonexistent/editor', VISUAL: '' });
    it.chat.type('draft\u000f');
    await it.chat.says('/nonexistent/editor is not installed');
    expect(await sent(it, ' more\r')).toEqual(['draft more']);
    await leave(it);
  });
});
