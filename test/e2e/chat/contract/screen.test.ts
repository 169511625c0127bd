import { describe, expect, test } from 'vitest';
import { type ChatService, chatService, homeFor } from '../../../support/servers/chat-service.ts';
import { program } from '../../../support/processes/program.ts';
import { noScreen, openScreen, type Screen } from '../../../support/terminals/screen.ts';

/** Waits for the prompt of the chat; until it stands there, the terminal itself takes the keys. */
const isReady = /leaves\s+>/;

interface Seen {
  readonly service: ChatService;
  readonly screen: Screen;
}

async function open(size: { columns?: number; rows?: number } = {}, reply?: (text: string) => string): Promise<Seen> {
  const service = await chatService(reply);
  const home = homeFor(service);
  const screen = await openScreen([...program, 'chat', '--no-save'], {
    folder: home.root,
    env: { ...home.env, NO_COLOR: '1' },
    ...size,
  });
  await screen.shows(isReady);
  return { service, screen };
}

/** Text seen without the blanks and line ends that a draft is wrapped with. */
async function joined(screen: Screen): Promise<string> {
  return (await screen.seen()).map((line) => line.trim()).join('');
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Waits until the screen holds the text exactly once. */
async function expectOnce(screen: Screen, text: string): Promise<void> {
  await expect.poll(async () => countOf(await joined(screen), text), { timeout: 20_000, interval: 100 }).toBe(1);
}

const wide = '日本語テスト👩\u200d👩\u200d👧e\u0301🇩🇪x';

describe.skipIf(noScreen)(`what is seen ${noScreen ?? ''}`, () => {
  test.each([80, 40, 21, 10])(
    'a draft of wide and joined characters at %i columns, once, and the cursor at its end',
    async (columns) => {
      const { screen, service } = await open({ columns });
      await screen.type('A日本語テスト中文한글Z');
      await expectOnce(screen, 'A日本語テスト中文한글Z');
      await screen.press('Left', 'BSpace', 'BSpace', 'End');
      await expectOnce(screen, 'A日本語テスト中文Z');
      await screen.type('!');
      await expectOnce(screen, 'A日本語テスト中文Z!');
      await screen.press('Enter');
      await service.received(1);
      expect(service.texts()).toEqual(['A日本語テスト中文Z!']);
    },
  );

  test('what is typed and rubbed out again leaves nothing on the screen', async () => {
    const { screen, service } = await open();
    await screen.type(`start${wide}`);
    await screen.shows('start');
    await screen.press(...Array.from({ length: 11 }, () => 'BSpace'), 'Q');
    await screen.shows('Q');
    const line = (await screen.seen()).find((text) => text.includes('Q')) ?? '';
    expect(line.trimEnd()).toBe('> starQ');
    await screen.press('Enter');
    await service.received(1);
    expect(service.texts()).toEqual(['starQ']);
  });

  test.each([40, 17, 100])(
    'after a resize to %i columns while typing the draft stands there once, and is sent whole',
    async (columns) => {
      const { screen, service } = await open();
      const draft = Array.from({ length: 14 }, (_, at) => `word${at}`).join('-');
      await screen.type(draft);
      await expectOnce(screen, draft);
      await screen.resize(columns, 24);
      await expectOnce(screen, draft);
      await screen.type('-end');
      await expectOnce(screen, `${draft}-end`);
      await screen.resize(80, 24);
      await expectOnce(screen, `${draft}-end`);
      await screen.press('Enter');
      await service.received(1);
      expect(service.texts()).toEqual([`${draft}-end`]);
    },
  );

  test('a draft taller than the screen shows where the cursor is', async () => {
    const { screen, service } = await open({ rows: 10 });
    const text = Array.from({ length: 60 }, (_, at) => `row ${at}.`).join('\n');
    await screen.paste(text);
    await screen.shows('row 59.');
    await screen.press(...Array.from({ length: 45 }, () => 'Up'));
    await screen.shows('row 14.');
    await screen.type('HERE');
    await screen.shows('HERE');
    await screen.press('Enter');
    await service.received(1);
    expect(service.texts()[0]?.replace('HERE', '')).toBe(text);
  });

  test('a long answer stays in the scrollback, every line once, in order', async () => {
    const { screen } = await open({}, () => Array.from({ length: 300 }, (_, at) => `- item ${at};`).join('\n'));
    await screen.type('one');
    await screen.press('Enter');
    await screen.shows('item 299;');
    const found = (await screen.seenEver()).flatMap((line) => /item (\d+);/.exec(line)?.[1] ?? []);
    expect(found).toEqual(Array.from({ length: 300 }, (_, at) => `${at}`));
  });

  test('an answer changes neither the title nor where the cursor is', async () => {
    const { screen } = await open({}, () => 'before \u001b]2;owned\u0007\u001b[2J\u001b[H\u001bPq\u001b\\ after');
    const title = await screen.title();
    await screen.type('one');
    await screen.press('Enter');
    const text = await screen.shows('after');
    expect(text).toContain('before');
    expect(text.indexOf('before')).toBeLessThan(text.indexOf('after'));
    expect(await screen.title()).toBe(title);
  });

  test('Ctrl-L draws the draft again, once', async () => {
    const { screen } = await open();
    await screen.type('one draft');
    await expectOnce(screen, 'one draft');
    await screen.press('C-l');
    await screen.type('!');
    await expectOnce(screen, 'one draft!');
  });

  test('Tab completes a command, and lists where there are several', async () => {
    const { screen } = await open();
    await screen.type('/mess');
    await screen.press('Tab');
    expect(await screen.shows('/messages')).toContain('/messages');
    await screen.press('C-u');
    await screen.type('/e');
    await screen.press('Tab', 'Tab');
    await screen.shows(/\/?edit[\s\S]*\/?exit|\/?exit[\s\S]*\/?edit/);
  });

  test('Ctrl-Z leaves the shell its terminal, fg brings the draft back', async () => {
    const service = await chatService();
    const home = homeFor(service);
    const env = { ...home.env, PS1: 'shell> ' };
    const screen = await openScreen(['bash', '--norc', '--noprofile', '-i'], { folder: home.root, env });
    await screen.shows('shell>');
    await screen.type(`${program.join(' ')} chat --no-save`);
    await screen.press('Enter');
    await screen.shows(isReady);
    await screen.type('half a draft');
    await expectOnce(screen, 'half a draft');
    await screen.press('C-z');
    await screen.shows('Stopped');
    await screen.type('echo so""und; stty -a | grep -o " -\\?icanon"');
    await screen.press('Enter');
    await screen.shows(/sound\n\s+icanon/);
    await screen.type('fg');
    await screen.press('Enter');
    await screen.shows(/fg[^]*half a draft$/m);
    await screen.type(', whole');
    await screen.shows('half a draft, whole');
    await screen.press('Enter');
    await service.received(1);
    expect(service.texts()).toEqual(['half a draft, whole']);
  });
});
