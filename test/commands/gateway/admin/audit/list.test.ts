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

test('several decisions are listed together', async () => {
  const lines = ['pass', 'block', 'redact', 'refused'].map((decision) => `${line({ decision })}\n`);
  const argv = ['admin', 'audit', 'list', '--decision', 'block,redact', 'audit.jsonl'];
  const { stdout } = await motif(argv, { files: { 'audit.jsonl': lines.join('') } });
  expect(stdout.split('\n').map((row) => row.split('\t')[2])).toEqual(['block', 'redact', undefined]);
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

const config = '{"time":"2026-10-01T00:00:00.000Z","event":"config","hash":"aa","motifs":{}}';

test.each([
  { name: 'a line of a log', bytes: `${config}\n{"level":"info"}\n`, exitCode: 0 },
  { name: 'the beginning of a prompt', bytes: `${config}\n${line().slice(0, 40)}`, exitCode: 2 },
  { name: 'torn gzip data', bytes: gzipSync(`${config}\n${line()}\n`).subarray(0, -30), exitCode: 2 },
])('an audit without prompts beside $name: exit $exitCode', async ({ bytes, exitCode }) => {
  for (const [verb, ...flags] of [['list'], ['list', '--json'], ['stats']]) {
    const run = await motif(['admin', 'audit', verb!, 'audit', ...flags], { files: { audit: bytes } });
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).not.toContain('was asked');
    expect(`${run.stdout}${run.stderr}`.includes('no prompt could be read: 1 line left out (1 torn)')).toBe(
      exitCode === 2,
    );
  }
});
