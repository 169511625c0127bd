import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hiddenAnywhere, hostilePacks, packEnd } from '../../../fixtures/hostile-text.ts';
import { type ChatService, chatService, gate, homeFor } from '../../../support/servers/chat-service.ts';
import { motifOnPty, noPty, openPty } from '../../../support/terminals/pty.ts';
import { program } from '../../../support/processes/program.ts';
import { answered, blocked } from '../../../support/service.ts';

/** Answers that stand between two marks, so that what was drawn of them can be told from all else. */
async function markedService(texts: readonly string[]): Promise<ChatService> {
  return chatService((_text, turn) => `BEGIN${turn}\n\n${texts[turn - 1] ?? ''}\n\nEND${turn}`);
}

const plain = { NO_COLOR: '1' };
const sequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|.)/g;

/** The sequences that were sent, but for the modes of pastes and of the cursor. */
function sequencesIn(shown: string): readonly string[] {
  return [...shown.matchAll(sequence)].map(([found]) => found).filter((found) => !/\?(2004|25)[hl]$/.test(found));
}

describe.skipIf(noPty)(`what a service says, on a terminal ${noPty ?? ''}`, () => {
  test('no answer moves the cursor, changes the title, or reaches the clipboard', async () => {
    const service = await markedService(hostilePacks.map(({ text }) => text));
    const chat = motifOnPty(['chat', '--no-save'], { env: { ...homeFor(service).env, ...plain }, columns: 200 });
    await chat.says('\u001b[?2004h');
    for (const at of hostilePacks.keys()) {
      chat.type(`turn ${at + 1}\r`);
      await chat.says(`END${at + 1}`);
    }
    chat.type('\u0004');
    const { code, shown } = await chat.ended;
    expect(code).toBe(0);
    for (const [at, { text: all, texts }] of hostilePacks.entries()) {
      const drawn = shown
        .slice(shown.indexOf(`BEGIN${at + 1}`), shown.indexOf(`END${at + 1}`))
        .replaceAll('\r\n', '\n');
      expect(hiddenAnywhere.exec(drawn), all).toBeNull();
      if (texts.length > 1) expect(drawn, all).toContain(packEnd);
      for (const { name, text } of texts) {
        if (/[\u0007\u001b\u0080-\u009f]/.test(text)) expect(drawn, name).not.toContain(text);
      }
    }
  }, 120_000);

  test('nor does an error, a reason to finish, a prompt ID or the title of a conversation', async () => {
    const evil = '\u001b]0;owned\u0007\u001b]52;c;aGk=\u0007\u009b2J\u202eabc';
    const replies = [
      { status: 500, body: { error: evil } },
      { status: 400, body: evil },
      { body: { ...answered, finish_reason: evil, prompt_id: evil } },
      { body: { ...blocked, finish_reason: evil, prompt_id: evil } },
      { status: 302, body: '', headers: { location: 'https://x/%1b]0;owned' } },
    ];
    const service = await chatService((_text, turn) => replies[turn - 1] ?? 'fine');
    const chat = motifOnPty(['chat', '--blocked-notice', `ask ${evil}`], {
      env: { ...homeFor(service).env, ...plain },
    });
    await chat.says('\u001b[?2004h');
    for (const at of replies.keys()) {
      chat.type(`turn ${at}\r`);
      await chat.brings(service.received(at + 1));
    }
    chat.type(`\u001b[200~${evil}\u001b[201~\r`);
    await chat.says('fine');
    chat.type('/messages\r/title\r/usage\r\u0004');
    const { shown, isTerminalAsBefore } = await chat.ended;
    expect(isTerminalAsBefore).toBe(true);
    for (const raw of ['\u001b]', '\u009b', '\u202e', '\u0007']) expect(shown).not.toContain(raw);
  });

  test('an answer of one line of 8 MB, a reader that pauses, and a chat that goes on', async () => {
    const service = await chatService((text) => (text === 'big' ? 'z'.repeat(8_000_000) : `Heard: ${text}`));
    const chat = motifOnPty(['chat', '--no-save'], { env: homeFor(service).env });
    await chat.says('\u001b[?2004h');
    chat.type('big\r');
    await chat.brings(service.received(1));
    chat.ignore(1.5);
    chat.type('next\r');
    await chat.says('Heard: next');
    chat.type('\u0004');
    const { code, shown } = await chat.ended;
    expect(code).toBe(0);
    expect(shown.split('z').length).toBeGreaterThan(8_000_000);
  });
});

describe.skipIf(noPty)(`terminals of every kind ${noPty ?? ''}`, () => {
  test.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [1, 50],
    [19, 3],
    [40, 10],
  ])('%i columns and %i rows', async (columns, rows) => {
    const slow = gate();
    const service = await chatService(async (text) => {
      if (text.startsWith('slow')) await slow.opened;
      return `Heard: ${text}`;
    });
    const chat = motifOnPty(['chat'], { env: homeFor(service).env, columns, rows });
    await chat.says('leaves');
    await chat.enters('日本語 👩\u200d👩\u200d👧 draft that is longer than that\u007f\u007fat');
    chat.type('\r');
    await chat.brings(service.received(1));
    await chat.enters('slow\r');
    await chat.brings(service.received(2));
    // The spinner begins after 300 ms.
    setTimeout(() => slow.open(), 900);
    chat.type('last\r');
    await chat.brings(service.received(3));
    chat.type('\u0004');
    const end = await chat.ended;
    expect(end).toMatchObject({ code: 0, isTerminalAsBefore: true });
    expect(service.texts()).toEqual(['日本語 👩\u200d👩\u200d👧 draft that is longer than that', 'slow', 'last']);
    expect(end.shown.length).toBeLessThan(200_000);
  });

  test('a storm of resizes while typing, asking and answering loses no key', async () => {
    const sizes = [0, 1, 2, 3, 7, 10, 40, 41, 80, 200, 500];
    const service = await chatService((text) => `Heard: ${text.length}`);
    const chat = motifOnPty(['chat'], { env: homeFor(service).env });
    await chat.says('\u001b[?2004h');
    const words = Array.from({ length: 200 }, (_, at) => `w${at} 日本`);
    for (const [at, word] of words.entries()) {
      chat.resize(sizes[(at * 7) % sizes.length] ?? 80, sizes[(at * 5) % sizes.length] ?? 24);
      chat.type(at % 10 === 9 ? `${word}\n` : `${word} `);
    }
    chat.type('\r');
    await chat.brings(service.received(1));
    const expected = words.map((word, at) => (at % 10 === 9 ? `${word}\n` : `${word} `)).join('');
    expect(service.texts()[0]?.trimEnd()).toBe(expected.trimEnd());
    for (const size of sizes) chat.resize(size, size);
    chat.resize(80, 24);
    chat.type('after\r');
    await chat.says('Heard: 5');
    chat.type('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
  });

  test('NO_COLOR draws without colours and styles', async () => {
    const service = await markedService(['# Title\n\n**bold** `code`\n\n```js\nlet a;\n```']);
    const chat = motifOnPty(['chat'], { env: { ...homeFor(service).env, ...plain } });
    await chat.says('\u001b[?2004h');
    chat.type('one\r');
    await chat.says('END1');
    chat.type('/help\r/nosuch\r\u0004');
    const { shown } = await chat.ended;
    expect(sequencesIn(shown).filter((found) => found.endsWith('m'))).toEqual([]);
  });

  test.each([
    ['TERM=dumb', { TERM: 'dumb' }, []],
    ['ACCESSIBLE=1', { ACCESSIBLE: '1', NO_COLOR: '1' }, []],
    ['--accessible', { NO_COLOR: '1' }, ['--accessible']],
  ] as const)('%s: nothing is drawn twice, no cursor moves', async (_name, env, args) => {
    const slow = gate();
    const service = await chatService(async (text) => {
      await slow.opened;
      return `Heard: ${text}`;
    });
    const chat = motifOnPty(['chat', ...args], { env: { ...homeFor(service).env, ...env } });
    await chat.says(/leaves\s+> /);
    await chat.enters('one\\\r');
    chat.type('two\r');
    await chat.brings(service.received(1));
    setTimeout(() => slow.open(), 700);
    await chat.says('Heard: one');
    chat.type('/help\r');
    await chat.says('/retry');
    chat.type('three\r');
    await chat.says('Heard: three');
    chat.type('\u0004');
    const end = await chat.ended;
    expect(end).toMatchObject({ code: 0, isTerminalAsBefore: true });
    expect(sequencesIn(end.shown)).toEqual([]);
    expect(end.shown.replaceAll(/\r+\n/g, '')).not.toMatch(/\r[^\n]/);
    expect(service.texts()).toEqual(['one\ntwo', 'three']);
  });

  test('--accessible: a paste of three lines is one message, and so is one of more than a terminal takes of a line', async () => {
    const service = await chatService((text) => `Heard ${text.length}`);
    const env = { ...homeFor(service).env, ...plain };
    const chat = motifOnPty(['chat', '--accessible'], { env });
    await chat.says(/leaves\s+> /);
    await chat.enters('\u001b[200~one\rtwo\rthree\u001b[201~');
    expect(service.texts()).toEqual([]);
    chat.type('\r');
    await chat.says('Heard 13');
    await chat.enters(`\u001b[200~${'x'.repeat(5000)}\u001b[201~`);
    chat.type('\r');
    await chat.says('Heard 5000');
    chat.type('\u0004');
    const end = await chat.ended;
    expect(end).toMatchObject({ code: 0, isTerminalAsBefore: true });
    expect(end.shown).toContain('> one\r\n… two\r\n… three\r\n');
    expect(sequencesIn(end.shown)).toEqual([]);
    expect(service.texts()).toEqual(['one\ntwo\nthree', 'x'.repeat(5000)]);
  });

  test('TERM=dumb: Ctrl-C while the service thinks stops the request alone', async () => {
    const service = await chatService((text) => (text === 'hang' ? undefined : `Heard: ${text}`));
    const chat = motifOnPty(['chat'], { env: { ...homeFor(service).env, TERM: 'dumb' } });
    await chat.says(/leaves\s+> /);
    chat.type('hang\r');
    await chat.brings(service.received(1));
    chat.type('\u0003');
    await new Promise((resolve) => setTimeout(resolve, 300));
    chat.type('next\r');
    await chat.says('Heard: next');
    chat.type('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
  });

  test('stdout in a file while stdin is a terminal: the answers go there, byte for byte, and nothing else', async () => {
    const service = await chatService(() => '**bold** \u001b[31mred');
    const home = homeFor(service);
    const file = join(home.root, 'out');
    const line = `exec "$@" > '${file}'`;
    const chat = openPty(['sh', '-c', line, 'sh', ...program, 'chat'], { env: home.env });
    await chat.says('\u001b[?2004h');
    chat.type('one\r');
    await chat.brings(service.received(1));
    chat.type('two\r');
    await chat.brings(service.received(2));
    chat.type('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
    expect(readFileSync(file, 'utf8')).toBe('**bold** \u001b[31mred\n'.repeat(2));
    expect(chat.shown()).not.toContain('\u001b[31mred');
  });

  test('stdin a pipe while stdout is a terminal: each line is a turn, and the answer is defused', async () => {
    const service = await chatService((text) => `Heard: ${text}\u001b]0;owned\u0007`);
    const line = 'printf "one\\ntwo\\n" | "$@"; echo "code $?"; stty -a';
    const chat = openPty(['sh', '-c', line, 'sh', ...program, 'chat'], { env: { ...homeFor(service).env, ...plain } });
    const { shown, isTerminalAsBefore } = await chat.ended;
    expect(isTerminalAsBefore).toBe(true);
    expect(shown).toContain('code 0');
    expect(shown).toContain('Heard: one');
    expect(shown).toContain('Heard: two');
    expect(shown).not.toContain('\u001b]0;');
    expect(service.texts()).toEqual(['one', 'two']);
  });
});
