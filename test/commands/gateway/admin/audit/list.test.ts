import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { motif } from '../../../../support/motif.ts';

const line = (parts: object = {}) =>
  JSON.stringify({
    time: '2026-11-21T12:00:00.000Z',
    prompt_id: '01JD0000000000000000000001',
    motif: 'bot',
    token_id: 't1',
    user: 'ana',
    decision: 'pass',
    rules: [],
    status: 200,
    provider: 'openai',
    fallback: false,
    ...parts,
  });

const list = (columns: number, lines: readonly string[]) =>
  motif(['admin', 'audit', 'list', 'audit.jsonl'], {
    env: { NO_COLOR: '1' },
    files: { 'audit.jsonl': lines.map((each) => `${each}\n`).join('') },
    stdout: { columns },
  });

test('a terminal gets a line a prompt: shorter times, then shorter IDs, before it loses the callers', async () => {
  const found = { decision: 'block', rules: [{ policy: 'no-pii', rule: 'card', action: 'block' }] };
  const { stdout } = await list(88, [line(), line({ ...found, motif: 'support-bot' })]);
  expect(stdout.split('\n')).toEqual([
    'time (UTC)        prompt                      decision  Motif        caller  found',
    '2026-11-21 12:00  01JD0000000000000000000001  pass      bot          ana',
    '2026-11-21 12:00  01JD0000000000000000000001  block     support-bot  ana     no-pii/card',
    '',
  ]);
  const usual = await list(80, [line({ ...found, motif: 'support-bot', user: null, token_id: 't-4fcc183d' })]);
  expect(usual.stdout.split('\n')).toEqual([
    'time (UTC)        prompt   decision  Motif        caller      found',
    '2026-11-21 12:00  …000001  block     support-bot  t-4fcc183d  no-pii/card',
    '',
  ]);
  const rules = [{ policy: 'no-secrets', rule: 'aws_access_key', action: 'block' }];
  const long = await list(80, [line({ ...found, rules, motif: 'support-bot' })]);
  expect(long.stdout.split('\n')).toEqual([
    'time (UTC)        prompt   decision  Motif        found',
    '2026-11-21 12:00  …000001  block     support-bot  no-secrets/aws_access_key',
    'left out at this width: caller; a wider window, a pipe and --json have all',
    '',
  ]);
  const narrow = await list(60, [line({ ...found, motif: 'support-bot' })]);
  expect(narrow.stdout).toMatch(/^left out at this width: caller; a wider window, a pipe and\n {2}--json have all$/m);
});

test('a prompt that the fallback answered is marked, with its name', async () => {
  const { stdout } = await list(120, [line({ fallback: true, provider: 'backup' })]);
  expect(stdout).toMatch(/ pass +bot +ana +fallback backup$/m);
});

const gzip = gzipSync(`${line()}\n`);

test.each([
  { name: 'list', words: ['list'] },
  { name: 'list as a document', words: ['list', '--json'] },
  { name: 'list of a user', words: ['list', '--user', 'ana'] },
  { name: 'stats', words: ['stats'] },
])('files without a line that can be read tell nothing of prompts: $name', async ({ words: [verb, ...flags] }) => {
  const files = { 'torn.gz': gzip.subarray(0, 30), 'notes.txt': 'hello\n' };
  const { exitCode, stdout, stderr } = await motif(['admin', 'audit', verb!, 'torn.gz', 'notes.txt', ...flags], {
    files,
  });
  expect(exitCode).toBe(2);
  const words = 'no prompt could be read: 2 lines left out (2 torn): torn.gz:1, notes.txt:1';
  expect(flags.includes('--json') ? stdout : stderr).toContain(words);
  expect(`${stdout}${stderr}`).not.toContain('was asked');
});

test.each([['list'], ['list', '--json'], ['stats']])(
  'an audit without prompts and with a line of something else is read: %s %s',
  async (verb, ...flags) => {
    const config = '{"time":"2026-10-01T00:00:00.000Z","event":"config","hash":"aa","motifs":{}}';
    const files = { 'audit.jsonl': `${config}\nhello\n` };
    const { exitCode, stderr } = await motif(['admin', 'audit', verb, 'audit.jsonl', ...flags], { files });
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('was asked');
  },
);
