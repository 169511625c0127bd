import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hiddenAnywhere } from '../../fixtures/hostile-text.ts';
import { type ChatService, chatService, homeFor } from '../../support/servers/chat-service.ts';
import {
  type ConversationFile,
  conversationFiles,
  itemsOf,
  messagesIn,
  onlyConversation,
  say,
} from '../../support/rooms/conversation-files.ts';
import type { Home } from '../../support/processes/home.ts';
import { filesBelow } from '../../support/rooms/login.ts';
import { program } from '../../support/processes/program.ts';
import { noPty, openPty } from '../../support/terminals/pty.ts';

interface Kept {
  readonly service: ChatService;
  readonly home: Home;
  readonly file: ConversationFile;
}

async function kept(): Promise<Kept> {
  const service = await chatService();
  const home = homeFor(service);
  await say(home, ['one', 'two', 'three']);
  return { service, home, file: onlyConversation(home) };
}

/** The path of a further file among the conversations. */
const beside = ({ path }: ConversationFile, name: string): string => join(dirname(path), `${name}${extname(path)}`);

const everyCommand = [['list'], ['search', 'one'], ['show'], ['prune', '--older-than', '30d', '--yes'], ['export']];

describe('a conversation file that was torn or changed', () => {
  test('a torn last line costs that turn alone, and the next one is whole', async () => {
    for (const bytes of [1, 2, 10, 60]) {
      const { home, file, service } = await kept();
      truncateSync(file.path, readFileSync(file.path).length - bytes);
      const left = await messagesIn(home, file.head.id);
      expect(left.length).toBeGreaterThanOrEqual(4);
      expect(await say(home, ['four'], '-c')).toMatchObject({ code: 0, stdout: 'Heard: four\n' });
      expect(
        service
          .messages()
          .at(-1)
          ?.slice(0, 4)
          .map(({ content }) => content),
      ).toEqual(['one', 'Heard: one', 'two', 'Heard: two']);
      expect((await messagesIn(home, file.head.id)).slice(-2).map(({ content }) => content)).toEqual([
        'four',
        'Heard: four',
      ]);
    }
  });

  test('half a character at the end', async () => {
    const { home, file } = await kept();
    appendFileSync(file.path, Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xe2, 0x82])]));
    expect(await messagesIn(home, file.head.id)).toHaveLength(6);
    expect(await say(home, ['four'], '-c')).toMatchObject({ code: 0 });
    expect(await messagesIn(home, file.head.id)).toHaveLength(8);
  });

  test.each([
    ['no JSON', 'nonsense\n'],
    ['another kind of JSON', '[1,2,3]\n"text"\n7\nnull\n'],
    ['an unknown record', '{"kind":"from the future","type":"x","text":"y"}\n'],
    ['wrong types', '{"role":7,"content":{},"messages":"x","usage":[]}\n'],
    ['a dangerous key', '{"__proto__":{"polluted":true},"constructor":{}}\n'],
    ['depth', `${'['.repeat(100_000)}\n`],
    ['an empty line', '\n\n\n'],
    ['NULs, as after a crash of the machine', `${'\0'.repeat(4096)}\n`],
  ])('%s in the middle: the rest is kept', async (_name, lines) => {
    const { home, file } = await kept();
    const [head = '', ...records] = readFileSync(file.path, 'utf8').trimEnd().split('\n');
    writeFileSync(file.path, `${head}\n${lines}${records.join('\n')}\n`);
    expect(await messagesIn(home, file.head.id)).toHaveLength(6);
    expect(await itemsOf(home, 'list')).toHaveLength(1);
    expect(await say(home, ['four'], '-c')).toMatchObject({ code: 0, stdout: 'Heard: four\n' });
  });
});

describe('what does not belong among the conversations', () => {
  const strangers: readonly (readonly [string, (path: string, file: ConversationFile) => void])[] = [
    ['an empty file', (path) => writeFileSync(path, '')],
    [
      'random bytes',
      (path) => writeFileSync(path, Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256))),
    ],
    [
      'a head of a version to come',
      (path, { head }) => writeFileSync(path, `${JSON.stringify({ ...head, v: 99, id: 'future', title: 'Future' })}\n`),
    ],
    [
      'a head of the wrong types',
      (path) => writeFileSync(path, '{"v":1,"id":{},"title":7,"created":"never","motif_id":[],"profile":0}\n'),
    ],
    [
      'a head that names another file',
      (path) =>
        writeFileSync(
          path,
          '{"v":1,"id":"../../../etc/passwd","title":"x","created":"2026-01-01T00:00:00.000Z","motif_id":null,"profile":null}\n',
        ),
    ],
    ['one line without an end', (path) => writeFileSync(path, 'x'.repeat(3_000_000))],
    ['a link to a file elsewhere', (path) => symlinkSync('/etc/passwd', path)],
    ['a link to nothing', (path) => symlinkSync('/nonexistent', path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
    ['a folder', (path) => mkdirSync(path)],
    ['a FIFO', (path) => void execFileSync('mkfifo', [path])],
    ['a link to a device without an end', (path) => symlinkSync('/dev/zero', path)],
    ['a huge sparse file', (path) => (writeFileSync(path, ''), truncateSync(path, 3_000_000_000))],
  ];

  test.each(strangers)('%s harms none of the others', async (_name, plant) => {
    const { home, file } = await kept();
    plant(beside(file, 'stranger'), file);
    for (const words of everyCommand) {
      const run = await home.motif(['history', ...words]);
      expect(run.code, `${words.join(' ')}: ${run.stderr}`).toBe(0);
      expect(run.stdout).not.toMatch(/root:|Future/);
    }
    expect((await itemsOf(home, 'list')).map(({ id }) => id)).toContain(file.head.id);
    expect(await say(home, ['four'], '-c')).toMatchObject({ code: 0 });
    expect((await messagesIn(home, file.head.id)).length).toBe(8);
  });

  test('a conversation of a version to come is refused by name, kindly, and not changed', async () => {
    const { home, file } = await kept();
    const path = beside(file, 'future');
    const text = `${JSON.stringify({ ...file.head, v: 99, id: 'future', title: 'Future' })}\n`;
    writeFileSync(path, text);
    for (const words of [
      ['chat', '--conversation', 'future'],
      ['history', 'show', 'future'],
    ]) {
      const run = await home.motif(words, { input: 'x\n' });
      expect([2, 3, 12]).toContain(run.code);
      expect(run.stderr).toMatch(/^motif: /m);
    }
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('every other file below the state folder may be gone, torn or hostile: it is only remembered', async () => {
    const { home, file } = await kept();
    await itemsOf(home, 'list');
    const others = filesBelow(join(home.home, '.local/state')).filter(({ path }) => path !== file.path);
    for (const { path, text } of others) {
      for (const bytes of ['', 'garbage', text.slice(0, text.length / 2), '{"v":1e400}', `${'['.repeat(50_000)}`]) {
        writeFileSync(path, bytes);
        expect(await itemsOf(home, 'list')).toHaveLength(1);
        expect(await itemsOf(home, 'search', 'two')).toHaveLength(1);
      }
      rmSync(path, { force: true });
    }
    expect(await itemsOf(home, 'list')).toHaveLength(1);
    expect(await say(home, ['four'], '-c')).toMatchObject({ code: 0 });
  });

  test('a folder and files that were opened to others do not stop it, and new ones are private', async () => {
    const { home, file } = await kept();
    chmodSync(file.path, 0o644);
    chmodSync(dirname(file.path), 0o755);
    expect(await say(home, ['four'], '-c')).toMatchObject({ code: 0 });
    await home.motif(['prompt', '--save', 'New', 'x']);
    const made = conversationFiles(home).find(({ head }) => head.title === 'New');
    expect(made?.mode).toBe(0o600);
  });

  test.each(['conversations', ''])('the state folder is a link or a file in the way: %j', async (name) => {
    const { home } = await kept();
    const folder = join(home.home, '.local/state/motif', name);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'in the way');
    for (const words of [['list'], ['search', 'one']]) {
      const run = await home.motif(['history', ...words]);
      expect([0, 3, 12]).toContain(run.code);
      expect(run.stderr).not.toMatch(/ at .*:\d+:\d+|unforeseen/);
    }
    expect(readFileSync(folder, 'utf8')).toBe('in the way');
  });
});

describe.skipIf(noPty)(`hostile titles and texts on a terminal ${noPty ?? ''}`, () => {
  const evil = 'a\u001b]0;owned\u0007b\u001b[2Jc\u009b31md\u202ee\u200bf\u0000g';

  test.each([['list'], ['search', 'needle'], ['show'], ['export'], ['list', '--json'], ['show', '--json']])(
    '%s %s',
    async (...words) => {
      const service = await chatService(() => `needle ${evil}`);
      const home = homeFor(service);
      await say(home, [`needle ${evil.replace('\u0000', '')}`]);
      const id = onlyConversation(home).head.id;
      expect((await home.motif(['history', 'rename', id, evil.replace('\u0000', '')])).code).toBeLessThanOrEqual(2);
      writeFileSync(
        onlyConversation(home).path,
        readFileSync(onlyConversation(home).path, 'utf8').replace('"support-bot"', JSON.stringify(evil)),
      );
      const { shown, code } = await openPty([...program, 'history', ...words.filter((word) => word !== undefined)], {
        env: { ...home.env, NO_COLOR: '1' },
      }).ended;
      expect(code).toBe(0);
      expect(hiddenAnywhere.exec(shown.replaceAll('\r\n', '\n'))).toBeNull();
    },
  );

  test('list piped: a tab or a line break in a title makes no second column or line', async () => {
    const { home, file } = await kept();
    await home.motif(['history', 'rename', file.head.id, 'one\ttwo\nthree\r\nfour']);
    const { stdout } = await home.motif(['history', 'list']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    const [plain] = (await kept().then(async (other) => await other.home.motif(['history', 'list']))).stdout.split(
      '\n',
    );
    expect(stdout.trimEnd().split('\t')).toHaveLength(plain?.split('\t').length ?? 0);
  });
});
