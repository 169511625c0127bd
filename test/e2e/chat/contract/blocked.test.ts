import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { block, type ChatService, chatService, homeFor } from '../../../support/servers/chat-service.ts';
import {
  conversationFiles,
  expectNowhere,
  itemsOf,
  messagesIn,
  onlyConversation,
  say,
} from '../../../support/rooms/conversation-files.ts';
import { motifOnPty, noPty } from '../../../support/terminals/pty.ts';
import { blocked } from '../../../support/service.ts';

/** A word of every text that is to be blocked, which may be found nowhere afterwards. */
const canary = 'cAnArY-7f3aQ';
const notice =
  'motif: blocked by policy (motif support-bot, finish_reason blocked, prompt_id 01JD0000000000000000000001)';

const blockingService = (): Promise<ChatService> =>
  chatService((text) => (text.includes(canary) ? block : `Heard: ${text}`));

describe('a blocked turn of lines', () => {
  test('is told with its prompt_id, never sent again and never written', async () => {
    const service = await blockingService();
    const home = homeFor(service);
    const run = await say(home, ['one', `my ${canary}`, 'three', `other ${canary}`, 'five']);
    expect(run).toMatchObject({ code: 10, stdout: 'Heard: one\nHeard: three\nHeard: five\n' });
    expect(run.stderr.split(notice)).toHaveLength(3);
    expect(service.requests.map(({ body }) => body.includes(canary))).toEqual([false, true, false, true, false]);
    expect(service.messages()[4]?.map(({ content }) => content)).toEqual([
      'one',
      'Heard: one',
      'three',
      'Heard: three',
      'five',
    ]);
    expectNowhere(home, canary);
    expect((await messagesIn(home, onlyConversation(home).head.id)).map(({ content }) => content)).toEqual([
      'one',
      'Heard: one',
      'three',
      'Heard: three',
      'five',
      'Heard: five',
    ]);
  });

  test('as the first one lends the conversation no title', async () => {
    const service = await blockingService();
    const home = homeFor(service);
    await say(home, [`${canary} first`, 'harmless']);
    expectNowhere(home, canary);
    expect(onlyConversation(home).head.title).not.toContain(canary.slice(0, 6));
    expect(JSON.stringify(await itemsOf(home, 'list'))).toContain('harmless');
  });

  test('as the only one leaves nothing of it behind', async () => {
    const service = await blockingService();
    const home = homeFor(service);
    expect(await say(home, [`${canary} first`])).toMatchObject({ code: 10 });
    expectNowhere(home, canary);
  });

  test('stays out of what later commands write', async () => {
    const service = await blockingService();
    const home = homeFor(service);
    const file = join(home.root, 'export.json');
    await say(home, [
      'one',
      `my ${canary}`,
      '/title Named later',
      '/messages',
      `/export messages ${file}`,
      '/fork',
      'two',
      '/save kept',
    ]);
    expectNowhere(home, canary);
    expect(service.texts().filter((text) => text.includes(canary))).toHaveLength(1);
  });

  test('that carries an answer all the same shows and keeps nothing of it', async () => {
    const leak = 'lEaK-of-the-answer';
    const service = await chatService((text) => (text === 'bad' ? { body: { ...blocked, response: leak } } : 'fine'));
    const home = homeFor(service);
    const run = await say(home, ['one', 'bad', 'three']);
    expect(`${run.stdout}${run.stderr}`).not.toContain(leak);
    expect(service.requests.some(({ body }) => body.includes(leak))).toBe(false);
    expectNowhere(home, leak);
  });

  test('whose answer was blocked, with tokens paid for, is kept no more', async () => {
    const paid = { ...blocked, usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 } };
    const service = await chatService((text) => (text.includes(canary) ? { body: paid } : 'fine'));
    const home = homeFor(service);
    const run = await say(home, ['one', canary, 'three'], '--json');
    expect(JSON.parse(run.stdout.split('\n')[1] ?? '')).toMatchObject({ blocked: true, usage: paid.usage });
    expect(service.messages()[2]?.map(({ content }) => content)).toEqual(['one', 'fine', 'three']);
    expectNowhere(home, canary);
  });

  test('a file in the opening that is blocked is not written either', async () => {
    const service = await blockingService();
    const home = homeFor(service);
    const file = join(home.root, 'notes.txt');
    writeFileSync(file, canary);
    await say(home, ['what is this?'], '-f', file);
    writeFileSync(file, '');
    expectNowhere(home, canary);
  });

  test('prompt --save of a blocked prompt writes nothing of it', async () => {
    const service = await blockingService();
    const home = homeFor(service);
    expect(await home.motif(['prompt', '--save', 'A title', canary])).toMatchObject({ code: 10, stdout: '' });
    expectNowhere(home, canary);
    await home.motif(['prompt', '--save', 'Begun', 'one']);
    expect(await home.motif(['prompt', '-c', `more ${canary}`])).toMatchObject({ code: 10 });
    expect(await home.motif(['prompt', '-c', 'three'])).toMatchObject({ code: 0 });
    expect(
      service
        .messages()
        .at(-1)
        ?.map(({ content }) => content),
    ).toEqual(['one', 'Heard: one', 'three']);
    expectNowhere(home, canary);
  });
});

describe.skipIf(noPty)(`a blocked turn on a terminal ${noPty ?? ''}`, () => {
  test('the line is empty, Up brings the text back, and nothing is written', async () => {
    const service = await blockingService();
    const home = homeFor(service);
    const chat = motifOnPty(['chat'], { env: home.env, columns: 200 });
    await chat.says('\u001b[?2004h');
    chat.type('one\r');
    await chat.says('Heard: one');
    chat.type(`my ${canary}\r`);
    await chat.says('prompt_id 01JD0000000000000000000001');
    chat.type('three\r');
    await chat.says('Heard: three');
    expect(service.texts()).toEqual(['one', `my ${canary}`, 'three']);
    chat.type('\u001b[A\u001b[A!\r');
    await chat.brings(service.received(4));
    expect(service.texts()[3]).toBe(`my ${canary}!`);
    expect(
      service
        .messages()[3]
        ?.map(({ content }) => content)
        .slice(0, -1)
        .join(),
    ).not.toContain(canary);
    chat.type('five\r');
    await chat.says('Heard: five');
    chat.type('\u0004');
    expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
    expect(
      service
        .messages()[4]
        ?.map(({ content }) => content)
        .join(),
    ).not.toContain(canary);
    expectNowhere(home, canary);
  });

  test('/retry sends it again, once; neither it nor /edit leaves a trace', async () => {
    const service = await blockingService();
    const home = homeFor(service);
    const chat = motifOnPty(['chat'], { env: { ...home.env, EDITOR: 'true', VISUAL: 'true' }, columns: 200 });
    await chat.says('\u001b[?2004h');
    chat.type(`my ${canary}\r`);
    await chat.brings(service.received(1));
    await chat.says('prompt_id 01JD');
    chat.type('/retry\r');
    await chat.brings(service.received(2));
    expect(service.messages()[1]).toEqual([{ role: 'user', content: `my ${canary}` }]);
    await chat.says(/prompt_id 01JD[\s\S]*prompt_id 01JD/);
    chat.type('/edit\r');
    await chat.says(new RegExp(`/edit[\\s\\S]*${canary}`));
    chat.type('\u0003harmless\r');
    await chat.brings(service.received(3));
    await chat.says('Heard: harmless');
    chat.kill('SIGKILL');
    await chat.ended;
    expect(service.messages()[2]).toEqual([{ role: 'user', content: 'harmless' }]);
    expectNowhere(home, canary);
  });

  test('SIGKILL right after the block, and a paste of many lines: no trace, and the next chat does not know it', async () => {
    const service = await blockingService();
    const home = homeFor(service);
    const chat = motifOnPty(['chat'], { env: home.env, columns: 200 });
    await chat.says('\u001b[?2004h');
    chat.type('one\r');
    await chat.says('Heard: one');
    chat.type(`\u001b[200~first line\rmy ${canary}\rlast line\u001b[201~\r`);
    await chat.brings(service.received(2));
    await chat.says('prompt_id 01JD');
    chat.kill('SIGKILL');
    await chat.ended;
    expectNowhere(home, canary, 'last line');
    const next = motifOnPty(['chat', '-c'], { env: home.env, columns: 200 });
    await next.says('\u001b[?2004h');
    const before = next.shown().length;
    next.type('\u001b[A\u001b[A\u001b[A\u0012canary');
    next.type('\u0007\u0003again\r');
    await next.says('Heard: ', before);
    expect(next.shown()).not.toContain(canary);
    expect(
      service
        .messages()[2]
        ?.slice(0, 2)
        .map(({ content }) => content),
    ).toEqual(['one', 'Heard: one']);
    next.type('\u0004');
    expect(await next.ended).toMatchObject({ code: 0 });
    expect(conversationFiles(home).length).toBe(1);
  });
});
