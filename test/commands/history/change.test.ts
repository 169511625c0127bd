import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportFormats } from '../../../src/conversations/export.ts';
import { createConversations } from '../../../src/conversations/store.ts';
import { motif } from '../../support/motif.ts';
import { filesHolding } from '../../support/rooms/login.ts';
import { put } from '../../support/rooms/conversations.ts';
import { history, historyFolder, homeWith } from '../../support/rooms/history.ts';
import { prompt, saying } from '../../support/rooms/prompt.ts';

const shelf = () =>
  homeWith(
    { title: 'Old secret', daysAgo: 40, turns: ['The old plan is xyzzy.'] },
    { title: 'Newer', daysAgo: 3 },
    { title: 'Newest' },
  );

const titles = async (after: Awaited<ReturnType<typeof shelf>>['after']) =>
  (await history(['list'], { after })).stdout.split('\n').flatMap((line) => line.split('\t')[2] ?? []);

describe('export', () => {
  test.each([
    ['markdown', '# Newer\n'],
    ['json', '{\n  "id": '],
    ['messages', '[\n  {\n    "role": "user",'],
  ])('%s', async (format, start) => {
    const { after } = await shelf();
    const { stdout } = await history(['export', 'newer', '--format', format], { after });
    expect(stdout.startsWith(start)).toBe(true);
    expect((await history(['export', 'newer', '-o', 'out', '--format', format], { after })).stdout).toBe('');
    expect(readFileSync(join(after.folder, 'out'), 'utf8')).toBe(stdout);
    expect(statSync(join(after.folder, 'out')).mode & 0o777).toBe(0o600);
  });

  test.each(['messages', 'json'])('%s is what --messages reads', async (format) => {
    const { after } = await homeWith({ title: 'Talk', turns: ['one', ['two\n"quoted" \u202e', 'zwei']] });
    await history(['export', '--format', format, '-o', 'talk.json'], { after });
    const { messages } = await prompt(['--messages', 'talk.json', 'three'], { after });
    expect(messages).toMatchObject([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'answer to one' },
      { role: 'user', content: 'two\n"quoted" \u202e' },
      { role: 'assistant', content: 'zwei' },
      { role: 'user', content: 'three' },
    ]);
  });

  test('an unknown format is refused with the likely one, and a folder is not written over', async () => {
    const { after } = await shelf();
    expect((await history(['export', 'newer', '--format', 'md'], { after })).stdout).toBe(
      (await history(['export', 'newer'], { after })).stdout,
    );
    expect(await history(['export', '--format', 'message'], { after })).toMatchObject({
      exitCode: 2,
      stderr: saying(`${exportFormats.slice(0, -1).join(', ')} or ${exportFormats.at(-1)}`, 'did you mean messages?'),
    });
    expect(await history(['export', '-o', '.'], { after })).toMatchObject({
      exitCode: 2,
      stderr: saying('is a folder'),
    });
  });
});

test('an export never takes the place of a conversation', async () => {
  const { after, ids } = await shelf();
  const path = join(historyFolder(after), `${ids[1]}.jsonl`);
  const before = readFileSync(path, 'utf8');
  for (const output of [path, join(historyFolder(after), 'new.md')]) {
    const run = await history(['export', 'newer', '-o', output], { after });
    expect(run).toMatchObject({ exitCode: 2, stderr: saying('is where motif keeps conversations') });
  }
  expect(readFileSync(path, 'utf8')).toBe(before);
});

describe('rename', () => {
  test('takes the rest of the line as the title', async () => {
    const { after, ids } = await shelf();
    const run = await history(['rename', 'newer', 'A', 'better', 'title', '--json'], { after });
    expect(JSON.parse(run.stdout)).toEqual({ ok: true, id: ids[1], title: 'A better title', error: null });
    expect(await titles(after)).toEqual(['Newest', 'A better title', 'Old secret']);
    expect(await history(['rename', 'newest', ' '], { after })).toMatchObject({ exitCode: 2 });
  });

  test('refuses a title that another conversation has, and not its own', async () => {
    const { after, ids } = await shelf();
    const run = await history(['rename', 'newer', 'Newest'], { after });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`there is a conversation "Newest" already: ${ids[2]}`);
    expect(await titles(after)).toEqual(['Newest', 'Newer', 'Old secret']);
    expect(await history(['rename', 'newer', 'Newer'], { after })).toMatchObject({ exitCode: 0 });
  });
});

describe('delete', () => {
  test('--yes deletes several, and nothing of them is left anywhere', async () => {
    const { after } = await shelf();
    await history(['list'], { after });
    const run = await history(['delete', 'old', 'Newer', '--yes', '--json'], { after });
    expect(run).toMatchObject({ exitCode: 0, stderr: saying('2 conversations deleted') });
    expect((JSON.parse(run.stdout) as { items: unknown[] }).items).toMatchObject([
      { title: 'Old secret' },
      { title: 'Newer' },
    ]);
    expect(await titles(after)).toEqual(['Newest']);
    for (const text of ['xyzzy', 'Old secret']) expect(filesHolding(after.home ?? '', text)).toEqual([]);
  });

  test('a name of marks alone is nobody’s, and deletes nothing', async () => {
    const { after } = await homeWith({ title: 'Only one' });
    const run = await history(['delete', '--yes', '--', '\u0301'], { after });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: saying('needs a letter or a digit') });
    expect(await titles(after)).toEqual(['Only one']);
  });

  test('nothing is deleted unless every name was understood', async () => {
    const { after } = await shelf();
    expect(await history(['delete', 'newer', 'nonsense', '--yes'], { after })).toMatchObject({ exitCode: 2 });
    expect(await titles(after)).toHaveLength(3);
  });

  test('a terminal is asked, and without one --yes is needed', async () => {
    const { after, ids } = await shelf();
    const asked = (typed: string) =>
      history(['delete', 'newer'], { after, stdin: { typed: [typed] }, stderr: { columns: 80 } });
    const no = await asked('\n');
    expect(no.stderr).toContain(`${ids[1]}  Newer  (1 turn)\nDelete 1 conversation for good? [y/N]`);
    expect(no.stderr).toContain('nothing was deleted');
    expect(await titles(after)).toHaveLength(3);
    expect(await history(['delete', 'newer'], { after })).toMatchObject({ exitCode: 2, stderr: saying('--yes') });
    expect(await asked('y\n')).toMatchObject({ exitCode: 0 });
    expect(await titles(after)).toEqual(['Newest', 'Old secret']);
  });

  test('what was typed of it does not come back with Up either; what was typed elsewhere does', async () => {
    const { after } = await homeWith(
      { title: 'Going', turns: ['my secret plan', 'take\nthis', 'Summarize\n\nsecret file', '/slash'] },
      { title: 'Staying', turns: ['hello'] },
    );
    const talk = await createConversations(after, historyFolder(after)).find('Going');
    await talk.undo();
    const path = join(after.home ?? '', '.local/state/motif/input-history.jsonl');
    const typed = ['hello', 'my secret plan', 'take\nthis', 'Summarize', '//slash', 'plan', 'Summarize it'];
    writeFileSync(path, `${typed.map((text) => JSON.stringify(text)).join('\n')}\ntorn"`, { mode: 0o600 });
    expect(await history(['delete', 'Going', '--yes'], { after })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path, 'utf8')).toBe('"hello"\n"plan"\n"Summarize it"\ntorn"');
  });

  test('nothing is deleted as long as another chat holds what was typed', async () => {
    const { after } = await shelf();
    const path = join(after.home ?? '', '.local/state/motif/input-history.jsonl');
    writeFileSync(path, '"x"\n');
    const release = await after.files.lock(path);
    const run = await history(['delete', 'newer', '--yes'], { after });
    release?.();
    expect(run).toMatchObject({ exitCode: 12, stderr: saying('nothing was deleted') });
    expect(await titles(after)).toHaveLength(3);
  });

  test('one that is broken goes too, by its id', async () => {
    const { after } = await shelf();
    const path = put(historyFolder(after), 'abc123', 'nonsense\n');
    expect(await history(['delete', 'abc123', '--yes'], { after })).toMatchObject({ exitCode: 0 });
    expect(existsSync(path)).toBe(false);
  });
});

describe('prune', () => {
  test('without --yes it shows what would go, with it that goes', async () => {
    const { after, ids } = await shelf();
    const shown = await history(['prune', '--older-than', '30d'], { after });
    expect(shown).toMatchObject({ exitCode: 0, stderr: saying('1 conversation would be deleted; --yes deletes them') });
    expect(shown.stdout.startsWith(`${ids[0]}\t`)).toBe(true);
    expect(await titles(after)).toHaveLength(3);
    expect(await history(['prune', '--older-than', '30d', '--yes'], { after })).toMatchObject({
      stderr: saying('1 conversation deleted'),
    });
    expect(await titles(after)).toEqual(['Newest', 'Newer']);
    expect(filesHolding(after.home ?? '', 'xyzzy')).toEqual([]);
    expect((await history(['prune', '--older-than', '30d'], { after })).stderr).toContain('no conversation is older');
  });

  test('where nothing was ever saved there is nothing to do', async () => {
    const run = await history(['prune', '--older-than', '30d', '--yes']);
    expect(run).toMatchObject({ exitCode: 0, stderr: saying('0 conversations deleted') });
  });

  test('what is not a conversation of ours stays', async () => {
    const { after } = await shelf();
    writeFileSync(join(historyFolder(after), 'notes.txt'), 'mine');
    await history(['prune', '--older-than', '0s', '--yes'], { after });
    expect(readdirSync(historyFolder(after))).toContain('notes.txt');
  });

  test.each([[[]], [['--older-than', 'soon']], [['--older-than', '']], [['--older-than', '-1d']]])(
    '%j is refused',
    async (words) => {
      expect(await history(['prune', '--yes', ...words])).toMatchObject({ exitCode: 2, stderr: saying('30d') });
    },
  );
});

test('profile set history off is a setting like the others, and MOTIF_NO_HISTORY goes before it', async () => {
  const login = ['login', 'https://gw.example/api/v1/apps/m', '--token-stdin', '--no-verify', '--token-store', 'file'];
  const { world: after } = await motif(login, { env: {}, stdin: 'token-of-a-test' });
  const shown = async (env: Record<string, string> = {}) => {
    const { stdout } = await motif(['whoami', '--json'], { env, after });
    return (JSON.parse(stdout) as { history: unknown }).history;
  };
  expect(await shown()).toEqual({ value: 'on', from: 'default' });
  expect(await motif(['profile', 'set', 'history', 'maybe'], { env: {}, after })).toMatchObject({
    exitCode: 2,
    stderr: saying('must be on or off'),
  });
  expect(await motif(['profile', 'set', 'history', 'off'], { env: {}, after })).toMatchObject({ exitCode: 0 });
  expect(await shown()).toEqual({ value: 'off', from: 'profile m' });
  expect(await shown({ MOTIF_NO_HISTORY: '1' })).toEqual({ value: 'off', from: 'MOTIF_NO_HISTORY' });
  expect(await shown({ MOTIF_NO_HISTORY: '0' })).toEqual({ value: 'off', from: 'profile m' });
});
