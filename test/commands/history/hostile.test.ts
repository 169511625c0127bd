import { describe, expect, test } from 'vitest';
import { hiddenAnywhere, hostilePacks, hostileTexts, packEnd } from '../../fixtures/hostile-text.ts';
import { put } from '../../support/rooms/conversations.ts';
import { history, historyFolder, homeWith } from '../../support/rooms/history.ts';

/** Texts and titles of files that somebody else wrote, by id: nothing of them is obeyed where people read them. */
async function shelfOf(texts: Readonly<Record<string, string>>) {
  const { after } = await homeWith();
  const time = '2026-11-21T11:00:00.000Z';
  for (const [id, text] of Object.entries(texts)) {
    const facts = { prompt_id: text, finish_reason: text, usage: null, elapsed_ms: 1 };
    put(
      historyFolder(after),
      id,
      { v: 1, id: text, title: `title ${text}`, created: time, motif_id: `motif ${text}`, profile: text },
      { kind: 'message', turn: 't', role: 'user', content: `question ${text}` },
      { kind: 'message', turn: 't', role: `role ${text}`, content: `between ${text}` },
      { kind: 'message', turn: 't', role: 'assistant', content: `answer ${text}` },
      { kind: 'outcome', turn: 't', time, blocked: false, ...facts },
    );
  }
  return after;
}

const terminal = { stdout: { columns: 100 }, stderr: { columns: 100 }, env: { NO_COLOR: '1' } };

/** A file for each text. */
const shelf = Object.fromEntries(hostileTexts.map(({ text }, index) => [`each${index}`, text]));
const all = String(hostileTexts.length);

/** Lines in which something hidden reached the output. */
const hiddenLines = (stdout: string) => stdout.split('\n').filter((line) => hiddenAnywhere.test(line));

describe('shown on a terminal, never obeyed', () => {
  test.each([
    [['list', '-n', all]],
    [['search', 'question', '-n', all]],
    [['search', 'title', '-n', all]],
    [['list', '--json']],
    [['search', 'answer', '--json']],
    [['prune', '--older-than', '1m']],
  ])('all texts at once by %j', async (argv) => {
    const run = await history(argv, { after: await shelfOf(shelf), ...terminal });
    expect(run.exitCode).toBe(0);
    expect((run.stdout + run.stderr).match(/each\d+\b/g)?.length).toBeGreaterThanOrEqual(hostileTexts.length);
    expect(hiddenLines(run.stdout + run.stderr)).toEqual([]);
  });

  test('what is said about one of them', async () => {
    for (const { text, texts } of hostilePacks) {
      const after = await shelfOf({ abc: text });
      for (const argv of [
        ['show', 'abc'],
        ['show', 'abc', '--raw'],
        ['export', 'abc'],
        ['export', 'abc', '--format', 'json'],
        ['show', 'abc', '--json'],
        ...texts.map((one) => ['rename', 'abc', `new ${one.text.slice(0, 20)}`]),
        ['delete', 'abc', '--yes'],
      ]) {
        const run = await history(argv, { after, ...terminal });
        const names = `${argv.join(' ')}: ${texts.map(({ name }) => name).join(', ')}`;
        expect(run.exitCode, names).toBe(0);
        expect(run.stdout + run.stderr, names).not.toMatch(hiddenAnywhere);
        if (/show|export/.test(argv[0]!) && texts.length > 1) expect(run.stdout, names).toContain(packEnd);
      }
    }
  });
});

describe('in a pipe', () => {
  test('each stays in its cell, where lines and tabs are read', async () => {
    const after = await shelfOf(shelf);
    const list = (await history(['list'], { after })).stdout;
    const cells = (stdout: string) =>
      new Set(
        stdout
          .trimEnd()
          .split('\n')
          .map((line) => line.split('\t').length),
      );
    expect(list.trimEnd().split('\n')).toHaveLength(hostileTexts.length);
    expect([...cells(list)]).toEqual([6]);
    expect(hiddenLines(list)).toEqual([]);
    const found = (await history(['search', 'question'], { after })).stdout;
    expect(found.trimEnd().split('\n')).toHaveLength(hostileTexts.length);
    expect([...cells(found)]).toEqual([4]);
  });
});

test('JSON loses nothing by it', async () => {
  for (const { text } of hostilePacks) {
    const after = await shelfOf({ abc: text });
    const { stdout } = await history(['show', 'abc', '--json'], { after, ...terminal });
    expect(JSON.parse(stdout)).toMatchObject({
      title: `title ${text}`,
      messages: [{ content: `question ${text}` }, { content: `between ${text}` }, { content: `answer ${text}` }],
    });
  }
});

test('in a pipe the texts are as they were', async () => {
  const after = await shelfOf({ abc: '\u001b[2J' });
  expect((await history(['show', 'abc'], { after })).stdout).toContain('answer \u001b[2J\n');
});

test.each([
  ['a million nested arrays', `${'['.repeat(1_000_000)}\n`],
  ['one line of ten million characters', `"${'x'.repeat(10_000_000)}"\n`],
  ['a million empty lines', '\n'.repeat(1_000_000)],
])('%s in a file', async (_name, text) => {
  const { after } = await homeWith({ title: 'Good' });
  put(historyFolder(after), 'abc', { v: 1, title: 'Bad', created: '2026-11-21T11:00:00.000Z' }, text);
  expect((await history(['list'], { after })).stdout).toMatch(/\tGood\t[^]*\tBad\t/);
  expect(await history(['show', 'abc'], { after })).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await history(['search', 'good'], { after })).toMatchObject({ exitCode: 0 });
});

test('a file beyond the cap is named, and can be deleted', async () => {
  const { after } = await homeWith({ title: 'Good' });
  put(historyFolder(after), 'abc', { v: 1, title: 'Big' }, Buffer.alloc(64 * 1024 * 1024));
  expect(await history(['list'], { after })).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('is larger than 64 MiB') as string,
  });
  expect(await history(['show', 'abc'], { after })).toMatchObject({ exitCode: 3 });
  expect(await history(['delete', 'abc', '--yes'], { after })).toMatchObject({ exitCode: 0 });
});
