import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { admin, documentIn, file, fileIn } from '../../../support/rooms/admin.ts';

const line = (time: string, token: string) =>
  `${JSON.stringify({ time, prompt_id: '01M80R00000000000000000000', motif: 'support-bot', token_id: token, decision: 'pass' })}\n`;
const audit = line('2026-11-19T08:00:00.123Z', 't1') + line('2026-11-20T09:30:00.500Z', 't1') + '{"torn';

describe('the last use of a token', () => {
  test('is told as the audit has it', async () => {
    const run = await admin(['show'], file, { files: { 'audit.jsonl': audit } });
    expect(run.stdout).toMatch(/^t1\t.*\tlast used 2026-11-20T09:30:00Z\tdoes not expire\t/m);
    expect(run.stdout).toMatch(/^t0\t.*\tnot used\texpired/m);
    const { items } = documentIn(await admin(['show', '--json'], file, { files: { 'audit.jsonl': audit } }));
    expect(items).toMatchObject([{ tenant: /^tenant: (\S+)/m.exec(file)![1] }]);
    expect(items).toMatchObject([{ tokens: [{ last_used: '2026-11-20T09:30:00.500Z' }, { last_used: null }] }]);
  });

  const used = /^t1\t.*\tlast used 2026-11-20T09:30:00Z\t/m;
  const newer = line('2026-11-21T08:00:00.000Z', 't9');
  const packed = gzipSync(audit);
  const long = gzipSync(line('2026-11-19T08:00:00.000Z', 't1') + `${' '.repeat(9_999)}\n`.repeat(3400) + newer);
  test.each([
    { name: 'a file that was just rotated', files: { 'audit.jsonl': '', 'audit.jsonl.1': audit }, says: used },
    { name: 'a gateway that has not written since', files: { 'audit.jsonl.1': audit }, says: used },
    { name: 'a packed one', files: { 'audit.jsonl': newer, 'audit.jsonl-20261121.gz': packed }, says: used },
    {
      name: 'a use in both',
      files: { 'audit.jsonl': audit, 'audit.jsonl.1': line('2026-11-18T09:00:00.000Z', 't1') },
      says: used,
    },
    {
      name: 'a packed one that is damaged',
      files: { 'audit.jsonl': newer, 'audit.jsonl.1.gz': packed.subarray(0, 20) },
      says: /^t1\t.*\tnot used since 20\S+:\S+Z\t/m,
    },
    {
      name: 'a packed one of more than is searched',
      files: { 'audit.jsonl': newer, 'audit.jsonl.1.gz': long },
      says: /^t1\t.*\tnot used since 20\S+:\S+Z\t/m,
    },
    {
      name: 'a file that cannot be read',
      files: { 'audit.jsonl': newer, 'audit.jsonl.1.xz': Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]) },
      says: /^t1\t.*\tnot used since 20\S+:\S+Z\t/m,
    },
  ])('is looked for in rotated files: $name', async ({ files, says }) => {
    expect((await admin(['show'], file, { files: files as never })).stdout).toMatch(says);
  });

  test.each([
    { name: 'a file that was copied back last', touched: 'audit.jsonl.1' },
    { name: 'a file that was written last', touched: 'audit.jsonl' },
  ])('is that of the newest lines, whatever the times of the files say: $name', async ({ touched }) => {
    const old = line('2026-11-18T09:00:00.000Z', 't1') + line('2026-11-18T09:00:00.000Z', 't0');
    const run = await admin(['show'], file, {
      files: { 'audit.jsonl': audit, 'audit.jsonl.1': old },
      prepare: ({ folder }) => {
        for (const name of ['audit.jsonl', 'audit.jsonl.1'])
          utimesSync(join(folder, name), 1, name === touched ? 2 : 1);
      },
    });
    expect(run.stdout).toMatch(used);
  });

  test('begins with the oldest line that was searched, where a file before it was not', async () => {
    const { stdout } = await admin(['show'], file, { files: { 'audit.jsonl': newer, 'audit.jsonl.1.gz': long } });
    expect(stdout).toMatch(/^t1\t.*\tnot used since 2026-11-21T08:00:00Z\t/m);
  });

  test('is not spoken of where there is no audit', async () => {
    expect((await admin(['show'])).stdout).not.toContain('used');
  });
});

test('show --tokens lists the tokens of all Motifs, those too that never end', async () => {
  const run = await admin(['show', '--tokens'], file, { files: { 'audit.jsonl': audit } });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatch(
    /^support-bot\tt1\t.*\tlast used 2026-11-20T09:30:00Z\tdoes not expire\t\t\nsupport-bot\tt0\t.*\tnot used\texpired .*\n$/,
  );
  const { ok, items } = documentIn(await admin(['show', '--tokens', '--json'], file));
  expect({ ok, items }).toMatchObject({ ok: true, items: [{ motif_id: 'support-bot', id: 't1' }, { id: 't0' }] });
});

describe('show --expiring', () => {
  const current = file.replace(/ +- \{ id: t0.*\n/, '');
  const expiring = current.replace('created: 2026-11-20 }', 'expires: 2026-12-01 }');

  const excepting = (until: string) =>
    current.replace('{ kind: pii }', `{ kind: pii, except: [{ text: x, until: ${until} }] }`);

  test.each([
    {
      name: 'a token that ends within the time',
      text: expiring,
      words: ['30d'],
      exitCode: 1,
      says: /^support-bot\tt1\t.*\texpires 2026-12-01T00:00:00Z\t\t\n$/,
    },
    {
      name: 'none that ends so soon',
      text: expiring,
      words: ['3d'],
      exitCode: 0,
      says: /^no token and no exception ends within that time\n$/,
    },
    { name: 'none with an end', text: current, words: ['30d'], exitCode: 0, says: /^no token and/ },
    {
      name: 'one that has ended, and that rotate did not replace',
      text: file,
      words: ['30d'],
      exitCode: 1,
      says: /^support-bot\tt0\t.*\texpired 2026-01-01T00:00:00Z\t\t\n$/,
    },
    {
      name: 'an exception that ends within the time',
      text: excepting('2026-12-01'),
      words: ['30d'],
      exitCode: 1,
      says: /^exception: x of no-pii, until 2026-12-01T00:00:00Z\n$/,
    },
    {
      name: 'an exception that is over',
      text: excepting('2026-11-01'),
      words: ['30d', 'support-bot'],
      exitCode: 1,
      says: /^exception, over: x of no-pii, until 2026-11-01T00:00:00Z\n$/,
    },
    {
      name: 'an exception with a later end',
      text: excepting('2027-03-01'),
      words: ['30d'],
      exitCode: 0,
      says: /^no token/,
    },
  ])('$name: exit $exitCode', async ({ text, words, exitCode, says }) => {
    const run = await admin(['show', '--expiring', ...words], text);
    expect(run).toMatchObject({ exitCode, stderr: '' });
    expect(run.stdout).toMatch(says);
  });

  test('a token that rotate has replaced does not count as expiring, until its replacement is gone', async () => {
    const rotated = fileIn(await admin(['rotate', '--grace', '24h'], current));
    const run = await admin(['show', '--expiring', '30d'], rotated);
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: 'no token that is still needed and no exception ends within that time\n',
      stderr: 'motif: not listed, because rotate has replaced it: 1 token\n',
    });
    const json = await admin(['show', '--expiring', '30d', '--json'], rotated);
    expect(documentIn(json)).toMatchObject({ ok: true, items: [] });
    const [, replacement = ''] = /replaced by (t-[0-9a-f]{8})/.exec((await admin(['show'], rotated)).stdout) ?? [];
    const revoked = fileIn(await admin(['revoke', replacement], rotated));
    expect((await admin(['show', '--expiring', '30d'], revoked)).exitCode).toBe(1);
    const shorter = rotated.replace(/(replaced_by[^]*created: 2026-11-21)/, '$1, expires: 2026-11-21T13:00Z');
    expect((await admin(['show', '--expiring', '30d'], shorter)).exitCode).toBe(1);
  });

  test('nor does one that ends before the grace of its rotation is over, and it keeps its end', async () => {
    const soon = current.replace('created: 2026-11-20 }', 'expires: 2026-11-21T18:00:00Z }');
    const rotated = fileIn(await admin(['rotate', '--grace', '24h', '--expires', '365d'], soon));
    const run = await admin(['show', '--expiring', '30d'], rotated);
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: 'no token that is still needed and no exception ends within that time\n',
    });
    expect((await admin(['show'], rotated)).stdout).toMatch(/^t1\t.*\texpires 2026-11-21T18:00:00Z\t\treplaced by t-/m);
    const kept = fileIn(await admin(['rotate', '--keep', '--expires', '365d'], soon));
    expect((await admin(['show', '--expiring', '30d'], kept)).exitCode).toBe(1);
  });

  test('--json', async () => {
    const run = await admin(['show', '--expiring', '30d', '--json'], expiring);
    expect(run.exitCode).toBe(1);
    expect(documentIn(run)).toMatchObject({ ok: false, items: [{ motif_id: 'support-bot', id: 't1' }], error: null });
  });
});

test('the team of a Motif stands with it', async () => {
  const text = file.replace(/^( +)provider: .*$/m, '$&\n$1team: support');
  expect((await admin(['show'], text)).stdout).toMatch(/^team +support$/m);
  expect(documentIn(await admin(['show', '--json'], text)).items).toMatchObject([{ team: 'support' }]);
});

test('exceptions and rules that are left out stand with the Motif', async () => {
  const text = file.replace(
    'no-pii:     { kind: pii }',
    'no-pii:     { kind: pii, except: [{ text: a@acme.dev, why: our own, until: 2026-01-01 }, { pattern: "x+@acme.dev" }], without: [phone] }',
  );
  const run = await admin(['show'], text);
  expect(run.stdout).toMatch(/^exception, over +a@acme.dev of no-pii, our own, until 2026-01-01T00:00:00Z$/m);
  expect(run.stdout).toMatch(/^exception +all of \/x\+@acme.dev\/ of no-pii$/m);
  expect(run.stdout).toMatch(/^left out +phone of no-pii$/m);
  expect(documentIn(await admin(['show', '--json'], text)).items).toMatchObject([
    {
      exceptions: [
        { text: 'a@acme.dev', expired: true },
        { pattern: 'x+@acme.dev', until: null },
      ],
      left_out: [{ policy: 'no-pii', rules: ['phone'] }],
    },
  ]);
});

test.each([
  { name: 'of the Motif', argv: ['show'] },
  { name: 'that ends', argv: ['show', '--expiring', '30d'] },
])('an exception $name stands on one line, whatever its words are', async ({ argv }) => {
  const words = 'a\\e]0;title\\a\\u202eb\\n::error::c';
  const text = file.replace(
    'no-pii:     { kind: pii }',
    `no-pii: { kind: pii, except: [{ text: "${words}", why: "${words}", until: 2026-01-01 }] }`,
  );
  const shown = 'a\\u{1b}]0;title\\u{7}\\u{202e}b\\n::error::c';
  expect(stripVTControlCharacters((await admin(argv, text)).stdout)).toContain(`${shown} of no-pii, ${shown}, until `);
});

test.each(['show', 'rotate', 'revoke'])('%s of a gateway file says that a flag names one', async (verb) => {
  const run = await admin([verb, 'other.yaml'], null);
  const hint = expect.stringContaining(`motif admin ${verb} -c other.yaml`) as string;
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: hint });
});

test.each([
  {
    name: 'a terminal, whose cells do not repeat the head',
    stdout: { columns: 80 },
    rows: [
      'token       user     age      last use              end',
      't-3fa9c1d2  anastasia.papadopoulou@example.com',
      '                     1 day    2026-11-20T09:30:00Z  does not expire',
      't0          no user  unknown  not used              expired 2026-01-01T00:00:00Z',
    ],
  },
  {
    name: 'a pipe, which has no head and tabs between the cells',
    stdout: { isTerminal: false },
    rows: [
      't-3fa9c1d2\tanastasia.papadopoulou@example.com\t1 day old\tlast used 2026-11-20T09:30:00Z\tdoes not expire\t\t',
      't0\tno user\tage unknown\tnot used\texpired 2026-01-01T00:00:00Z\t\t',
    ],
  },
])('the tokens of a Motif on $name', async ({ stdout: screen, rows }) => {
  const long = file.replace('id: t1,', 'id: t-3fa9c1d2, user: anastasia.papadopoulou@example.com,');
  const files = { 'audit.jsonl': audit.replaceAll('"t1"', '"t-3fa9c1d2"') };
  const { stdout } = await admin(['show', 'support-bot'], long, { stdout: screen, files });
  const shown = stripVTControlCharacters(stdout).split('\n\n')[1];
  expect(shown?.split('\n').map((line) => line.replace(/ +$/, ''))).toEqual([...rows, '']);
});

test('admin init at 80 columns: each fact stands beside its name, and only the lines to type go below', async () => {
  const { stdout } = await admin(['init'], null, { stdout: { columns: 80 } });
  expect(stripVTControlCharacters(stdout)).toMatch(
    /^address {3}http:\S+\nMotif ID {2}support-bot\ntoken {5}mtf_\w+\ntenant {4}org-\w+\nlog in *\n {2}motif login \S+ --tenant \S+\nscripts *\n {2}export MOTIF_URL=\S+ MOTIF_TENANT_ID=\S+ MOTIF_TOKEN=mtf_\w+\n$/,
  );
});
