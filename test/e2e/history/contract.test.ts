import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../src/text/width.ts';
import { block, type ChatService, chatService, homeFor } from '../../support/servers/chat-service.ts';
import {
  conversationFiles,
  itemsOf,
  messagesIn,
  onlyConversation,
  say,
} from '../../support/rooms/conversation-files.ts';
import { createHome, type Home, inMemory } from '../../support/processes/home.ts';
import { filesBelow } from '../../support/rooms/login.ts';

const subcommands: readonly (readonly string[])[] = [
  ['list'],
  ['search', 'kettle'],
  ['show'],
  ['export'],
  ['rename', 'nosuch', 'Title'],
  ['delete', 'nosuch', '--yes'],
  ['prune', '--older-than', '30d', '--yes'],
];

interface Kept {
  readonly service: ChatService;
  readonly home: Home;
}

/** Three conversations of different length, saved one after the other. */
async function kept(): Promise<Kept> {
  const service = await chatService();
  const home = homeFor(service);
  await home.motif(['prompt', '--save', 'Kettle prices', 'What does a kettle cost?']);
  await home.motif(['prompt', '--save', 'Café Äpfel', '-s', 'Be brief.', 'Where is the crème brûlée?']);
  await home.motif(['prompt', '--save', 'Pans', 'A pan and no more']);
  await say(home, ['One kettle, a second kettle, a third kettle', 'and a lid'], '--conversation', 'Kettle prices');
  return { service, home };
}

describe('motif history where nothing was ever saved', () => {
  test.each(subcommands.map((words) => [words.join(' '), words] as const))('%s', async (_name, words) => {
    const home = inMemory(createHome());
    const run = await home.motif(['history', ...words]);
    expect(run.code).toBe(['list', 'search', 'prune'].includes(words[0] ?? '') ? 0 : 2);
    expect(run.stdout).toBe('');
    expect(run.stderr).not.toMatch(/ENOENT| at /);
    expect(filesBelow(home.home)).toEqual([]);
    expect(existsSync(join(home.home, '.local'))).toBe(false);
  });

  test('--json prints an empty list', async () => {
    const home = inMemory(createHome());
    expect(await itemsOf(home, 'list')).toEqual([]);
    expect(await itemsOf(home, 'search', 'kettle')).toEqual([]);
  });
});

describe('motif history list', () => {
  test('the newest first, with title, Motif, turns and tokens', async () => {
    const { home } = await kept();
    const items = await itemsOf(home, 'list');
    expect(items.map(({ title }) => title)).toEqual(['Kettle prices', 'Pans', 'Café Äpfel']);
    expect(items.map(({ turns }) => turns)).toEqual([3, 1, 1]);
    expect(items[0]).toMatchObject({ motif_id: 'support-bot', id: expect.stringMatching(/^\S+$/) as unknown });
    expect(JSON.stringify(items[0])).toContain('21');
    const piped = await home.motif(['history', 'list']);
    expect(piped.stdout.trimEnd().split('\n')).toHaveLength(3);
    for (const line of piped.stdout.trimEnd().split('\n')) expect(line.split('\t').length).toBeGreaterThanOrEqual(5);
    expect(piped.stdout).toContain('Café Äpfel');
  });

  test('--limit and --motif choose; what is no number is a usage error', async () => {
    const { home } = await kept();
    expect((await itemsOf(home, 'list', '-n', '1')).map(({ title }) => title)).toEqual(['Kettle prices']);
    expect(await itemsOf(home, 'list', '--motif', 'support-bot')).toHaveLength(3);
    expect(await itemsOf(home, 'list', '--motif', 'other')).toEqual([]);
    for (const limit of ['-1', 'x', '1.5'])
      expect((await home.motif(['history', 'list', `--limit=${limit}`])).code).toBe(2);
  });

  test('a closed stdout ends it quietly', async () => {
    const { home } = await kept();
    const run = await home.motif(['history', 'list'], { within: ['sh', '-c', '"$@" | true; exit 0', 'sh'] });
    expect(run.stderr).toBe('');
  });

  test('a blocked turn counts no tokens of text, and is told by nothing but its outcome', async () => {
    const service = await chatService((text) => (text === 'secret words' ? block : 'fine'));
    const home = homeFor(service);
    await say(home, ['one', 'secret words', 'three']);
    expect((await itemsOf(home, 'list')).map(({ turns }) => turns)).toEqual([2]);
    for (const words of [['show'], ['export'], ['export', '--format', 'json'], ['search', 'secret']]) {
      expect((await home.motif(['history', ...words])).stdout).not.toContain('secret words');
    }
  });
});

describe('motif history search', () => {
  test('finds words in any order, case and accents aside, and the best first', async () => {
    const { home } = await kept();
    const titles = async (...words: readonly string[]) =>
      (await itemsOf(home, 'search', ...words)).map(({ title }) => title);
    expect(await titles('KETTLE')).toEqual(['Kettle prices']);
    expect(await titles('brulee', 'CREME')).toEqual(['Café Äpfel']);
    expect(await titles('cafe')).toEqual(['Café Äpfel']);
    expect(await titles('pan', 'kettle')).toEqual([]);
    expect(await titles('"second kettle"')).toEqual(['Kettle prices']);
    expect(await titles('"kettle second"')).toEqual([]);
  });

  test('shows the lines, on stdout, and finds nothing with 0', async () => {
    const { home } = await kept();
    const run = await home.motif(['history', 'search', 'lid']);
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toContain('and a lid');
    expect(await home.motif(['history', 'search', 'zebra'])).toMatchObject({ code: 0, stdout: '' });
  });

  test.each([['""'], [''], ['   '], ['"'], ['(.*)+$'], ['\\'], ['%s%n'], ['x'.repeat(100_000)]])(
    'odd words are no crash: %j',
    async (words) => {
      const { home } = await kept();
      const run = await home.motif(['history', 'search', words]);
      expect([0, 2]).toContain(run.code);
    },
  );
});

describe('motif history show and export', () => {
  test('show prints both sides, of the latest where none is named', async () => {
    const { home } = await kept();
    const shown = (await home.motif(['history', 'show'])).stdout;
    for (const text of ['What does a kettle cost?', 'Heard: What does a kettle cost?', 'and a lid'])
      expect(shown).toContain(text);
    expect((await home.motif(['history', 'show', 'pans'])).stdout).toContain('A pan and no more');
    const json = JSON.parse((await home.motif(['history', 'show', 'pans', '--json'])).stdout) as Record<
      string,
      unknown
    >;
    expect(json).toMatchObject({ ok: true, error: null });
    expect(JSON.stringify(json)).toContain('A pan and no more');
  });

  test('messages are what prompt --messages and chat --messages read', async () => {
    const { home, service } = await kept();
    const file = join(home.root, 'talk.json');
    expect(await home.motif(['history', 'export', 'Café Äpfel', '--format', 'messages', '-o', file])).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(await home.motif(['prompt', '--messages', file, 'more'])).toMatchObject({ code: 0 });
    expect(service.messages().at(-1)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Where is the crème brûlée?' },
      { role: 'assistant', content: 'Heard: Where is the crème brûlée?' },
      { role: 'user', content: 'more' },
    ]);
    expect(await say(home, ['and more'], '--messages', file)).toMatchObject({ code: 0 });
    expect(service.messages().at(-1)).toHaveLength(4);
  });

  test('any text survives the round trip, to the byte', async () => {
    const service = await chatService(
      (text) => `\`\`\`\n# ${text}\n---\n\`\`\`\r\n\u0000\u001b[2J \u2028 "q" \\n \ud83d\ude00`,
    );
    const home = homeFor(service);
    const texts = [
      '# not a title',
      '```js',
      '--- NAME ---',
      '{"role":"system"}',
      '\u202e rtl \u0007',
      '日本 👩\u200d👩\u200d👧',
    ];
    await say(home, texts);
    const file = join(home.root, 'talk.json');
    await home.motif(['history', 'export', '--format', 'messages', '-o', file]);
    await home.motif(['prompt', '--messages', file, 'end']);
    const sent = service.messages().at(-1) ?? [];
    expect(sent.slice(0, -2)).toEqual(service.messages()[texts.length - 1]);
    expect(await messagesIn(home, onlyConversation(home).head.id)).toHaveLength(texts.length * 2);
  });

  test('export knows three formats; JSON and Markdown hold both sides', async () => {
    const { home } = await kept();
    for (const format of ['markdown', 'json']) {
      const run = await home.motif(['history', 'export', 'pans', '--format', format]);
      expect(run).toMatchObject({ code: 0 });
      expect(run.stdout).toContain('Heard: A pan and no more');
    }
    const json = await home.motif(['history', 'export', 'pans', '--format', 'json']);
    expect(() => JSON.parse(json.stdout) as unknown).not.toThrow();
    expect((await home.motif(['history', 'export', 'pans', '--format', 'yaml'])).code).toBe(2);
  });

  test('export -o never writes over a conversation that motif keeps, nor into a folder', async () => {
    const { home } = await kept();
    const { path } = conversationFiles(home)[0] ?? { path: '' };
    const before = readFileSync(path, 'utf8');
    await home.motif(['history', 'export', conversationFiles(home)[0]?.head.id ?? '', '-o', path]);
    expect(readFileSync(path, 'utf8')).toBe(before);
    const folder = await home.motif(['history', 'export', '-o', home.root]);
    expect([2, 12]).toContain(folder.code);
    writeFileSync(join(home.root, 'old'), 'old');
    expect(await home.motif(['history', 'export', 'pans', '-o', join(home.root, 'old')])).toMatchObject({ code: 0 });
    expect(readFileSync(join(home.root, 'old'), 'utf8')).toContain('A pan');
  });
});

describe('names of conversations', () => {
  test.each([['show'], ['export'], ['rename'], ['delete']])(
    '%s: unknown is 2 with suggestions, ambiguous is 2',
    async (command) => {
      const { home } = await kept();
      await home.motif(['prompt', '--save', 'Kettle parts', 'x']);
      const more = { show: [], export: [], rename: ['New'], delete: ['--yes'] }[command] ?? [];
      const unknown = await home.motif(['history', command, 'Kettle prizes', ...more]);
      expect(unknown).toMatchObject({ code: 2, stdout: '' });
      expect(unknown.stderr).toContain('Kettle prices');
      const ambiguous = await home.motif(['history', command, 'kettle', ...more]);
      expect(ambiguous).toMatchObject({ code: 2, stdout: '' });
      expect(ambiguous.stderr).toContain('Kettle parts');
      expect(conversationFiles(home)).toHaveLength(4);
    },
  );

  test('rename is seen everywhere, lasts, and finds it again', async () => {
    const { home, service } = await kept();
    expect(await home.motif(['history', 'rename', 'Pans', 'Pots', 'and', 'pans'])).toMatchObject({ code: 0 });
    expect((await itemsOf(home, 'list')).map(({ title }) => title)).toContain('Pots and pans');
    expect(await itemsOf(home, 'search', 'pots')).toHaveLength(1);
    await say(home, ['more'], '--conversation', 'Pots and pans');
    expect(service.messages().at(-1)?.[0]?.content).toBe('A pan and no more');
    expect((await home.motif(['history', 'rename', 'Pots and pans', ''])).code).toBe(2);
  });

  test('a list on a terminal fits it, whatever the titles are', async () => {
    const { home } = await kept();
    await home.motif(['prompt', '--save', `日本語 ${'very long '.repeat(40)}`, 'x']);
    const { openPty, noPty } = await import('../../support/terminals/pty.ts');
    const { program } = await import('../../support/processes/program.ts');
    if (noPty !== undefined) return;
    for (const columns of [200, 80, 40, 20]) {
      const { shown, code } = await openPty([...program, 'history', 'list'], {
        env: { ...home.env, NO_COLOR: '1' },
        columns,
      }).ended;
      expect(code).toBe(0);
      if (columns >= 40) expect(shown.split('\r\n').filter((line) => columnsOf(line) > columns)).toEqual([]);
    }
  });
});
