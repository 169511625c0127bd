import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GlobalFlags } from '../../../src/commands/shared/flags/options.ts';
import { createRun } from '../../../src/commands/shared/run.ts';
import { bold, type Column, dim, outcome, printTable } from '../../../src/commands/shared/table.ts';
import type { ColourChoice } from '../../../src/terminal/style.ts';
import { fakeWorld } from '../../support/world.ts';

const rows = [
  ['looked', 'no-pii', 'for email and card: nothing has the form of one'],
  ['read', 'message 1', 'as sent'],
  ['one'],
];

const plain: readonly Column[] = [{}, {}, {}];

interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

async function printed(columns?: number, table: Table = { columns: plain, rows }, color: ColourChoice = 'never') {
  const world = fakeWorld({ stdout: columns === undefined ? {} : { columns } });
  await printTable(createRun(world, { color } as GlobalFlags), table.columns, table.rows);
  return world.stdout.text;
}

test('a pipe gets each row on a line of its own', async () => {
  expect(await printed()).toBe(
    'looked  no-pii     for email and card: nothing has the form of one\nread    message 1  as sent\none\n',
  );
});

test('on a terminal a long row goes on below its last cell, and breaks between words alone', async () => {
  expect(await printed(50)).toBe(
    `looked  no-pii     for email and card: nothing has\n${' '.repeat(19)}the form of one\nread    message 1  as sent\none\n`,
  );
});

test('where that leaves too little room each row goes on below its second cell', async () => {
  const below = (text: string): string => `${' '.repeat(8)}${text}\n`;
  expect(await printed(30)).toBe(
    [
      `looked  no-pii\n${below('for email and card:')}${below('nothing has the form')}${below('of one')}`,
      `read    message 1\n${below('as sent')}one\n`,
    ].join(''),
  );
});

describe('a table with a header', () => {
  const table = {
    columns: [
      { name: 'Motif', paint: bold },
      { name: 'decision', paint: outcome },
      { name: 'age', paint: dim, dispensable: 1 },
      { name: 'empty' },
      { name: 'end' },
    ],
    rows: [
      ['support-bot', 'block', 'made today', '', 'does not expire'],
      ['sales', 'pass', '3 days old', '', 'ends tomorrow'],
    ],
  };

  test('has it on a terminal, and no column of which all cells are empty', async () => {
    expect(await printed(80, table)).toBe(
      [
        'Motif        decision  age         end\n',
        'support-bot  block     made today  does not expire\n',
        'sales        pass      3 days old  ends tomorrow\n',
      ].join(''),
    );
  });

  test('has none in a pipe', async () => {
    expect((await printed(undefined, table)).split('\n')[0]).toBe('support-bot  block  made today  does not expire');
  });

  test('loses a column before a cell breaks, and names it', async () => {
    expect(await printed(40, table)).toBe(
      [
        'Motif        decision  end\n',
        'support-bot  block     does not expire\n',
        'sales        pass      ends tomorrow\n',
        'left out at this width: age; a wider\n  window, a pipe and --json have all\n',
      ].join(''),
    );
  });

  test('has names bold, blocks yellow and bold, and the rest dim', async () => {
    expect((await printed(80, table, 'always')).split('\n').slice(0, 2)).toEqual([
      '\u001b[2mMotif\u001b[22m        \u001b[2mdecision\u001b[22m  \u001b[2mage\u001b[22m         \u001b[2mend\u001b[22m',
      '\u001b[1msupport-bot\u001b[22m  \u001b[1m\u001b[33mblock\u001b[39m\u001b[22m     \u001b[2mmade today\u001b[22m  does not expire',
    ]);
  });
});

test.each([
  { columns: 44, name: 'stands behind it, where there is room', profile: '  profile' },
  { columns: 40, name: 'goes on below, in its own', profile: `\n${' '.repeat(17)}profile` },
])('the fact after one that is too long for its column $name', async ({ columns, profile }) => {
  const facts = {
    columns: plain,
    rows: [
      ['url', 'https://gw.example/api/v1', 'profile'],
      ['token', '****1234', 'profile staging, file'],
    ],
  };
  expect(await printed(columns, facts)).toBe(
    `url    https://gw.example/api/v1${profile}\ntoken  ****1234  profile staging, file\n`,
  );
});

test('a word that is too long for its column goes to the margin, and the words around it stay', async () => {
  const findings = {
    columns: plain,
    rows: [
      ['ok', 'settings', 'it is at https://gw.example/api/v1/apps/bot now'],
      ['ok', 'dns', 'short'],
      ['ok', 'tls', 'short'],
    ],
  };
  const middle = ' '.repeat(14);
  expect(await printed(40, findings)).toBe(
    `ok  settings  it is at\n  https://gw.example/api/v1/apps/bot\n${middle}now\nok  dns       short\nok  tls       short\n`,
  );
});

describe('a table of many columns without dispensable ones', () => {
  const columns = ['token', 'user', 'age', 'last use', 'end', 'limits'].map((name) => ({ name }));
  const table = {
    columns,
    rows: [
      ['t-1', 'ana', '92 days old', 'last used 2026-11-21T12:00:00Z', 'does not expire', '60 a minute, 900 a day'],
      ['t-2', 'anastasia.papadopoulou@example.com', 'made today', 'not used', 'expires 2027-02-01T00:00:00Z', ''],
    ],
  };

  test('has its cells folded inside of them', async () => {
    expect((await printed(120, table)).split('\n')).toEqual([
      'token  user                                age          last use              end                   limits',
      't-1    ana                                 92 days old  last used             does not expire       60 a minute, 900 a',
      '                                                        2026-11-21T12:00:00Z                        day',
      't-2    anastasia.papadopoulou@example.com  made today   not used              expires',
      '                                                                              2027-02-01T00:00:00Z',
      '',
    ]);
  });

  test('goes on below the second one where not even that fits, and loses nothing', async () => {
    expect((await printed(80, table)).split('\n')).toEqual([
      'token  user                                age',
      '       last use                        end',
      '       limits',
      't-1    ana                                 92 days old',
      '       last used 2026-11-21T12:00:00Z  does not expire',
      '       60 a minute, 900 a day',
      't-2    anastasia.papadopoulou@example.com  made today',
      '       not used                        expires 2027-02-01T00:00:00Z',
      '',
    ]);
  });
});

test('no line of a table is wider than the terminal, unless a word is, and no word is lost', async () => {
  const cell = fc.array(fc.stringMatching(/^[a-z]{1,18}$/), { maxLength: 6 }).map((words) => words.join(' '));
  const table = fc.array(fc.tuple(cell, cell, cell, cell, cell), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 24, max: 120 }), async (cells, width) => {
      const shown = await printed(width, { columns: [{}, {}, {}, {}, {}], rows: cells });
      const words = (text: string): string[] => (text.match(/\S+/g) ?? []).sort();
      expect(words(shown)).toEqual(words(cells.flat().join(' ')));
      const isWide = cells.some(([first]) => first.length > width);
      if (!isWide) for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    }),
  );
});

test('cells that are too many for a line break it between two of them', async () => {
  const words = { columns: plain, rows: [['2026-11-22 13:35', '01M81QG21RYDDRC6D1DC577YBY', 'no-pii/card and more']] };
  expect(await printed(40, words)).toBe('2026-11-22 13:35\n  01M81QG21RYDDRC6D1DC577YBY\n  no-pii/card and more\n');
});

test('a cell wider than half the terminal takes no room from the rows beside it', async () => {
  const long = 'a-name-that-is-longer-than-half-of-it';
  const table = {
    columns: [{ name: 'Motif' }, { name: 'policies' }],
    rows: [
      ['bot', 'no-pii'],
      [long, 'no-secrets'],
    ],
  };
  expect(await printed(40, table)).toBe(`Motif  policies\nbot    no-pii\n${long}\n       no-secrets\n`);
});

test('long names in some rows leave the other rows in one line each', async () => {
  const name = 'customer-support-bot-for-germany';
  const facts = {
    columns: plain,
    rows: [
      ['profile', name, ''],
      ['motif_id', name, `profile ${name}`],
      ['token', '****1234', `profile ${name}`],
      ['timeout', '5m', 'default'],
      ['retries', '2', 'default'],
      ['proxy', 'none', ''],
    ],
  };
  expect((await printed(66, facts)).split('\n')).toEqual([
    `profile   ${name}`,
    `motif_id  ${name}`,
    `                    profile ${name}`,
    `token     ****1234  profile ${name}`,
    'timeout   5m        default',
    'retries   2         default',
    'proxy     none',
    '',
  ]);
});

test.each([54, 56, 62])('a source with a name of %i characters is one line, wherever it fits', async (length) => {
  const name = 'n'.repeat(length);
  const facts = {
    columns: plain,
    rows: [
      ['profile', name, ''],
      ['url', 'https://gw.example/api/v1/apps/support-bot', `profile ${name}`],
      ['token', '****1234', `profile ${name}, file`],
      ['connect_timeout', '10s', 'default'],
      ['proxy', 'none', ''],
    ],
  };
  const lines = (await printed(80, facts)).split('\n');
  const source = (words: string): string => `${' '.repeat(17 + words.length > 80 ? 2 : 17)}${words}`;
  expect(lines).toEqual([
    `profile          ${name}`,
    'url              https://gw.example/api/v1/apps/support-bot',
    source(`profile ${name}`),
    'token            ****1234',
    source(`profile ${name}, file`),
    'connect_timeout  10s       default',
    'proxy            none',
    '',
  ]);
});

test('a path that is wider than the terminal takes no line from the facts beside it', async () => {
  const path = `/home/ana/.config/motif/profiles/${'n'.repeat(64)}.json`;
  const facts = [
    ['profile', 'n'.repeat(64)],
    ['url', 'https://gw.example/api/v1/apps/support-bot'],
    ['file', path],
  ];
  expect(await printed(80, { columns: [{}, {}], rows: facts })).toBe(
    `profile  ${'n'.repeat(64)}\nurl      https://gw.example/api/v1/apps/support-bot\nfile\n  ${path}\n`,
  );
});

test('an address that does not fit behind its name has a line of its own, near the margin', async () => {
  const rowsOfFacts = [
    ['url', 'https://gw.example/api/v1/apps/support-bot'],
    ['a longer name', 'short'],
  ];
  const [first, second] = (await printed(40, { columns: [{}, {}], rows: rowsOfFacts })).split('\n');
  expect([first, second]).toEqual(['url', '  https://gw.example/api/v1/apps/support-bot']);
});

test('a wide cell keeps its column where the whole table fits', async () => {
  const rowsThatFit = [
    ['a-name-of-twenty-five-chars', 'x'],
    ['b', 'y'],
  ];
  expect(await printed(40, { columns: [{}, {}], rows: rowsThatFit })).toBe(
    'a-name-of-twenty-five-chars  x\nb                            y\n',
  );
});

test('there may be more rows than one call takes arguments', async () => {
  const many = Array.from({ length: 200_000 }, () => ['a', 'row of words that is wider than the terminal']);
  const columns: readonly Column[] = [{ name: 'one' }, { name: 'two' }];
  for (const width of [undefined, 30]) {
    const lines = (await printed(width, { columns, rows: many })).split('\n');
    expect(lines.length).toBeGreaterThan(many.length);
  }
});
