import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FileFault } from '../../../src/world/world.ts';
import { createConversations } from '../../../src/conversations/store.ts';
import { assistant, system, user } from '../../support/rooms/conversations.ts';
import { historyFolder } from '../../support/rooms/history.ts';
import { filesBelow, filesHolding } from '../../support/rooms/login.ts';
import { testEnv } from '../../support/motif.ts';
import { prompt, saying, usageError } from '../../support/rooms/prompt.ts';
import { answering, blocked, refused, type ScriptedService, service } from '../../support/service.ts';
import { fakeWorld, type FakeWorld } from '../../support/world.ts';

const read = (after: FakeWorld, name: string) => createConversations(after, historyFolder(after)).find(name);
const count = async (after: FakeWorld) => (await createConversations(after, historyFolder(after)).list()).length;
const isEmpty = (after: FakeWorld) => !existsSync(historyFolder(after));

/** A home with one conversation that prompt has saved. */
async function saved(...argv: readonly string[]) {
  const after = fakeWorld();
  const run = await prompt(['--save', 'Kettles', ...argv, 'one'], { after }, answering('1'));
  expect(run.exitCode).toBe(0);
  return { after, run };
}

describe('--save', () => {
  test('keeps prompt and answer, and says where', async () => {
    const { after, run } = await saved('-s', 'Be short.', '-m', 'user:example', '-m', 'assistant:so');
    const talk = await read(after, 'kettles');
    expect(talk.messages).toEqual([system('Be short.'), user('example'), assistant('so'), user('one'), assistant('1')]);
    expect(talk).toMatchObject({ title: 'Kettles', motifId: 'support-bot', turns: 1, totalTokens: 7 });
    expect(run).toMatchObject({ stdout: '1\n', stderr: `motif: saved in conversation ${talk.id} (Kettles)\n` });
  });

  test('says so after the answer', async () => {
    let answeredBefore = '';
    const prepare = (world: FakeWorld) => {
      const write = world.stderr.write.bind(world.stderr);
      world.stderr.write = async (text) => {
        if (String(text).includes('saved in')) answeredBefore = world.stdout.text;
        await write(text);
      };
    };
    await prompt(['--save', 'Kettles', 'one'], { prepare }, answering('1'));
    expect(answeredBefore).toBe('1\n');
  });

  test('a title that a conversation has is refused before anything is asked', async () => {
    const { after, run } = await saved();
    const first = /conversation (\w+)/.exec(run.stderr)?.[1] ?? '';
    const again = await prompt(['--save', ' Kettles ', 'two'], { after });
    expect(again).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
    expect(again.stderr).toEqual(
      saying(`there is a conversation "Kettles" already: ${first}`, '--conversation', 'another title'),
    );
    expect(await count(after)).toBe(1);
    expect(await prompt(['--save', 'Toasters', 'four'], { after })).toMatchObject({ exitCode: 0 });
  });

  test('two at the same moment: both answers are kept, under titles that tell them apart', async () => {
    const after = fakeWorld();
    const both = await Promise.all(['one', 'two'].map((text) => prompt(['--save', 'Kettles', text], { after })));
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const titles = both.map(({ stderr }) => /saved in conversation \w+ \((.*?)\)(:|$)/m.exec(stderr)?.[1]);
    expect(new Set(titles)).toEqual(new Set(['Kettles', 'Kettles (2)']));
    expect(both.map(({ stderr }) => stderr).join()).toContain('another motif has begun one of that title meanwhile');
  });

  test('nothing is saved without it', async () => {
    const after = fakeWorld();
    await prompt(['one'], { after });
    expect(isEmpty(after)).toBe(true);
    expect(filesBelow(after.home ?? '')).toEqual([]);
  });

  test.each([
    ['a block', service({ body: blocked }), 10],
    ['a failure', service(refused()), 6],
  ])('%s leaves nothing', async (_what, scripted, exitCode) => {
    const after = fakeWorld();
    expect(await prompt(['--save', 'xyzzy', '--retries', '0', 'xyzzy'], { after }, scripted)).toMatchObject({
      exitCode,
    });
    expect(filesHolding(after.home ?? '', 'xyzzy')).toEqual([]);
    expect(isEmpty(after)).toBe(true);
  });

  test('an answer that was not as expected, or has no such block, is kept all the same', async () => {
    const after = fakeWorld();
    expect(await prompt(['--save', 'a', '--expect', 'blocked', 'one'], { after })).toMatchObject({ exitCode: 1 });
    expect(await prompt(['--save', 'b', '-x', 'one'], { after })).toMatchObject({ exitCode: 1 });
    expect(await count(after)).toBe(2);
  });

  test('it goes before the history off of a profile', async () => {
    const env = { ...testEnv, MOTIF_NO_HISTORY: '0' };
    const after = fakeWorld();
    expect(await prompt(['--save', 'a', 'one'], { after, env })).toMatchObject({ exitCode: 0 });
    expect(await count(after)).toBe(1);
  });
});

describe('-c and --conversation', () => {
  test('send what was said first, and add the turn', async () => {
    const { after } = await saved('-s', 'Be short.');
    const second = await prompt(['-c', 'two'], { after }, answering('2'));
    expect(second.messages).toEqual([system('Be short.'), user('one'), assistant('1'), user('two')]);
    const third = await prompt(['--conversation', 'kett', '-m', 'user:example', 'three'], { after }, answering('3'));
    expect(third.messages).toEqual([
      system('Be short.'),
      user('one'),
      assistant('1'),
      user('two'),
      assistant('2'),
      user('example'),
      user('three'),
    ]);
    const talk = await read(after, 'kettles');
    expect(talk.messages).toEqual([...(third.messages as unknown[]), assistant('3')]);
    expect(talk.turns).toBe(3);
  });

  test('-s replaces the system message, from then on', async () => {
    const { after } = await saved('-s', 'Be short.');
    const second = await prompt(['-c', '-s', 'Be long.', 'two'], { after });
    expect(second.messages).toEqual([system('Be long.'), user('one'), assistant('1'), user('two')]);
    expect((await prompt(['-c', 'three'], { after })).messages).toMatchObject([system('Be long.'), {}, {}, {}, {}, {}]);
  });

  test('a blocked turn leaves its prompt_id, never its text, and is not sent again', async () => {
    const { after } = await saved();
    const turn = await prompt(['-c', '-s', 'plugh', 'xyzzy'], { after }, service({ body: blocked }));
    expect(turn.exitCode).toBe(10);
    for (const text of ['xyzzy', 'plugh']) expect(filesHolding(after.home ?? '', text)).toEqual([]);
    expect(filesHolding(after.home ?? '', blocked.prompt_id)).toHaveLength(1);
    expect((await prompt(['-c', 'two'], { after })).messages).toEqual([user('one'), assistant('1'), user('two')]);
  });

  test('the latest is the one that was spoken in last', async () => {
    const { after } = await saved();
    await prompt(['--save', 'Other', 'else'], { after, now: Date.now() + 1000 });
    await prompt(['--conversation', 'Kettles', 'two'], { after, now: Date.now() + 2000 });
    const { messages } = await prompt(['-c', 'three'], { after, now: Date.now() + 3000 });
    expect((messages as unknown[])[0]).toEqual(user('one'));
  });

  test.each([['--dry-run'], ['--curl']])('%s shows the whole request and writes nothing', async (flag) => {
    const { after } = await saved();
    const { path } = await read(after, 'kettles');
    const before = readFileSync(path, 'utf8');
    for (const which of [['-c'], ['--save', 'New']]) {
      const run = await prompt([...which, flag, 'two'], { after });
      expect(run).toMatchObject({ exitCode: 0, requests: [] });
      expect(run.stdout.includes('"content":"one"')).toBe(which[0] === '-c');
      expect(run.stdout).toContain('"content":"two"');
    }
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(await count(after)).toBe(1);
  });

  test('--json has exactly the keys of a prompt', async () => {
    const { after } = await saved();
    const [alone, turn] = [await prompt(['--json', 'x'], { after }), await prompt(['-c', '--json', 'x'], { after })];
    expect(Object.keys(JSON.parse(turn.stdout) as object)).toEqual(Object.keys(JSON.parse(alone.stdout) as object));
    expect(turn.stderr).toContain('saved in conversation');
    expect((await prompt(['-c', '-q', 'x'], { after })).stderr).toBe('');
  });

  test('another Motif than before is said before it is asked', async () => {
    const { after } = await saved();
    const run = await prompt(['-c', '--motif', 'other-bot', 'two'], { after });
    expect(run.stderr).toContain('(Kettles) was with support-bot, and goes on with other-bot');
  });

  test.each([
    ['the demo, then a service', ['--demo'], testEnv, ' of the demo', ` at https://gw.example`],
    ['a service, then the demo', [], {}, ' at https://gw.example', ' of the demo'],
    [
      'another address',
      [],
      { ...testEnv, MOTIF_URL: 'https://two.example/api/v1/apps/support-bot' },
      ' at https://gw.example',
      ' at https://two.example',
    ],
  ])('the same Motif ID elsewhere is said: %s', async (_name, first, env, was, now) => {
    const after = fakeWorld();
    await prompt([...first, '--save', 'Kettles', 'one'], { after });
    const second = Object.keys(env).length === 0 ? ['--demo'] : [];
    const { stderr } = await prompt([...second, '-c', 'two'], { after, env });
    expect(stderr).toContain(`(Kettles) was with support-bot${was}, and goes on with support-bot${now}`);
    expect((await prompt([...second, '-c', 'two'], { after, env })).stderr).not.toContain('was with');
    const back = first.length === 0 ? {} : { env: {} };
    expect((await prompt([...first, '-c', 'back'], { after, ...back })).stderr).toContain(
      `was with support-bot${now}, and goes on with support-bot${was}`,
    );
  });

  test('on the embedded gateway too', async () => {
    const after = fakeWorld();
    const first = await prompt(['--demo', '--save', 'Demo', 'How long can I return a kettle?'], { after, env: {} });
    expect(first).toMatchObject({ exitCode: 0, requests: [] });
    await prompt(['--demo', '-c', 'And a toaster?'], { after, env: {} });
    expect(await read(after, 'Demo')).toMatchObject({ turns: 2, profile: null });
  });
});

describe('what is refused before anything is sent', () => {
  test.each([
    [['-c'], 'no saved conversation'],
    [['--conversation', 'Kettles'], 'no saved conversation'],
    [['--save', ' '], 'a title needs at least one character'],
    [['--save', 'a', '-c'], 'give one of them'],
    [['--save', 'a', '--conversation', 'b'], 'give one of them'],
    [['-c', '--conversation', 'b'], 'give one'],
  ])('%j', async (argv, words) => {
    expect(await prompt([...argv, 'hello'])).toMatchObject(usageError(words));
  });

  test('an unknown one, with a suggestion; the prompt need not even be there', async () => {
    const { after } = await saved();
    expect(await prompt(['--conversation', 'Ketles', 'two'], { after })).toMatchObject(
      usageError('did you mean', '(Kettles)'),
    );
    expect(await prompt(['-c'], { after })).toMatchObject(usageError('nothing to send'));
    expect(await prompt(['-c', '-s', 'x'], { after })).toMatchObject(usageError('nothing to send'));
  });

  test.each([[['--save', 'a']], [['-c']], [['--conversation', 'a']]])('%j with MOTIF_NO_HISTORY', async (argv) => {
    const env = { ...testEnv, MOTIF_NO_HISTORY: '1' };
    expect(await prompt([...argv, 'hello'], { env })).toMatchObject(usageError('MOTIF_NO_HISTORY is set'));
  });

  test('a conversation that makes the prompt too large', async () => {
    const after = fakeWorld();
    writeFileSync(`${after.folder}/big.txt`, 'x'.repeat(9 * 1024 * 1024));
    await prompt(['--save', 'Big', '-f', 'big.txt'], { after });
    expect(await prompt(['-c', '-f', 'big.txt'], { after })).toMatchObject(usageError('16 MiB'));
  });
});

/** In its home nothing can be made, for root as well: a file stands where the folder would be. */
function close(world: FakeWorld): void {
  writeFileSync(`${world.home}/.local`, '');
}

/** A read-only file system. */
function readOnly(world: FakeWorld): void {
  world.files.needWritable = async (path) => {
    throw new FileFault(path, 'EROFS', 'the file system is read-only');
  };
}

test.each([
  ['--save where a file stands in the way', ['--save', 'a'], close, 'is not a folder'],
  ['--save on a read-only disk', ['--save', 'a'], readOnly, 'the file system is read-only'],
  ['-c on a read-only disk', ['-c'], readOnly, 'the file system is read-only'],
  ['--conversation on a read-only disk', ['--conversation', 'kettles'], readOnly, 'the file system is read-only'],
] as const)('%s: nothing is sent', async (_name, argv, prepare, reason) => {
  const { after } = argv[0] === '--save' ? { after: fakeWorld() } : await saved();
  const run = await prompt([...argv, 'two'], { after, prepare });
  expect(run).toMatchObject({ exitCode: 12, stdout: '', requests: [] });
  expect(run.stderr).toEqual(saying('nothing was sent, for no turn can be saved: ', reason, 'XDG_STATE_HOME'));
});

describe('an answer that cannot be saved', () => {
  /** Answers, and meanwhile something takes the place of the folder. */
  function closing(after: FakeWorld, response: string): ScriptedService {
    const { requests, send } = answering(response);
    return {
      requests,
      send(request, options) {
        close(after);
        return send(request, options);
      },
    };
  }

  test('is printed, and the exit code is 12', async () => {
    const after = fakeWorld();
    const run = await prompt(['--save', 'a', 'one'], { after }, closing(after, '1'));
    expect(run).toMatchObject({ exitCode: 12, stdout: '1\n', stderr: saying('cannot be saved', 'is not a folder') });
  });

  test('is in the document, which says that it failed', async () => {
    const after = fakeWorld();
    const run = await prompt(['--save', 'a', '--json', 'one'], { after }, closing(after, '1'));
    expect(run.exitCode).toBe(12);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, blocked: false, response: '1', error: { kind: 'io' } });
    const other = fakeWorld();
    const field = ['--save', 'a', '--field', 'response', 'one'];
    expect(await prompt(field, { after: other }, closing(other, '1'))).toMatchObject({ exitCode: 12, stdout: '1\n' });
  });

  test('another verdict goes before it', async () => {
    const after = fakeWorld();
    const run = await prompt(['--save', 'a', '--expect', 'blocked', 'one'], { after }, closing(after, '1'));
    expect(run).toMatchObject({ exitCode: 1 });
  });
});
