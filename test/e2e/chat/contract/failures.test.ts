import { describe, expect, test } from 'vitest';
import { chatService, gate, homeFor, never, type Reply } from '../../../support/servers/chat-service.ts';
import { itemsOf, messagesIn, onlyConversation } from '../../../support/rooms/conversation-files.ts';
import { createHome } from '../../../support/processes/home.ts';
import { motifOnPty, noPty } from '../../../support/terminals/pty.ts';

const failures: readonly (readonly [string, Reply, RegExp])[] = [
  ['401', { status: 401, body: { error: 'no' } }, /401|did not accept/],
  ['429', { status: 429, body: { error: 'slow' }, headers: { 'retry-after': '0' } }, /429|limit/],
  ['500', { status: 500, body: { error: 'oh' } }, /500/],
  ['garbage', { body: '\u001b]0;garbage\u0007<html>' }, /motif: /],
  ['an empty body', { body: '' }, /motif: /],
];

describe.skipIf(noPty)(`a turn that fails on a terminal ${noPty ?? ''}`, () => {
  test.each(failures)('%s keeps the conversation and the text, for Up and for /retry', async (_name, reply, says) => {
    let isWell = true;
    const service = await chatService((text) => (isWell ? `Heard: ${text}` : reply));
    const home = homeFor(service);
    const chat = motifOnPty(['chat', '--retries', '0'], { env: home.env });
    await chat.says('\u001b[?2004h');
    chat.type('one\r');
    await chat.says('Heard: one');
    isWell = false;
    const before = chat.shown().length;
    chat.type('two\r');
    await chat.brings(service.received(2));
    await chat.says(says, before);
    chat.type('/retry\r');
    await chat.brings(service.received(3));
    isWell = true;
    chat.type('/retry\r');
    await chat.says('Heard: two');
    chat.type('three\r');
    await chat.says('Heard: three');
    chat.type('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
    const [, failed, again, retried, last] = service.messages();
    expect(again).toEqual(failed);
    expect(retried).toEqual(failed);
    expect(last?.map(({ content }) => content)).toEqual(['one', 'Heard: one', 'two', 'Heard: two', 'three']);
    expect(await messagesIn(home, 'latest').catch(() => messagesIn(home, onlyConversation(home).head.id))).toHaveLength(
      6,
    );
    expect(chat.shown()).not.toContain('\u001b]0;');
  });

  test('a failed turn that is not repeated is not sent with the next', async () => {
    const service = await chatService((text) => (text === 'bad' ? { status: 500 } : `Heard: ${text}`));
    const home = homeFor(service);
    const chat = motifOnPty(['chat'], { env: home.env });
    await chat.says('\u001b[?2004h');
    chat.type('bad\r');
    await chat.says('500');
    chat.type('good\r');
    await chat.says('Heard: good');
    chat.type('\u001b[A\u001b[A?\r');
    await chat.says('Heard: bad?');
    chat.type('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0 });
    expect(service.messages()[1]).toEqual([{ role: 'user', content: 'good' }]);
    expect((await itemsOf(home, 'list')).map(({ turns }) => turns)).toEqual([2]);
  });

  test('a service that has gone ends the turn, not the chat', async () => {
    const service = await chatService();
    const home = homeFor(service);
    await service.close();
    const chat = motifOnPty(['chat', '--retries', '0'], { env: home.env });
    await chat.says('\u001b[?2004h');
    chat.type('one\r');
    await chat.says(/refused/);
    chat.type('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
  });

  test('Ctrl-C while the service thinks stops the request alone; the text is kept for /retry', async () => {
    let isWell = false;
    const service = await chatService((text) => (isWell ? `Heard: ${text}` : never));
    const chat = motifOnPty(['chat'], { env: homeFor(service).env });
    await chat.says('\u001b[?2004h');
    chat.type('one\r');
    await chat.brings(service.received(1));
    chat.type('\u0003');
    isWell = true;
    chat.type('/retry\r');
    await chat.says('Heard: one');
    chat.type('two\r');
    await chat.says('Heard: two');
    chat.type('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
    expect(service.texts()).toEqual(['one', 'one', 'two']);
  });

  test('Ctrl-C while a retry is awaited', async () => {
    const service = await chatService((text) =>
      text === 'busy' ? { status: 429, body: { error: 'slow' }, headers: { 'retry-after': '60' } } : `Heard: ${text}`,
    );
    const chat = motifOnPty(['chat'], { env: homeFor(service).env });
    await chat.says('\u001b[?2004h');
    chat.type('busy\r');
    await chat.brings(service.received(1));
    await chat.says(/60|1m/);
    chat.type('\u0003next\r');
    await chat.says('Heard: next');
    chat.type('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0 });
    expect(service.texts()).toEqual(['busy', 'next']);
  });

  test('what is typed while the service thinks is not lost', async () => {
    const first = gate();
    const service = await chatService(async (text) => {
      if (text === 'one') await first.opened;
      return `Heard: ${text}`;
    });
    const chat = motifOnPty(['chat'], { env: homeFor(service).env });
    await chat.says('\u001b[?2004h');
    chat.type('one\r');
    await chat.brings(service.received(1));
    chat.type('two\rthr');
    first.open();
    await chat.says('Heard: two');
    chat.type('ee\r');
    await chat.says('Heard: three');
    chat.type('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0 });
  });
});

describe.skipIf(noPty)(`another profile ${noPty ?? ''}`, () => {
  const tokens = ['tok-AAAA-aaaa-1111', 'tok-BBBB-bbbb-2222'] as const;

  test('no request to one origin ever carries what the other is owed', async () => {
    const services = [
      await chatService((text) => `A heard: ${text}`),
      await chatService((text) => `B heard: ${text}`),
    ] as const;
    const home = createHome();
    for (const [at, name] of (['a', 'b'] as const).entries()) {
      const address = `http://127.0.0.1:${services[at]?.port}/api/v1/apps/bot-${name}`;
      const words = [
        'login',
        address,
        '-p',
        name,
        '--token-stdin',
        '--no-verify',
        '--token-store',
        'file',
        '--tenant',
        `tenant-${name}`,
      ];
      expect(await home.motif(words, { input: tokens[at] ?? '' })).toMatchObject({ code: 0 });
    }
    const chat = motifOnPty(['chat', '-p', 'a'], { env: { ...home.env, NO_COLOR: '1' } });
    await chat.says('\u001b[?2004h');
    for (const [said, heard] of [
      ['one', 'A heard: one'],
      ['/profile b', /bot-b[\s\S]*> /],
      ['two', 'B heard: two'],
      ['/profile nosuch', /motif: [^]*nosuch[\s\S]*> /],
      ['three', 'B heard: three'],
      ['/profile a', /bot-a[\s\S]*> /],
      ['four', 'A heard: four'],
    ] as const) {
      const before = chat.shown().length;
      chat.type(`${said}\r`);
      await chat.says(heard, before);
    }
    chat.type('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
    for (const [at, service] of services.entries()) {
      expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
        `Bearer ${tokens[at]}`,
        `Bearer ${tokens[at]}`,
      ]);
      expect(new Set(service.requests.map(({ path }) => path))).toEqual(
        new Set([`/api/v1/apps/bot-${'ab'[at]}/prompts`]),
      );
      expect(new Set(service.requests.map(({ headers }) => headers['x-service-tenant-id']))).toEqual(
        new Set([`tenant-${'ab'[at]}`]),
      );
      const received = service.requests.map(({ headers, body }) => `${JSON.stringify(headers)}${body.toString()}`);
      expect(received.join()).not.toContain(tokens[1 - at]);
    }
    expect(chat.shown()).not.toContain(tokens[0]);
    expect(chat.shown()).not.toContain(tokens[1]);
  });
});
