import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatService, homeFor } from '../../../support/servers/chat-service.ts';
import { conversationFiles, say } from '../../../support/rooms/conversation-files.ts';

const commands =
  '/help /system /file /edit /retry /undo /messages /usage /profile /save /load /fork /title /copy /extract /export /case /clear /exit'.split(
    ' ',
  );

describe('slash commands in a chat of lines', () => {
  test('/help names every one', async () => {
    const service = await chatService();
    const run = await say(homeFor(service), ['/help']);
    expect(commands.filter((command) => !`${run.stdout}${run.stderr}`.includes(command))).toEqual([]);
    expect(service.requests).toEqual([]);
  });

  test.each(['/hepl', '/exitt now', '/etc/passwd', '/ help', '/', '/HELPME'])('%s is never sent', async (line) => {
    const service = await chatService();
    const run = await say(homeFor(service), ['one', line]);
    expect(service.texts()).toEqual(['one']);
    expect(run.stderr).toMatch(/motif: |\/help/);
  });

  test('// sends one slash', async () => {
    const service = await chatService();
    await say(homeFor(service), ['//help', '//', '///x']);
    expect(service.texts()).toEqual(['/help', '/', '//x']);
  });

  test('/system says what comes first from now on, and replaces what did', async () => {
    const service = await chatService(() => 'ok');
    await say(homeFor(service), ['one', '/system Be brief.', 'two', '/system Be long.', 'three'], '-s', 'First.');
    const systems = service
      .messages()
      .map((messages) => messages.filter(({ role }) => role === 'system').map(({ content }) => content));
    expect(systems).toEqual([['First.'], ['Be brief.'], ['Be long.']]);
    expect(service.messages().every(([first]) => first?.role === 'system')).toBe(true);
  });

  test('/undo takes the last turn back, /clear all of them but the system message', async () => {
    const service = await chatService();
    await say(homeFor(service), ['one', 'two', '/undo', 'three', '/clear', 'four'], '-s', 'Sys.');
    expect(service.messages().map((messages) => messages.map(({ content }) => content))).toEqual([
      ['Sys.', 'one'],
      ['Sys.', 'one', 'Heard: one', 'two'],
      ['Sys.', 'one', 'Heard: one', 'three'],
      ['Sys.', 'four'],
    ]);
  });

  test('/undo of the only turn; where there is none it is an error, not a crash', async () => {
    const service = await chatService();
    expect(await say(homeFor(service), ['one', '/undo', 'two'])).toMatchObject({ code: 0 });
    expect(service.messages().at(-1)).toEqual([{ role: 'user', content: 'two' }]);
    expect([0, 2]).toContain((await say(homeFor(service), ['one', '/undo', '/undo', '/undo'])).code);
  });

  test('/file adds a file to the next turn', async () => {
    const service = await chatService();
    const home = homeFor(service);
    const file = join(home.root, 'notes.txt');
    writeFileSync(file, 'the notes');
    await say(home, [`/file ${file}`, 'what is it?']);
    expect(service.requests.length).toBeGreaterThan(0);
    expect(service.texts().at(-1)).toContain('the notes');
  });

  test.each(['/dev/zero', 'fifo', '/nonexistent', '.'])('/file %s neither hangs nor sends', async (name) => {
    const service = await chatService();
    const home = homeFor(service);
    execFileSync('mkfifo', [join(home.root, 'fifo')]);
    const run = await say(home, [`/file ${resolve(home.root, name)}`]);
    expect(run.code).toBeLessThanOrEqual(12);
    expect(run.stderr).toContain('motif: ');
    expect(service.requests).toEqual([]);
  });

  test('/messages shows what the next turn would be sent with', async () => {
    const service = await chatService();
    const run = await say(homeFor(service), ['one', '/messages'], '-s', 'Sys.');
    const shown = `${run.stdout}${run.stderr}`;
    for (const text of ['Sys.', 'one', 'Heard: one']) expect(shown).toContain(text);
  });

  test('/extract and /export write files that can be used', async () => {
    const service = await chatService(() => 'Here:\n```js\nlet a = 1;\n```\nand\n```sh\nls\n```\n');
    const home = homeFor(service);
    const [code, json] = ['code.js', 'talk.json'].map((name) => join(home.root, name));
    const run = await say(home, ['one', `/extract 1 ${code}`, `/export messages ${json}`, '/extract']);
    expect(run.code).toBe(0);
    expect(readFileSync(code ?? '', 'utf8')).toMatch(/^let a = 1;\n?$/);
    const again = await home.motif(['prompt', '--messages', json ?? '', 'more']);
    expect(again).toMatchObject({ code: 0 });
    expect(service.messages()[1]?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test('/fork goes on in a copy; the first conversation stays as it was', async () => {
    const service = await chatService();
    const home = homeFor(service);
    await say(home, ['one', '/fork', 'two']);
    const sizes = conversationFiles(home).map(({ text }) => text.includes('two'));
    expect(sizes.filter(Boolean)).toHaveLength(1);
    expect(sizes).toHaveLength(2);
    expect(service.messages()[1]?.map(({ content }) => content)).toEqual(['one', 'Heard: one', 'two']);
  });

  test('/title names the conversation, /load finds it by that name', async () => {
    const service = await chatService();
    const home = homeFor(service);
    await say(home, ['one', '/title Kettles and pans']);
    await say(home, ['two', '/load Kettles and pans', 'three', '/load nosuch at all', 'four']);
    expect(service.messages()[2]?.map(({ content }) => content)).toEqual(['one', 'Heard: one', 'three']);
  });

  test('/save keeps a chat that --no-save kept from the disk', async () => {
    const service = await chatService();
    const home = homeFor(service);
    await say(home, ['one', '/save Now kept', 'two'], '--no-save');
    const [file, ...more] = conversationFiles(home);
    expect(more).toEqual([]);
    expect(file?.text).toContain('Now kept');
    for (const text of ['one', 'two']) expect(file?.text).toContain(text);
  });

  test('/usage adds up what the turns have cost', async () => {
    const service = await chatService();
    const run = await say(homeFor(service), ['one', 'two', 'three', '/usage']);
    expect(`${run.stdout}${run.stderr}`).toContain('21');
  });

  test('/profile without a name says where the chat goes, and no secret', async () => {
    const service = await chatService();
    const run = await say(homeFor(service), ['/profile']);
    expect(`${run.stdout}${run.stderr}`).toContain('support-bot');
    expect(`${run.stdout}${run.stderr}`).not.toContain(service.env.MOTIF_TOKEN ?? 'no token');
  });
});

describe('--max-context-tokens', () => {
  const long = (name: string): string => `${name} ${'lorem ipsum '.repeat(60)}`.trim();

  test('drops the oldest turns, says so, and never the system message or the newest text', async () => {
    const service = await chatService(() => 'ok');
    const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
    const run = await say(homeFor(service), names.map(long), '-s', 'Sys.', '--max-context-tokens', '500');
    expect(run.code).toBe(0);
    for (const [at, messages] of service.messages().entries()) {
      expect(messages[0]).toEqual({ role: 'system', content: 'Sys.' });
      expect(messages[1]?.role).toBe('user');
      expect(messages.at(-1)?.content).toBe(long(names[at] ?? ''));
    }
    const last =
      service
        .messages()
        .at(-1)
        ?.map(({ content }) => content.split(' ')[0]) ?? [];
    expect(last).not.toContain('first');
    expect(last).toContain('sixth');
    expect(run.stderr).toMatch(/turn/);
  });

  test('a limit of one token still sends the system message and what was said', async () => {
    const service = await chatService(() => 'ok');
    await say(homeFor(service), ['one', 'two'], '-s', 'Sys.', '--max-context-tokens', '1');
    expect(service.messages().map((messages) => messages.map(({ content }) => content))).toEqual([
      ['Sys.', 'one'],
      ['Sys.', 'two'],
    ]);
  });

  test('what was dropped is still in the file', async () => {
    const service = await chatService(() => 'ok');
    const home = homeFor(service);
    await say(home, [long('first'), long('second'), long('third')], '--max-context-tokens', '250');
    for (const name of ['first', 'second', 'third'])
      expect(conversationFiles(home)[0]?.text).toContain(`${name} lorem`);
  });

  test.each(['0', '-1', '1.5', 'many', '', '99999999999999999999'])(
    '%j is a usage error or a limit, never a crash',
    async (limit) => {
      const service = await chatService();
      const run = await say(homeFor(service), ['one'], `--max-context-tokens=${limit}`);
      expect(run.code).toBe(limit === '99999999999999999999' ? run.code : 2);
      expect([0, 2]).toContain(run.code);
    },
  );
});

test('--messages - is refused: stdin is what is said', async () => {
  const service = await chatService();
  const run = await say(homeFor(service), ['[{"role":"user","content":"one"}]'], '--messages', '-');
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(service.requests).toEqual([]);
});

test.each([['chat'], ['chat', '--no-save']])('%s --help works with nothing set up', async (...words) => {
  const service = await chatService();
  const home = homeFor(service);
  const run = await home.motif([...words, '--help'], { env: { MOTIF_URL: '', MOTIF_TOKEN: '' } });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  for (const flag of [
    '--continue',
    '--conversation',
    '--no-save',
    '--max-context-tokens',
    '--json',
    '--demo',
    '--local',
  ]) {
    expect(run.stdout).toContain(flag);
  }
  expect(existsSync(join(home.home, '.local'))).toBe(false);
});
