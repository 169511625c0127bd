import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ChatService, chatService, homeFor, never } from '../../../support/servers/chat-service.ts';
import { conversationFiles, messagesIn } from '../../../support/rooms/conversation-files.ts';
import type { Home } from '../../../support/processes/home.ts';
import { filesHolding } from '../../../support/rooms/login.ts';
import { motifOnPty, noPty, type Pty, type PtyEnded } from '../../../support/terminals/pty.ts';

interface Talk {
  readonly service: ChatService;
  readonly home: Home;
  readonly chat: Pty;
}

/** A chat in which one turn was answered; `hang` is never answered, `busy` is put off, `broken` fails. */
async function talk(): Promise<Talk> {
  const service = await chatService((text) => {
    if (text === 'hang') return never;
    if (text === 'busy') return { status: 429, body: { error: 'slow' }, headers: { 'retry-after': '60' } };
    return text === 'broken' ? { status: 500, body: { error: 'oh' } } : `Heard: ${text}`;
  });
  const home = homeFor(service);
  const editor = join(home.root, 'editor');
  writeFileSync(editor, '#!/bin/sh\necho editing\nexec sleep 600\n');
  chmodSync(editor, 0o755);
  const chat = motifOnPty(['chat'], { env: { ...home.env, EDITOR: editor } });
  await chat.says('\u001b[?2004h');
  chat.type('one\r');
  await chat.says('Heard: one');
  return { service, home, chat };
}

/** A short wait, for nothing shows that the moment has come; the chat must survive any moment near it. */
const settled = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve, 120));

type Moment = readonly [string, (talk: Talk) => Promise<void>];

const typing =
  (keys: string): Moment[1] =>
  async ({ chat }) => {
    chat.type(keys);
    await settled();
  };

const asking =
  (text: string): Moment[1] =>
  async ({ chat, service }) => {
    const before = service.requests.length;
    chat.type(`${text}\r`);
    await chat.brings(service.received(before + 1));
    await settled();
  };

const moments: readonly Moment[] = [
  ['on an empty line', typing('')],
  ['in a draft', typing('draft')],
  ['in a draft of three lines, the cursor on the second', typing('a\nb\nc\u001b[A')],
  ['after a paste', typing('\u001b[200~p\rq\u001b[201~')],
  ['after a lone Escape', typing('x\u001b')],
  ['in half a sequence', typing('x\u001b[')],
  ['after Up', typing('\u001b[A')],
  ['in the reverse search', typing('\u0012one')],
  ['in a reverse search that finds nothing', typing('\u0012zzzz')],
  ['with a list of completions', typing('/\t\t')],
  ['with a list of paths', typing('/file /\t\t')],
  ['after /help', typing('/help\r')],
  ['after an unknown command', typing('/nosuch\r')],
  ['after a failure', asking('broken')],
  ['while the service thinks', asking('hang')],
  ['while a retry is awaited', asking('busy')],
  [
    'while /retry is on its way',
    async (it) => {
      await asking('hang')(it);
      it.chat.type('\u0003');
      await asking('/retry')(it);
    },
  ],
  [
    'while the service thinks, with more typed ahead',
    async (it) => {
      await asking('hang')(it);
      it.chat.type('ahead');
      await settled();
    },
  ],
  [
    'while the editor of Ctrl-O is open',
    async ({ chat }) => {
      chat.type('draft\u000f');
      await chat.says('editing');
      await settled();
    },
  ],
  ['right after Enter', async ({ chat }) => chat.type('quick\r')],
];

describe.skipIf(noPty)(`Ctrl-C ${noPty ?? ''}`, () => {
  test('leaves a chat that goes on, at any moment', async () => {
    const it = await talk();
    for (const [at, [name, reach]] of moments.entries()) {
      await reach(it);
      it.chat.type('\u0003');
      await settled();
      // A second one clears what was typed ahead; on an empty line it would be one of two, so something is typed. It is
      // shown once the editor reads keys: a Ctrl-C before that is one more for the prompt that is being stopped.
      const typed = it.chat.shown().length;
      it.chat.type(`typed${at}`);
      await it.chat.says(`typed${at}`, typed);
      it.chat.type('\u0003');
      await settled();
      const before = it.chat.shown().length;
      it.chat.type(`still here ${at}\r`);
      await it.chat.says(`Heard: still here ${at}`, before).catch((cause: unknown) => {
        throw new Error(`Ctrl-C ${name} left a chat that does not go on`, { cause });
      });
      expect(it.service.texts().at(-1), name).toBe(`still here ${at}`);
    }
    it.chat.type('\u0004');
    const end = await it.chat.ended;
    expect(end).toMatchObject({ code: 0, signal: null, isTerminalAsBefore: true });
    expectSane(end.shown);
  });

  test('three times while the service thinks: the chat goes on, or ends sane with the conversation whole', async () => {
    const it = await talk();
    await asking('hang')(it);
    it.chat.type('\u0003\u0003\u0003');
    await settled();
    const end = await leaveAtLast(it.chat);
    expect(end).toMatchObject({ code: 0, isTerminalAsBefore: true });
    expectSane(end.shown);
    await expectResumable(it);
  });

  test.each([0, 20, 40, 60, 80, 100, 130, 160, 200, 300])('%i ms after the start', async (wait) => {
    const service = await chatService();
    const chat = motifOnPty(['chat'], { env: homeFor(service).env });
    await chat.pid;
    await new Promise((resolve) => setTimeout(resolve, wait));
    chat.kill('SIGINT');
    const end = await leaveAtLast(chat);
    expect(end.signal ?? end.code).toBe(end.signal === null ? 0 : 'SIGINT');
    expect(end.isTerminalAsBefore).toBe(true);
    expectSane(end.shown);
    expect(end.shown).not.toMatch(/ at .*\(.*:\d+:\d+\)|unforeseen/);
  });
});

/** Presses Ctrl-D until the chat has gone, for one that comes before the chat reads the terminal is lost. */
async function leaveAtLast(chat: Pty): Promise<PtyEnded> {
  const again = setInterval(() => chat.type('\u0004'), 200);
  return await chat.ended.finally(() => clearInterval(again));
}

const ends: readonly Moment[] = moments.filter(([name]) =>
  /empty line|in a draft$|reverse search$|list of completions|thinks$|retry is awaited|editor/.test(name),
);

describe.skipIf(noPty).each(['SIGTERM', 'SIGHUP'] as const)(`%s ${noPty ?? ''}`, (signal) => {
  test.each(ends)('%s: the terminal is as before, the conversation whole', async (_name, reach) => {
    const it = await talk();
    await reach(it);
    it.chat.kill(signal);
    const end = await it.chat.ended;
    expect(end).toMatchObject({ code: null, signal, isTerminalAsBefore: true });
    expectSane(end.shown);
    // A draft that an editor was given is kept with what was made of it, and the person is told where; others are not.
    for (const path of filesHolding(it.home.root, 'draft')) expect(end.shown).toContain(`kept in ${path}`);
    await expectResumable(it);
  });
});

describe.skipIf(noPty)(`a terminal that goes away ${noPty ?? ''}`, () => {
  test.each(ends)('%s: motif ends, the conversation is whole', async (_name, reach) => {
    const it = await talk();
    await reach(it);
    it.chat.hangUp();
    await it.chat.ended;
    await expectResumable(it);
  });
});

describe.skipIf(noPty)(`SIGKILL ${noPty ?? ''}`, () => {
  test.each(ends)('%s loses at most the turn on its way', async (_name, reach) => {
    const it = await talk();
    await reach(it);
    it.chat.kill('SIGKILL');
    await it.chat.ended;
    await expectResumable(it);
  });
});

async function expectResumable({ home, service }: Talk): Promise<void> {
  const [file, ...more] = conversationFiles(home);
  expect(more).toEqual([]);
  for (const line of Buffer.from(file?.text ?? '', 'latin1')
    .toString()
    .trimEnd()
    .split('\n'))
    JSON.parse(line);
  const turn = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'Heard: one' },
  ];
  expect(await messagesIn(home, file?.head.id ?? '')).toEqual(turn);
  const run = await home.motif(['chat', '-c'], { input: 'two\n' });
  expect(run).toMatchObject({ code: 0, stdout: 'Heard: two\n' });
  expect(service.messages().at(-1)).toEqual([...turn, { role: 'user', content: 'two' }]);
}

/** Last modes of the terminal: pastes unmarked, the cursor there, the alternate screen left, no mouse, no colours. */
function expectSane(shown: string): void {
  for (const [on, off] of [
    ['\u001b[?2004h', '\u001b[?2004l'],
    ['\u001b[?25l', '\u001b[?25h'],
    ['\u001b[?1049h', '\u001b[?1049l'],
    ['\u001b[?1000h', '\u001b[?1000l'],
  ] as const) {
    expect(shown.lastIndexOf(off), JSON.stringify(shown.slice(-300))).toBeGreaterThanOrEqual(shown.lastIndexOf(on));
  }
}
