import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../src/text/width.ts';
import { put } from '../../support/rooms/conversations.ts';
import { history, historyFolder, homeWith, now } from '../../support/rooms/history.ts';
import { onTerminal, saying } from '../../support/rooms/prompt.ts';

const shelf = () =>
  homeWith(
    { title: 'Kettles', daysAgo: 40, turns: ['How long can I return a kettle?', 'And a toaster?'] },
    { title: '漢字 and ducks', daysAgo: 3, motifId: 'other-bot' },
    { title: 'Late orders', motifId: null, turns: [['Where is it?', '# Soon\n\nIt is **late**.']] },
  );

describe('list', () => {
  test('a pipe gets all of it, the newest first, with tabs', async () => {
    const { after, ids } = await shelf();
    expect(await history(['list'], { after })).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: [
        `${ids[2]}\t2026-11-21T12:00:00.000Z\tLate orders\t\t1\t7\n`,
        `${ids[1]}\t2026-11-18T12:00:00.000Z\t漢字 and ducks\tother-bot\t1\t7\n`,
        `${ids[0]}\t2026-10-12T12:00:00.000Z\tKettles\tsupport-bot\t2\t14\n`,
      ].join(''),
    });
  });

  test('names are bold on a terminal with colours', async () => {
    const { after } = await shelf();
    const { stdout } = await history(['list'], { after, stdout: { columns: 80 }, env: { FORCE_COLOR: '1' } });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .slice(1)
        .every((row) => row.startsWith('\u001b[1m')),
    ).toBe(true);
  });

  test('a terminal gets a table', async () => {
    const { after, ids } = await shelf();
    const { stdout } = await history(['list'], { after, stdout: { columns: 80 }, env: { NO_COLOR: '1' } });
    expect(stdout).toBe(
      [
        'id          age   title           Motif        turns  tokens in all',
        `${ids[2]}  now   Late orders                      1              7`,
        `${ids[1]}  3 d   漢字 and ducks  other-bot        1              7`,
        `${ids[0]}  40 d  Kettles         support-bot      2             14`,
        '',
      ].join('\n'),
    );
  });

  test.each([200, 80, 60, 50, 40, 30, 20, 12, 1])(
    'at %d columns no row is wider than the terminal',
    async (columns) => {
      const { after } = await homeWith(
        { title: '漢字 '.repeat(30), motifId: 'a-motif-with-a-long-name' },
        { title: 'x'.repeat(150), motifId: 'm', daysAgo: 400 },
      );
      const { stdout } = await history(['list'], { after, stdout: { columns }, env: { NO_COLOR: '1' } });
      const widths = stdout.trimEnd().split('\n').map(columnsOf);
      expect(widths).toHaveLength(3);
      // An id is never cut, for then it would be another one.
      expect(Math.max(...widths)).toBeLessThanOrEqual(Math.max(columns, 10 + 2 + 1));
      if (columns >= 60) expect(stdout).toContain('title');
    },
  );

  test('a terminal gets the newest 30, and is told of the others; -n and --motif choose', async () => {
    const { after } = await homeWith(...Array.from({ length: 32 }, (_, index) => ({ title: `t${index}` })));
    const run = await history(['list'], { after, ...onTerminal });
    expect(run.stdout.split('\n')).toHaveLength(32);
    expect(run.stderr).toContain('the newest 30 of 32; -n 32 shows all');
    expect((await history(['list', '-n', '32'], { after, ...onTerminal })).stdout.split('\n')).toHaveLength(34);
    expect((await history(['list', '-n2'], { after })).stdout.split('\n')).toHaveLength(3);
    expect((await history(['list', '--motif', 'other'], { after })).stderr).toContain(
      'no saved conversation with other',
    );
    const { after: mixed, ids } = await shelf();
    expect((await history(['list', '--motif', 'other-bot'], { after: mixed })).stdout.split('\t')[0]).toBe(ids[1]);
  });

  test('--json is a list of items', async () => {
    const { after, ids } = await shelf();
    const { stdout } = await history(['list', '--json', '-n', '1'], { after });
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      items: [
        {
          id: ids[2],
          title: 'Late orders',
          created: '2026-11-21T12:00:00.000Z',
          updated: '2026-11-21T12:00:00.000Z',
          motif_id: null,
          profile: null,
          turns: 1,
          total_tokens: 7,
          blocked: 0,
          path: expect.stringContaining(`${ids[2]}.jsonl`) as string,
        },
      ],
      error: null,
    });
  });

  test('where nothing is saved it says how something is; --json is an empty list', async () => {
    expect(await history(['list'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: saying('no saved conversation'),
    });
    expect(JSON.parse((await history(['list', '--json'])).stdout)).toEqual({ ok: true, items: [], error: null });
  });

  test('what is broken is named, and the rest is listed', async () => {
    const { after, ids } = await shelf();
    const path = put(historyFolder(after), 'broken', 'nonsense\n');
    const run = await history(['list'], { after });
    expect(run).toMatchObject({ exitCode: 0, stderr: saying(`${path} is left out`) });
    expect(run.stdout.split('\n')).toHaveLength(ids.length + 1);
  });

  test.each([
    [
      ['list', '--since', '7d'],
      ['Late orders', 'ducks'],
    ],
    [['list', '--since', '2026-11-19'], ['Late orders']],
    [['list', '--since', '7d', '--motif', 'other-bot'], ['ducks']],
    [
      ['search', 'kettle'],
      ['Kettles', 'Kettles'],
    ],
    [['search', 'kettle', '--since', '7d'], []],
    [
      ['search', 'kettle', '--since', '2026-10-01'],
      ['Kettles', 'Kettles'],
    ],
  ])('%j', async (argv, titles) => {
    const { after } = await shelf();
    const run = await history(argv, { after });
    expect(run.exitCode).toBe(0);
    const rows = run.stdout.split('\n').slice(0, -1);
    expect(rows).toEqual(titles.map((title) => expect.stringContaining(title) as string));
  });

  test('--since says what it takes, and that nothing was said since', async () => {
    const { after } = await shelf();
    expect(await history(['list', '--since', 'yesterday'], { after })).toMatchObject({
      exitCode: 2,
      stderr: saying('a duration like 7d or a UTC date'),
    });
    expect(await history(['list', '--since', '2026-12-01'], { after })).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: saying('nothing was said since then'),
    });
  });

  test.each([['0'], ['-1'], ['x'], ['1.5']])('-n %s is refused', async (limit) => {
    expect(await history(['list', '-n', limit])).toMatchObject({ exitCode: 2, stderr: saying('whole number') });
  });

  test('a user without a home is told what to set', async () => {
    expect(await history(['list'], { home: null })).toMatchObject({ exitCode: 12, stderr: saying('XDG_STATE_HOME') });
  });
});

describe('search', () => {
  test('a pipe gets a line for each line that fits, and the title alone where that fits', async () => {
    const { after, ids } = await shelf();
    const { stdout } = await history(['search', 'RETURN', 'kettle'], { after });
    expect(stdout.split('\n')[0]).toBe(`${ids[0]}\tKettles\tuser\tHow long can I return a kettle?`);
    const seen = await history(['search', 'ducks'], { after, stdout: { columns: 80 }, env: { NO_COLOR: '1' } });
    expect(seen.stdout).toMatch(new RegExp(`^漢字 and ducks\\n${ids[1]} · .* · in the title\\n$`));
    expect((await history(['search', 'ducks'], { after })).stdout).toBe(`${ids[1]}\t漢字 and ducks\t\t\n`);
  });

  test('a terminal gets title, facts and lines, none wider than it is', async () => {
    const { after, ids } = await shelf();
    const { stdout } = await history(['search', 'late'], { after, stdout: { columns: 40 }, env: { NO_COLOR: '1' } });
    expect(stdout).toBe(`Late orders\n${ids[2]} · now · 1 line\n  Motif: It is **late**.\n`);
    const far = await homeWith({ title: 't', turns: [`${'word '.repeat(100)}kettle ${'word '.repeat(100)}`] });
    const run = await history(['search', 'kettle'], { after: far.after, stdout: { columns: 40 } });
    expect(Math.max(...run.stdout.split('\n').map(columnsOf))).toBeLessThanOrEqual(40);
    expect(run.stdout).toContain('kettle');
  });

  test('a pipe and --json get every matching line; a terminal the best three, and the way to the others', async () => {
    const question = Array.from({ length: 5 }, (_, index) => `kettle ${index}`).join('\n');
    const { after } = await homeWith({ title: 'Pots', turns: [[question, 'yes']] });
    const piped = await history(['search', 'kettle'], { after });
    expect(piped.stdout.trimEnd().split('\n')).toHaveLength(5);
    expect(piped.stderr).toBe('');
    const { items } = JSON.parse((await history(['search', 'kettle', '--json'], { after })).stdout) as {
      items: { lines: unknown[] }[];
    };
    expect(items[0]?.lines).toEqual([0, 1, 2, 3, 4].map((index) => ({ role: 'user', text: `kettle ${index}` })));
    const wide = { stdout: { columns: 200 }, stderr: { columns: 200 } };
    const seen = await history(['search', 'kettle', '"kettle 1"', 'kettle 1'], { after, ...wide });
    expect(seen.stdout).toContain('and 2 more');
    expect(seen.stderr).toContain(`every matching line: motif history search kettle '"kettle 1"' 'kettle 1' | less`);
    const typed = await history(['search', '--motif', 'support-bot', '-n', '3', '--since', '7d', 'kettle'], {
      after,
      ...wide,
    });
    expect(typed.stderr).toContain(
      'every matching line: motif history search -n 3 --motif support-bot --since 7d kettle | less',
    );
  });

  test('words that the shell kept together are a phrase, unless no conversation holds it', async () => {
    const { after, ids } = await shelf();
    expect((await history(['search', 'a toaster'], { after })).stdout).toContain('And a toaster?');
    expect((await history(['search', 'toaster kettle'], { after })).stdout).toContain(ids[0]);
    expect((await history(['search', '"toaster kettle"'], { after })).stdout).toBe('');
  });

  test('--json has score and lines; nothing found is no failure, an empty query is', async () => {
    const { after, ids } = await shelf();
    const { items } = JSON.parse((await history(['search', 'late', '--json'], { after })).stdout) as {
      items: unknown[];
    };
    expect(items).toMatchObject([
      {
        id: ids[2],
        line_count: 1,
        score: expect.any(Number) as number,
        lines: [{ role: 'assistant', text: 'It is **late**.' }],
      },
    ]);
    expect(await history(['search', 'zebra'], { after })).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: saying('nothing was found'),
    });
    const near = await history(['search', 'ketlte'], { after });
    expect(near.stderr).toEqual(saying('nothing was found', 'did you mean kettles?', 'motif history list shows'));
    expect((await history(['search', 'kettle'], { after })).stdout).toContain('kettle');
    const filtered = await history(['search', 'late', '--motif', 'other'], { after });
    expect(filtered.stderr).toBe('motif: nothing was found with --motif other; without: 1 conversation\n');
    expect(await history(['search', ' '], { after })).toMatchObject({
      exitCode: 2,
      stderr: saying('nothing to search for'),
    });
    expect(await history(['search'], { after })).toMatchObject({ exitCode: 2 });
  });
});

describe('show', () => {
  test('a terminal gets the latest one rendered, a pipe its texts as they are', async () => {
    const { after, ids } = await shelf();
    const shown = await history(['show'], { after, stdout: { columns: 60 }, env: { NO_COLOR: '1' } });
    expect(shown.stdout).toBe(
      `Late orders\n${ids[2]} · 1 turn · 7 tokens · 2026-11-21 12:00\n\nYou\nWhere is it?\n\nMotif\n# Soon\n\nIt is late.\n`,
    );
    const piped = await history(['show', 'late'], { after });
    expect(piped.stdout).toBe('user:\nWhere is it?\n\nassistant:\n# Soon\n\nIt is **late**.\n');
  });

  test('the facts below the title are broken between words', async () => {
    const { after, ids } = await shelf();
    const { stdout } = await history(['show'], { after, stdout: { columns: 40 }, env: { NO_COLOR: '1' } });
    expect(stdout).toContain(`\n${ids[2]} · 1 turn · 7 tokens ·\n2026-11-21 12:00\n`);
  });

  test('--json is the whole conversation', async () => {
    const { after } = await shelf();
    const { stdout } = await history(['show', 'Kettles', '--json'], { after });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, title: 'Kettles', turns: 2, total_tokens: 14, error: null });
    expect((JSON.parse(stdout) as { messages: unknown[] }).messages).toHaveLength(4);
  });

  test.each([['show'], ['export'], ['rename'], ['delete']])('%s of an unknown one suggests another', async (verb) => {
    const { after, ids } = await shelf();
    const rest = verb === 'rename' ? ['new'] : [];
    const run = await history([verb, 'Ketles', ...rest], { after });
    expect(run).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: saying('no conversation "Ketles"', `did you mean ${ids[0]}`),
    });
  });

  test('a broken line is said, and the rest is shown', async () => {
    const { after, ids } = await shelf();
    put(historyFolder(after), 'abc', { v: 1, title: 'Torn', created: '2026-11-21T12:00:00.000Z' }, 'nonsense\n');
    expect(await history(['show', 'abc'], { after })).toMatchObject({ exitCode: 0, stderr: saying('1 broken line') });
    expect(ids).toHaveLength(3);
  });
});

test('the clock of the tests stands still', async () => {
  const { after } = await shelf();
  expect((await history(['list'], { after })).world.now()).toBe(now);
  expect(readdirSync(historyFolder(after))).toContain('summaries.json');
});
