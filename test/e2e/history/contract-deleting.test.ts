import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ChatService, chatService, homeFor } from '../../support/servers/chat-service.ts';
import { age, conversationFiles, expectNowhere, itemsOf, say } from '../../support/rooms/conversation-files.ts';
import type { Home } from '../../support/processes/home.ts';
import { startMotif } from '../../support/processes/program.ts';
import { noPty, openPty } from '../../support/terminals/pty.ts';
import { program } from '../../support/processes/program.ts';

const old = 'old-cAnArY-1';
const oldAnswer = 'old-aNsWeR-1';
const recent = 'recent words';

interface Kept {
  readonly service: ChatService;
  readonly home: Home;
}

/** One conversation that was last used sixty days ago, one of today, and one begun long ago that went on today. */
async function kept(): Promise<Kept> {
  const service = await chatService((text) => (text.includes(old) ? oldAnswer : `Heard: ${text}`));
  const home = homeFor(service);
  await home.motif(['prompt', '--save', 'Old one', `tell me ${old}`]);
  await home.motif(['prompt', '--save', 'Going on', 'begun']);
  for (const file of conversationFiles(home)) age(file, 60);
  await home.motif(['prompt', '--save', 'Recent one', recent]);
  await say(home, ['went on'], '--conversation', 'Going on');
  // The index must not be all that is left of it.
  await itemsOf(home, 'search', 'cAnArY');
  await itemsOf(home, 'list');
  return { service, home };
}

const titles = async (home: Home): Promise<ReadonlySet<unknown>> =>
  new Set((await itemsOf(home, 'list')).map(({ title }) => title));
const theOthers = new Set(['Going on', 'Recent one']);

describe('motif history delete', () => {
  test('without --yes and without a terminal it deletes nothing: 2', async () => {
    const { home } = await kept();
    const run = await home.motif(['history', 'delete', 'Old one']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('--yes');
    expect(conversationFiles(home)).toHaveLength(3);
  });

  test('leaves no text of it anywhere below the home', async () => {
    const { home } = await kept();
    expect(await home.motif(['history', 'delete', 'Old one', '--yes'])).toMatchObject({ code: 0 });
    expectNowhere(home, old, oldAnswer, 'Old one');
    expect(await titles(home)).toEqual(theOthers);
    expect((await home.motif(['history', 'show', 'Old one'])).code).toBe(2);
    expect(await itemsOf(home, 'search', 'cAnArY')).toEqual([]);
  });

  test('several at once: all of them or, where one is unknown, none', async () => {
    const { home } = await kept();
    expect((await home.motif(['history', 'delete', 'Old one', 'nosuch', '--yes'])).code).toBe(2);
    expect(conversationFiles(home)).toHaveLength(3);
    const ids = conversationFiles(home).map(({ head }) => head.id);
    const json = await home.motif(['history', 'delete', ...ids, '--yes', '--json']);
    expect(json).toMatchObject({ code: 0 });
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, error: null });
    expect(conversationFiles(home)).toEqual([]);
  });

  test('the same one named twice is deleted once', async () => {
    const { home } = await kept();
    const { id } = conversationFiles(home).find(({ head }) => head.title === 'Old one')?.head ?? { id: '' };
    expect(await home.motif(['history', 'delete', id, 'Old one', '--yes'])).toMatchObject({ code: 0 });
    expect(await titles(home)).toEqual(theOthers);
  });

  test.skipIf(noPty)(`on a terminal it asks, and no answer but yes deletes ${noPty ?? ''}`, async () => {
    const { home } = await kept();
    for (const [keys, left] of [
      ['n\r', 3],
      ['\r', 3],
      ['\u0003', 3],
      ['\u0004', 3],
      ['y\r', 2],
    ] as const) {
      const asked = openPty([...program, 'history', 'delete', 'Old one'], { env: home.env });
      await asked.says('Old one');
      await asked.says(/\?|y\/N/i);
      asked.type(keys);
      expect(await asked.ended).toMatchObject({ isTerminalAsBefore: true });
      expect(conversationFiles(home)).toHaveLength(left);
    }
    expectNowhere(home, old);
  });

  test('a chat that goes on with a deleted conversation brings nothing of it back unasked', async () => {
    const { home } = await kept();
    const run = startMotif(['chat', '--conversation', 'Recent one'], { env: home.env, input: null });
    run.process.stdin?.write('before\n');
    await run.says('Heard: before');
    expect(await home.motif(['history', 'delete', 'Recent one', '--yes'])).toMatchObject({ code: 0 });
    run.process.stdin?.write('after\n');
    await run.says('Heard: after');
    run.process.stdin?.end();
    expect((await run.ended).code).toBe(0);
    expectNowhere(home, recent);
    expect(await home.motif(['history', 'list'])).toMatchObject({ code: 0 });
  });
});

describe('motif history prune', () => {
  test('without --yes it says what would go, and deletes nothing', async () => {
    const { home } = await kept();
    const run = await home.motif(['history', 'prune', '--older-than', '30d']);
    expect(`${run.stdout}${run.stderr}`).toContain('Old one');
    expect(`${run.stdout}${run.stderr}`).not.toContain('Recent one');
    expect(`${run.stdout}${run.stderr}`).not.toContain('Going on');
    expect(conversationFiles(home)).toHaveLength(3);
  });

  test('deletes what nobody went on with since then, with every trace of its text', async () => {
    const { home } = await kept();
    expect(await home.motif(['history', 'prune', '--older-than', '30d', '--yes'])).toMatchObject({ code: 0 });
    expect(await titles(home)).toEqual(theOthers);
    expectNowhere(home, old, oldAnswer, 'Old one');
    expect(await home.motif(['history', 'prune', '--older-than', '30d', '--yes'])).toMatchObject({ code: 0 });
  });

  test.each([
    [[]],
    [['--yes']],
    [['--older-than', 'soon', '--yes']],
    [['--older-than', '-1d', '--yes']],
    [['--older-than', '', '--yes']],
  ])('without an age that can be understood it deletes nothing: %j', async (words) => {
    const { home } = await kept();
    expect((await home.motif(['history', 'prune', ...words])).code).toBe(2);
    expect(conversationFiles(home)).toHaveLength(3);
  });

  test('an age beyond all of them deletes nothing', async () => {
    const { home } = await kept();
    expect(await home.motif(['history', 'prune', '--older-than', '90d', '--yes'])).toMatchObject({ code: 0 });
    expect(conversationFiles(home)).toHaveLength(3);
  });
});

test('list, search, rename and delete beside each other, killed at any moment, leave whole files', async () => {
  const { home } = await kept();
  const commands = [
    ['rename', 'Recent one', 'Recent one'],
    ['list'],
    ['search', 'words'],
    ['delete', 'Old one', '--yes'],
    ['prune', '--older-than', '30d', '--yes'],
  ];
  for (let round = 0; round < 20; round += 1) {
    const runs = commands.map((words) => startMotif(['history', ...words], { env: home.env }));
    await new Promise((resolve) => setTimeout(resolve, 20 * round));
    for (const run of runs) run.process.kill('SIGKILL');
    await Promise.all(runs.map((run) => run.ended));
  }
  const left = await titles(home);
  expect([...theOthers].filter((title) => !left.has(title))).toEqual([]);
  expect((await home.motif(['history', 'show', 'Recent one'])).stdout).toContain(recent);
  const leftOver = readdirSync(join(home.home, '.local/state/motif'), { recursive: true }).map(String);
  expect(leftOver.filter((name) => /lock/.test(name) && !name.endsWith('.lock'))).toEqual([]);
});
