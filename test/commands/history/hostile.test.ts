import { describe, expect, test } from 'vitest';
import { hiddenAnywhere, hostileTexts } from '../../fixtures/hostile-text.ts';
import { put } from '../../support/conversations.ts';
import { history, historyFolder, homeWith } from '../../support/history.ts';

/** Texts and titles of a file that somebody else wrote: nothing of them is obeyed where people read them. */
async function shelfOf(text: string) {
  const { after } = await homeWith();
  const time = '2026-11-21T11:00:00.000Z';
  const facts = { prompt_id: text, finish_reason: text, usage: null, elapsed_ms: 1 };
  put(
    historyFolder(after),
    'abc',
    { v: 1, id: text, title: `title ${text}`, created: time, motif_id: `motif ${text}`, profile: text },
    { kind: 'message', turn: 't', role: 'user', content: `question ${text}` },
    { kind: 'message', turn: 't', role: `role ${text}`, content: `between ${text}` },
    { kind: 'message', turn: 't', role: 'assistant', content: `answer ${text}` },
    { kind: 'outcome', turn: 't', time, blocked: false, ...facts },
  );
  return after;
}

const terminal = { stdout: { columns: 100 }, stderr: { columns: 100 }, env: { NO_COLOR: '1' } };

describe.each(hostileTexts)('$name', ({ text }) => {
  test('is shown on a terminal, never obeyed', async () => {
    const after = await shelfOf(text);
    for (const argv of [
      ['list'],
      ['search', 'question'],
      ['search', 'title'],
      ['show', 'abc'],
      ['show', 'abc', '--raw'],
      ['export', 'abc'],
      ['export', 'abc', '--format', 'json'],
      ['list', '--json'],
      ['search', 'answer', '--json'],
      ['show', 'abc', '--json'],
      ['prune', '--older-than', '1m'],
      ['rename', 'abc', `new ${text.slice(0, 20)}`],
      ['delete', 'abc', '--yes'],
    ]) {
      const run = await history(argv, { after, ...terminal });
      expect(run.exitCode, argv.join(' ')).toBe(0);
      expect(run.stdout + run.stderr, argv.join(' ')).not.toMatch(hiddenAnywhere);
    }
  });

  test('stays in its cell where a pipe reads lines and tabs', async () => {
    const after = await shelfOf(text);
    expect((await history(['list'], { after })).stdout.split('\t')).toHaveLength(6);
    const found = (await history(['search', 'question'], { after })).stdout;
    expect(
      found
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t').length),
    ).toEqual([4]);
    expect((await history(['list'], { after })).stdout).not.toMatch(hiddenAnywhere);
  });
});

test('JSON loses nothing by it', async () => {
  for (const { text } of hostileTexts) {
    const after = await shelfOf(text);
    const { stdout } = await history(['show', 'abc', '--json'], { after, ...terminal });
    expect(JSON.parse(stdout)).toMatchObject({
      title: `title ${text}`,
      messages: [{ content: `question ${text}` }, { content: `between ${text}` }, { content: `answer ${text}` }],
    });
  }
});

test('in a pipe the texts are as they were', async () => {
  const after = await shelfOf('\u001b[2J');
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
