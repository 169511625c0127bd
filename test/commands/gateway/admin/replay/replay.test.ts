import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../../../src/gateway/records/audit/line.ts';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';
import { motif } from '../../../../support/motif.ts';

const present = `audit: { file: audit.jsonl, text: true }
providers: { mock: { kind: mock } }
policies:
  words: { kind: words, words: [forbidden] }
motifs:
  bot: { provider: mock, system: Be kind., policies: [words] }
  other: { provider: mock }
`;

/** Blocks phone numbers, redacts e-mail addresses, lets `forbidden` pass, and would ask outside. */
const next = present
  .replace(
    'words: { kind: words, words: [forbidden] }',
    `words: { kind: words, words: [gone] }
  no-pii: { kind: pii, entities: [phone] }
  mail: { kind: pii, entities: [email], action: redact }
  dlp: { kind: webhook, url: 'https://dlp.example/' }`,
  )
  .replace('policies: [words]', 'policies: [words, no-pii, mail, dlp]');

const system = { role: 'system', content: 'Be kind.' };
const kept = (content: string, response = 'Sure.'): Partial<AuditEntry> => ({
  texts: { messagesJson: JSON.stringify([system, { role: 'user', content }]), responseJson: JSON.stringify(response) },
});
const ids = ['01M7YZMHG0AAAAAAAAAA8W2Q4X', '01M7YZMHG0BBBBBBBBBBBBBBBB'];

async function audit(entries: readonly Partial<AuditEntry>[]): Promise<string> {
  const { audit: writer, memory, record } = await memoryAudit();
  for (const entry of entries) await record(entry);
  await writer.close();
  return memory.text;
}

const entries: readonly Partial<AuditEntry>[] = [
  { promptId: ids[0]!, ...kept('Call me: +49 30 901820 today') },
  { promptId: ids[1]!, ...kept('Hello') },
  kept('Write to ana@acme.dev', 'Sent.'),
  kept('Hello', 'Call +49 30 901820.'),
  { decision: 'block' },
  { decision: 'refused' },
  // The empty prompt of a login, which a replay leaves out.
  { decision: 'refused', reason: 'no_messages' },
  { motif: 'gone', ...kept('Hello') },
];

async function replay(
  words: readonly string[] = [],
  { files = {}, env = {} }: { files?: Record<string, string | Uint8Array>; env?: Record<string, string> } = {},
) {
  return await motif(['admin', 'replay', 'next.yaml', ...words], {
    env,
    files: { 'gateway.yaml': present, 'next.yaml': next, 'audit.jsonl': await audit(entries), ...files },
  });
}

test('what a new file would change of kept texts, on one screen, without the texts', async () => {
  const { stdout, exitCode } = await replay();
  expect(exitCode).toBe(0);
  const shown = stdout
    .replace(/[0-9a-f]{8} -> next.yaml [0-9a-f]{8}/, 'OLD -> next.yaml NEW')
    .replace(/\d+ ms$/m, '3 ms');
  expect(shown).toBe(`gateway.yaml OLD -> next.yaml NEW · 4 texts · 3 ms
1 prompt not judged: blocked then, no text kept
1 prompt not judged: refused or failed then
1 text not judged: the Motif is not in both files
how many more (+) or fewer (-) texts pass, are redacted, are blocked:
Motif  policy/rule   pass  redact  block
bot    no-pii/phone    -2       0     +2
bot    mail/email      -1      +1      0
prompt         Motif  change          place
01M7YZ…8W2Q4X  bot    pass -> block   message 1, characters 10-22
01M7YZ…93P0VH  bot    pass -> redact  message 1, characters 10-21
01M7YZ…93P0VH  bot    pass -> block   answer, characters 6-18
not asked: dlp (webhook)
newly blocked 2 (50.00 %), redacted 1, passed 0; no threshold given (--max-blocked, --max-passed)
`);
  expect(stdout).not.toContain('901820');
});

test('of many changes the first ten are shown, and how many more there are in a line of its own', async () => {
  const many = Array.from({ length: 12 }, () => kept('Hello', 'Call +49 30 901820.'));
  const { stdout } = await replay([], { files: { 'audit.jsonl': await audit(many) } });
  const lines = stdout.split('\n');
  expect(lines.filter((line) => line.endsWith('answer, characters 6-18'))).toHaveLength(10);
  expect(lines).toContain('and 2 more, which --json lists');
});

describe('thresholds', () => {
  test.each([
    { words: ['--max-blocked', '2'], exitCode: 0 },
    { words: ['--max-blocked', '1'], exitCode: 1, most: '1' },
    { words: ['--max-blocked', '50%'], exitCode: 0 },
    { words: ['--max-blocked', '49.5%'], exitCode: 1, most: '49.5 %' },
    { words: ['--max-passed', '0'], exitCode: 0 },
    { words: ['--max-blocked', 'some'], exitCode: 2 },
  ])('$words ends with $exitCode', async ({ words, exitCode, most }) => {
    const run = await replay(words);
    expect(run.exitCode).toBe(exitCode);
    if (exitCode === 0) expect(run.stdout).toContain('\nOK newly blocked 2 (50.00 %), red');
    if (most !== undefined) expect(run.stdout).toContain(`FAILED newly blocked 2 (50.00 %, at most ${most}), red`);
  });
});

test('the document has the same facts, and every changed text by its place', async () => {
  const run = await replay(['--json']);
  expect(JSON.parse(run.stdout)).toMatchObject({
    ok: true,
    exit_code: 0,
    base: { file: 'gateway.yaml' },
    new: { file: 'next.yaml' },
    judged: 4,
    not_judged: { blocked: 1, without_text: 0, refused_or_failed: 1, without_motif: 1 },
    changes: {
      blocked: 2,
      redacted: 1,
      passed: 0,
      texts: [
        {
          id: ids[0],
          from: 'pass',
          to: 'block',
          places: [{ policy: 'no-pii', rule: 'phone', place: { of: 'client', message: 0 } }],
        },
        { to: 'redact', places: [{ policy: 'mail', rule: 'email' }] },
        { to: 'block', places: [{ on: 'inference' }] },
      ],
    },
    not_asked: ['dlp (webhook)'],
    error: null,
  });
  expect(run.stdout).not.toContain('901820');
  expect((await replay(['--json', '--show-text'])).stdout).toContain('901820');
  const people = (await replay(['--show-text'])).stdout;
  expect(people).toContain('\n  system: Be kind.\n  user: Call me: +49 30 901820 today\n  answer: Sure.\n');
});

test('a file whose rule is gone lets more pass, which a threshold can forbid', async () => {
  const files = {
    'texts.jsonl': '{"prompt":"so forbidden"}\n{"id":"r2","messages":[{"role":"user","content":"fine"}]}\n',
  };
  const run = await replay(['texts.jsonl', '--motif', 'bot', '--max-passed', '0', '--json'], { files });
  expect(run.exitCode).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({
    judged: 2,
    changes: {
      passed: 1,
      rules: [{ motif: 'bot', policy: 'words', pass: 1, redact: 0, block: -1 }],
      texts: [{ id: 'texts.jsonl:1' }],
    },
  });
});

test.each([
  {
    name: 'a prompt that the present file blocks, with an answer that the new one blocks',
    row: { prompt: 'so forbidden', response: 'Call +49 30 901820' },
    changes: { blocked: 0, redacted: 0, passed: 0 },
  },
  {
    name: 'a prompt that the present file blocks, with an answer that the new one redacts',
    row: { prompt: 'so forbidden', response: 'Write to ana@acme.dev' },
    changes: { blocked: 0, redacted: 0, passed: 1, texts: [{ from: 'block', to: 'redact' }] },
  },
  {
    name: 'a finding in the message that the Motif of the new file puts before',
    row: { prompt: 'Hello' },
    system: 'Our number is +49 30 901820.',
    changes: { blocked: 1, texts: [{ places: [{ policy: 'no-pii', place: { of: 'system', start: 14 } }] }] },
  },
])('both files judge as their gateways would: $name', async ({ row, system: said = 'Be kind.', changes }) => {
  const files = { 'a.jsonl': `${JSON.stringify(row)}\n`, 'next.yaml': next.replace('Be kind.', said) };
  const { stdout } = await replay(['a.jsonl', '--motif', 'bot', '--json'], { files });
  expect(JSON.parse(stdout)).toMatchObject({ judged: 1, changes });
});

test('an exception of the new file frees its finding, and is said', async () => {
  const files = {
    'next.yaml': next.replace('entities: [phone]', "entities: [phone], except: [{ text: '+49 30 901820', why: ours }]"),
  };
  const { stdout } = await replay([], { files });
  expect(stdout).toContain('exceptions let findings pass in 2 texts\n');
  expect(stdout).toContain('newly blocked 0, redacted 1');
});

describe('texts come from', () => {
  const phone = 'Call +49 30 901820';
  const head = { v: 1, id: 'c', title: null, created: '2026-11-21T12:00:00.000Z', motif_id: 'bot', profile: null };
  const jsonl = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

  test.each<{ name: string; file: string; content: string | Uint8Array }>([
    { name: 'plain lines', file: 'a.txt', content: `Hello\n${phone}\n` },
    { name: 'CSV with a column prompt', file: 'a.csv', content: `id,prompt\n1,Hello\n2,${phone}\n` },
    { name: 'gzip', file: 'a.jsonl.gz', content: gzipSync(jsonl({ prompt: 'Hello' }, { prompt: phone })) },
    {
      name: 'the answers of a batch',
      file: 'out.jsonl',
      content: jsonl(
        { index: 0, response: 'Hello', blocked: false },
        { index: 1, response: phone },
        { index: 2, response: null, blocked: true },
      ),
    },
    {
      name: 'a conversation',
      file: 'c.jsonl',
      content: jsonl(
        head,
        { kind: 'message', turn: 't', role: 'user', content: phone },
        { kind: 'message', turn: 't', role: 'assistant', content: 'Hello' },
        { kind: 'outcome', turn: 't' },
      ),
    },
  ])('$name', async ({ file, content }) => {
    const run = await replay([file, '--motif', 'bot', '--json'], { files: { [file]: content } });
    expect(JSON.parse(run.stdout)).toMatchObject({ judged: 2, changes: { blocked: 1 } });
  });

  test('conversations, each judged for the Motif that its head names, or the one it was moved to', async () => {
    const message = { kind: 'message', turn: 't', role: 'user', content: phone };
    const files = {
      'bot.jsonl': jsonl(head, message),
      'other.jsonl': jsonl({ ...head, motif_id: 'other' }, message),
      'moved.jsonl': jsonl({ ...head, motif_id: 'other' }, { kind: 'moved', motif_id: 'bot' }, message),
      'gone.jsonl': jsonl({ ...head, motif_id: 'gone' }, message),
      'empty.jsonl': jsonl(head),
    };
    const run = await replay([...Object.keys(files), '--json'], { files });
    expect(JSON.parse(run.stdout)).toMatchObject({
      judged: 3,
      not_judged: { without_motif: 1, rows_without_prompt: 0 },
      changes: {
        blocked: 2,
        texts: [
          { id: 'bot.jsonl:2', motif: 'bot' },
          { id: 'moved.jsonl:3', motif: 'bot' },
        ],
      },
    });
  });

  test('rotated audits, and a pipe', async () => {
    const lines = (await audit(entries)).split('\n');
    const files = { 'audit.jsonl.1.gz': gzipSync(`${lines[0]}\n`), 'audit.jsonl': `${lines[1]}\n` };
    expect(JSON.parse((await replay(['--json'], { files })).stdout)).toMatchObject({ judged: 2 });
    const piped = await motif(['admin', 'replay', 'next.yaml', '-', '--json'], {
      env: {},
      files: { 'gateway.yaml': present, 'next.yaml': next },
      stdin: lines.join('\n'),
    });
    expect(JSON.parse(piped.stdout)).toMatchObject({ judged: 4 });
  });
});

test.each([
  { name: 'no kept text', files: { 'audit.jsonl': '' }, words: [], says: 'there is no kept text to judge' },
  {
    name: 'no audit yet',
    files: { 'gateway.yaml': present.replace('audit.jsonl', 'elsewhere.jsonl') },
    words: [],
    says: 'motif admin audit stats --policy NAME',
  },
  {
    name: 'texts of no Motif',
    files: { 'a.txt': 'Hello\n' },
    words: ['a.txt'],
    says: '--motif takes one of bot, other',
  },
  { name: 'a faulty new file', files: { 'next.yaml': 'motifs: [' }, words: [], says: 'next.yaml has' },
])('$name is a usage error with a way round', async ({ files, words, says }) => {
  const run = await replay(words, { files });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(says);
});

test('GitHub Actions gets a remark beside the policy that decides otherwise', async () => {
  const { stderr } = await replay(['--max-blocked', '0'], { env: { GITHUB_ACTIONS: 'true' } });
  expect(stderr).toContain(
    '::error file=next.yaml,line=5,title=motif admin replay::no-pii/phone of bot, over 4 kept texts: pass -2, redact 0, block +2\n',
  );
});
